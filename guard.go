package recourse

import (
	"context"
	"sync"
	"time"
)

// A Guard holds what all tools of a server share. The zero value works.
type Guard struct {
	Timeout time.Duration      // of a whole call; if zero, 50s: some clients give up at 60; if negative, none
	Map     func(error) *Error // if not nil, asked first for errors that are no *Error: one place for a server's own errors
	Log     func(Record)       // called once for each call, before its answer leaves; if nil, no log

	mu       sync.Mutex
	open     int           // calls not yet answered
	last     time.Time     // when one was
	draining bool          // new calls are refused
	idle     chan struct{} // closed when none is open any more, once draining
}

// wholeTimeout is that of a call: the TypeScript SDK's clients give up after 60 s
// by default.
const wholeTimeout = 50 * time.Second

// writing is what an SDK is given to write an answer down: when [Run] returns, it
// has not left yet, and a process that exits then would take it along.
const writing = 100 * time.Millisecond

// Drain refuses new calls and waits until the rest are answered, or ctx is done.
// It returns ctx's error if calls are left then. There is no way back.
//
// After the last answer it waits for another 100 ms: the SDK has yet to write it.
func (g *Guard) Drain(ctx context.Context) error {
	g.mu.Lock()
	if !g.draining {
		g.draining = true
		g.idle = make(chan struct{})
		if g.open == 0 {
			close(g.idle)
		}
	}
	idle := g.idle
	g.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
		select {
		case <-idle: // both at once
		default:
			return ctx.Err()
		}
	}
	g.mu.Lock()
	wait := writing - time.Since(g.last)
	g.mu.Unlock()
	if wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// draining is the reason for which a Guard refuses a call.
const draining = "draining"

// enter lets a call in, or returns why not.
func (g *Guard) enter() *Error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.draining {
		return &Error{
			Code:    ServiceUnavailable,
			Message: "The server is shutting down.",
			NotRun:  true,
			Related: map[string]any{"reason": draining},
		}
	}
	g.open++
	return nil
}

func (g *Guard) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open--
	g.last = time.Now()
	if g.open == 0 && g.draining {
		close(g.idle)
	}
}

// limit returns how long a call may take, zero for as long as it likes, and how
// much sooner its context ends: in between, a handler that heeds it can still fall
// back to something better than a timeout.
func (g *Guard) limit() (limit, grace time.Duration) {
	switch {
	case g.Timeout == 0:
		limit = wholeTimeout
	case g.Timeout > 0:
		limit = g.Timeout
	}
	return limit, min(limit/20, 500*time.Millisecond)
}
