package recourse_test

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g recourse.Guard
		release := make(chan struct{})
		var open sync.WaitGroup
		for range 10 {
			open.Go(func() {
				if o := recourse.Run(t.Context(), &g, recourse.Request{}, callTo(release, nil)); o.Err != nil {
					t.Errorf("a call that was at work: %v", o.Err)
				}
			})
		}
		synctest.Wait()
		drained := make(chan error, 2)
		for range 2 {
			go func() { drained <- g.Drain(t.Context()) }()
		}
		synctest.Wait()
		select {
		case <-drained:
			t.Error("drained while calls are at work")
		default:
		}
		o := recourse.Run(t.Context(), &g, recourse.Request{Tool: "t"}, callFine)
		const want = `{"error":{"code":"SERVICE_UNAVAILABLE","message":"The server is shutting down.",` +
			`"suggestion":"Wait, then repeat the call; if the service stays down, tell the user.",` +
			`"retryable":true,"retry_after_seconds":5,"max_retries":3,"reason":"draining"}}`
		if o.Value != "" || o.Err == nil || o.Err.Envelope() != want {
			t.Errorf("a new call: %+v", o)
		}
		close(release)
		open.Wait()
		for range 2 {
			if err := <-drained; err != nil {
				t.Error(err)
			}
		}
		if err := g.Drain(t.Context()); err != nil {
			t.Errorf("a third Drain: %v", err)
		}
	})
}

func TestDrainGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g recourse.Guard
		release := make(chan struct{})
		var open sync.WaitGroup
		open.Go(func() { recourse.Run(t.Context(), &g, recourse.Request{}, callTo(release, nil)) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if err := g.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		close(release)
		open.Wait()
		for range 100 { // all is answered and ctx is done: the better news counts
			if err := g.Drain(ctx); err != nil {
				t.Fatalf("with all answered: %v", err)
			}
		}
	})
}

// A deaf handler is answered for at its deadline and holds nothing up after that.
func TestDrainDoesNotWaitForTheDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := recourse.Guard{Timeout: time.Second}
		release := make(chan struct{})
		defer close(release)
		go recourse.Run(t.Context(), &g, recourse.Request{}, callTo(release, nil))
		synctest.Wait()
		began := time.Now()
		const written = 100 * time.Millisecond // what the SDK has for the answer
		if err := g.Drain(t.Context()); err != nil || time.Since(began) != time.Second+written {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// Under load, each call is either done or refused, and none is at work when
// Drain returns.
func TestDrainUnderLoad(t *testing.T) {
	var g recourse.Guard
	var mu sync.Mutex
	working, done, refused := 0, 0, 0
	g.Log = func(r recourse.Record) {
		mu.Lock()
		defer mu.Unlock()
		if r.Outcome == "short_circuited" {
			refused++
		} else {
			working--
			done++
		}
	}
	var wg sync.WaitGroup
	half := make(chan struct{})
	for i := range 2000 {
		wg.Go(func() {
			if i == 1000 {
				close(half)
			}
			recourse.Run(t.Context(), &g, recourse.Request{}, func(context.Context) (int, error) {
				mu.Lock()
				defer mu.Unlock()
				working++
				return 1, nil
			})
		})
	}
	<-half
	if err := g.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	if working != 0 {
		t.Errorf("%d calls at work", working)
	}
	mu.Unlock()
	wg.Wait()
	if done+refused != 2000 {
		t.Errorf("%d done and %d refused of 2000", done, refused)
	}
}

func TestMap(t *testing.T) {
	missing := recourse.Errorf(recourse.NotFound, "No such note.")
	g := recourse.Guard{Map: func(err error) *recourse.Error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return missing
		case errors.Is(err, fs.ErrPermission):
			panic("a bug in Map")
		}
		return nil
	}}
	own := recourse.Errorf(recourse.Conflict, "Somebody was faster.")
	var d recourse.Dependency
	for _, tt := range []struct {
		err  error
		want recourse.Code
	}{
		{fs.ErrNotExist, recourse.NotFound},
		{context.DeadlineExceeded, recourse.Timeout}, // not mapped: classified
		{errors.Join(fs.ErrNotExist, own), recourse.Conflict},
		{fs.ErrPermission, recourse.InternalError},
	} {
		fn := func(context.Context) (int, error) { return 0, tt.err }
		for name, fn := range map[string]func(context.Context) (int, error){
			"plain":     fn,
			"in a Call": func(ctx context.Context) (int, error) { return recourse.Call(ctx, &d, fn) },
		} {
			o := recourse.Run(t.Context(), &g, recourse.Request{}, fn)
			if got := recourse.CodeOf(o.Err); got != tt.want {
				t.Errorf("%v, %s: %s, want %s", tt.err, name, got, tt.want)
			}
			if tt.want != recourse.InternalError && !errors.Is(o.Err, tt.err) && tt.want != recourse.Conflict {
				t.Errorf("%v, %s: the cause is lost", tt.err, name)
			}
		}
	}
	if missing.Err != nil {
		t.Error("the mapped Error was written to")
	}
}
