package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

// gives returns a function for a part that takes so long, heeds its context, and
// then returns the value.
func gives[T any](v T, after time.Duration) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		select {
		case <-time.After(after):
			return v, nil
		case <-ctx.Done():
			var zero T
			return zero, ctx.Err()
		}
	}
}

// fails is like gives, but has an error to return.
func fails[T any](err error, after time.Duration) func(context.Context) (T, error) {
	return func(ctx context.Context) (T, error) {
		v, done := gives(*new(T), after)(ctx)
		if done != nil {
			return v, done
		}
		return v, err
	}
}

// deaf is like gives, but does not heed its context.
func deaf[T any](v T, after time.Duration) func(context.Context) (T, error) {
	return func(context.Context) (T, error) {
		time.Sleep(after)
		return v, nil
	}
}

var readOnly = recourse.Request{Tool: "overview", ReadOnly: true}

func TestGatherStoresAllParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var files, github recourse.Dependency
		var n int
		var name string
		begun := time.Now()
		g := recourse.Gather(t.Context())
		recourse.Required(g, &files, &n, gives(7, time.Second))
		recourse.Optional(g, &github, &name, gives("octo", 2*time.Second))
		recourse.Required(g, &files, nil, gives(8, time.Second))
		if n != 0 || name != "" {
			t.Error("stored before Wait")
		}
		if err := g.Wait(); err != nil || n != 7 || name != "octo" {
			t.Errorf("%v, %d, %q", err, n, name)
		}
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("three parts took %v; the slowest takes 2s", took)
		}
	})
}

// What a model reads of a part that is missing: which, and why.
func TestMissingPartsAreNamed(t *testing.T) {
	open := &recourse.Dependency{Name: "tickets", Trip: 1}
	for _, tt := range []struct {
		name string
		d    *recourse.Dependency
		fn   func(context.Context) (int, error)
		want string
	}{
		{"late", &recourse.Dependency{Name: "GitHub statistics", Timeout: 5 * time.Second}, gives(1, time.Hour),
			"Missing from this answer: GitHub statistics, which did not answer within 5 seconds."},
		{"deaf", &recourse.Dependency{Name: "deployments", Timeout: 2 * time.Second}, deaf(1, time.Minute),
			"Missing from this answer: deployments, which did not answer within 2 seconds."},
		{"own words", &recourse.Dependency{Name: "owners"}, fails[int](recourse.Errorf(recourse.NotFound, "There is no team 7."), 0),
			"Missing from this answer: owners. There is no team 7."},
		{"own words without a full stop", &recourse.Dependency{Name: "owners"}, fails[int](recourse.Errorf(recourse.NotFound, "there is no team 7"), 0),
			"Missing from this answer: owners. there is no team 7."},
		{"an unknown error", &recourse.Dependency{Name: "owners"}, fails[int](errors.New("dial tcp 10.0.0.7: secret"), 0),
			"Missing from this answer: owners. The call failed for a reason that is not known."},
		{"a panic", &recourse.Dependency{Name: "owners"}, func(context.Context) (int, error) { panic("10.0.0.7") },
			"Missing from this answer: owners. The tool itself broke."},
		{"Goexit", &recourse.Dependency{Name: "owners"}, func(context.Context) (int, error) { runtime.Goexit(); return 1, nil },
			"Missing from this answer: owners. The tool itself broke."},
		{"open breaker", open, gives(1, 0),
			"Missing from this answer: tickets, which failed several times in a row, so it is not called for now."},
		{"no name", &recourse.Dependency{Timeout: time.Second}, gives(1, time.Hour),
			"Missing from this answer: part 2. The service did not answer within 1 second."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if tt.d == open {
					_, _ = recourse.Call(t.Context(), open, fails[int](&recourse.Error{Code: recourse.UpstreamError}, 0))
				}
				o := recourse.Run(t.Context(), nil, readOnly, func(ctx context.Context) ([2]int, error) {
					v := [2]int{0, -1}
					g := recourse.Gather(ctx)
					recourse.Required(g, &recourse.Dependency{}, &v[0], gives(7, 0))
					recourse.Optional(g, tt.d, &v[1], tt.fn)
					return v, g.Wait()
				})
				if o.Err != nil || o.Value != [2]int{7, -1} && o.Value != [2]int{0, -1} || o.Completeness != "partial" {
					t.Errorf("got %+v", o)
				}
				if got := strings.Join(o.Warnings, "\n"); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
				time.Sleep(time.Hour) // the deaf one ends
			})
		})
	}
}

func TestRequiredFailureEndsTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost := recourse.Errorf(recourse.NotFound, "There is no project 7.")
		var d recourse.Dependency
		stopped := make(chan error, 1)
		v, w := 1, 1
		begun := time.Now()
		g := recourse.Gather(t.Context())
		recourse.Required(g, &d, &v, gives(2, 0))
		recourse.Required(g, &d, nil, fails[int](lost, time.Second))
		recourse.Required(g, &d, &w, deaf(2, time.Hour))
		recourse.Optional(g, &d, nil, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			stopped <- ctx.Err()
			return 0, ctx.Err()
		})
		err := g.Wait()
		if !errors.Is(err, lost) || err.Error() != "There is no project 7." || v != 1 || w != 1 {
			t.Errorf("%v, %d, %d", err, v, w)
		}
		if took := time.Since(begun); took != time.Second {
			t.Errorf("Wait took %v, though a required part failed after 1s", took)
		}
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("the other part saw %v", err)
		}
		if d.State() != "closed" {
			t.Error("parts that were stopped counted against the breaker")
		}
		time.Sleep(time.Hour)
	})
}

func TestAllPartsFailed(t *testing.T) {
	busy := &recourse.Error{Code: recourse.RateLimited, Message: "Slow down."}
	broken := recourse.Errorf(recourse.NotFound, "There is no team 7.")
	fail := func(errs ...error) (*recourse.Error, []string) {
		o := recourse.Run(t.Context(), nil, readOnly, func(ctx context.Context) (int, error) {
			g := recourse.Gather(ctx)
			for i, err := range errs {
				recourse.Optional(g, &recourse.Dependency{Name: fmt.Sprint("source ", i+1)}, nil, fails[int](err, 0))
			}
			return 0, g.Wait()
		})
		return o.Err, o.Warnings
	}

	err, warnings := fail(broken, busy)
	if err == nil || err.Error() != "Every part of the answer failed. source 1: There is no team 7. source 2: Slow down." || len(warnings) > 0 {
		t.Errorf("got %v, %q", err, warnings)
	}
	if recourse.CodeOf(err) != recourse.RateLimited || !err.Retryable() || !errors.Is(err, broken) || !errors.Is(err, busy) {
		t.Errorf("the code is %s; one of the parts may work later, so the call may", recourse.CodeOf(err))
	}

	err, _ = fail(broken)
	if err == nil || !errors.Is(err, broken) || err.Error() != "There is no team 7." {
		t.Errorf("the only part's error is not the answer's: %v", err)
	}

	err, _ = fail(slices.Repeat([]error{broken}, 100)...)
	if err == nil || !strings.HasSuffix(err.Error(), " And 95 more.") || len(err.Envelope()) > 1024 {
		t.Errorf("got %v", err)
	}

	if err := recourse.Gather(t.Context()).Wait(); err != nil {
		t.Errorf("no part at all: %v", err)
	}
}

// A part that has run does so again when the call is repeated.
func TestGatherIsRetryableOnlyIfAllOfItIs(t *testing.T) {
	notRun := &recourse.Error{Code: recourse.ServiceUnavailable, Message: "Down.", Suggestion: "Wait 5 seconds, then repeat the call.", NotRun: true}
	unknown := &recourse.Error{Code: recourse.UpstreamError}
	for _, tt := range []struct {
		name  string
		other error
		r     recourse.Request
		want  bool
	}{
		{"the other one worked", nil, recourse.Request{}, false},
		{"the other one worked", nil, recourse.Request{Idempotent: true}, true},
		{"the other one worked", nil, recourse.Request{ReadOnly: true}, true},
		{"the other one may have run", unknown, recourse.Request{}, false},
		{"the other one may have run", unknown, recourse.Request{ReadOnly: true}, true},
		{"neither ran", notRun, recourse.Request{}, true},
		{"the other one was refused", &recourse.Error{Code: recourse.RateLimited, NotRun: true}, recourse.Request{}, true},
	} {
		for _, required := range []bool{true, false} {
			if tt.other == nil && !required {
				continue // that is a partial answer
			}
			var o recourse.Outcome[int]
			synctest.Test(t, func(t *testing.T) {
				o = recourse.Run(t.Context(), nil, tt.r, func(ctx context.Context) (int, error) {
					part := recourse.Optional[int]
					if required {
						part = recourse.Required[int]
					}
					g := recourse.Gather(ctx)
					part(g, &recourse.Dependency{}, nil, fails[int](notRun, time.Second))
					recourse.Optional(g, &recourse.Dependency{}, nil, fails[int](tt.other, 0))
					return 0, g.Wait()
				})
			})
			if o.Err == nil || o.Err.Retryable() != tt.want {
				t.Errorf("%s, %+v: %v", tt.name, tt.r, o.Err)
				continue
			}
			if text := o.Err.Envelope(); !tt.want && (!strings.Contains(text, `"outcome":"unknown"`) || strings.Contains(text, "then repeat")) {
				t.Errorf("%s: %s", tt.name, text)
			}
		}
	}
}

// The answer leaves in time with what there is, although a part ignores its
// context and has longer than the call.
func TestPartialAnswerLeavesBeforeTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guard := &recourse.Guard{Timeout: 10 * time.Second}
		begun := time.Now()
		o := recourse.Run(t.Context(), guard, recourse.Request{Tool: "overview"}, func(ctx context.Context) (*[2]int, error) {
			v := new([2]int)
			g := recourse.Gather(ctx)
			recourse.Required(g, &recourse.Dependency{Name: "local"}, &v[0], gives(7, time.Second))
			recourse.Optional(g, &recourse.Dependency{Name: "remote", Timeout: -1}, &v[1], deaf(8, time.Hour))
			return v, g.Wait()
		})
		took := time.Since(begun)
		if o.Err != nil || o.Value == nil || *o.Value != [2]int{7, 0} || o.Completeness != "partial" {
			t.Fatalf("after %v: %+v", took, o)
		}
		if took >= 10*time.Second || len(o.Warnings) != 1 || !strings.HasPrefix(o.Warnings[0], "Missing from this answer: remote, which did not answer within ") {
			t.Errorf("after %v: %q", took, o.Warnings)
		}
		time.Sleep(time.Hour)
		if *o.Value != [2]int{7, 0} {
			t.Error("a late part wrote to an answer that had left")
		}
	})
}

func TestGatherOfACancelledCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var d recourse.Dependency
		g := recourse.Gather(ctx)
		recourse.Optional(g, &d, nil, gives(1, time.Hour))
		recourse.Optional(g, &d, nil, deaf(1, time.Hour))
		time.AfterFunc(time.Second, cancel)
		begun := time.Now()
		if err := g.Wait(); recourse.CodeOf(err) != recourse.Cancelled || time.Since(begun) != time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		time.Sleep(time.Hour)
	})
}

func TestSecondWait(t *testing.T) {
	v := 0
	o := recourse.Run(t.Context(), nil, readOnly, func(ctx context.Context) (int, error) {
		g := recourse.Gather(ctx)
		recourse.Required(g, &recourse.Dependency{}, &v, gives(1, 0))
		recourse.Optional(g, &recourse.Dependency{}, nil, fails[int](errors.New("no"), 0))
		if err := g.Wait(); err != nil {
			t.Error(err)
		}
		v = 2 // it is the caller's now
		return 0, g.Wait()
	})
	if o.Err != nil || v != 2 || len(o.Warnings) != 1 {
		t.Errorf("v is %d after the second Wait, %+v", v, o)
	}

	g := recourse.Gather(t.Context())
	recourse.Required(g, &recourse.Dependency{}, &v, fails[int](errors.New("no"), 0))
	if first, second := g.Wait(), g.Wait(); first == nil || first != second {
		t.Errorf("first %v, then %v", first, second)
	}
}

func TestMisusedGathering(t *testing.T) {
	says := func(want string, f func()) {
		t.Helper()
		defer func() {
			if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
				t.Errorf("the panic is %s", got)
			}
		}()
		f()
	}
	g := recourse.Gather(t.Context())
	_ = g.Wait()
	says("added to a Gathering after Wait", func() {
		recourse.Optional(g, &recourse.Dependency{}, nil, gives(1, 0))
	})
	says("that Gather has not made", func() {
		recourse.Required(&recourse.Gathering{}, &recourse.Dependency{}, nil, gives(1, 0))
	})
	if err := new(recourse.Gathering).Wait(); err != nil {
		t.Error(err)
	}
	g = recourse.Gather(t.Context())
	recourse.Required[int](g, &recourse.Dependency{}, nil, nil)
	if err := g.Wait(); recourse.CodeOf(err) != recourse.InternalError {
		t.Errorf("a part without a function: %v", err)
	}
}

func TestThousandParts(t *testing.T) {
	const n = 1000
	d := recourse.Dependency{Limit: n}
	var values [n]int
	var running atomic.Int64
	all := make(chan struct{})
	g := recourse.Gather(t.Context())
	for i := range values {
		recourse.Required(g, &d, &values[i], func(context.Context) (int, error) {
			if running.Add(1) == n {
				close(all)
			}
			<-all // they run side by side
			return i, nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if v != i {
			t.Fatalf("part %d has the value %d", i, v)
		}
	}
}

// A deaf part that writes its result when the caller has long left must not be
// able to race with it; -race watches.
func TestLatePartsDoNotRace(t *testing.T) {
	late := make(chan struct{})
	ended := make(chan struct{})
	d := recourse.Dependency{Name: "slow", Timeout: time.Millisecond}
	values := []int{1}
	g := recourse.Gather(t.Context())
	recourse.Optional(g, &recourse.Dependency{}, nil, gives(0, 0))
	recourse.Optional(g, &d, &values, func(context.Context) ([]int, error) {
		defer close(ended)
		<-late
		return []int{2}, nil
	})
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	close(late)
	values = append(values, 3)
	<-ended
	if !slices.Equal(values, []int{1, 3}) {
		t.Errorf("got %v", values)
	}
}
