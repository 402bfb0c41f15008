package upstream

import (
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Guard starts servers and sees that nothing of them outlives this process,
// however it ends. There are three nets:
//
//   - A process group for each server, and on Linux a mark in its environment,
//     RECOURSE_GUARD, which is handed down to daemons too. [Conn.Stop] ends both.
//   - Sweep, for daemons that have cleared their environment. On Linux, this
//     process adopts what its servers leave behind. Its other children must be in
//     its own group or be started by a Guard, or they are taken for such daemons.
//   - A guard process, for the case that this process is killed itself. It is the
//     same binary, in a session of its own, and reads a pipe that ends with us.
//     Where there are no process groups, as on Windows, there is none.
//
// The zero value starts no guard process.
type Guard struct {
	Path string       // recourse's own binary; if empty, there is no guard process
	Say  func(string) // tells the operator what is wrong; if nil, nobody is told

	mu    sync.Mutex
	mark  string           // begins the mark of each life
	n     int              // of lives
	since uint64           // the first one began
	lives map[int]*Process // whose groups are not known to be empty, by leader
	man   *watchman        // nil if there is none
	told  bool
	swept bool // Sweep has begun after the last Start
}

// A watchman is a guard process.
type watchman struct {
	post    *Pipe         // to it
	gone    chan struct{} // closed when it has ended
	process atomic.Pointer[os.Process]
}

const (
	sweepForce = 250 * time.Millisecond // from SIGTERM to SIGKILL: with the ladder, 2 s
	sweepEnd   = 500 * time.Millisecond // what lives on is beyond our reach
	dismissal  = 100 * time.Millisecond // for the guard process to leave
	trial      = time.Second            // a guard process that ends sooner is not replaced at once
)

// Start starts a server and tells the guard process of its group, without
// waiting for it. The server's standard error is kept for [Conn.Tail] and copied
// to stderr, which must not block. The error is what [exec.Cmd.Start] returns:
// errors.Is(err, exec.ErrNotFound) and fs.ErrPermission tell the two usual
// reasons apart.
func (g *Guard) Start(argv []string, stderr io.Writer) (*Process, error) {
	g.mu.Lock()
	if g.mark == "" {
		g.mark, g.lives = rand.Text(), map[int]*Process{}
	}
	g.n++
	g.swept = false
	mark := fmt.Sprintf("%s.%d.", g.mark, g.n) // no mark is the beginning of another
	g.mu.Unlock()
	p, err := start(exec.Command(argv[0], argv[1:]...), mark, stderr, g.forget)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lives[p.PID()] = p
	if g.n == 1 {
		g.since = p.hunt.since
	}
	if g.man == nil {
		g.hire()
	} else {
		g.tellf("+%d", p.PID())
	}
	if p.isOver() {
		g.drop(p)
	}
	return p, nil
}

// forget is called when a group is empty, whose number may be used again.
func (g *Guard) forget(p *Process) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.drop(p)
}

func (g *Guard) drop(p *Process) {
	if g.lives[p.PID()] == p {
		delete(g.lives, p.PID())
		g.tellf("-%d", p.PID())
	}
}

// hire starts a guard process, with g.mu held. What it is told waits in the pipe
// until it is there to read.
func (g *Guard) hire() {
	cmd := watcher(g.Path)
	if cmd == nil {
		return
	}
	r, w, err := os.Pipe()
	if err != nil {
		g.complain(err)
		return
	}
	cmd.Stdin = r
	g.man = &watchman{post: OpenFile(w), gone: make(chan struct{})}
	g.tellf("=%s", g.mark)
	for group := range g.lives {
		g.tellf("+%d", group)
	}
	go g.employ(g.man, cmd, r)
}

// employ runs a guard process. One that is killed, which no signal to us or to
// our terminal does, is replaced.
func (g *Guard) employ(m *watchman, cmd *exec.Cmd, r *os.File) {
	begun := time.Now()
	err := birth(cmd)
	r.Close()
	if err == nil {
		m.process.Store(cmd.Process)
		await(cmd)
	}
	m.post.Close()
	close(m.gone)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.man != m {
		return // it was dismissed
	}
	g.man = nil
	switch {
	case err != nil:
		g.complain(err)
	case time.Since(begun) < trial:
		g.complain(fmt.Errorf("it ended at once: %v", cmd.ProcessState))
		time.AfterFunc(trial, g.rehire)
	default:
		g.hire()
	}
}

// rehire replaces a guard process some time after it has ended.
func (g *Guard) rehire() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.man == nil && len(g.lives) > 0 && !g.swept {
		g.hire()
	}
}

func (g *Guard) complain(err error) {
	if !g.told && g.Say != nil {
		g.Say(fmt.Sprintf("no guard process can be started (%v); if recourse itself is killed, parts of the server may be left behind", err))
	}
	g.told = true
}

// tellf writes a line to the guard process, if there is one. It does not wait: a
// line is lost only if the process has ended or has slept through thousands.
func (g *Guard) tellf(format string, args ...any) {
	if g.man == nil {
		return
	}
	line := fmt.Appendf(nil, format+"\n", args...)
	_ = g.man.post.Await(func(fd uintptr) bool {
		_, _ = WriteNow(fd, line)
		return true
	})
}

// Sweep ends what is left of the servers, inside of their groups and outside,
// and then the guard process. It takes at most 600 ms; a few if nothing is left.
// A Guard can be used again afterwards.
func (g *Guard) Sweep() {
	g.mu.Lock()
	h := hunt{groups: slices.Collect(maps.Keys(g.lives)), mark: g.mark, orphans: true, since: g.since}
	used := g.mark != ""
	g.mu.Unlock()
	if !used {
		return
	}
	h.run(sweepForce, sweepEnd)
	g.mu.Lock()
	m := g.man
	g.tellf("%s", dismissed)
	g.man, g.swept = nil, true
	g.mu.Unlock()
	if m == nil {
		return
	}
	m.post.Close()
	select {
	case <-m.gone:
	case <-time.After(dismissal):
		if p := m.process.Load(); p != nil {
			_ = p.Kill() // it was stopped, as by a debugger
		}
	}
}
