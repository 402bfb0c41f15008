package recourse

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// A caller is one [Call]: its books with the Dependency's engine.
type caller struct {
	d     *Dependency
	scope *scope // nil outside Run
	books policy.Call
	first attempt
	tries int

	began  time.Time // the attempt that is on
	resets int       // of the Dependency, then
	reset  *work     // what it has to wait for first
	wire   http.RoundTripper
}

// An attempt runs the function once.
type attempt struct {
	work
	caller *caller
	fate   atomic.Int32
	nested atomic.Pointer[Error] // how a Call inside it has failed
	acted  atomic.Bool           // a Call inside it may have done its work
	begun  atomic.Bool           // it waits for no Reset any more
}

type attemptKey struct{}

// enclosing returns the attempt that ctx belongs to, if any.
func enclosing(ctx context.Context) *attempt {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	return a
}

// Value lets a Call inside of this one find it.
func (a *attempt) Value(key any) any {
	if key == (attemptKey{}) {
		return a
	}
	return a.work.Value(key)
}

// The fates of an attempt: whichever comes first, its end or its being left.
const (
	running int32 = iota
	done          // the function has ended
	left          // nobody waits for it any more
)

// begin starts the attempt.
func (a *attempt) begin(ctx context.Context, limit time.Duration, fn func(context.Context) error) {
	var at time.Time
	if limit > 0 {
		at = a.caller.began.Add(limit)
	}
	a.prepare(ctx, at, fn)
	go a.run()
}

func (a *attempt) run() {
	defer a.conclude()
	defer a.finish()
	if w := a.caller.reset; w != nil {
		if err := a.caller.d.await(a, w); err != nil {
			a.err = classify(err)
			return
		}
	}
	a.begun.Store(true)
	shield(a, a.fn, &a.err)
}

// finish gives back the slot that an orphan kept.
func (a *attempt) finish() {
	if a.fate.CompareAndSwap(running, done) {
		return
	}
	c := a.caller
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.d.engine.End(&c.books, policy.Ignored, time.Now())
}

// leave ends the call while the attempt may still be at work: it keeps its slot
// as long as it is. The Dependency is locked.
func (a *attempt) leave(v policy.Verdict, now time.Time) {
	c := a.caller
	c.d.engine.Abandon(&c.books, v, now)
	if !a.fate.CompareAndSwap(running, left) {
		c.d.engine.End(&c.books, policy.Ignored, now)
	}
}

// admit asks for leave to make the next attempt. It returns the refusal.
func (c *caller) admit(ctx context.Context) *Error {
	now, err := time.Now(), ctx.Err()
	d := c.d
	d.mu.Lock()
	if err != nil {
		d.engine.End(&c.books, policy.Ignored, now) // after a pause, there is a slot
		d.mu.Unlock()
		return c.stopped(ctx, err, -1)
	}
	if c.tries == 0 {
		d.prepare()
		var limits policy.Limits
		if at, ok := ctx.Deadline(); ok {
			limits.Cap = max(1, at.Sub(now)) // zero would be no limit
		}
		d.engine.Begin(&c.books.Clock, limits, now)
	}
	r := d.engine.Admit(&c.books, "", now)
	if r.Reason != policy.Admitted {
		d.engine.End(&c.books, policy.Ignored, now)
	}
	c.began, c.resets, c.reset, c.wire = now, d.resets, d.reset, d.wire
	if c.reset == d.hung {
		c.reset = nil
	}
	orphans := d.engine.Slots.Orphans()
	moved := d.change(now)
	d.mu.Unlock()
	c.tries++
	c.scope.moved(moved)
	if r.Reason == policy.Admitted {
		return nil
	}
	return d.refusal(r, orphans)
}

// judge ends an attempt, which was left for the reason cut, or else is over. It
// returns the failure, and whether and when there is to be another attempt.
func (c *caller) judge(ctx context.Context, a *attempt, cut error) (e *Error, wait time.Duration, again bool) {
	if cut == nil && a.err == nil {
		c.succeed(ctx)
		return nil, 0, false
	}
	return c.lose(ctx, a, cut)
}

// lose is judge for an attempt that failed.
func (c *caller) lose(ctx context.Context, a *attempt, cut error) (e *Error, wait time.Duration, again bool) {
	d, now := c.d, time.Now()
	e = c.failure(ctx, a, cut, now)
	silent := e.silent() // not under the lock: it asks strangers
	inner := a.nested.Load()
	nested := cut == nil && inner != nil && is(e, inner)
	d.mu.Lock()
	wait, again = c.fail(a, e, silent, nested, now)
	r := e.inherit()
	lost := r.lost || d.late > 1
	moved := d.change(now)
	d.mu.Unlock()
	c.note(ctx, now, r.Code, moved, r.delivery() == policy.Unknown || r.uncertain())
	switch {
	case lost:
		d.renew(c.resets)
	case silent:
		d.mistrust(c.wire)
	}
	how := c.books.Repeat
	if c.scope != nil {
		how = c.scope.repeat
	}
	if a.acted.Load() && how == policy.Unsafe && e.inherit().MaxRetries <= 0 {
		return e.doubtful(), wait, again
	}
	return e.settle(how), wait, again
}

// succeed is judge for an attempt that worked. It stands apart from lose, where
// the Errors take so much room that the stack of each new goroutine had to grow.
func (c *caller) succeed(ctx context.Context) {
	d, now := c.d, c.began
	if c.scope != nil {
		now = time.Now() // for the log
	}
	d.mu.Lock()
	if d.seen != policy.Closed && c.scope == nil {
		now = time.Now() // a closed breaker asks for none
	}
	d.late = 0
	d.engine.End(&c.books, policy.Success, now)
	moved := d.change(now)
	d.mu.Unlock()
	c.note(ctx, now, "", moved, true)
	if c.tries > 1 {
		c.scope.repeated()
	}
}

// note tells the scope of an attempt, of what the breaker did, and, as it does
// the Calls around this one, whether the attempt may have had an effect.
func (c *caller) note(ctx context.Context, now time.Time, code Code, moved string, effect bool) {
	effect = effect && c.books.Repeat == policy.Unsafe
	if effect {
		for a := enclosing(ctx); a != nil; a = enclosing(a.Context) {
			a.acted.Store(true)
		}
	}
	if c.scope == nil {
		return
	}
	if effect {
		c.scope.acted.Store(true)
	}
	c.scope.tried(now.Sub(c.began), code)
	c.scope.moved(moved)
}

// fail tells the engine of a failure and asks it for another attempt. A failure
// that a Call inside this one has had is not repeated here as well, or three
// attempts would become nine; and that other Dependency has counted it.
func (c *caller) fail(a *attempt, e *Error, silent, nested bool, now time.Time) (wait time.Duration, again bool) {
	d := c.d
	r := e.inherit()
	if silent {
		d.late++
	} else {
		d.late = 0
	}
	delivery := r.delivery()
	if a.acted.Load() {
		delivery = policy.Unknown // whatever came last, something may be done
	}
	v := e.verdict()
	if nested {
		v = policy.Ignored
	}
	if pause, ok := r.transient(); ok && !nested {
		wait, again = d.engine.Again(&c.books, v, policy.Attempt{
			Delivery: delivery, Transient: true, RetryAfter: pause,
		}, now)
	}
	if !again {
		a.leave(v, now)
	}
	return wait, again
}

// pause waits before another attempt, and reports whether there may be one: not
// if the call is over meanwhile, and not while the last attempt is still at work,
// for then it would meet itself.
func (c *caller) pause(ctx context.Context, a *attempt, wait time.Duration) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	over := a.over()
	if over && a.err != nil && ctx.Err() == nil {
		return true
	}
	a.leave(policy.Ignored, time.Now())
	return over && a.err == nil
}

// failure puts into words how the attempt failed.
func (c *caller) failure(ctx context.Context, a *attempt, cut error, now time.Time) *Error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) || cut != nil {
		if !a.begun.Load() {
			return c.unopened(ctx, cut)
		}
		return c.stopped(ctx, cut, now.Sub(c.began))
	}
	e, _ := a.err.(*Error) // shield stores nothing else
	if !e.bare {
		return e
	}
	e.bare = false
	if name := c.d.Name; name != "" {
		e.Message = name + ": " + e.Error()
	}
	if e.Code == Timeout && e.Suggestion == "" {
		e.Suggestion = c.d.Suggestion
	}
	return e
}
