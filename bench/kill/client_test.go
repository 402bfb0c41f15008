//go:build linux

package kill

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/bench/kill/tree"
)

// left is how long something of a session may be left after recourse was killed.
const left = 3 * time.Second

// A client has one session after the other, until the soak ends.
type client struct {
	n     int
	soak  *soak
	shape shape
	rng   *rand.Rand
}

// lasting reports whether the client's recourse is never killed, so that it can
// be seen whether it grows.
func (c *client) lasting() bool { return c.n%2 == 0 }

func (c *client) run() {
	c.rng = rand.New(rand.NewPCG(*seed, uint64(c.n)))
	end := c.soak.begun.Add(*length)
	for n := 1; n == 1 || time.Now().Before(end); n++ {
		name := fmt.Sprintf("%d.%d", c.n, n)
		s := &session{
			name: name, shape: c.shape.name, dir: filepath.Join(scratch, name), soak: c.soak,
			tree: tree.Tree{Mark: fmt.Sprintf("%d/%s", os.Getpid(), name), Recourse: recourse},
		}
		if err := s.open(s.through(c.shape.command(os.Args[0], "server", s.ledger()))); err != nil {
			c.soak.faultf(s, "%v; %s", err, s.stderr())
			if s.cmd != nil && s.cmd.Process != nil {
				s.cmd.Process.Kill()
				s.cmd.Wait()
			}
			return
		}
		c.live(s, end)
		if err := s.check(); err != nil {
			c.soak.faultf(s, "%v", err)
		}
		if !c.soak.t.Failed() {
			os.RemoveAll(s.dir)
		}
	}
}

// live has calls in flight and kills until the session has ended.
func (c *client) live(s *session, end time.Time) {
	stop := make(chan struct{})
	var workers sync.WaitGroup
	for range inFlight {
		rng := rand.New(rand.NewPCG(c.rng.Uint64(), 0))
		workers.Go(func() { s.work(stop, rng) })
	}
	var half tree.Size
	if c.lasting() {
		c.kills(s, c.soak.begun.Add(*length/2))
		half = c.settled(s, nil)
	}
	if c.kills(s, end) {
		if c.lasting() {
			c.settled(s, &half)
		}
		c.leave(s)
	}
	close(stop)
	workers.Wait()
}

// kills ends processes until some time, and reports whether the session lives on.
func (c *client) kills(s *session, until time.Time) bool {
	for {
		wait := time.Duration((0.3 + 1.4*c.rng.Float64()) * float64(*every))
		what := c.rng.IntN(20)
		select {
		case <-time.After(min(wait, time.Until(until))):
		case <-s.over:
			c.soak.faultf(s, "recourse has ended: %v; %s", s.cmd.Wait(), s.stderr())
			return false
		}
		switch {
		case !time.Now().Before(until):
			return true
		case what < 2 && !c.lasting():
			c.murder(s)
			return false
		case what < 3 && !c.lasting():
			c.leave(s)
			return false
		default:
			c.strike(s, what%2 == 0)
		}
	}
}

// strike kills one process behind recourse: its child, or any.
func (c *client) strike(s *session, child bool) {
	what, all := "a descendant", s.tree.Behind()
	if child {
		what, all = "the child", s.tree.Children()
	}
	if len(all) == 0 {
		return // just now there is none
	}
	s.strike(time.Now())
	if s.tree.Kill(all[c.rng.IntN(len(all))]) {
		c.soak.kill(what)
	}
	s.strike(time.Now())
}

// strike notes that a call in flight now is struck.
func (s *session) strike(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.struck = now
}

// murder kills recourse itself.
func (c *client) murder(s *session) {
	s.mu.Lock()
	s.murdered = time.Now()
	s.struck = s.murdered
	s.mu.Unlock()
	s.cmd.Process.Kill()
	c.soak.kill("recourse")
	rest, took := s.tree.Gone(left)
	c.soak.orphaned(took)
	if rest != "" {
		c.soak.faultf(s, "%s after recourse was killed there is %s", left, rest)
		s.sweep()
	}
	<-s.over
	s.cmd.Wait()
}

// leave closes recourse's input with calls in flight, which it must answer before
// it ends.
func (c *client) leave(s *session) {
	s.in.Close()
	select {
	case <-s.over:
	case <-time.After(patience):
		c.soak.faultf(s, "recourse goes on %s after the end of its input", patience)
		s.cmd.Process.Kill()
	}
	// The status is that of the child, which may be a launcher that was killed.
	if err := s.cmd.Wait(); err != nil && s.cmd.ProcessState.ExitCode() != 128+int(syscall.SIGKILL) {
		c.soak.faultf(s, "at the end of its input recourse ended with %v; %s", err, s.stderr())
	}
	c.soak.kill("nothing (the client left)")
	if rest, _ := s.tree.Gone(time.Second); rest != "" {
		c.soak.faultf(s, "1s after the end of recourse there is %s", rest)
		s.sweep()
	}
}

// sweep ends what should not be there.
func (s *session) sweep() {
	for _, pid := range s.tree.PIDs() {
		s.tree.Kill(pid)
	}
}

// settled returns the size of recourse when no call has run for a while, and fails
// if it does not get as small as it was before.
func (c *client) settled(s *session, before *tree.Size) tree.Size {
	s.pause.Lock()
	defer s.pause.Unlock()
	limit := time.Now().Add(15 * time.Second)
	if before == nil {
		limit = time.Now().Add(min(*length/10, 3*time.Second))
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		now := tree.SizeOf(s.cmd.Process.Pid)
		switch late := time.Now().After(limit); {
		case before == nil && late:
			return now
		case before != nil && now.Within(*before):
			c.soak.t.Logf("session %s: %v at half time, %v at the end", s.name, *before, now)
			return now
		case late:
			c.soak.faultf(s, "recourse grew from %v to %v", *before, now)
			return now
		}
		<-tick.C
	}
}
