package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

// runAs makes a call under Run, as a tool that its author has annotated so.
func runAs[T any](t *testing.T, r recourse.Request, fn func(context.Context) (T, error)) recourse.Outcome[T] {
	t.Helper()
	return recourse.Run(t.Context(), &recourse.Guard{}, r, fn)
}

func TestCallReturnsTheValue(t *testing.T) {
	var d recourse.Dependency
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, 7)
	v, err := recourse.Call(ctx, &d, func(ctx context.Context) (any, error) { return ctx.Value(key{}), nil })
	if v != 7 || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestCallReturnsNoValueBesideAnError(t *testing.T) {
	var d recourse.Dependency
	v, err := recourse.Call(t.Context(), &d, func(context.Context) (string, error) {
		return "half", recourse.Errorf(recourse.NotFound, "No such city.")
	})
	if v != "" || err == nil {
		t.Errorf("got %q, %v", v, err)
	}
}

// What is repeated: the attempts of a Dependency that may make three.
func TestWhatIsRepeated(t *testing.T) {
	unsafe, again, read := recourse.Request{}, recourse.Request{Idempotent: true}, recourse.Request{ReadOnly: true}
	for _, tt := range []struct {
		request recourse.Request
		failure recourse.Error
		want    int
	}{
		{unsafe, recourse.Error{Code: recourse.UpstreamError}, 1},
		{again, recourse.Error{Code: recourse.UpstreamError}, 2}, // harmless, but no more than needed
		{read, recourse.Error{Code: recourse.UpstreamError}, 3},
		{unsafe, recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}, 3},
		{again, recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}, 3},
		{unsafe, recourse.Error{Code: recourse.Timeout}, 1},
		{read, recourse.Error{Code: recourse.Timeout}, 3},
		{unsafe, recourse.Error{Code: recourse.RateLimited, RetryAfter: time.Second}, 3}, // refused before it ran
		{read, recourse.Error{Code: recourse.RateLimited}, 1},                            // 30 s are a model's wait
		{read, recourse.Error{Code: recourse.RateLimited, RetryAfter: 6 * time.Second}, 1},
		{read, recourse.Error{Code: recourse.UpstreamError, MaxRetries: -1}, 1},
		{read, recourse.Error{Code: recourse.NotFound}, 1},
		{read, recourse.Error{Code: recourse.InternalError}, 1},
		{read, recourse.Error{Code: "SHOP_CLOSED"}, 1},
		{read, recourse.Error{Code: "SHOP_CLOSED", MaxRetries: 1}, 3},
		{unsafe, recourse.Error{Code: "SHOP_CLOSED", MaxRetries: 1}, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := recourse.Dependency{Attempts: 3}
			runs := 0
			runAs(t, tt.request, func(ctx context.Context) (int, error) {
				return recourse.Call(ctx, &d, func(context.Context) (int, error) {
					runs++
					e := tt.failure
					return 0, &e
				})
			})
			if runs != tt.want {
				t.Errorf("%+v in a tool %+v: %d attempts, want %d", tt.failure, tt.request, runs, tt.want)
			}
		})
	}
}

func TestAttemptsAreAtMostThree(t *testing.T) {
	for attempts, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 2, 3: 3, 4: 3, 1 << 40: 3} {
		synctest.Test(t, func(t *testing.T) {
			d := recourse.Dependency{Attempts: attempts}
			runs := 0
			_, _ = recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
				runs++
				return 0, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}
			})
			if runs != want {
				t.Errorf("Attempts %d: %d attempts, want %d", attempts, runs, want)
			}
		})
	}
}

// Outside of a Run nobody has said that repeating is safe.
func TestCallOutsideRun(t *testing.T) {
	d := recourse.Dependency{Attempts: 3}
	runs := 0
	_, err := recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
		runs++
		return 0, &recourse.Error{Code: recourse.UpstreamError}
	})
	e := wantCode(t, err, recourse.UpstreamError)
	if runs != 1 || e.Retryable() || e.Related["outcome"] != "unknown" {
		t.Errorf("%d attempts, %s", runs, e.Envelope())
	}
}

// A retry that works leaves no trace of the failure in the answer.
func TestRepeatedCallWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 2}
		runs := 0
		o := runAs(t, recourse.Request{ReadOnly: true}, func(ctx context.Context) (int, error) {
			return recourse.Call(ctx, &d, func(context.Context) (int, error) {
				if runs++; runs == 1 {
					return -1, &recourse.Error{Code: recourse.UpstreamError}
				}
				return 1, nil
			})
		})
		if o.Value != 1 || o.Err != nil || o.Completeness != "full" || len(o.Warnings) != 0 {
			t.Errorf("got %+v", o)
		}
	})
}

// An attempt that is cut off is not repeated while it is still at work.
func TestAttemptsDoNotMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 3, Timeout: time.Second}
		release := make(chan struct{})
		var runs atomic.Int32
		o := runAs(t, recourse.Request{ReadOnly: true}, func(ctx context.Context) (string, error) {
			return recourse.Call(ctx, &d, func(ctx context.Context) (string, error) {
				runs.Add(1)
				return callTo(release, nil)(ctx)
			})
		})
		wantCode(t, o.Err, recourse.Timeout)
		if n := runs.Load(); n != 1 {
			t.Errorf("%d attempts, want 1", n)
		}
		close(release)
	})
}

// An answer that comes while the next attempt is waited for is taken.
func TestLateAnswerIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 2, Timeout: time.Second, Limit: 1}
		runs := 0
		o := runAs(t, recourse.Request{ReadOnly: true}, func(ctx context.Context) (int, error) {
			return recourse.Call(ctx, &d, func(context.Context) (int, error) {
				runs++
				time.Sleep(time.Second + time.Nanosecond)
				return runs, nil
			})
		})
		if o.Value != 1 || o.Err != nil || runs != 1 {
			t.Errorf("got %d, %v after %d attempts", o.Value, o.Err, runs)
		}
		wantFine(t, &d)
	})
}

// Cancelled while it waits for the next attempt, a call ends at once, gives its
// slot back and says why the attempt failed.
func TestCancelledBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 2, Limit: 1}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		_, err := recourse.Call(ctx, &d, func(context.Context) (int, error) {
			return 0, &recourse.Error{Code: recourse.RateLimited, RetryAfter: 3 * time.Second}
		})
		wantCode(t, err, recourse.RateLimited)
		if took := time.Since(began); took != time.Second {
			t.Errorf("took %v, want 1s", took)
		}
		wantFine(t, &d)
	})
}

// A hasty context is cancelled at the nth time that it is asked.
type hasty struct {
	context.Context
	left atomic.Int32
}

func (h *hasty) Err() error {
	if h.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever a call is cancelled, its slot is free afterwards.
func TestCancelledAtAnyMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 3, Limit: 1, Trip: -1}
		for n := range int32(20) {
			ctx := &hasty{Context: t.Context()}
			ctx.left.Store(n)
			_, err := recourse.Call(ctx, &d, func(context.Context) (int, error) {
				return 0, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}
			})
			if err == nil {
				t.Fatal("no error")
			}
			wantFine(t, &d)
		}
	})
}

func TestTimeoutsOfACall(t *testing.T) {
	for _, tt := range []struct{ field, caller, want time.Duration }{
		{0, time.Hour, 10 * time.Second},
		{3 * time.Second, time.Hour, 3 * time.Second},
		{3 * time.Second, 2 * time.Second, 2 * time.Second},
		{-1, 7 * time.Hour, 7 * time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := recourse.Dependency{Timeout: tt.field}
			ctx, cancel := context.WithTimeout(t.Context(), tt.caller)
			defer cancel()
			began := time.Now()
			_, err := recourse.Call(ctx, &d, func(ctx context.Context) (int, error) {
				if at, ok := ctx.Deadline(); !ok || at.Sub(began) != tt.want {
					t.Errorf("deadline in %v (%v), want %v", at.Sub(began), ok, tt.want)
				}
				<-ctx.Done()
				if ctx.Err() != context.DeadlineExceeded {
					t.Errorf("the context ended with %v", ctx.Err())
				}
				return 0, ctx.Err()
			})
			wantCode(t, err, recourse.Timeout)
			if took := time.Since(began); took != tt.want {
				t.Errorf("%+v: took %v", tt, took)
			}
		})
	}
}

// The words of a timeout: which service, how long, and what its author advises.
func TestTimeoutInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{
			Name: "the indexer", Timeout: 30 * time.Second,
			Suggestion: "Analyse one directory instead of the whole repo.",
		}
		_, err := recourse.Call(t.Context(), &d, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		const want = `{"error":{"code":"TIMEOUT","message":"The indexer did not answer within 30 seconds.",` +
			`"suggestion":"Analyse one directory instead of the whole repo.","retryable":false,"outcome":"unknown"}}`
		if got := wantCode(t, err, recourse.Timeout).Envelope(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestRefusalInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tripped(t, &recourse.Dependency{Name: "GitHub"})
		_, _ = recourse.Call(t.Context(), d, callBroken)
		time.Sleep(2500 * time.Millisecond)
		_, err := recourse.Call(t.Context(), d, callFine)
		const want = `{"error":{"code":"SERVICE_UNAVAILABLE","message":"GitHub failed several times in a row, so it is not called for now.",` +
			`"suggestion":"Wait 8 seconds, then repeat the call; if the service stays down, tell the user.",` +
			`"retryable":true,"retry_after_seconds":8,"max_retries":3,"reason":"circuit_open"}}`
		if got := wantCode(t, err, recourse.ServiceUnavailable).Envelope(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// Call keeps what errors.Is and errors.As look for.
func TestCallKeepsTheCause(t *testing.T) {
	own := &recourse.Error{Code: recourse.UpstreamError, Err: errBroken}
	for name, err := range map[string]error{
		"plain":   errBroken,
		"wrapped": fmt.Errorf("reading: %w", errBroken),
		"own":     own,
		"joined":  errors.Join(errors.New("first"), own),
	} {
		var d recourse.Dependency
		_, got := recourse.Call(t.Context(), &d, func(context.Context) (int, error) { return 0, err })
		if _, ok := got.(*recourse.Error); !ok || !errors.Is(got, errBroken) {
			t.Errorf("%s: got %T %v", name, got, got)
		}
		if strings.Contains(got.Error(), "gears") {
			t.Errorf("%s: %q shows the cause", name, got)
		}
	}
	if own.Related != nil || own.MaxRetries != 0 {
		t.Errorf("Call has changed its caller's Error: %+v", own)
	}
}

// The same Error may be returned by many calls at once: nobody writes to it.
func TestSharedErrorIsNotWritten(t *testing.T) {
	shared := &recourse.Error{Code: recourse.Timeout}
	d := recourse.Dependency{Trip: -1, Limit: -1}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_, err := recourse.Call(t.Context(), &d, func(context.Context) (int, error) { return 0, shared })
			if !errors.Is(err, shared) {
				t.Errorf("%v is not the error that was returned", err)
			}
		})
	}
	wg.Wait()
}

func TestMisuse(t *testing.T) {
	var d recourse.Dependency
	var none *recourse.Dependency
	var noContext context.Context
	var noFunc func(context.Context) (int, error)
	for name, call := range map[string]func(context.Context) (int, error){
		"nothing":     nil,
		"no function": func(ctx context.Context) (int, error) { return recourse.Call(ctx, &d, noFunc) },
		"no Dependency": func(ctx context.Context) (int, error) {
			return recourse.Call(ctx, none, func(context.Context) (int, error) { return 1, nil })
		},
		"no context": func(context.Context) (int, error) { return recourse.Call(noContext, &d, noFunc) },
	} {
		o := runAs(t, recourse.Request{Tool: "t"}, call)
		if o.Err == nil || o.Err.Code != recourse.InternalError || strings.Contains(o.Err.Envelope(), "nil") {
			t.Errorf("%s: got %v, want an InternalError that shows nothing", name, o.Err)
		}
	}
	if _, err := recourse.Call(t.Context(), none, noFunc); recourse.CodeOf(err) != recourse.InternalError {
		t.Errorf("without a Dependency, outside of Run: %v", err)
	}
}

// Whoever returns a nil *Error in an error means that all went well.
func TestNilErrorInAnInterface(t *testing.T) {
	var e *recourse.Error
	fn := func(context.Context) (int, error) { return 7, e }
	var d recourse.Dependency
	if v, err := recourse.Call(t.Context(), &d, fn); v != 7 || err != nil {
		t.Errorf("Call returned %d, %v", v, err)
	}
	if o := runAs(t, recourse.Request{}, fn); o.Value != 7 || o.Err != nil {
		t.Errorf("Run returned %d, %v", o.Value, o.Err)
	}
	if err := <-recourse.Go(t.Context(), func(context.Context) error { return e }); err != nil {
		t.Errorf("Go delivered %v", err)
	}
	var c recourse.Cache[string, int]
	if v, err := c.Fetch(t.Context(), "k", fn); v != 7 || err != nil {
		t.Errorf("Fetch returned %d, %v", v, err)
	}
	wrapped := func(context.Context) (int, error) { return 0, fmt.Errorf("reading: %w", e) }
	if _, err := recourse.Call(t.Context(), &d, wrapped); err == nil {
		t.Error("an error around a nil *Error got lost")
	}
}

func TestNegativeFields(t *testing.T) {
	d := recourse.Dependency{Timeout: -1, Attempts: -1, Trip: -1, Cooldown: -1, Limit: -1}
	var wg sync.WaitGroup
	release := make(chan struct{})
	for range 200 { // more than the default Limit, and all fail
		wg.Go(func() {
			_, err := recourse.Call(t.Context(), &d, callTo(release, errBroken))
			if recourse.CodeOf(err) != recourse.UnknownError {
				t.Errorf("got %v", err)
			}
		})
	}
	close(release)
	wg.Wait()
	wantState(t, &d, "closed")
}

// A Call inside a Call of the same Dependency needs a second slot. With none, it
// is told so rather than waiting for itself.
func TestCallInsideItself(t *testing.T) {
	for limit, want := range map[int]recourse.Code{1: recourse.ResourceBusy, 2: ""} {
		synctest.Test(t, func(t *testing.T) {
			d := recourse.Dependency{Limit: limit, Attempts: 3}
			_, err := recourse.Call(t.Context(), &d, func(ctx context.Context) (string, error) {
				return recourse.Call(ctx, &d, callFine)
			})
			if got := recourse.CodeOf(err); got != want {
				t.Errorf("Limit %d: %q, want %q", limit, got, want)
			}
			wantFine(t, &d)
		})
	}
}

// A thousand parts, more than the Limit: the rest is refused, none is lost.
func TestGatherOfAThousandParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Name: "pages", Limit: 10}
		got := make([]int, 1000)
		g := recourse.Gather(t.Context())
		for i := range got {
			recourse.Optional(g, &d, &got[i], func(context.Context) (int, error) {
				time.Sleep(time.Second)
				return 1, nil
			})
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		if n := len(slices.DeleteFunc(got, func(v int) bool { return v == 0 })); n != 10 {
			t.Errorf("%d parts, want the 10 of the Limit", n)
		}
		wantFine(t, &d)
	})
}

// The end of a goroutine is an error, not an answer.
func TestGoexitIsNoAnswer(t *testing.T) {
	gone := func(context.Context) (int, error) { runtime.Goexit(); return 1, nil }
	var d recourse.Dependency
	_, err := recourse.Call(t.Context(), &d, gone)
	wantCode(t, err, recourse.InternalError)
	wantCode(t, runAs(t, recourse.Request{}, gone).Err, recourse.InternalError)
	err = <-recourse.Go(t.Context(), func(context.Context) error { runtime.Goexit(); return nil })
	wantCode(t, err, recourse.InternalError)
}
