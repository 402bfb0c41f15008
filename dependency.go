package recourse

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// A Dependency is an API that tools call. Set its fields before first use and
// don't copy it after. The zero value works.
//
// Only failures that say something about it count against its breaker: not what
// a caller did wrong, not a cancelled call, and not an error that nobody knows.
// Say what those of a client library mean in [Guard.Map].
//
// Reset is called, in a goroutine of its own, after a connection failure or two
// unanswered attempts in a row: once for all calls at work then, never twice at a
// time, and again if a later call fails so. New attempts wait for it, for their
// Timeout at most; once one has waited in vain, the next don't wait. It must not
// call the Dependency.
type Dependency struct {
	Name       string        // in messages and the log
	Timeout    time.Duration // of one attempt; if zero, 10s; if negative, none
	Attempts   int           // at most 3; if zero, 1; see Call for what is repeated
	Trip       int           // consecutive failures that open the breaker; if zero, 5; if negative, none
	Cooldown   time.Duration // time held open; if zero, 5s doubling to 30s
	Limit      int           // concurrent calls, late ones included; if zero, 64; if negative, none
	Suggestion string        // for a Timeout here, such as a narrower scope

	Transport http.RoundTripper // under Client; if nil, a private clone of the default
	Reset     func()            // called once after a connection failure: reopen a pool; see below

	mu     sync.Mutex
	engine policy.Engine
	ready  bool              // the engine has its fields
	seen   policy.State      // of the breaker, at last
	wire   http.RoundTripper // under Client at present; if nil, not yet made
	late   int               // attempts in a row that no answer came to in time
	reset  *work             // the last Reset, until somebody has seen how it ended
	resets int               // how often Reset was due
	hung   *work             // a Reset that was waited for in vain
}

// defaultTimeout is well under the 50 s of a whole call, so that a fallback has
// time to run.
const defaultTimeout = 10 * time.Second

// State returns "closed", "open" or "half-open".
func (d *Dependency) State() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.seen == policy.Closed {
		return d.seen.String() // only a call opens it, and looks at it then
	}
	return d.engine.State("", time.Now()).String()
}

// prepare gives the engine the fields, once.
func (d *Dependency) prepare() {
	if d.ready {
		return
	}
	d.ready = true
	d.engine.Slots.Limit = d.Limit
	d.engine.Retry.Attempts = d.Attempts
	d.engine.Breaker.Trip = d.Trip
	d.engine.Breaker.Cooldown = d.Cooldown
}

// limit returns how long one attempt may take, or zero for as long as it likes.
func (d *Dependency) limit() time.Duration {
	switch {
	case d.Timeout == 0:
		return defaultTimeout
	case d.Timeout < 0:
		return 0
	}
	return d.Timeout
}

// change returns what the breaker did since it was last looked at, for the log.
func (d *Dependency) change(now time.Time) string {
	state := d.engine.State("", now)
	if state == d.seen {
		return ""
	}
	text := d.label() + " " + d.seen.String() + "→" + state.String()
	d.seen = state
	return text
}

// label names the dependency in a message.
func (d *Dependency) label() string {
	if d.Name == "" {
		return "the service"
	}
	return d.Name
}

// renew gives up the connections that were open when resets was read, unless
// that has been done since: it drops the Client's and has Reset called.
func (d *Dependency) renew(resets int) {
	d.mu.Lock()
	if resets != d.resets {
		d.mu.Unlock()
		return
	}
	d.resets++
	wire := d.wire
	if d.Reset != nil && (d.reset == nil || d.reset.over()) {
		d.reset = &work{}
		d.reset.start(context.Background(), time.Time{}, func(context.Context) error {
			d.Reset()
			return nil
		})
	}
	d.mu.Unlock()
	d.drop(wire)
}

// await waits for a Reset, and returns its panic to the first who asks.
func (d *Dependency) await(ctx context.Context, reset *work) error {
	select {
	case <-reset.finished():
	case <-ctx.Done():
		return ctx.Err()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.reset != reset {
		return nil
	}
	d.reset = nil
	return reset.err
}
