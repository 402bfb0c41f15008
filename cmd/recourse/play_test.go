package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/faulty"
)

// patience is how long a step may take: far more than recourse promises, and
// less than its default limits, so that none of those can end a step.
const patience = 30 * time.Second

// play is the command mcp:
//
//	mcp [-unread|-closed] TRANSCRIPT [NAME=VALUE…] COMMAND [ARG…]
//
// It starts the command, which is to start a server named faulty, and plays
// both the client and that server as the transcript says. The command's
// standard error is in the file stderr afterwards; with -unread nobody reads
// it, with -closed nobody can.
func play(ts *testscript.TestScript, neg bool, args []string) {
	stderr := ""
	if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		stderr, args = args[0], args[1:]
	}
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mcp [-unread|-closed] TRANSCRIPT [NAME=VALUE...] COMMAND [ARG...]")
	}
	steps, err := parse(ts.ReadFile(args[0]))
	ts.Check(err)
	stage, err := faulty.Open()
	ts.Check(err)
	defer stage.Close()

	p := &player{ts: ts, file: args[0], stage: stage}
	p.start(args[1:], stderr)
	defer func() { _ = p.cmd.Process.Kill() }()
	for _, s := range steps {
		p.now = s
		p.step(s)
	}
	p.now = step{verb: "the end"}
	p.end()
	if stderr == "" {
		p.drainStderr()
		ts.Check(os.WriteFile(ts.MkAbs("stderr"), []byte(strings.Join(p.stderr, "\n")+"\n"), 0o666))
	}
}

// A player is one run of a transcript.
type player struct {
	ts    *testscript.TestScript
	file  string
	now   step
	stage *faulty.Stage

	cmd    *exec.Cmd
	in     chan string // to the command; closed: no more
	out    io.Closer   // our end of its standard output
	gate   sync.Mutex  // held while the client does not read
	said   chan string // by the command
	told   chan string // on its standard error
	stderr []string    // what of that was looked at
	shell  []string    // lines that the last command of step sh printed
	ended  chan struct{}
	state  *os.ProcessState // set before ended is closed

	silent bool   // in is closed
	heard  string // by the client, last
	server *faulty.Actor
	id     string          // that the server heard last
	all    []*faulty.Actor // also grandchildren
}

func (p *player) start(args []string, reader string) {
	env := []string{"PATH=" + os.Getenv("PATH"), faulty.Env + "=" + p.stage.Addr()}
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "GORACE"} {
		env = append(env, name+"="+p.ts.Getenv(name))
	}
	for len(args) > 0 && strings.Contains(args[0], "=") {
		env = append(env, args[0])
		args = args[1:]
	}
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Env, p.cmd.Dir = env, p.ts.MkAbs(".")
	stdin, err := p.cmd.StdinPipe()
	p.ts.Check(err)
	stdout, err := p.cmd.StdoutPipe()
	p.ts.Check(err)
	stderr, err := p.cmd.StderrPipe()
	p.ts.Check(err)
	p.ts.Check(p.cmd.Start())

	p.out, p.ended = stdout, make(chan struct{})
	p.in, p.said, p.told = make(chan string, 1<<12), make(chan string, 1<<12), make(chan string, 1<<12)
	go func() {
		for line := range p.in {
			_, _ = io.WriteString(stdin, line) // a command that has ended hears nothing
		}
		_ = stdin.Close()
	}()
	go lines(gated{stdout, &p.gate}, p.said)
	switch reader {
	case "":
		go lines(stderr, p.told)
	case "-closed":
		p.ts.Check(stderr.Close())
	}
	go func() {
		p.state, _ = p.cmd.Process.Wait()
		close(p.ended)
	}()
}

// A gated reader reads while its gate is free.
type gated struct {
	io.Reader

	gate *sync.Mutex
}

func (g gated) Read(b []byte) (int, error) {
	g.await()
	return g.Reader.Read(b)
}

func (g gated) await() {
	g.gate.Lock()
	defer g.gate.Unlock()
}

func lines(r io.Reader, to chan<- string) {
	defer close(to)
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadString('\n')
		if err == nil {
			to <- strings.TrimSuffix(line, "\n")
			continue
		}
		if line != "" {
			to <- line + " (torn)"
		}
		return
	}
}

// end lets recourse end, if it has not, and sees that nothing is left behind.
func (p *player) end() {
	select {
	case <-p.ended:
	default:
		if !p.silent {
			p.client("eof")
		}
		p.exit("0")
	}
	if len(p.stage.Servers) > 0 {
		p.fatalf("the server was started more often than the transcript says")
	}
	for _, actor := range p.all {
		p.gone(actor)
	}
}

func (p *player) drainStderr() {
	for {
		line, ok := next(p, p.told)
		if !ok {
			return
		}
		p.stderr = append(p.stderr, line)
	}
}

// next returns what comes out of a channel, false if it is closed.
func next[T any](p *player, ch <-chan T) (T, bool) {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case v, ok := <-ch:
		return v, ok
	case <-t.C:
		p.fatalf("nothing came for %s", patience)
		panic("not reached")
	}
}

func (p *player) fatalf(format string, args ...any) {
	for len(p.told) > 0 {
		p.stderr = append(p.stderr, <-p.told)
	}
	tail := p.stderr[max(0, len(p.stderr)-20):]
	p.ts.Fatalf("%s:%d: %s %s\n%s\nstandard error:\n%s", p.file, p.now.at, p.now.verb, short(p.now.rest),
		fmt.Sprintf(format, args...), short(strings.Join(tail, "\n")))
}

// rewrite puts what was heard into the script, with -update, in place of a
// pattern that says every byte.
func (p *player) rewrite(heard string) bool {
	if !*update || strings.Contains(p.now.rest, "…") || strings.Contains(p.now.rest, "%{") {
		return false
	}
	dir, _ := p.ts.Value(scriptDir{}).(string)
	path := dir + "/" + p.ts.Name() + ".txtar"
	text, err := os.ReadFile(path)
	p.ts.Check(err)
	all := strings.Split(string(text), "\n")
	at := slices.Index(all, "-- "+p.file+" --") + p.now.at
	if at >= len(all) || all[at] != p.now.verb+" "+p.now.rest {
		return false
	}
	all[at] = p.now.verb + " " + heard
	p.ts.Check(os.WriteFile(path, []byte(strings.Join(all, "\n")), 0o666))
	return true
}
