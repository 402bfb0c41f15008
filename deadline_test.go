package recourse_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

// The context under Call and Run behaves as one of package context.

func TestContextEndsWithTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d recourse.Dependency
		contexts := make(chan context.Context, 1)
		_, _ = recourse.Call(t.Context(), &d, func(ctx context.Context) (int, error) {
			contexts <- ctx
			if ctx.Err() != nil {
				t.Errorf("ended before its time: %v", ctx.Err())
			}
			return 1, nil
		})
		kept := <-contexts
		<-kept.Done()
		if kept.Err() != context.Canceled || context.Cause(kept) != context.Canceled {
			t.Errorf("ended with %v, %v", kept.Err(), context.Cause(kept))
		}
	})
}

func TestContextKnowsThatItIsCancelled(t *testing.T) {
	why := errors.New("why")
	var d recourse.Dependency
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := recourse.Call(ctx, &d, func(ctx context.Context) (int, error) {
		cancel(why)
		if ctx.Err() != context.Canceled || context.Cause(ctx) != why {
			t.Errorf("got %v, %v at once", ctx.Err(), context.Cause(ctx))
		}
		<-ctx.Done()
		return 0, ctx.Err()
	})
	if e := wantCode(t, err, recourse.Cancelled); !errors.Is(e, why) {
		t.Errorf("the cause is %v", e.Err)
	}
}

func TestChildContexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Timeout: time.Second}
		_, err := recourse.Call(t.Context(), &d, func(ctx context.Context) (int, error) {
			began := time.Now()
			late, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			early, cancel2 := context.WithTimeout(ctx, 300*time.Millisecond)
			defer cancel2()
			<-early.Done()
			if took := time.Since(began); took != 300*time.Millisecond || ctx.Err() != nil {
				t.Errorf("the early child ended after %v; ctx: %v", took, ctx.Err())
			}
			told := make(chan time.Duration, 1)
			context.AfterFunc(ctx, func() { told <- time.Since(began) })
			<-late.Done()
			if took := time.Since(began); took != time.Second || late.Err() != context.DeadlineExceeded {
				t.Errorf("the late child ended after %v with %v", took, late.Err())
			}
			if took := <-told; took != time.Second {
				t.Errorf("AfterFunc after %v", took)
			}
			return 0, ctx.Err()
		})
		wantCode(t, err, recourse.Timeout)
	})
}

// Many children of a context under which nobody waits any longer leave no
// goroutine behind; one would fail the test.
func TestChildrenOfAnEndedContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		contexts := make(chan context.Context, 1)
		var forgotten []context.CancelFunc
		runAs(t, recourse.Request{}, func(ctx context.Context) (int, error) {
			for range 100 {
				_, cancel := context.WithCancel(ctx)
				forgotten = append(forgotten, cancel) // and not called
			}
			contexts <- ctx
			return 1, nil
		})
		child, cancel := context.WithCancel(<-contexts)
		defer cancel()
		if child.Err() != context.Canceled {
			t.Errorf("a child that comes late: %v", child.Err())
		}
	})
}
