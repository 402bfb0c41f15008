package recourse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// A work runs a function in a goroutine of its own, so that whoever waits for it
// can leave on time even if the function ignores its context.
type work struct {
	deadline
	fn    func(context.Context) error
	err   error         // nil or an *Error; valid once the work is over
	gone  bool          // it is; guarded, as is ended
	ended chan struct{} // closed then; made when first asked for
}

// start runs fn under a context that ends with ctx and at the given time.
func (w *work) start(ctx context.Context, at time.Time, fn func(context.Context) error) {
	w.prepare(ctx, at, fn)
	go w.run()
}

func (w *work) prepare(ctx context.Context, at time.Time, fn func(context.Context) error) {
	w.Context, w.at, w.fn = ctx, at, fn
}

func (w *work) run() {
	defer w.conclude()
	shield(w, w.fn, &w.err)
}

// shield calls fn and stores what went wrong as an *Error, panics included. It
// does not return it, for after a [runtime.Goexit] nothing returns any more.
func shield(ctx context.Context, fn func(context.Context) error, err *error) {
	normal := false
	defer func() {
		if normal {
			return
		}
		cause := errGoexit
		if v := recover(); v != nil {
			cause = &panicked{v, debug.Stack()}
		}
		*err = &Error{Code: InternalError, Err: cause}
	}()
	if e := fn(ctx); isFailure(e) {
		*err = scopeOf(ctx).error(e, ctx.Value(attemptKey{}) != nil)
	}
	normal = true
}

// protect is shield for a function that is run at once.
func protect(ctx context.Context, fn func(context.Context) error) (err error) {
	shield(ctx, fn, &err)
	return err
}

// isFailure reports whether err is one. A nil *Error is none, even though the
// interface around it is not nil: whoever returns a variable of that type means
// that all went well.
func isFailure(err error) bool { return err != nil && err != error((*Error)(nil)) }

var errGoexit = errors.New("the function called runtime.Goexit")

// A panicked is a panic's value as a cause.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n\n%s", p.value, p.stack) }

func (p *panicked) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

// wait returns nil when the function has ended, or else why it is not waited for
// any longer: the context's error.
func (w *work) wait() error {
	for range 4 { // what is answered at once, also by a Call under Run, needs no timer
		runtime.Gosched()
		if w.over() {
			w.end(context.Canceled)
			return nil
		}
	}
	var expired <-chan time.Time
	if !w.at.IsZero() {
		t := time.NewTimer(time.Until(w.at))
		defer t.Stop()
		expired = t.C
	}
	var err error
	select {
	case <-w.finished():
	case <-expired:
		err = context.DeadlineExceeded
	case <-w.Context.Done():
		err = w.Context.Err()
	}
	if w.over() { // both at once: an answer is an answer
		err = nil
	}
	w.end(cmp.Or(err, context.Canceled))
	return err
}

// conclude notes that the function has ended.
func (w *work) conclude() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = true
	if w.ended != nil {
		close(w.ended)
	}
}

// finished returns a channel that is closed when the function has ended. Most works
// are over before anybody needs one.
func (w *work) finished() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended == nil {
		w.ended = make(chan struct{})
		if w.gone {
			close(w.ended)
		}
	}
	return w.ended
}

// over reports whether the function has ended.
func (w *work) over() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone
}
