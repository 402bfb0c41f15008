package relay

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/internal/policy"
)

const (
	failedLinger = 5 * time.Second        // a client that was told why the server can't start may still ask
	flushGrace   = 200 * time.Millisecond // for answers to leave after a signal
)

// ends are the events after which a relay ends.
type ends struct {
	eof    latch // the client has said its last
	broken latch // the client does not listen any more
	over   latch // there is nothing to serve
	idle   latch // the client has said its last and has been answered

	closing  bool // one of them has been seen
	stopping bool // the server is being ended: no other life begins
}

func (e *ends) init() {
	e.eof, e.broken, e.over, e.idle = newLatch(), newLatch(), newLatch(), newLatch()
}

// check notes, with r.mu held, when the last answer after the client's end has
// been given.
func (e *ends) check(r *Relay) {
	if e.closing && !r.running() {
		e.idle.close()
	}
}

// running reports whether the client waits for an answer.
func (r *Relay) running() bool {
	for _, c := range r.calls {
		if !c.own && c.method != methodListen && c.would == "" {
			return true
		}
	}
	return false
}

// wait serves until something ends the relay, then ends the server.
func (r *Relay) wait(stop <-chan int) (status int) {
	e := &r.ends
	sig := 0
	select {
	case <-e.eof.ch:
		sig = r.finish(stop)
	case <-e.broken.ch:
	case <-e.over.ch:
	case sig = <-stop:
	}
	if sig != 0 {
		r.cancelAll()
	}
	exit := r.stopServer(stop)
	r.mu.Lock()
	r.hush(time.Now())
	r.mu.Unlock()
	if sig == 0 {
		sig = r.settleFront(stop)
	}
	if sig != 0 {
		return 128 + sig
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.down != nil && r.down.start:
		return max(1, r.down.exit.Status)
	case r.unsaid:
		return 1
	case exit.Asked:
		return 0
	}
	return exit.Status
}

// clientGone notes that nobody hears us any more.
func (r *Relay) clientGone(err error) {
	if !errors.Is(err, syscall.EPIPE) && !errors.Is(err, io.ErrClosedPipe) && !errors.Is(err, fs.ErrClosed) {
		r.mu.Lock()
		r.unsaid = true
		r.mu.Unlock()
		r.say("answers can't be written: " + err.Error())
	}
	r.ends.broken.close()
}

// finish lets the calls end that ran when the client closed its side, so that
// printf … | recourse run prints the answers. It returns a signal's number, or 0.
func (r *Relay) finish(stop <-chan int) int {
	r.mu.Lock()
	r.ends.closing = true
	for _, q := range r.asked {
		r.giveUp(q, time.Now())
	}
	r.ends.check(r)
	r.mu.Unlock()
	r.flush()
	over := make(chan struct{})
	defer close(over)
	if p, ok := r.Out.(*upstream.Pipe); ok {
		go func() {
			if p.Abandoned(over) {
				r.ends.broken.close()
			}
		}()
	}
	select {
	case <-r.ends.idle.ch:
	case <-r.ends.broken.ch:
	case <-r.ends.over.ch:
	case sig := <-stop:
		return sig
	}
	return 0
}

// cancelAll answers the calls that a signal cuts short.
func (r *Relay) cancelAll() {
	r.mu.Lock()
	now := time.Now()
	for _, c := range r.inOrder() {
		if c.own || r.Observe {
			r.drop(c, policy.Ignored, now)
		} else {
			r.fail(c, cancelledError(c), policy.Ignored, now)
		}
	}
	r.mu.Unlock()
	r.flush()
	within(flushGrace, r.front.empty())
}

// stopServer takes the server down the ladder, or kills it at a second signal.
func (r *Relay) stopServer(stop <-chan int) upstream.Exit {
	r.mu.Lock()
	r.ends.closing, r.ends.stopping = true, true
	l := r.server
	r.mu.Unlock()
	if l == nil {
		r.ending.Wait()
		if r.last == nil {
			return upstream.Exit{}
		}
		return r.last.Exit()
	}
	gone := make(chan struct{})
	begun := time.Now()
	select {
	case <-l.conn.Gone():
		// A launcher that has just died: its server still has the output.
		l.orphan.Store(l.orphan.Load() || !r.drained(l, deathGrace))
	default:
	}
	go func() {
		r.flush()
		within(upstream.Ladder.Ask, l.back.empty()) // a frame begun is finished
		waited := time.Since(begun)
		l.conn.Stop(upstream.Grace{Ask: upstream.Ladder.Ask - waited, Force: upstream.Ladder.Force - waited})
		close(gone)
	}()
	select {
	case <-gone:
	case <-stop:
		l.conn.Stop(upstream.Grace{})
	}
	r.drained(l, statusGrace)
	l.conn.Close()
	r.ending.Wait()
	if l.orphan.Load() {
		return upstream.Exit{} // what is known of the launcher, which left before, is not about its server
	}
	return l.conn.Exit()
}

// settleFront waits until the client has taken what is left for it. It returns a
// signal's number, or 0.
func (r *Relay) settleFront(stop <-chan int) int {
	r.front.flush()
	select {
	case <-r.front.empty():
	case <-r.ends.broken.ch:
	case sig := <-stop:
		return sig
	}
	return 0
}
