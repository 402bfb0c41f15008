package relay

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

// A chaos is a server that does to its calls whatever chance wants, and counts
// what it has run.
type chaos struct {
	mu   sync.Mutex
	rand *rand.Rand
	ran  map[string]int // by the call's argument
}

func (c *chaos) chance(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rand.IntN(n)
}

// after returns a time of up to d, short ones more often.
func (c *chaos) after(d time.Duration) time.Duration {
	return time.Duration(c.chance(int(d)) / (1 + c.chance(20)))
}

// An ear counts what was read of a server's input.
type ear struct {
	io.Reader
	mu sync.Mutex
	n  int64
}

func (e *ear) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b[:min(len(b), 1)])
	e.mu.Lock()
	e.n += int64(n)
	e.mu.Unlock()
	return n, err
}

// live is one life of the server.
func (c *chaos) live(r *Relay, m *memory) {
	e := &ear{Reader: m.hearing}
	silent := make(chan struct{})
	defer close(silent)
	m.left = func() int {
		m.hearing.Close() // whoever asks has seen to it that nobody reads any more
		<-silent
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.server == nil {
			return 0 // it has been answered for
		}
		_ = r.server.back.await(0) // a Write that has begun comes back
		e.mu.Lock()
		defer e.mu.Unlock()
		return int(r.server.back.sent() - e.n)
	}
	if c.chance(4) == 0 { // it does not live long, whatever happens
		time.AfterFunc(c.after(20*time.Second), func() { m.end(upstream.Exit{Status: 137, Signal: "killed"}, "") })
	}
	say := func(line string) { go fmt.Fprintln(m.say, line) }
	for in := bufio.NewReaderSize(e, 16); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var q struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments struct{ N string }
			}
		}
		_ = json.Unmarshal([]byte(line), &q)
		result := func(text string) string { return `{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":` + text + `}` }
		switch q.Method {
		case "initialize":
			if c.chance(10) == 0 {
				m.die(1, "Error: no luck at the start")
				return
			}
			say(fmt.Sprintf(welcome, q.ID))
		case "tools/list":
			say(result(`{"tools":[` + find + "," + put + "," + write + `]}`))
		case "tools/call":
			key := q.Params.Name + q.Params.Arguments.N
			run := func() {
				c.mu.Lock()
				c.ran[key]++
				c.mu.Unlock()
			}
			done := result(`{"content":[{"type":"text","text":"` + key + `"}]}`)
			switch c.chance(14) {
			case 0: // before it has begun
				m.die(c.chance(2), "")
				return
			case 1: // after
				run()
				m.end(upstream.Exit{Status: 137, Signal: "killed"}, "")
				return
			case 2: // it is deaf from now on
				run()
				return
			case 3: // it forgets this one
				run()
			case 4:
				run()
				time.AfterFunc(c.after(90*time.Second), func() { say(done) })
			case 5:
				run()
				fmt.Fprintln(m.say, done)
				m.die(0, "")
				return
			case 6: // it says no more, but lives
				run()
				m.say.Close()
			default:
				run()
				say(done)
			}
		default:
			if q.ID != nil {
				say(result(`{}`))
			}
		}
	}
}

// Whatever a server does, each call ends once, in time, and honestly: one that is
// answered by data has run, one that is said not to have run has not, and nothing
// that writes runs twice.
func TestChaos(t *testing.T) {
	for seed := range uint64(150) {
		c := &chaos{rand: rand.New(rand.NewPCG(seed, 1)), ran: map[string]int{}}
		play(t, func(r *Relay) {
			start := r.Start
			r.Start = func() (upstream.Conn, error) {
				conn, err := start()
				go c.live(r, conn.(*memory))
				return conn, err
			}
		}, func(s *stage) { c.scene(t, s, seed) })
	}
}

func (c *chaos) scene(t *testing.T, s *stage, seed uint64) {
	var mu sync.Mutex
	answers := map[string][]string{}
	go func() {
		for {
			line, err := s.client.ReadString('\n')
			if err != nil {
				return
			}
			var a struct{ ID json.RawMessage }
			_ = json.Unmarshal([]byte(line), &a)
			mu.Lock()
			answers[string(a.ID)] = append(answers[string(a.ID)], line)
			mu.Unlock()
		}
	}()
	s.ask(hello)
	s.pass(time.Minute)
	mu.Lock()
	up := len(answers["1"]) == 1 && strings.Contains(answers["1"][0], "result")
	mu.Unlock()
	if !up {
		return
	}
	s.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	keys, cancelled := map[string]string{}, map[string]bool{}
	for i := range 60 {
		id := fmt.Sprint(100 + i)
		tool := []string{"find", "put", "write", "write"}[c.chance(4)]
		keys[id] = tool + id
		s.ask(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"N":"` + id + `"}}}`)
		if c.chance(3) == 0 {
			s.pass(c.after(20 * time.Second))
		}
		if c.chance(12) == 0 {
			cancelled[id] = true
			s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		}
	}
	s.pass(15 * time.Minute)
	s.wait()
	mu.Lock()
	defer mu.Unlock()
	for id, key := range keys {
		got, ran := answers[id], c.ran[key]
		switch {
		case cancelled[id] && len(got) <= 1:
		case len(got) != 1:
			t.Errorf("seed %d: %s has %d answers: %q", seed, key, len(got), got)
		case strings.Contains(got[0], `"text":"`+key+`"`) && ran == 0:
			t.Errorf("seed %d: %s is answered and has not run: %s", seed, key, got[0])
		case strings.Contains(got[0], "did not run") && ran > 0:
			t.Errorf("seed %d: %s has run: %s", seed, key, got[0])
		}
		if most := map[bool]int{true: 2, false: 1}[strings.HasPrefix(key, "find") || strings.HasPrefix(key, "put")]; ran > most {
			t.Errorf("seed %d: %s ran %d times", seed, key, ran)
		}
	}
}
