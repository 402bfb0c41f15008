package upstream

import (
	"cmp"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// A Process is a [Conn] to a child that speaks on its standard input and
// output. It leads a process group of its own where there are such groups.
type Process struct {
	in   *Pipe    // its standard input
	out  *Pipe    // its standard output
	err  *os.File // its standard error
	tail tail
	cmd  *exec.Cmd

	gone   chan struct{}
	exit   Exit // set before gone is closed
	stderr chan struct{}
	empty  func(*Process) // told when its group is empty
	hunt   hunt           // for all that belongs to this life

	mu     sync.Mutex
	reaped bool
	asked  bool // signalled before it was reaped
	over   bool // its group is empty
	closed bool
}

// start starts a command with a mark in its environment.
func start(cmd *exec.Cmd, mark string, stderr io.Writer, empty func(*Process)) (*Process, error) {
	p := &Process{cmd: cmd, gone: make(chan struct{}), stderr: make(chan struct{}), empty: empty}
	p.hunt.mark = mark
	cmd.Env = marked(mark)
	var ends []*os.File // the child's and ours
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err == nil {
			ends = append(ends, r, w)
		}
		return r, w, err
	}
	inR, inW, err := pipe()
	outR, outW, err2 := pipe()
	errR, errW, err3 := pipe()
	if err = cmp.Or(err, err2, err3); err == nil {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
		lead(cmd)
		err = birth(cmd)
	}
	if err != nil {
		closeAll(ends)
		return nil, err
	}
	closeAll([]*os.File{inR, outW, errW})
	p.hunt.since = birthday(p.PID())
	p.in, p.out, p.err = OpenFile(inW), OpenFile(outR), errR
	go p.drain(io.MultiWriter(&p.tail, stderr))
	go p.reap()
	return p, nil
}

// drain empties the child's standard error for as long as anybody holds it, or
// until Close: a full pipe would stop the server.
func (p *Process) drain(w io.Writer) {
	defer close(p.stderr)
	defer p.err.Close()
	_, _ = io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{p.err}, make([]byte, 8<<10))
}

func (p *Process) reap() {
	await(p.cmd)
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	// What it said last usually arrives together with its end; descendants may
	// hold the pipe open for longer than anybody should wait.
	for waited := time.Duration(0); ; waited += stderrGrace {
		if within(stderrGrace, p.stderr) || waited >= maxStderr || pending(p.err) == 0 {
			break
		}
	}
	p.exit = exitOf(p.cmd.ProcessState)
	p.mu.Lock()
	p.exit.Asked = p.asked
	p.mu.Unlock()
	close(p.gone)
	p.settle()
}

const (
	stderrGrace = 20 * time.Millisecond
	maxStderr   = 300 * time.Millisecond // if something lies in the pipe, on a busy machine
)

func within(d time.Duration, ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	case <-time.After(d):
		return false
	}
}

// settle notes when the group is empty. It stays so, and is not looked at or
// signalled again: its number is free for others.
func (p *Process) settle() {
	p.mu.Lock()
	known := p.over || !p.reaped
	p.mu.Unlock()
	if known || groupLives(p.PID()) {
		return
	}
	p.mu.Lock()
	first := !p.over
	p.over = true
	p.mu.Unlock()
	if first && p.empty != nil {
		p.empty(p)
	}
}

func (p *Process) isOver() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.over
}

func (p *Process) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *Process) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close implements [Conn].
func (p *Process) Close() error {
	p.settle()
	p.closeInput()
	p.out.Close()
	p.err.Close()
	return nil
}

// closeInput closes the input once.
func (p *Process) closeInput() {
	p.mu.Lock()
	closed := p.closed
	p.closed = true
	p.mu.Unlock()
	if !closed {
		p.in.Close() // waits for Unread, which wants the lock
	}
}

// Pipe returns the server's standard input for writes that must not block.
func (p *Process) Pipe() *Pipe { return p.in }

// Gone implements [Conn].
func (p *Process) Gone() <-chan struct{} { return p.gone }

// Exit implements [Conn].
func (p *Process) Exit() Exit {
	select {
	case <-p.gone:
		return p.exit
	default:
		return Exit{Asked: true} // it outlived even SIGKILL
	}
}

// Tail implements [Conn].
func (p *Process) Tail() (text string, at time.Time) { return p.tail.end() }

// PID returns the child's process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stop implements [Conn].
func (p *Process) Stop(g Grace) {
	if g.Ask > 0 {
		p.closeInput()
	}
	asking, forcing := time.After(g.Ask), time.After(g.Force)
	if g.Ask >= g.Force {
		asking = nil
	}
	gone, do := p.gone, look
	var tick, end <-chan time.Time
	for {
		select {
		case <-gone:
			gone = nil
		case <-asking:
			do = ask
		case <-forcing:
			asking, do, end = nil, kill, time.After(killGrace)
		case <-tick:
		case <-end:
			return // what the kernel has not buried by now is beyond our reach
		}
		if tick == nil {
			tick = time.Tick(huntTick)
		}
		if left := p.step(do); gone == nil && !left {
			p.settle()
			return
		}
	}
}

// killGrace is what the kernel may take to bury who was killed.
const killGrace = 100 * time.Millisecond

// step does something to all of this life, and reports whether anybody is left.
func (p *Process) step(do deed) (left bool) {
	if do != look {
		p.mu.Lock()
		p.asked = p.asked || !p.reaped
		p.mu.Unlock()
	}
	return p.prey().step(do)
}

// prey returns the hunt for this life. An empty group is not looked for again:
// its number is free for others.
func (p *Process) prey() *hunt {
	p.mu.Lock()
	over := p.over
	p.mu.Unlock()
	p.hunt.mu.Lock()
	defer p.hunt.mu.Unlock()
	if p.hunt.groups = []int{p.PID()}; over {
		p.hunt.groups = nil
	}
	return &p.hunt
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
