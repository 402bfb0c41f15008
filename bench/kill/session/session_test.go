//go:build interop && linux

package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/bench/interop/installed"
	"github.com/recourse-dev/recourse/bench/kill/tree"
)

// A client is a command that takes an era and a server's command line.
type client struct {
	name    string
	command []string
	eras    []string
}

// A server is a command with two steps that it can take at any time.
type server struct {
	name    string
	command []string
	quick   step // its answer has the text want in it
	want    string
	slow    step          // it takes longer than the time
	under   time.Duration // that it is left to reach the server
	end     string        // the text of the server's own error to a slow call, if it ever comes to that
	modern  bool          // speaks 2026-07-28
}

// A step is what a client is told to do next.
type step struct {
	Do        string         `json:"do"`
	Tool      string         `json:"tool,omitempty"`
	Arguments map[string]any `json:"arguments,omitzero"`
	Count     int            `json:"count,omitempty"`
}

func TestOneSessionOutlivesItsServers(t *testing.T) {
	dir := installed.Dir(t)
	python := filepath.Join(dir, "venv/bin/python")
	scripts := installed.Scripts(t, "kill", "clients/*.mjs")
	both := []string{"legacy", "auto"}
	clients := []client{
		{"ts1", []string{"node", filepath.Join(scripts, "ts1.mjs")}, []string{"legacy"}},
		{"ts2", []string{"node", filepath.Join(scripts, "ts2.mjs")}, both},
		{"python", []string{python, "clients/client.py"}, both},
	}
	echo := step{Do: "call", Tool: "echo", Arguments: map[string]any{"message": "hello"}}
	long := step{Do: "many", Count: 3, Tool: "trigger-long-running-operation", Arguments: map[string]any{"duration": 1, "steps": 1}}
	everything := filepath.Join(dir, "node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	servers := []server{
		{"everything", []string{"node", everything}, echo, "hello", long, time.Second / 4, "", false},
		{"npx everything", []string{"npx", "--prefix", dir, "--no-install", "mcp-server-everything"}, echo, "hello", long, time.Second / 4, "", false},
		{
			"python", []string{python, "../../interop/servers/sdk.py"},
			step{Do: "call", Tool: "echo", Arguments: map[string]any{"text": "hello"}}, "hello",
			step{Do: "many", Count: 3, Tool: "count", Arguments: map[string]any{"to": 1}}, time.Second / 4, "Error executing tool count", true,
		},
		{
			"go", []string{filepath.Join(bin, "goeverything")},
			step{Do: "call", Tool: "test_simple_text", Arguments: map[string]any{}}, "simple text",
			step{Do: "many", Count: 3, Tool: "test_tool_with_progress", Arguments: map[string]any{}}, time.Second / 20, "", true,
		},
	}
	for _, c := range clients {
		for _, s := range servers {
			for _, era := range c.eras {
				if era == "auto" && !s.modern || era == "legacy" && s.name == "python" && len(c.eras) > 1 {
					continue // it would be legacy again; and this server takes long to start
				}
				if s.name == "npx everything" && c.name != "ts1" {
					continue // behind npx it is the same one
				}
				t.Run(c.name+"/"+s.name+"/"+era, func(t *testing.T) {
					t.Parallel()
					outlive(t, c, s, era)
				})
			}
		}
	}
}

// idle is how long some sessions are left alone after a kill: until the slowest of
// the servers has started.
const idle = 3 * time.Second

// outlive keeps one session over all kills. Every other one strikes slow calls.
func outlive(t *testing.T, c client, s server, era string) {
	start := time.Now()
	d := drive(t, c, era, s)
	d.wantGood(s, "at first")
	first := d.do(step{Do: "list"})
	for n := range *kills {
		what := fmt.Sprintf("after kill %d", n+1)
		switch {
		case n%2 == 1:
			d.strike(s, n)
		case n%10 == 4:
			d.kill(n)
			<-time.After(idle) // only recourse talks to the new server at first
		default:
			d.kill(n)
		}
		d.wantGood(s, what)
		if got := d.do(step{Do: "list"}); !slices.Equal(got.Tools, first.Tools) || got.Changes != first.Changes {
			t.Fatalf("%s: %d list changes and the tools %q, want %d and %q", what, got.Changes, got.Tools, first.Changes, first.Tools)
		}
	}
	d.end()
	t.Logf("%d kills in one session, %d calls struck by one (%d good nevertheless), %d answers that told of it; %.1f s",
		*kills, d.struck, d.nevertheless, d.told, time.Since(start).Seconds())
}

// A driver is a client's process.
type driver struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan []byte
	stderr bytes.Buffer
	tree   tree.Tree

	struck, nevertheless, told int
}

func drive(t *testing.T, c client, era string, s server) *driver {
	d := &driver{t: t, lines: make(chan []byte), tree: tree.Tree{Mark: fmt.Sprintf("%d %s", os.Getpid(), t.Name()), Recourse: recourse}}
	// What recourse remembers of servers must not come from another run.
	home := t.TempDir()
	through := append([]string{"env", d.tree.Env(), "XDG_CACHE_HOME=" + home, "XDG_RUNTIME_DIR=" + home, "XDG_STATE_HOME=" + home, recourse, "run", "--no-log", "--"}, s.command...)
	d.cmd = exec.Command(c.command[0], slices.Concat(c.command[1:], []string{era}, through)...)
	d.cmd.Stderr = &d.stderr
	var err error
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(d.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			d.lines <- line
		}
	}()
	t.Cleanup(func() {
		d.cmd.Process.Kill()
		for range d.lines {
		}
		if t.Failed() {
			t.Logf("stderr: …%s", d.stderr.Bytes()[max(0, d.stderr.Len()-2000):])
		}
	})
	return d
}

// A line is what a client says of a step.
type line struct {
	outcome
	Begun   bool
	All     []outcome
	Tools   []string
	Changes int
}

// An outcome is how one call ended.
type outcome struct {
	Result *struct {
		Content []struct{ Text string }
		IsError bool
	}
	Error any
}

func (d *driver) say(s step) {
	d.t.Helper()
	b, _ := json.Marshal(s) // plain data
	if _, err := d.in.Write(append(b, '\n')); err != nil {
		d.t.Fatal(err)
	}
}

func (d *driver) hear() (l line) {
	d.t.Helper()
	select {
	case b, ok := <-d.lines:
		if err := json.Unmarshal(b, &l); err != nil || !ok {
			d.t.Fatalf("the client said %q, %v", b, err)
		}
	case <-time.After(90 * time.Second):
		d.t.Fatal("the client has said nothing for 90 s")
	}
	return l
}

func (d *driver) do(s step) line {
	d.t.Helper()
	d.say(s)
	return d.hear()
}

// wantGood makes a quick call, which must return data.
func (d *driver) wantGood(s server, when string) {
	d.t.Helper()
	l := d.do(s.quick)
	if l.Result == nil || l.Result.IsError || len(l.Result.Content) == 0 || !strings.Contains(l.Result.Content[0].Text, s.want) {
		d.t.Fatalf("%s: the call got %s", when, text(l.outcome))
	}
	if len(l.Result.Content) > 1 {
		d.told++
	}
}

// strike kills while slow calls are in flight: each ends as data or as an error
// that says what is known.
func (d *driver) strike(s server, n int) {
	d.t.Helper()
	if begun := d.do(s.slow); !begun.Begun {
		d.t.Fatalf("the client could not begin: %s", text(begun))
	}
	<-time.After(s.under)
	d.kill(n)
	for _, o := range d.hear().All {
		d.struck++
		if o.Result == nil || len(o.Result.Content) == 0 {
			d.t.Fatalf("kill %d: a call in flight got %s", n+1, text(o))
		}
		if said := o.Result.Content[0].Text; !o.Result.IsError || s.end != "" && said == s.end {
			d.nevertheless++ // it could be sent again, or repeated
			continue
		}
		var e struct {
			Error struct{ Code, Suggestion, Outcome string }
		}
		if err := json.Unmarshal([]byte(o.Result.Content[0].Text), &e); err != nil || e.Error.Code == "" || e.Error.Suggestion == "" || e.Error.Outcome != "unknown" {
			d.t.Fatalf("kill %d: a call in flight got %s", n+1, text(o))
		}
	}
}

// kill ends a process behind recourse; where there is a launcher, each in turn.
func (d *driver) kill(n int) {
	d.t.Helper()
	pids := d.tree.Behind()
	if len(pids) == 0 {
		d.t.Fatal("there is no server to kill")
	}
	slices.Sort(pids)
	if !d.tree.Kill(pids[n%len(pids)]) {
		d.t.Fatal("the server was dead before it was killed")
	}
}

// end ends the session, of which nothing may be left.
func (d *driver) end() {
	d.t.Helper()
	d.in.Close()
	for l := range d.lines {
		d.t.Errorf("at the end the client said %s", l)
	}
	if err := d.cmd.Wait(); err != nil {
		d.t.Errorf("the client ended with %v", err)
	}
	if rest, took := d.tree.Gone(time.Second); rest != "" {
		d.t.Errorf("%s after the session there is %s", took, rest)
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
