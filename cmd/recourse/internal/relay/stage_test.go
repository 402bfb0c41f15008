package relay

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

// A memory is an upstream.Conn whose server is the test itself.
type memory struct {
	io.Reader // what the server says
	io.Writer // what it is told
	heard     *bufio.Reader
	hearing   *io.PipeReader
	say       *io.PipeWriter
	gone      chan struct{}
	once      sync.Once
	mu        sync.Mutex
	stopped   bool
	exit      upstream.Exit
	tail      string
	tailAt    time.Time
	unread    int           // bytes that it never read
	left      func() int    // the same, if not nil
	cpu       time.Duration // that it has used, at each look
	looks     int
}

func newMemory() *memory {
	hearR, hearW := io.Pipe()
	sayR, sayW := io.Pipe()
	return &memory{Reader: sayR, Writer: hearW, heard: bufio.NewReaderSize(hearR, 1<<20), hearing: hearR, say: sayW, gone: make(chan struct{})}
}

func (m *memory) end(exit upstream.Exit, stderr string) {
	m.once.Do(func() {
		m.mu.Lock()
		m.exit, m.tail, m.tailAt = exit, stderr, time.Now()
		m.mu.Unlock()
		m.say.Close()
		m.Writer.(*io.PipeWriter).Close()
		close(m.gone)
	})
}

func (m *memory) die(status int, stderr string) { m.end(upstream.Exit{Status: status}, stderr) }

func (m *memory) Stop(upstream.Grace) {
	m.end(upstream.Exit{Asked: true}, "")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped = true
}

func (m *memory) Close() error          { return nil }
func (m *memory) Gone() <-chan struct{} { return m.gone }
func (m *memory) Exit() upstream.Exit   { return m.exit }
func (m *memory) Ending() bool          { return false }
func (m *memory) PID() int              { return 1 }
func (m *memory) Unread() int {
	if m.left != nil {
		return m.left()
	}
	return m.unread
}

// CPU lets the server seem to have worked for m.cpu between two looks.
func (m *memory) CPU() (time.Duration, bool) {
	m.looks++
	return time.Duration(m.looks) * m.cpu, true
}

func (m *memory) Tail() (string, time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tail, m.tailAt
}

// A stage is a relay between a client and a server that the test plays.
type stage struct {
	t      *testing.T
	relay  *Relay
	client *bufio.Reader // what the client hears
	say    *io.PipeWriter
	lives  []*memory
	server *memory
	fences int
	met    *memory // the last one that has made a handshake
	stop   chan int
	status chan int
	said   []string
}

// play runs a scene in virtual time. The handshake has been made, except in a
// relay that set prepares otherwise.
func play(t *testing.T, set func(*Relay), scene func(s *stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		s := &stage{t: t, client: bufio.NewReaderSize(outR, 1<<20), say: inW, stop: make(chan int, 2), status: make(chan int, 1)}
		s.relay = &Relay{In: inR, Out: outW, Server: "fake", Say: func(line string) { s.said = append(s.said, line) }}
		s.relay.Start = func() (upstream.Conn, error) {
			s.server = newMemory()
			s.lives = append(s.lives, s.server)
			return s.server, nil
		}
		if set != nil {
			set(s.relay)
		}
		go func() { s.status <- s.relay.Run(s.stop) }()
		synctest.Wait()
		defer func() {
			s.wait()
			inW.Close()
			go io.Copy(io.Discard, outR)
			for _, m := range s.lives {
				go io.Copy(io.Discard, m.heard)
			}
			s.stop <- 15
			<-s.status
			outR.Close()
			if s.relay.panics > 0 {
				t.Errorf("the operator heard %q", s.said)
			}
			for n, m := range s.lives {
				if m.mu.Lock(); !m.stopped {
					t.Errorf("what life %d left behind was not ended", n+1)
				}
				m.mu.Unlock()
			}
		}()
		scene(s)
	})
}

const (
	hello   = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`
	welcome = `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"0"}}}`
)

// handshake makes the client and the server known to each other.
func (s *stage) handshake(tools ...string) {
	s.t.Helper()
	s.ask(hello)
	s.answer(fmt.Sprintf(welcome, s.hear().id))
	s.met = s.server
	s.want(`"id":1`)
	s.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.hear()
	s.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"tools":[` + strings.Join(tools, ",") + `]}}`)
	s.want(`"id":2`)
}

// revived plays a server that has been started again, up to its first request.
func (s *stage) revived() {
	s.t.Helper()
	for range 100 {
		if s.wait(); s.server != s.met {
			break
		}
		s.pass(100 * time.Millisecond)
	}
	s.met = s.server
	if m := s.hear(); m.Method != "initialize" {
		s.t.Fatalf("the new server was told %s", m.line)
	} else {
		s.answer(fmt.Sprintf(welcome, m.id))
	}
	if m := s.hear(); m.Method != "notifications/initialized" {
		s.t.Fatalf("the new server was told %s", m.line)
	}
}

// pong answers a ping.
func (s *stage) pong() {
	s.t.Helper()
	m := s.hear()
	if m.Method != "ping" {
		s.t.Fatalf("the server was told %s", m.line)
	}
	s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":{}}`)
}

func callLine(id, tool string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}`
}

// ask lets the client say a line.
func (s *stage) ask(line string) { fmt.Fprintln(s.say, line) }

// answer lets the server say a line.
func (s *stage) answer(line string) { fmt.Fprintln(s.server.say, line) }

// A message is a line, and the parts of it that scenes go by.
type message struct {
	line   string
	id     string
	Method string
	Params json.RawMessage
	Error  json.RawMessage
	envelope
}

type envelope struct {
	Code, Message, Suggestion, Outcome, Reason, State string
	Retryable                                         *bool
	RetryAfter                                        float64 `json:"retry_after_seconds"`
	ExitStatus                                        *int    `json:"exit_status"`
	Stderr                                            string
}

// hear returns the next line that the server is told.
func (s *stage) hear() message {
	s.t.Helper()
	s.wait()
	return s.read(s.server.heard)
}

// want returns the next line that the client hears, which must hold the parts.
func (s *stage) want(parts ...string) message {
	s.t.Helper()
	m := s.read(s.client)
	for _, part := range parts {
		if !strings.Contains(m.line, part) {
			s.t.Fatalf("the client heard\n%s\nwhich lacks %s", m.line, part)
		}
	}
	return m
}

func (s *stage) read(r *bufio.Reader) message {
	s.t.Helper()
	s.fence()
	line, err := r.ReadString('\n')
	if err != nil {
		s.t.Fatalf("nothing more is said: %v", err)
	}
	s.wait()
	var raw struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
		Error  json.RawMessage
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(line), &raw); err != nil {
		s.t.Fatalf("%v: %s", err, line)
	}
	m := message{line: strings.TrimSuffix(line, "\n"), id: string(raw.ID), Method: raw.Method, Params: raw.Params, Error: raw.Error}
	var first struct{ Error envelope }
	switch {
	case raw.Result.IsError:
		err = json.Unmarshal([]byte(raw.Result.Content[0].Text), &first)
	case raw.Error != nil:
		var data struct{ Data struct{ Error envelope } }
		err = json.Unmarshal(raw.Error, &data)
		first = data.Data
	}
	if err != nil {
		s.t.Fatalf("%v: %s", err, line)
	}
	m.envelope = first.Error
	return m
}

// pass lets time go by.
func (s *stage) pass(d time.Duration) {
	s.fence()
	time.Sleep(d)
	s.wait()
}

// wait lets the relay do all that it can do now. The test looks at what it has
// started, and the race detector wants to know in which order.
func (s *stage) wait() {
	s.fence()
	synctest.Wait()
	s.fence()
}

func (s *stage) fence() {
	s.relay.mu.Lock()
	s.fences++
	s.relay.mu.Unlock()
}

// silent fails if the client hears anything within d.
func (s *stage) silent(d time.Duration) {
	s.t.Helper()
	s.pass(d)
	if early, _ := s.client.Peek(s.client.Buffered()); len(early) > 0 {
		s.t.Fatalf("the client has heard %s", early)
	}
	s.relay.front.mu.Lock()
	defer s.relay.front.mu.Unlock()
	if n := s.relay.front.bytes.size; n > 0 {
		s.t.Fatalf("the client hears %s", s.relay.front.bytes.head())
	}
}

func spans(t *testing.T, timeout, maxTime string) rules.Rules {
	t.Helper()
	var r rules.Rules
	if err := errors.Join(r.Timeout.UnmarshalText([]byte(timeout)), r.MaxTime.UnmarshalText([]byte(maxTime))); err != nil {
		t.Fatal(err)
	}
	return r
}
