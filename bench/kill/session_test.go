//go:build linux

package kill

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/bench/kill/tree"
)

// patience is longer than the idle limit of recourse run, after which it answers
// whatever happens.
const patience = 70 * time.Second

// A session is one recourse run with the one client that it has.
type session struct {
	name  string // such as 3.2: the second session of client 3
	shape string // of the server
	dir   string // of its log, its ledger and what it said on stderr
	tree  tree.Tree
	soak  *soak
	cmd   *exec.Cmd
	in    io.WriteCloser
	over  chan struct{} // closed at the end of its output
	pause sync.RWMutex  // held for writing, it keeps new calls back

	mu       sync.Mutex
	calls    []*call
	changes  int       // list changes that it was told of
	struck   time.Time // when something of it was killed last
	murdered time.Time // when recourse itself was killed
	server   int       // the process that has answered last
	aware    bool      // an error has been heard since then
}

// A call is one request of the client.
type call struct {
	n      int
	tool   string // or another method
	began  time.Time
	ended  time.Time
	ending string // see below; empty while it is open

	unsent, cancelled bool
	answers           int
	done              chan struct{}
}

// The endings of a call.
const (
	data    = "data"
	refused = "refused" // an error that says, by saying nothing else, that it has not run
	unknown = "unknown" // an error that says it may have run
)

func (s *session) ledger() string { return filepath.Join(s.dir, "ledger") }
func (s *session) log() string    { return filepath.Join(s.dir, "log") }

// through returns the command that starts recourse before a server.
func (s *session) through(server []string) []string {
	return append([]string{recourse, "run", "--log", s.log(), "--"}, server...)
}

// open starts a command and shakes hands.
func (s *session) open(command []string) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	stderr, err := os.Create(filepath.Join(s.dir, "stderr"))
	if err != nil {
		return err
	}
	defer stderr.Close()
	s.cmd = exec.Command(command[0], command[1:]...)
	s.cmd.Env = append(os.Environ(), s.tree.Env(), "XDG_CACHE_HOME="+s.dir, "XDG_RUNTIME_DIR="+s.dir, "XDG_STATE_HOME="+s.dir)
	s.cmd.Stderr = stderr
	s.over = make(chan struct{})
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	go s.read(out)
	for _, r := range [][2]string{
		{"initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"kill","version":"1"}}`},
		{"logging/setLevel", `{"level":"` + level + `"}`},
		{"resources/subscribe", `{"uri":"` + watched + `"}`},
	} {
		if c := s.ask(r[0], r[1]); !s.wait(c) {
			return fmt.Errorf("session %s: %s was not answered", s.name, r[0])
		} else if c.ending != data {
			return fmt.Errorf("session %s: %s was answered with an error", s.name, r[0])
		}
		if r[0] == "initialize" {
			io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
		}
	}
	return nil
}

// argument is what tells the nth call of the session from all others.
func (s *session) argument(n int) string { return s.name + "." + strconv.Itoa(n) }

// ask makes a request, or with no params calls a tool. Every other id is a string.
func (s *session) ask(method, params string) *call {
	c := &call{tool: method, done: make(chan struct{})}
	s.mu.Lock()
	c.n = len(s.calls)
	s.calls = append(s.calls, c)
	c.began = time.Now()
	s.mu.Unlock()
	if params == "" {
		method = "tools/call"
		params = fmt.Sprintf(`{"name":%q,"arguments":{"call":%q}}`, c.tool, s.argument(c.n))
	}
	s.write(c, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, idOf(c.n), method, params))
	return c
}

func idOf(n int) string {
	if n%2 == 0 {
		return strconv.Itoa(n)
	}
	return `"c` + strconv.Itoa(n) + `"`
}

func numberOf(id string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(id, `"c`), `"`))
	return n, err == nil && idOf(n) == id
}

// write writes a line; what can't be written has not been sent.
func (s *session) write(c *call, line string) {
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.mu.Lock()
		c.unsent = true
		s.mu.Unlock()
	}
}

// wait waits for the end of a call and reports whether it was answered.
func (s *session) wait(c *call) bool {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-c.done:
		return true
	case <-s.over:
	case <-limit.C:
		s.soak.faultf(s, "%s has had no answer in %s", s.call(c), patience)
	}
	return false
}

// call describes a call for a report.
func (s *session) call(c *call) string {
	return fmt.Sprintf("call %s (%s, id %s)", s.argument(c.n), c.tool, idOf(c.n))
}

// work keeps one call in flight until stop is closed or the session is over.
func (s *session) work(stop <-chan struct{}, rng *rand.Rand) {
	for {
		s.pause.RLock()
		ending := s.next(rng)
		s.pause.RUnlock()
		rest := time.Duration(rng.Int64N(int64(longest)))
		if ending == refused {
			rest += longest // a refusal costs nothing, and would fill the time
		}
		select {
		case <-stop:
			return
		case <-s.over:
			return
		case <-time.After(rest):
		}
	}
}

// next makes a call and waits for its end, which it returns, or cancels it.
func (s *session) next(rng *rand.Rand) string {
	var c *call
	cancel := rng.IntN(20) == 0
	after := time.Duration(rng.Int64N(int64(longest)))
	switch p := rng.IntN(20); {
	case p < 9:
		c = s.ask("pay", "")
	case p < 14:
		c = s.ask("get", "")
	case p < 18:
		c = s.ask("put", "")
	case p < 19:
		c = s.ask("tools/list", "{}")
	default:
		c = s.ask("ping", "{}")
	}
	if cancel {
		select {
		case <-c.done:
		case <-s.over:
		case <-time.After(after):
			s.cancel(c)
			return ""
		}
	}
	if !s.wait(c) {
		return ""
	}
	return c.ending
}

func (s *session) cancel(c *call) {
	s.mu.Lock()
	c.cancelled = true
	s.mu.Unlock()
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"enough"}}`+"\n", idOf(c.n))
}

// untold says, with s.mu held, what is wrong with what an answer tells of a
// restart: the first one after it has to, unless an error came before, and no
// other.
func (s *session) untold(m message, ending string) (wrong string) {
	server := m.server()
	switch {
	case ending != data:
		s.aware = true
		return ""
	case server == 0: // not the answer of a tool
		return ""
	case server == s.server && m.told():
		wrong = "a restart was told of twice"
	case server != s.server && s.server != 0 && !s.aware && !m.told():
		wrong = "the server is another one, and nobody has told of that"
	}
	s.aware = s.aware && server == s.server
	s.server = server
	return wrong
}

// read hears what recourse says, to its end.
func (s *session) read(out io.Reader) {
	defer close(s.over)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			s.soak.faultf(s, "%v in %s", err, lines.Bytes())
			continue
		}
		m.line = lines.Text()
		s.hear(m)
	}
	if err := lines.Err(); err != nil {
		s.soak.faultf(s, "reading: %v", err)
	}
}

func (s *session) hear(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Method != "" {
		switch m.Method {
		case "notifications/tools/list_changed":
			s.changes++
		case "notifications/message":
		default:
			s.soak.faultf(s, "unexpected: %s", m.line)
		}
		return
	}
	n, ok := numberOf(string(m.ID))
	if !ok || n >= len(s.calls) {
		s.soak.faultf(s, "an answer to nothing: %s", m.line)
		return
	}
	c := s.calls[n]
	c.answers++
	if c.answers > 1 {
		s.soak.faultf(s, "answer %d to %s: %s", c.answers, s.call(c), m.line)
		return
	}
	var wrong string
	c.ending, wrong = m.judge(c.tool, s.argument(n))
	if wrong = cmp.Or(wrong, s.untold(m, c.ending)); wrong != "" {
		s.soak.faultf(s, "%s: %s: %s", s.call(c), wrong, m.line)
	}
	c.ended = time.Now()
	s.soak.count(m, s.shape, s.struck.After(c.began), c)
	close(c.done)
}
