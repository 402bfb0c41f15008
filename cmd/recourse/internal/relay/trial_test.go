package relay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

// A finish is what a server does after it has said its piece.
type finish uint8

const (
	well   finish = iota // it answers whatever else it is asked
	deaf                 // it answers nothing more
	dead                 // it ends
	closed               // it can say nothing more, and lives on
)

// tries is how many calls it may take afterwards until one is answered well: one,
// but for a server that must be found out first, or owes the end of a line.
func (f finish) tries(said []byte) int {
	switch {
	case f == deaf:
		return 3
	case f == well && len(said) > 0 && !bytes.HasSuffix(said, []byte("\n")):
		return 2
	}
	return 1
}

// A trial is a session in virtual time with a server that keeps to itself what
// it has been asked, until it is told what to say.
type trial struct {
	relay   *Relay
	say     *io.PipeWriter
	heard   hearing
	asked   asked
	batches bool   // arrays are spoken: the revision is 2025-03-26
	welcome string // the server's answer to initialize, with %s for the id

	mu    sync.Mutex
	lives []*memory
	keeps bool     // requests are kept
	kept  []string // they, as the server got them
	mute  *memory  // a life that answers nothing
	wrong []error  // what no server should be told
	ends  chan int
	over  chan struct{}
}

// try plays a scene in virtual time, in which it also shows if a goroutine is left.
func try(t *testing.T, set func(*trial), scene func(*trial) error) (err error) {
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		tr := &trial{say: inW, asked: asked{}, welcome: welcome, ends: make(chan int, 2), over: make(chan struct{})}
		tr.relay = &Relay{In: inR, Out: &tr.heard, Server: "fake", Rules: spans(t, "2s", "4s")}
		tr.relay.Start = func() (upstream.Conn, error) { return tr.start(), nil }
		if set != nil {
			set(tr)
		}
		go func() {
			tr.relay.Run(tr.ends)
			close(tr.over)
		}()
		err = scene(tr)
		synctest.Wait()
		inW.Close()
		tr.ends <- 15
		<-tr.over
	})
	return err
}

// batch lets client and server agree on the one revision that has arrays.
func (tr *trial) batch() {
	tr.batches = true
	tr.welcome = strings.Replace(welcome, "2025-06-18", "2025-03-26", 1)
}

// start begins a life of the server.
func (tr *trial) start() *memory {
	hearR, hearW := io.Pipe()
	sayR, sayW := io.Pipe()
	m := &memory{Reader: sayR, Writer: hearW, heard: bufio.NewReader(hearR), hearing: hearR, say: sayW, gone: make(chan struct{})}
	tr.mu.Lock()
	tr.lives = append(tr.lives, m)
	tr.mu.Unlock()
	go tr.serve(m)
	return m
}

// serve is one life of the server.
func (tr *trial) serve(m *memory) {
	for {
		line, err := m.heard.ReadString('\n')
		if err != nil {
			m.hearing.Close()
			return
		}
		var q struct {
			ID     json.RawMessage
			Method string
		}
		line = strings.TrimSuffix(line, "\n")
		_, err = readLine(line, false)
		err = errors.Join(err, json.Unmarshal([]byte(line), &q))
		tr.mu.Lock()
		if err != nil {
			tr.wrong = append(tr.wrong, fmt.Errorf("the server was told\n%s\n%w", line, err))
		}
		silent := q.ID == nil || q.Method == "" || m == tr.mute
		if !silent && tr.keeps {
			tr.kept = append(tr.kept, line)
			silent = true
		}
		tr.mu.Unlock()
		if !silent {
			go fmt.Fprintf(m.say, "%s\n", tr.reply(q.Method, q.ID))
		}
	}
}

// fine is what the server says to a call if it is well.
const fine = "all is fine"

func (tr *trial) reply(method string, id []byte) string {
	switch method {
	case "initialize":
		return fmt.Sprintf(tr.welcome, id)
	case "tools/list":
		return `{"jsonrpc":"2.0","id":` + string(id) + `,"result":{"tools":[` + find + "," + write + `]}}`
	case "tools/call":
		return `{"jsonrpc":"2.0","id":` + string(id) + `,"result":{"content":[{"type":"text","text":"` + fine + `"}]}}`
	}
	return `{"jsonrpc":"2.0","id":` + string(id) + `,"result":{}}`
}

// ask lets the client say lines.
func (tr *trial) ask(lines ...string) { io.WriteString(tr.say, strings.Join(lines, "\n")+"\n") }

// open makes the handshake.
func (tr *trial) open() {
	tr.asked["1"], tr.asked["2"] = "initialize", "tools/list"
	tr.ask(hello)
	synctest.Wait()
	tr.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	synctest.Wait()
}

// speak lets the server say all in pieces of at most size bytes.
func (tr *trial) speak(all []byte, size int, pause time.Duration) {
	m := tr.lives[0]
	for len(all) > 0 {
		n := min(size, len(all))
		m.say.Write(all[:n])
		all = all[n:]
		if pause > 0 {
			time.Sleep(pause)
			pause = 0
		}
	}
}

// finish lets the server do as it will after it has spoken.
func (tr *trial) finish(f finish) {
	m := tr.lives[0]
	tr.mu.Lock()
	tr.keeps = false
	if f != well {
		tr.mute = m
	}
	tr.mu.Unlock()
	switch f {
	case dead:
		m.die(1, "Error: the piece is over")
	case closed:
		m.say.Close()
	}
}

// rest lets all limits pass: those of calls, and those of whatever the server has
// asked the client, which answers only if it may.
func (tr *trial) rest(answers bool) {
	synctest.Wait()
	if answers {
		all, _ := tr.asked.judge(tr.heard.lines(), tr.batches)
		for _, q := range questions(all) {
			tr.ask(`{"jsonrpc":"2.0","id":` + q.id + `,"error":{"code":-32601,"message":"not here"}}`)
		}
	}
	time.Sleep(15 * time.Minute)
	synctest.Wait()
}

// recover asks the server again. One of the next n calls must be answered well.
func (tr *trial) recover(n int) error {
	for i := range n {
		id := fmt.Sprint(100 + i)
		tr.asked[id] = "tools/call"
		tr.ask(callLine(id, "find"))
		time.Sleep(time.Minute)
		synctest.Wait()
		lines := tr.heard.lines()
		if len(lines) > 0 && strings.Contains(lines[len(lines)-1], fine) {
			return nil
		}
	}
	return fmt.Errorf("none of %d later calls is answered well", n)
}

// judge reads all that the client and the server have heard.
func (tr *trial) judge() ([]reading, error) {
	all, err := tr.asked.judge(tr.heard.lines(), tr.batches)
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return all, errors.Join(append(tr.wrong, err)...)
}
