package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

func TestRunReturnsTheAnswer(t *testing.T) {
	for _, g := range []*recourse.Guard{nil, {}} {
		o := recourse.Run(t.Context(), g, recourse.Request{Tool: "t"}, callFine)
		if o.Value != "fine" || o.Err != nil || o.Warnings != nil || o.Completeness != "full" {
			t.Errorf("got %+v", o)
		}
	}
}

func TestRunPartialAnswer(t *testing.T) {
	o := runAs(t, recourse.Request{}, func(ctx context.Context) (int, error) {
		recourse.Warn(ctx, "Only %d of 7 days.", 3)
		return 3, nil
	})
	if o.Completeness != "partial" || len(o.Warnings) != 1 || o.Warnings[0] != "Only 3 of 7 days." {
		t.Errorf("got %+v", o)
	}
}

// Some SDKs want what a handler returned also beside its error.
func TestRunKeepsTheValueBesideAnError(t *testing.T) {
	o := runAs(t, recourse.Request{}, func(context.Context) (string, error) { return "half", errBroken })
	if o.Value != "half" || o.Err == nil {
		t.Errorf("got %+v", o)
	}
}

func TestPanics(t *testing.T) {
	var full map[string]int
	for _, tt := range []struct {
		name string
		fn   func()
		is   error  // in the cause
		logs string // part of the cause in the log
	}{
		{"text", func() { panic("secret plan") }, nil, "secret plan"},
		{"error", func() { panic(fmt.Errorf("wrapped: %w", io.ErrNoProgress)) }, io.ErrNoProgress, "multiple Read calls"},
		{"nil", func() { panic(nil) }, new(runtime.PanicNilError), "panic called with nil argument"},
		{"nil map", func() { full["a"] = 1 }, nil, "assignment to entry in nil map"},
		{"Goexit", runtime.Goexit, nil, "runtime.Goexit"},
		{"an Error", func() { panic(recourse.Errorf(recourse.NotFound, "No such city.")) }, nil, "No such city."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var logged recourse.Record
			g := recourse.Guard{Log: func(r recourse.Record) { logged = r }}
			o := recourse.Run(t.Context(), &g, recourse.Request{Tool: "t"}, func(context.Context) (int, error) {
				tt.fn()
				return 1, nil
			})
			const want = `{"error":{"code":"INTERNAL_ERROR","message":"The tool itself broke.",` +
				`"suggestion":"Don't send this call again unchecked: first find out, with a tool that only reads, whether it took effect.",` +
				`"retryable":false,"outcome":"unknown"}}`
			if o.Err == nil || o.Err.Envelope() != want {
				t.Fatalf("got %v", o.Err)
			}
			if tt.is != nil && !errors.Is(o.Err, tt.is) && !errors.As(o.Err, new(*runtime.PanicNilError)) {
				t.Errorf("the cause is %v", o.Err.Err)
			}
			if !strings.Contains(logged.Cause, tt.logs) || logged.Outcome != "failed" || logged.Fault != "process" {
				t.Errorf("logged %+v", logged)
			}
			if tt.name != "Goexit" && !strings.Contains(logged.Cause, "run_test.go") {
				t.Errorf("the log does not say where: %s", logged.Cause)
			}
		})
	}
}

func TestRunDeadline(t *testing.T) {
	for _, tt := range []struct{ field, context, answer time.Duration }{
		{0, 49500 * time.Millisecond, 50 * time.Second},
		{4 * time.Second, 3800 * time.Millisecond, 4 * time.Second},
		{time.Nanosecond, time.Nanosecond, time.Nanosecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			began := time.Now()
			g := recourse.Guard{Timeout: tt.field}
			o := recourse.Run(t.Context(), &g, recourse.Request{Tool: "dig"}, func(ctx context.Context) (string, error) {
				if at, ok := ctx.Deadline(); !ok || at.Sub(began) != tt.context {
					t.Errorf("deadline in %v (%v), want %v", at.Sub(began), ok, tt.context)
				}
				return callTo(release, nil)(ctx)
			})
			wantCode(t, o.Err, recourse.Timeout)
			if took := time.Since(began); took != tt.answer {
				t.Errorf("Timeout %v: answered after %v, want %v", tt.field, took, tt.answer)
			}
		})
	}
}

func TestRunWithoutDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := recourse.Guard{Timeout: -1}
		o := recourse.Run(t.Context(), &g, recourse.Request{}, func(ctx context.Context) (int, error) {
			if _, ok := ctx.Deadline(); ok {
				t.Error("there is a deadline")
			}
			time.Sleep(24 * time.Hour)
			return 1, nil
		})
		if o.Value != 1 || o.Err != nil {
			t.Errorf("got %+v", o)
		}
	})
}

// A handler that heeds its context has a moment left to fall back.
func TestRunGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cache recourse.Cache[string, string]
		cache.Put("k", "old")
		o := runAs(t, recourse.Request{Tool: "t"}, func(ctx context.Context) (string, error) {
			<-ctx.Done()
			time.Sleep(400 * time.Millisecond)
			if v, ok := cache.Last(ctx, "k"); ok {
				return v, nil
			}
			return "", ctx.Err()
		})
		if o.Value != "old" || o.Err != nil || o.Completeness != "partial" {
			t.Errorf("got %+v", o)
		}
	})
}

// What may have run is retryable only where running it again does no harm.
func TestRunTimeoutInWords(t *testing.T) {
	for _, tt := range []struct {
		request recourse.Request
		want    string
	}{
		{
			recourse.Request{Tool: "dig"},
			`{"error":{"code":"TIMEOUT","message":"dig did not finish within 20 seconds.",` +
				`"suggestion":"Don't send this call again unchecked: first find out, with a tool that only reads, whether it took effect.",` +
				`"retryable":false,"outcome":"unknown"}}`,
		},
		{
			recourse.Request{Tool: "dig", ReadOnly: true},
			`{"error":{"code":"TIMEOUT","message":"dig did not finish within 20 seconds.",` +
				`"suggestion":"Repeat the call, or ask for less at a time.","retryable":true,"retry_after_seconds":5,"max_retries":2}}`,
		},
		{
			recourse.Request{Idempotent: true},
			`{"error":{"code":"TIMEOUT","message":"The tool did not finish within 20 seconds.",` +
				`"suggestion":"Repeat the call, or ask for less at a time.","retryable":true,"retry_after_seconds":5,"max_retries":2}}`,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			g := recourse.Guard{Timeout: 20 * time.Second}
			o := recourse.Run(t.Context(), &g, tt.request, callTo(release, nil))
			if got := wantCode(t, o.Err, recourse.Timeout).Envelope(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// The handler that gives up when its context ends says the same as one that
// does not.
func TestRunTimeoutNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := runAs(t, recourse.Request{Tool: "dig"}, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, fmt.Errorf("query: %w", ctx.Err())
		})
		if e := wantCode(t, o.Err, recourse.Timeout); e.Error() != "dig did not finish within 50 seconds." {
			t.Errorf("got %q", e.Error())
		}
	})
}

// Retryable, or not, in tools that may do harm when they run twice, and in those
// that only read.
func TestWhatRunSaysOfRetries(t *testing.T) {
	for _, tt := range []struct {
		failure      error
		unsafe, read bool
	}{
		{&recourse.Error{Code: recourse.Timeout}, false, true},
		{&recourse.Error{Code: recourse.UpstreamError}, false, true},
		{&recourse.Error{Code: recourse.ServiceUnavailable}, false, true},
		{&recourse.Error{Code: recourse.BadUpstreamResponse}, false, true},
		{context.DeadlineExceeded, false, true},
		{&recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}, true, true},
		{&recourse.Error{Code: recourse.Timeout, NotRun: true}, true, true},
		{&recourse.Error{Code: recourse.RateLimited}, true, true},
		{&recourse.Error{Code: recourse.ResourceBusy}, true, true},
		{&recourse.Error{Code: recourse.UpstreamError, MaxRetries: 2}, true, true}, // its author says so
		{&recourse.Error{Code: recourse.UpstreamError, MaxRetries: -1}, false, false},
		{&recourse.Error{Code: recourse.NotFound}, false, false},
		{errBroken, false, false},
	} {
		wrapped := &recourse.Error{Message: "No forecast.", Suggestion: "Ask for another city.", Err: tt.failure}
		for _, err := range []error{tt.failure, wrapped, fmt.Errorf("context: %w", tt.failure)} {
			fn := func(context.Context) (int, error) { return 0, err }
			var d recourse.Dependency
			call := func(ctx context.Context) (int, error) { return recourse.Call(ctx, &d, fn) }
			for name, fn := range map[string]func(context.Context) (int, error){"plain": fn, "in a Call": call} {
				e := runAs(t, recourse.Request{}, fn).Err
				if e.Retryable() != tt.unsafe {
					t.Errorf("%v, %s: in an unsafe tool %s", err, name, e.Envelope())
				}
				e = runAs(t, recourse.Request{ReadOnly: true}, fn).Err
				if e.Retryable() != tt.read || e.Related["outcome"] != nil {
					t.Errorf("%v, %s: in a reading tool %s", err, name, e.Envelope())
				}
				if err == error(wrapped) && !strings.Contains(e.Envelope(), `"message":"No forecast.","suggestion":"Ask for another city."`) {
					t.Errorf("the author's words are lost: %s", e.Envelope())
				}
			}
		}
	}
}

// That the second service was not even called is no reason to repeat a tool
// whose first call may have booked the room already.
func TestRefusalAfterAnEffect(t *testing.T) {
	refused := &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true, Suggestion: "Wait, then repeat."}
	book := func(result error) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) {
			var hotel, mail recourse.Dependency
			_, err := recourse.Call(ctx, &hotel, func(context.Context) (int, error) { return 1, result })
			if result == nil && err != nil {
				return 0, err
			}
			return recourse.Call(ctx, &mail, func(context.Context) (int, error) { return 0, refused })
		}
	}
	for _, tt := range []struct {
		name    string
		request recourse.Request
		first   error
		want    bool
	}{
		{"booked", recourse.Request{}, nil, false},
		{"perhaps booked", recourse.Request{}, &recourse.Error{Code: recourse.Timeout}, false},
		{"hotel full", recourse.Request{}, &recourse.Error{Code: recourse.RateLimited}, true},
		{"may book twice", recourse.Request{Idempotent: true}, nil, true},
		{"only read", recourse.Request{ReadOnly: true}, nil, true},
	} {
		e := runAs(t, tt.request, book(tt.first)).Err
		if e.Retryable() != tt.want {
			t.Errorf("%s: %s", tt.name, e.Envelope())
		}
		if !tt.want && (e.Related["outcome"] != "unknown" || strings.Contains(e.Suggestion, "Wait")) {
			t.Errorf("%s: %s still invites to repeat", tt.name, e.Envelope())
		}
		if !errors.Is(e, refused) {
			t.Errorf("%s: the error is lost", tt.name)
		}
	}
}

// The same where the effect was had under a Cache.
func TestRefusalAfterAnEffectOfAFetch(t *testing.T) {
	var c recourse.Cache[string, string]
	var d recourse.Dependency
	e := runAs(t, recourse.Request{}, func(ctx context.Context) (string, error) {
		_, err := c.Fetch(ctx, "k", func(ctx context.Context) (string, error) { return recourse.Call(ctx, &d, callFine) })
		if err != nil {
			return "", err
		}
		return "", &recourse.Error{Code: recourse.ResourceBusy, NotRun: true}
	}).Err
	if e.Retryable() {
		t.Error(e.Envelope())
	}
}

// A deadline of the adapter's own, sooner than the Guard's, is kept too.
func TestRunUnderADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
		defer cancel()
		began := time.Now()
		o := recourse.Run(ctx, nil, recourse.Request{Tool: "dig"}, callTo(release, nil))
		if e := wantCode(t, o.Err, recourse.Timeout); time.Since(began) != 7*time.Second || e.Error() != "dig did not finish within 7 seconds." {
			t.Errorf("%q after %v", e.Error(), time.Since(began))
		}
	})
}

func TestRunCancelled(t *testing.T) {
	for name, fn := range map[string]func(context.Context) (string, error){
		"heeded": func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() },
		"deaf":   func(context.Context) (string, error) { time.Sleep(time.Minute); return "late", nil },
	} {
		synctest.Test(t, func(t *testing.T) {
			gone := errors.New("the client has gone")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(gone) })
			began := time.Now()
			o := recourse.Run(ctx, &recourse.Guard{}, recourse.Request{Tool: "t"}, fn)
			wantCode(t, o.Err, recourse.Cancelled)
			if took := time.Since(began); took != time.Second || o.Value != "" || !errors.Is(o.Err, gone) {
				t.Errorf("%s: got %+v after %v", name, o, took)
			}
			time.Sleep(time.Minute)
		})
	}
}

// What comes after the answer changes nothing in it.
func TestNothingAfterTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged recourse.Record
		g := recourse.Guard{Timeout: time.Second, Log: func(r recourse.Record) { logged = r }}
		var d recourse.Dependency
		o := recourse.Run(t.Context(), &g, recourse.Request{}, func(ctx context.Context) (int, error) {
			recourse.Warn(ctx, "In time.")
			time.Sleep(2 * time.Second)
			recourse.Warn(ctx, "Too late.")
			_, err := recourse.Call(ctx, &d, callFine)
			if e := wantCode(t, err, recourse.Timeout); !e.NotRun {
				t.Error("called after the end")
			}
			return 1, nil
		})
		time.Sleep(2 * time.Second)
		if len(o.Warnings) != 1 || len(logged.Warnings) != 1 || len(logged.Attempts) != 0 || o.Value != 0 {
			t.Errorf("outcome %+v, record %+v", o, logged)
		}
	})
}

func TestWarnOutsideACall(t *testing.T) {
	recourse.Warn(t.Context(), "Nobody hears %s.", "this")
}

// An error whose methods panic, as those of a nil pointer do, is one more way to
// fail, and no reason to lose the call, its record or the Dependency.
func TestErrorsThatPanic(t *testing.T) {
	var broken *url.Error
	for name, fail := range map[string]error{
		"itself":            broken,
		"a cause":           &recourse.Error{Code: recourse.Timeout, Err: broken},
		"a cause of no one": &recourse.Error{Message: "x", Err: broken},
		"wrapped":           fmt.Errorf("x: %w", broken),
	} {
		var records []recourse.Record
		g := &recourse.Guard{Log: func(r recourse.Record) { records = append(records, r) }}
		d := &recourse.Dependency{}
		for _, fn := range []func(context.Context) (int, error){
			func(context.Context) (int, error) { return 0, fail },
			func(ctx context.Context) (int, error) {
				return recourse.Call(ctx, d, func(context.Context) (int, error) { return 0, fail })
			},
		} {
			if o := recourse.Run(t.Context(), g, recourse.Request{Tool: "t"}, fn); o.Err == nil || o.Err.Envelope() == "" {
				t.Errorf("%s: %+v", name, o)
			}
		}
		if d.State() != "closed" || len(records) != 2 || records[0].Outcome != "failed" {
			t.Errorf("%s: %s, %+v", name, d.State(), records)
		}
	}
}

type nothing struct{}

func (nothing) Blank() bool { return true }

func TestBlankAnswerIsLogged(t *testing.T) {
	var record recourse.Record
	g := &recourse.Guard{Log: func(r recourse.Record) { record = r }}
	recourse.Run(t.Context(), g, recourse.Request{Tool: "t"}, func(context.Context) (nothing, error) { return nothing{}, nil })
	if !record.Blank || record.Outcome != "ok" {
		t.Errorf("%+v", record)
	}
}
