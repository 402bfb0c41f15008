//go:build linux

package kill

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

const (
	level   = "debug"        // that clients ask for
	watched = "note://today" // that they subscribe to
	longest = 30 * time.Millisecond
)

const (
	helloResult = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}},"serverInfo":{"name":"till","version":"1"}}`
	listResult  = `{"tools":[` +
		`{"name":"pay","inputSchema":{"type":"object"}},` +
		`{"name":"hold","inputSchema":{"type":"object"}},` +
		`{"name":"put","inputSchema":{"type":"object"},"annotations":{"idempotentHint":true,"destructiveHint":false}},` +
		`{"name":"get","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`
	listChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
)

// A server writes down in its ledger what it runs, before it answers. It ends a
// call only by answering it: whether the client has cancelled it is not its
// concern.
type server struct {
	ledger *os.File
	quick  bool   // tools take no time
	state  answer // what its answers say of it

	mu      sync.Mutex
	out     io.Writer
	running sync.WaitGroup
}

// An answer is the text that a tool returns.
type answer struct {
	Call    string `json:"call"` // its argument
	Level   string `json:"level"`
	Watched string `json:"watched"`
	PID     int    `json:"pid"`
}

// A request is what the server reads of a line from its client.
type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Level, URI, Name string
		Arguments        struct{ Call string }
	}
}

// serve is a server: LEDGER [quick] [family|apart].
func serve(args []string) error {
	ledger, err := os.OpenFile(args[0], os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	for _, kin := range []string{"family", "apart"} {
		if !slices.Contains(args, kin) {
			continue
		}
		child := self("idler")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: kin == "apart"}
		if err := child.Start(); err != nil {
			return err
		}
	}
	s := &server{ledger: ledger, quick: slices.Contains(args, "quick"), out: os.Stdout, state: answer{PID: os.Getpid()}}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return fmt.Errorf("%s: %w", in.Bytes(), err)
		}
		s.receive(r)
	}
	s.running.Wait()
	return nil
}

func (s *server) receive(r request) {
	switch r.Method {
	case "initialize":
		s.reply(r, helloResult)
	case "notifications/initialized":
		s.say(listChanged) // as some servers do, though nothing has changed
	case "tools/list":
		s.reply(r, listResult)
	case "logging/setLevel":
		s.state.Level = r.Params.Level
		s.reply(r, "{}")
	case "resources/subscribe":
		s.state.Watched = r.Params.URI
		s.reply(r, "{}")
	case "tools/call":
		a := s.state
		a.Call = r.Params.Arguments.Call
		s.running.Go(func() { s.run(r, a) })
	default:
		if r.Method != "" && r.ID != nil {
			s.reply(r, "{}") // ping
		}
	}
}

// run runs a tool. The moment at which it takes effect is as random as its end.
func (s *server) run(r request, a answer) {
	whole := rand.N(longest)
	if s.quick {
		whole = 0
	}
	before := rand.N(whole + 1)
	<-time.After(before)
	fmt.Fprintf(s.ledger, "%s %s\n", r.Params.Name, a.Call)
	if r.Params.Name == "hold" {
		return // it is never answered
	}
	<-time.After(whole - before)
	text, _ := json.Marshal(a)              // plain data
	quoted, _ := json.Marshal(string(text)) // a string
	s.reply(r, fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, quoted))
}

func (s *server) reply(r request, result string) {
	s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, result))
}

func (s *server) say(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.WriteString(s.out, line+"\n")
}

// self is a command that starts this binary again, with our input and output.
func self(args ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

// idle is a process that only SIGKILL ends, or in the end its parent's death:
// those that leave their group may stay until recourse ends, and in a long run
// they would be many.
func idle([]string) error {
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	parent := os.Getppid()
	for os.Getppid() == parent {
		<-time.After(time.Second)
	}
	<-time.After(2 * left)
	return nil
}

// wrap starts a command as npx does, and ends when it does.
func wrap(args []string) error { return self(args...).Run() }

// launch starts a command and leaves.
func launch(args []string) error { return self(args...).Start() }

// A shape is a way to start the server.
type shape struct {
	name    string
	command func(binary string, server ...string) []string
}

// inBackground gives a process that a shell starts in the background the shell's
// input, which it would not have otherwise.
const inBackground = `exec 3<&0; "$@" <&3 & wait`

var shapes = []shape{
	{"direct", func(binary string, server ...string) []string { return append([]string{binary}, server...) }},
	{"shell", func(binary string, server ...string) []string {
		return append([]string{"sh", "-c", inBackground, "sh", binary}, server...)
	}},
	{"wrapper", func(binary string, server ...string) []string {
		return append([]string{binary, "wrapper"}, server...)
	}},
	{"launcher", func(binary string, server ...string) []string {
		return append([]string{binary, "launcher"}, server...)
	}},
	// A child of the server that holds its pipes, in its group or in a session of its own.
	{"family", func(binary string, server ...string) []string {
		return append(append([]string{binary}, server...), "family")
	}},
	{"apart", func(binary string, server ...string) []string {
		return append(append([]string{binary}, server...), "apart")
	}},
}
