package recourse

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// Call runs fn as retry(breaker(timeout(fn))). A failure that may have run is
// repeated only inside a [Run] whose Request is ReadOnly or Idempotent; one that
// is NotRun, always. A failure is returned as an [Error] with MaxRetries resolved
// for that Request.
//
// Call returns at the Timeout even if fn ignores its context. Then fn goes on in
// its goroutine and keeps its place under the Limit: it must hand over what it
// has found as its result, and not write to variables of the caller. A panic in
// fn is an [InternalError].
//
// Let fn make one request. Of two, the second may be refused after the first has
// done its work, and all that Call then knows is that the call did not run.
//
// Repeats are kept a small part of the traffic: a Dependency that keeps failing
// gets ten, and then one a minute until calls succeed again. A Call inside fn has
// its own; what it could not mend is not repeated here as well.
//
// A wait of over 5 s between two attempts is left to the model: the Error says
// how long it is.
func Call[T any](ctx context.Context, d *Dependency, fn func(context.Context) (T, error)) (T, error) {
	var v, zero T
	err := d.call(ctx, scopeOf(ctx).how(), func(ctx context.Context) (err error) {
		v, err = fn(ctx)
		return err
	})
	if err != nil {
		return zero, err
	}
	return v, nil
}

// maxWait is the longest wait between two attempts. A client that hears nothing
// for longer may give up, and the reason for the wait would be lost with it.
const maxWait = 5 * time.Second

// call runs fn under d's policy. It returns nil or an *Error.
func (d *Dependency) call(ctx context.Context, how policy.Repeat, fn func(context.Context) error) error {
	if d == nil {
		return &Error{Code: InternalError, Err: errors.New("recourse: a call without a Dependency")}
	}
	c := &caller{d: d, scope: scopeOf(ctx)}
	c.books.Repeat = how
	if err := c.try(ctx, fn); err != nil {
		if a := enclosing(ctx); a != nil {
			a.nested.Store(err)
		}
		return err
	}
	return nil
}

// try makes the attempts.
func (c *caller) try(ctx context.Context, fn func(context.Context) error) *Error {
	d, a := c.d, &c.first
	var failed *Error
	for {
		if e := c.admit(ctx); e != nil {
			return cmp.Or(failed, e) // a refusal must not hide the cause
		}
		a.caller = c
		a.begin(ctx, d.limit(), fn)
		var wait time.Duration
		var again bool
		failed, wait, again = c.judge(ctx, a, a.wait())
		switch {
		case failed == nil:
			return nil
		case !again:
			return failed
		case !c.pause(ctx, a, wait):
			return failed
		case a.err == nil: // the answer came after all
			return nil
		}
		a = &attempt{}
	}
}
