package recourse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// A Request is what an adapter knows of a call. Tool authors don't need it.
type Request struct {
	Tool                 string
	Arguments            json.RawMessage // as sent; redacted when logged
	Session, Client      string
	ReadOnly, Idempotent bool // from annotations the author vouches for
}

func (r Request) repeat() policy.Repeat {
	switch {
	case r.ReadOnly:
		return policy.ReadOnly
	case r.Idempotent:
		return policy.Idempotent
	}
	return policy.Unsafe
}

// An Outcome is what an adapter turns into a result.
type Outcome[T any] struct {
	Value        T        // what fn returned, also beside an error
	Err          *Error   // nil if Value is an answer
	Warnings     []string // for _warnings
	Completeness string   // "full", "partial"; the adapter sets "empty"
}

// Run calls fn under the guard and returns at the deadline even if fn does not.
// Panics become errors; the call is logged. Adapters use it, tool authors don't.
//
// The context that fn gets ends a little before the Timeout, by a twentieth of it
// and at most half a second, so that fn can still answer. If g is nil, a zero
// Guard is used. An Error whose Related reason is "input_required" is logged as
// such: the client is being asked, and nothing has failed. A value with a method
// Blank() bool that returns true is logged as blank.
func Run[T any](ctx context.Context, g *Guard, r Request, fn func(context.Context) (T, error)) Outcome[T] {
	if g == nil {
		g = &Guard{}
	}
	var v T
	s, e, ended := g.run(ctx, r, func(ctx context.Context) (err error) {
		v, err = fn(ctx)
		if !isFailure(err) && g.Log != nil {
			scopeOf(ctx).look(v)
		}
		return err
	})
	o := Outcome[T]{Err: e, Warnings: s.warnings, Completeness: "full"}
	if ended {
		o.Value = v
	}
	if len(s.warnings) > 0 {
		o.Completeness = "partial"
	}
	return o
}

// run calls fn and returns what was noted of the call, its error, and whether fn
// has ended.
func (g *Guard) run(ctx context.Context, r Request, fn func(context.Context) error) (s *scope, e *Error, ended bool) {
	began := time.Now()
	s = &scope{guard: g, repeat: r.repeat()}
	if e = g.enter(); e == nil {
		defer g.leave()
		e, ended = s.run(ctx, r.Tool, began, fn)
	}
	s.close()
	if e != nil {
		e = s.settle(e)
	}
	g.record(r, s, e, began)
	return s, e, ended
}

// run calls fn and returns its error, and whether it has ended.
func (s *scope) run(ctx context.Context, tool string, began time.Time, fn func(context.Context) error) (e *Error, ended bool) {
	limit, grace := s.guard.limit()
	var at time.Time
	if limit > 0 {
		at = began.Add(limit - grace)
	}
	w := &work{}
	w.start(context.WithValue(ctx, scopeKey{}, s), at, fn)
	cut := w.wait()
	if errors.Is(cut, context.DeadlineExceeded) && grace > 0 {
		t := time.NewTimer(grace)
		defer t.Stop()
		select {
		case <-w.finished():
		case <-t.C:
		case <-ctx.Done():
		}
		if w.over() {
			cut = nil
		}
	}
	late := errors.Is(w.Err(), context.DeadlineExceeded)
	switch {
	case errors.Is(ctx.Err(), context.Canceled) && (cut != nil || w.err != nil):
		return &Error{Code: Cancelled, Err: context.Cause(ctx)}, cut == nil
	case cut != nil:
		return s.overdue(tool, time.Since(began), cut), false
	case w.err == nil:
		return nil, true
	}
	e, _ = w.err.(*Error) // shield stores nothing else
	if e.bare && late {
		e = s.overdue(tool, time.Since(began), w.err)
	}
	return e, true
}

// overdue returns the error of a call that took too long. It names the limit,
// also where the handler gave up in the grace before it.
func (s *scope) overdue(tool string, spent time.Duration, cause error) *Error {
	if limit, grace := s.guard.limit(); limit > 0 && spent >= limit-grace {
		spent = limit
	}
	if tool == "" {
		tool = "The tool"
	}
	return &Error{Code: Timeout, Message: fmt.Sprintf("%s did not finish within %s.", tool, spell(spent)), Err: cause}
}
