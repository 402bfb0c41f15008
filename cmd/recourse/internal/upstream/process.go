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
	in   *Pipe // its standard input
	out  *Pipe // its standard output
	tail tail
	cmd  *exec.Cmd

	gone   chan struct{}
	exit   Exit // set before gone is closed
	stderr chan struct{}

	mu     sync.Mutex
	reaped bool
	asked  bool // signalled before it was reaped
	closed bool
}

// Start starts the command. Its standard error is kept for [Conn.Tail] and
// copied to stderr, which must not block. The error is what [exec.Cmd.Start]
// returns: errors.Is(err, exec.ErrNotFound) and fs.ErrPermission tell the two
// usual reasons apart.
func Start(argv []string, stderr io.Writer) (*Process, error) {
	p := &Process{
		cmd:    exec.Command(argv[0], argv[1:]...),
		gone:   make(chan struct{}),
		stderr: make(chan struct{}),
	}
	var ends []*os.File // the child's
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
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, errW
		group(p.cmd)
		err = p.cmd.Start()
	}
	if err != nil {
		closeAll(ends)
		return nil, err
	}
	closeAll([]*os.File{inR, outW, errW})
	p.in, p.out = OpenFile(inW), OpenFile(outR)
	go p.drain(errR, io.MultiWriter(&p.tail, stderr))
	go p.reap()
	return p, nil
}

// drain empties the child's standard error for as long as anybody holds it: a
// full pipe would stop the server.
func (p *Process) drain(r *os.File, w io.Writer) {
	defer close(p.stderr)
	defer r.Close()
	_, _ = io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{r}, make([]byte, 8<<10))
}

func (p *Process) reap() {
	_ = p.cmd.Wait()
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	// What it said last usually arrives together with its end; descendants may
	// hold the pipe open for longer than anybody should wait.
	select {
	case <-p.stderr:
	case <-time.After(50 * time.Millisecond):
	}
	p.exit = exitOf(p.cmd.ProcessState)
	p.mu.Lock()
	p.exit.Asked = p.asked
	p.mu.Unlock()
	close(p.gone)
}

func (p *Process) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p *Process) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close implements [Conn].
func (p *Process) Close() error { return p.out.Close() }

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
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		p.in.Close()
	}
	p.mu.Unlock()
	ask, force := time.After(g.Ask), time.After(g.Force)
	if g.Ask >= g.Force {
		ask = nil
	}
	gone := p.gone
	var watch, end <-chan time.Time // of a group whose leader has gone
	for {
		select {
		case <-gone:
			gone, watch = nil, time.Tick(groupTick)
			if !groupLives(p.cmd.Process) {
				return
			}
		case <-watch:
			if !groupLives(p.cmd.Process) {
				return
			}
		case <-ask:
			p.signal(terminate)
		case <-force:
			p.signal(os.Kill)
			end = time.After(killGrace)
		case <-end:
			return // what the kernel has not buried by now is beyond our reach
		}
	}
}

const (
	groupTick = 20 * time.Millisecond
	killGrace = 100 * time.Millisecond
)

func (p *Process) signal(sig os.Signal) {
	p.mu.Lock()
	p.asked = p.asked || !p.reaped
	p.mu.Unlock()
	signalGroup(p.cmd.Process, sig)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
