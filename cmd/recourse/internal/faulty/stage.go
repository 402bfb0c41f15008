package faulty

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
)

// A Stage is where a test waits for the processes of a server.
type Stage struct {
	Servers chan *Actor // in the order of their start
	Heirs   chan *Actor // grandchildren that hold the server's output open

	ln net.Listener

	mu  sync.Mutex
	all []*Actor
}

// Open returns a new Stage.
func Open() (*Stage, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Stage{Servers: make(chan *Actor, 100), Heirs: make(chan *Actor, 100), ln: ln}
	go s.accept()
	return s, nil
}

// Addr belongs into [Env].
func (s *Stage) Addr() string { return s.ln.Addr().String() }

// Close ends every process that is still there.
func (s *Stage) Close() {
	_ = s.ln.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.all {
		_ = a.conn.Close()
	}
}

func (s *Stage) accept() {
	for {
		conn, err := s.ln.Accept()
		if err != nil {
			return
		}
		a := &Actor{Events: make(chan Event, 1<<12), conn: conn}
		s.mu.Lock()
		s.all = append(s.all, a)
		s.mu.Unlock()
		go s.follow(a)
	}
}

// follow turns what a process reports into events.
func (s *Stage) follow(a *Actor) {
	defer close(a.Events)
	in := bufio.NewReader(a.conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case verb == "start" && rest == heir:
			s.Heirs <- a
		case verb == "start":
			s.Servers <- a
		default:
			a.Events <- Event{verb, rest}
		}
	}
}

// An Actor is one process of a server.
type Actor struct {
	// Events is closed when the process has ended.
	Events chan Event

	conn net.Conn
}

// An Event is what a process tells: "heard" with a line of its input, "eof",
// "signal" with its name, or "did" with the verb of an order that is worth
// waiting for: hold and resist.
type Event struct{ Verb, Rest string }

// Do orders a process to do something:
//
//	say LINE   part TEXT   bytes TEXT   drip TEXT   log LINE   flood BYTES
//	wait DURATION   hold   resume   mute   resist   fork   exit STATUS   kill   orphan
//
// In a TEXT of bytes and drip there are escapes, see [Unescape]; drip writes one
// byte at a time. Orders are obeyed one after another; Do does not wait for it.
func (a *Actor) Do(verb, rest string) error {
	_, err := a.conn.Write([]byte(verb + " " + rest + "\n"))
	return err
}

// Unescape writes the escapes of a Go string out: \x00 is any byte, \u2028 a
// character, \\ a backslash. Quotation marks stand for themselves.
func Unescape(text string) (string, error) {
	var out []byte
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return string(append(out, text...)), nil
		}
		r, multibyte, rest, err := strconv.UnquoteChar(text[i:], 0)
		if err != nil {
			return "", fmt.Errorf("%w: %.20q", err, text[i:])
		}
		out = append(out, text[:i]...)
		if multibyte {
			out = append(out, string(r)...)
		} else {
			out = append(out, byte(r))
		}
		text = rest
	}
}
