//go:build interop && linux

package session

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recourse-dev/recourse/bench/interop/installed"
	"github.com/recourse-dev/recourse/bench/kill/tree"
)

// limit is how long anything may be left: of the steps by which a server is ended,
// the last one is due 2 s after the client's end or SIGTERM, and a dying process
// is left 1 s. After a SIGKILL of recourse, whose guard has no steps to take, it
// is as much in all.
const limit = 3 * time.Second

// patience is more than a server takes to start on a machine that does much else.
const patience = 90 * time.Second

// Both servers notice by themselves that recourse was killed: one reads the end of
// its input, the other writes to a closed pipe when it asks for roots. That the
// guard ends those that don't is shown in package upstream. After a mere EOF, the
// one behind npx waits for the answer to that question until it gets SIGTERM.
func TestLaunchersLeaveNothing(t *testing.T) {
	uvx, env := installed.Tool(t, "mcp-server-time@2026.10.19")
	env = append(env, "npm_config_offline=true")
	servers := []server{
		{
			name:    "npx",
			command: []string{"npx", "-y", "@modelcontextprotocol/server-everything"},
			quick:   step{Tool: "echo", Arguments: map[string]any{"message": "hello"}}, want: "hello",
		},
		{
			name: "uvx", command: uvx, // Tokyo has one time all the year
			quick: step{Tool: "get_current_time", Arguments: map[string]any{"timezone": "Asia/Tokyo"}}, want: "+09:00",
		},
	}
	ends := []struct {
		name     string
		end      func(*launched)
		statuses []int // of recourse; -1: it has none
	}{
		{"EOF", (*launched).close, []int{0}},
		{"SIGTERM", func(l *launched) { l.signal(syscall.SIGTERM) }, []int{128 + int(syscall.SIGTERM)}},
		{"SIGKILL", func(l *launched) { l.signal(syscall.SIGKILL) }, []int{-1}},
		// So soon after the launcher's death, its status may still stand for the server's.
		{"launcher killed, EOF", func(l *launched) { l.killLauncher(); l.close() }, []int{0, 128 + int(syscall.SIGKILL)}},
	}
	for _, s := range servers {
		for _, e := range ends {
			t.Run(s.name+"/"+e.name, func(t *testing.T) {
				l := launch(t, s, env)
				e.end(l)
				rest, took := l.gone()
				if rest != "" {
					t.Fatalf("%s after the end there is %s", took, rest)
				}
				l.cmd.Wait() // says by its error what the status says
				if got := l.cmd.ProcessState.ExitCode(); !slices.Contains(e.statuses, got) {
					t.Errorf("recourse's status is %d, want one of %d", got, e.statuses)
				}
				t.Logf("nothing left after %.2f s", took.Seconds())
			})
		}
	}
}

// A launched is a session with a server behind its launcher behind recourse.
type launched struct {
	t        *testing.T
	server   server
	cmd      *exec.Cmd
	in       io.Closer
	client   *mcp.ClientSession
	tree     tree.Tree
	launcher int // a pid
	guard    int // the pid of the process that recourse keeps for its own death
}

// launch begins a session in which one call has been answered.
func launch(t *testing.T, s server, env []string) *launched {
	home := t.TempDir() // what recourse remembers of servers must not come from another run
	l := &launched{t: t, server: s, tree: tree.Tree{Mark: fmt.Sprintf("%d %s", os.Getpid(), t.Name()), Recourse: recourse}}
	l.cmd = exec.Command(recourse, append([]string{"run", "--no-log", "--"}, s.command...)...)
	l.cmd.Env = slices.Concat(os.Environ(), env, []string{l.tree.Env(), "XDG_CACHE_HOME=" + home, "XDG_RUNTIME_DIR=" + home, "XDG_STATE_HOME=" + home})
	l.cmd.Dir = installed.Dir(t) // there npx finds the package, and needs no network
	var stderr bytes.Buffer
	l.cmd.Stderr = &stderr
	in, err := l.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := l.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		for _, pid := range l.tree.PIDs() { // none, unless the test has failed
			l.tree.Kill(pid)
		}
		l.cmd.Wait()
		if t.Failed() {
			t.Logf("stderr: …%s", stderr.Bytes()[max(0, stderr.Len()-2000):])
		}
	})
	l.in = in
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	l.client, err = mcp.NewClient(&mcp.Implementation{Name: "kill", Version: "1"}, nil).
		Connect(ctx, &mcp.IOTransport{Reader: out, Writer: in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.client.Close() })
	l.wantGood("at first")
	l.find()
	l.findGuard()
	return l
}

// find tells the launcher from the server. Were there no two of them, a test of
// what a launcher leaves would prove nothing.
func (l *launched) find() {
	l.t.Helper()
	children, behind := l.tree.Children(), l.tree.Behind()
	if len(children) != 1 || len(behind) < 2 {
		l.t.Fatalf("want one child, a launcher, and a server behind it, not %s", tree.Describe(behind))
	}
	l.launcher = children[0]
}

// findGuard waits for the guard process. It has no environment, so the tree is
// without it.
func (l *launched) findGuard() {
	l.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for start := time.Now(); time.Since(start) < patience; <-tick.C {
		found, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
		for _, path := range found {
			pid, _ := strconv.Atoi(filepath.Base(path))
			if tree.Parent(pid) == l.cmd.Process.Pid && l.isRecourse(pid) {
				l.guard = pid
				return
			}
		}
	}
	l.t.Fatal("there is no guard process")
}

func (l *launched) isRecourse(pid int) bool {
	exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)) // empty: it has ended
	return exe == l.tree.Recourse
}

// gone waits until nothing is left. It returns what is, past the limit, and how
// long it took.
func (l *launched) gone() (rest string, took time.Duration) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for start := time.Now(); ; <-tick.C {
		pids := l.tree.PIDs()
		if l.isRecourse(l.guard) {
			pids = append(pids, l.guard)
		}
		took = time.Since(start)
		if len(pids) == 0 || took > limit {
			return tree.Describe(pids), took
		}
	}
}

// wantGood makes a call, which must return data.
func (l *launched) wantGood(when string) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), patience)
	defer cancel()
	got, err := l.client.CallTool(ctx, &mcp.CallToolParams{Name: l.server.quick.Tool, Arguments: l.server.quick.Arguments})
	if err != nil {
		l.t.Fatalf("%s: the call got %v", when, err)
	}
	if got.IsError || !strings.Contains(text(got), l.server.want) {
		l.t.Fatalf("%s: the call got %s", when, text(got))
	}
}

func (l *launched) close() { l.in.Close() }

func (l *launched) signal(sig syscall.Signal) {
	l.t.Helper()
	if err := l.cmd.Process.Signal(sig); err != nil {
		l.t.Fatal(err)
	}
}

// killLauncher ends the launcher alone; the session must go on, with the server
// that it leaves or with another.
func (l *launched) killLauncher() {
	l.t.Helper()
	before := l.tree.Behind()
	if !l.tree.Kill(l.launcher) {
		l.t.Fatal("the launcher was dead before it was killed")
	}
	start := time.Now()
	l.wantGood("after the launcher was killed")
	took := time.Since(start)
	after := l.tree.Behind()
	server := "was started again"
	if lives := func(pid int) bool { return slices.Contains(after, pid) }; slices.ContainsFunc(before, lives) {
		server = "lives on"
	}
	l.t.Logf("the server %s; its next answer took %.2f s", server, took.Seconds())
}
