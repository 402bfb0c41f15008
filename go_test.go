package recourse_test

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

func TestGoDelivers(t *testing.T) {
	own := recourse.Errorf(recourse.NotFound, "There is no Berln.")
	for _, tt := range []struct {
		name string
		fn   func(context.Context) error
		code recourse.Code
		is   error
	}{
		{"nothing", func(context.Context) error { return nil }, "", nil},
		{"nothing, in a variable", func(context.Context) error { var e *recourse.Error; return e }, "", nil},
		{"an Error", func(context.Context) error { return own }, recourse.NotFound, own},
		{"any error", func(context.Context) error { return fs.ErrClosed }, recourse.UnknownError, fs.ErrClosed},
		{"a panic", func(context.Context) error { panic("10.0.0.7") }, recourse.InternalError, nil},
		{"a panic with an error", func(context.Context) error { panic(fs.ErrClosed) }, recourse.InternalError, fs.ErrClosed},
		{"a fault of the runtime", func(context.Context) error { var m any = 1; return m.(error) }, recourse.InternalError, nil},
		{"Goexit", func(context.Context) error { runtime.Goexit(); return nil }, recourse.InternalError, nil},
		{"no function", nil, recourse.InternalError, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := recourse.Go(t.Context(), tt.fn)
			err := <-c
			if got := recourse.CodeOf(err); got != tt.code || tt.is != nil && !errors.Is(err, tt.is) || (err == nil) != (tt.code == "") {
				t.Errorf("got %s, %v", got, err)
			}
			if err, ok := <-c; ok {
				t.Errorf("a second value: %v", err)
			}
		})
	}
}

// The panic of a goroutine that a handler started ends the call with an error,
// not the server.
func TestGoUnderRun(t *testing.T) {
	var cause string
	guard := &recourse.Guard{Log: func(r recourse.Record) { cause = r.Cause }}
	o := recourse.Run(t.Context(), guard, recourse.Request{}, func(ctx context.Context) (int, error) {
		c := recourse.Go(ctx, func(ctx context.Context) error {
			recourse.Warn(ctx, "From below.")
			panic("oops")
		})
		return 0, <-c
	})
	if o.Err == nil || o.Err.Code != recourse.InternalError || o.Err.Retryable() || !slices.Equal(o.Warnings, []string{"From below."}) {
		t.Errorf("got %+v", o)
	}
	if !strings.HasPrefix(cause, "panic: oops") {
		t.Errorf("the log says %q", cause)
	}
}

func TestGoIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var seen error
		o := recourse.Run(t.Context(), nil, recourse.Request{}, func(ctx context.Context) (int, error) {
			recourse.Go(ctx, func(ctx context.Context) error { // nobody receives
				<-ctx.Done()
				seen = ctx.Err()
				recourse.Warn(ctx, "Too late.")
				return seen
			})
			return 7, nil
		})
		if o.Value != 7 || time.Since(begun) != 0 || len(o.Warnings) > 0 {
			t.Errorf("after %v: %+v", time.Since(begun), o)
		}
		synctest.Wait()
		if !errors.Is(seen, context.Canceled) {
			t.Errorf("the goroutine of a call that is over saw %v", seen)
		}
	})
}
