package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"math"
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

var errDown = &recourse.Error{Code: recourse.ServiceUnavailable, Message: "The weather API is down."}

func TestFetchAsksFirst(t *testing.T) {
	var c recourse.Cache[string, int]
	for want := 1; want <= 3; want++ {
		got, err := c.Fetch(t.Context(), "a", func(context.Context) (int, error) { return want, nil })
		if got != want || err != nil {
			t.Errorf("Fetch returned %d, %v; a kept answer is for bad times only", got, err)
		}
	}
	if got, ok := c.Last(t.Context(), "a"); got != 3 || !ok {
		t.Errorf("the last answer is %d, %v", got, ok)
	}
	if got, ok := c.Last(t.Context(), "b"); got != 0 || ok {
		t.Errorf("another key's last answer is %d, %v", got, ok)
	}
}

// The answer of an hour ago is of use if the reason may pass. If it is the
// caller's fault, or nothing to wait for, it would hide what has to be done.
func TestFetchFallsBack(t *testing.T) {
	may := []recourse.Code{
		recourse.RateLimited, recourse.QuotaExceeded, recourse.ResourceBusy, recourse.ServiceUnavailable,
		recourse.HostUnreachable, recourse.Timeout, recourse.UpstreamError, recourse.BadUpstreamResponse,
	}
	mayNot := []recourse.Code{
		recourse.InvalidArgument, recourse.MissingArgument, recourse.UnknownArgument, recourse.OutOfRange,
		recourse.MalformedRequest, recourse.InvalidQuery, recourse.PayloadTooLarge, recourse.UnknownTool, recourse.NotFound,
		recourse.DuplicateEntry, recourse.Conflict, recourse.PreconditionFailed, recourse.NotSupported,
		recourse.PolicyBlocked, recourse.InvalidCredentials, recourse.PermissionDenied, recourse.UserActionRequired,
		recourse.PaymentRequired, recourse.InternalError, recourse.ConfigurationError, recourse.ResourceExhausted,
		recourse.ExecutionFailed, recourse.Cancelled, recourse.UnknownError, "PRINTER_JAMMED",
	}
	check := func(err *recourse.Error, want bool) {
		t.Helper()
		var c recourse.Cache[string, int]
		c.Put("a", 7)
		o := recourse.Run(t.Context(), nil, readOnly, func(ctx context.Context) (int, error) {
			return c.Fetch(ctx, "a", func(context.Context) (int, error) { return -1, err })
		})
		switch {
		case want && (o.Err != nil || o.Value != 7 || o.Completeness != "partial"):
			t.Errorf("%s: no fallback: %+v", err.Code, o)
		case !want && (!errors.Is(o.Err, err) || len(o.Warnings) > 0):
			t.Errorf("%s: got %+v", err.Code, o)
		}
		if v, ok := c.Last(t.Context(), "a"); v != 7 || !ok {
			t.Errorf("%s: a failure has replaced the answer: %d, %v", err.Code, v, ok)
		}
	}
	for _, code := range may {
		check(&recourse.Error{Code: code}, true)
	}
	for _, code := range mayNot {
		check(&recourse.Error{Code: code}, false)
	}
	check(&recourse.Error{Code: "PRINTER_BUSY", MaxRetries: 1}, true)
}

func TestOldAnswersAreMarked(t *testing.T) {
	for _, tt := range []struct {
		age  time.Duration
		want string
	}{
		{0, "This answer is not live: it is 1 second old."},
		{1500 * time.Millisecond, "This answer is not live: it is 2 seconds old."},
		{90 * time.Second, "This answer is not live: it is 90 seconds old."},
		{25 * time.Minute, "This answer is not live: it is 25 minutes old."},
		{6 * time.Hour, "This answer is not live: it is 6 hours old."},
		{72 * time.Hour, "This answer is not live: it is 3 days old."},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := recourse.Cache[string, int]{MaxAge: 100 * time.Hour}
			c.Put("a", 7)
			time.Sleep(tt.age)
			for want, f := range map[string]func(context.Context) (int, error){
				tt.want: func(ctx context.Context) (int, error) { v, _ := c.Last(ctx, "a"); return v, nil },
				tt.want + " No newer one could be had: The weather API is down.": func(ctx context.Context) (int, error) {
					return c.Fetch(ctx, "a", func(context.Context) (int, error) { return 0, errDown })
				},
			} {
				o := recourse.Run(t.Context(), nil, readOnly, f)
				if o.Value != 7 || o.Err != nil || !slices.Equal(o.Warnings, []string{want}) {
					t.Errorf("got %+v, want the warning %q", o, want)
				}
			}
		})
	}
}

func TestCacheIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		last := func(c *recourse.Cache[int, int]) (keys []int) {
			for k := range 2000 {
				if v, ok := c.Last(t.Context(), k); ok && v == k {
					keys = append(keys, k)
				}
			}
			return keys
		}
		c := &recourse.Cache[int, int]{Entries: 3, MaxAge: time.Minute}
		for k := range 5 {
			c.Put(k, k)
		}
		c.Put(2, 2) // the newest now
		c.Put(5, 5)
		if got := last(c); !slices.Equal(got, []int{2, 4, 5}) {
			t.Errorf("of 3 entries, there are %v", got)
		}
		time.Sleep(time.Minute)
		if got := last(c); len(got) != 3 {
			t.Errorf("after just a minute, there are %v", got)
		}
		time.Sleep(time.Nanosecond)
		if got := last(c); len(got) != 0 {
			t.Errorf("after more than a minute, there are still %v", got)
		}

		c = new(recourse.Cache[int, int])
		for k := range 1500 {
			c.Put(k, k)
		}
		if got := last(c); len(got) != 1000 || got[0] != 500 {
			t.Errorf("by default, %d entries are kept, from %d on", len(got), got[0])
		}
		time.Sleep(time.Hour + 1)
		if got := last(c); len(got) != 0 {
			t.Errorf("after more than an hour, there are still %d", len(got))
		}
	})
}

// An answer that lacks something is no good one, under Run and outside it.
func TestPartialAnswersAreNotKept(t *testing.T) {
	var c recourse.Cache[string, int]
	partial := func(ctx context.Context) (int, error) {
		recourse.Warn(ctx, "Only half.")
		return 1, nil
	}
	o := recourse.Run(t.Context(), nil, readOnly, func(ctx context.Context) (int, error) { return c.Fetch(ctx, "a", partial) })
	if o.Value != 1 || !slices.Equal(o.Warnings, []string{"Only half."}) {
		t.Errorf("got %+v", o)
	}
	_, _ = c.Fetch(t.Context(), "a", partial)
	_, _ = c.Fetch(t.Context(), "a", func(ctx context.Context) (int, error) {
		g := recourse.Gather(ctx)
		recourse.Required(g, &recourse.Dependency{}, nil, gives(1, 0))
		recourse.Optional(g, &recourse.Dependency{}, nil, fails[int](errDown, 0))
		return 1, g.Wait()
	})
	if v, ok := c.Last(t.Context(), "a"); ok {
		t.Errorf("a partial answer was kept: %d", v)
	}
	// A warning from before says nothing about this answer.
	_ = recourse.Run(t.Context(), nil, readOnly, func(ctx context.Context) (int, error) {
		recourse.Warn(ctx, "Something else is missing.")
		return c.Fetch(ctx, "a", gives(2, 0))
	})
	if v, ok := c.Last(t.Context(), "a"); v != 2 || !ok {
		t.Errorf("a full answer was not kept: %d, %v", v, ok)
	}
}

// What was said about an answer that did not come must not be said of the old
// one. What was done is in the log all the same.
func TestFailedFetchTellsOnlyTheLog(t *testing.T) {
	var c recourse.Cache[string, int]
	c.Put("a", 7)
	var line recourse.Record
	guard := &recourse.Guard{Log: func(r recourse.Record) { line = r }}
	o := recourse.Run(t.Context(), guard, readOnly, func(ctx context.Context) (int, error) {
		return c.Fetch(ctx, "a", func(ctx context.Context) (int, error) {
			recourse.Warn(ctx, "Only 3 of 7 days.")
			return recourse.Call(ctx, &recourse.Dependency{Name: "api", Trip: 1}, fails[int](errDown, 0))
		})
	})
	if o.Value != 7 || len(o.Warnings) != 1 || !strings.HasPrefix(o.Warnings[0], "This answer is not live") {
		t.Errorf("got %+v", o)
	}
	if line.Outcome != "degraded" || len(line.Attempts) != 1 || line.Attempts[0].Code != recourse.ServiceUnavailable || !slices.Equal(line.Breakers, []string{"api closed→open"}) {
		t.Errorf("logged %+v", line)
	}
}

// What a flight may have done counts for each who waited for it: a later
// failure, refused before it ran, does not make the call safe to repeat.
func TestWhatAFlightDidIsNotForgotten(t *testing.T) {
	for name, takes := range map[string]time.Duration{"fails": 0, "is left": time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			var c recourse.Cache[string, int]
			c.Put("a", 7)
			o := recourse.Run(t.Context(), nil, recourse.Request{}, func(ctx context.Context) (int, error) {
				short, cancel := context.WithTimeout(ctx, time.Second)
				defer cancel()
				if v, err := c.Fetch(short, "a", func(ctx context.Context) (int, error) {
					first, err := recourse.Call(ctx, &recourse.Dependency{}, gives(1, 0))
					if err != nil {
						return first, err
					}
					return fails[int](errDown, takes)(ctx)
				}); v != 7 || err != nil {
					t.Errorf("%s: %d, %v", name, v, err)
				}
				return 0, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}
			})
			if o.Err == nil || o.Err.Retryable() {
				t.Errorf("%s: %v", name, o.Err)
			}
		})
	}
}

// The old answer still leaves in time when the live one does not come.
func TestFallbackLeavesBeforeTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c recourse.Cache[string, int]
		c.Put("a", 7)
		begun := time.Now()
		o := recourse.Run(t.Context(), &recourse.Guard{Timeout: 10 * time.Second}, readOnly, func(ctx context.Context) (int, error) {
			return c.Fetch(ctx, "a", deaf(8, time.Hour))
		})
		want := "This answer is not live: it is 10 seconds old. No newer one could be had: No answer came in time."
		if took := time.Since(begun); o.Value != 7 || o.Err != nil || took >= 10*time.Second || !slices.Equal(o.Warnings, []string{want}) {
			t.Errorf("after %v: %+v", took, o)
		}
		time.Sleep(time.Hour)
	})
}

// A thousand callers at once cost one request, and each gets the answer, the
// warnings and the attempts.
func TestStampede(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 1000
		var c recourse.Cache[string, int]
		d := recourse.Dependency{Name: "api", Attempts: 2}
		var asked atomic.Int64
		var mu sync.Mutex
		var records []recourse.Record
		guard := &recourse.Guard{Log: func(r recourse.Record) { mu.Lock(); defer mu.Unlock(); records = append(records, r) }}
		outcomes := make([]recourse.Outcome[int], n)
		var wg sync.WaitGroup
		for i := range outcomes {
			wg.Go(func() {
				outcomes[i] = recourse.Run(t.Context(), guard, readOnly, func(ctx context.Context) (int, error) {
					return c.Fetch(ctx, "a", func(ctx context.Context) (int, error) {
						asked.Add(1)
						time.Sleep(time.Second)
						recourse.Warn(ctx, "Only half.")
						failed := false
						return recourse.Call(ctx, &d, func(context.Context) (int, error) {
							if !failed {
								failed = true
								return 0, errDown
							}
							return 7, nil
						})
					})
				})
			})
		}
		wg.Wait()
		if asked.Load() != 1 {
			t.Errorf("%d callers at once made %d requests", n, asked.Load())
		}
		for _, o := range outcomes {
			if o.Value != 7 || o.Err != nil || !slices.Equal(o.Warnings, []string{"Only half."}) {
				t.Fatalf("one got %+v", o)
			}
		}
		if len(records) != n {
			t.Errorf("%d records", len(records))
		}
		for _, r := range records {
			if len(r.Attempts) != 2 || r.Attempts[0].Code != recourse.ServiceUnavailable || r.Attempts[1].Code != "" {
				t.Fatalf("one call was logged with the attempts %+v", r.Attempts)
			}
		}
	})
}

// Each who waits may put an error into his own words without the others seeing
// it; -race watches.
func TestSharedFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c recourse.Cache[string, int]
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				d := recourse.Dependency{Name: fmt.Sprint("api ", i)}
				_, err := recourse.Call(t.Context(), &d, func(ctx context.Context) (int, error) {
					return c.Fetch(ctx, "a", func(context.Context) (int, error) {
						time.Sleep(time.Second)
						return 0, errors.New("oops")
					})
				})
				if want := d.Name + ": The call failed for a reason that is not known."; err == nil || err.Error() != want {
					t.Errorf("got %v, want %s", err, want)
				}
			})
		}
		wg.Wait()
	})
}

// A failure is retryable in a tool that only reads. Where it is not known what
// a repetition does, it must not be, though both asked at the same time.
func TestFlightsAreNotSharedAcrossAnnotations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c recourse.Cache[string, int]
		var wg sync.WaitGroup
		for _, r := range []recourse.Request{{ReadOnly: true}, {}, {Idempotent: true}} {
			wg.Go(func() {
				o := recourse.Run(t.Context(), nil, r, func(ctx context.Context) (int, error) {
					return c.Fetch(ctx, "a", func(ctx context.Context) (int, error) {
						return recourse.Call(ctx, &recourse.Dependency{}, fails[int](&recourse.Error{Code: recourse.UpstreamError}, time.Second))
					})
				})
				if want := r.ReadOnly || r.Idempotent; o.Err == nil || o.Err.Retryable() != want {
					t.Errorf("%+v: %v", r, o.Err)
				}
			})
			time.Sleep(time.Millisecond)
		}
		wg.Wait()
	})
}

func TestFlightGoesOnForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c recourse.Cache[string, int]
		fetch := func(ctx context.Context) (int, error) { return c.Fetch(ctx, "a", gives(7, 10*time.Second)) }
		first, leave := context.WithCancel(t.Context())
		go func() {
			if _, err := fetch(first); !errors.Is(err, context.Canceled) {
				t.Errorf("who leaves gets %v", err)
			}
		}()
		synctest.Wait()
		time.AfterFunc(time.Second, leave)
		if v, err := fetch(t.Context()); v != 7 || err != nil {
			t.Errorf("who stays gets %d, %v", v, err)
		}
	})
}

func TestFlightEndsWhenAllHaveLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c recourse.Cache[string, int]
		c.Put("a", 6)
		ended := make(chan error, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				v, err := c.Fetch(ctx, "a", func(ctx context.Context) (int, error) {
					_, err := gives(0, time.Hour)(ctx)
					ended <- err
					return 0, err
				})
				if v != 6 || err != nil {
					t.Errorf("who has no more time gets %d, %v", v, err)
				}
			})
		}
		wg.Wait()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the function saw %v", err)
		}
		if v, err := c.Fetch(t.Context(), "a", gives(8, 0)); v != 8 || err != nil {
			t.Errorf("the next one gets %d, %v", v, err)
		}
	})
}

// A function that ignores its context keeps nobody waiting, and does not keep
// the next one from asking anew. What it brings at last is still kept.
func TestDeafFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c recourse.Cache[string, int]
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if v, err := c.Fetch(ctx, "a", deaf(7, time.Minute)); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Second {
			t.Errorf("after %v: %d, %v", time.Since(begun), v, err)
		}
		if v, err := c.Fetch(t.Context(), "a", gives(8, 0)); v != 8 || err != nil {
			t.Errorf("the next one gets %d, %v", v, err)
		}
		time.Sleep(time.Hour / 2)
		if v, ok := c.Last(t.Context(), "a"); v != 7 || !ok {
			t.Errorf("the last answer is %d, %v", v, ok)
		}
	})
}

func TestFetchOfACancelledCall(t *testing.T) {
	var c recourse.Cache[string, int]
	c.Put("a", 7)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Fetch(ctx, "a", func(context.Context) (int, error) {
		t.Error("asked for nobody")
		return 0, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestFetchThatPanics(t *testing.T) {
	var c recourse.Cache[string, int]
	for name, fn := range map[string]func(context.Context) (int, error){
		"panic":  func(context.Context) (int, error) { panic("10.0.0.7") },
		"Goexit": func(context.Context) (int, error) { runtime.Goexit(); return 1, nil },
		"nil":    nil,
	} {
		_, err := c.Fetch(t.Context(), "a", fn)
		if recourse.CodeOf(err) != recourse.InternalError || strings.Contains(err.Error(), "10.0.0.7") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if v, err := c.Fetch(t.Context(), "a", gives(8, 0)); v != 8 || err != nil {
		t.Errorf("the next one gets %d, %v", v, err)
	}
}

func TestCacheOfAnyKeyAndValue(t *testing.T) {
	ctx := t.Context()
	var byPointer recourse.Cache[*int, []string]
	a, b := new(int), new(int)
	byPointer.Put(a, []string{"a"})
	if _, ok := byPointer.Last(ctx, b); ok {
		t.Error("another pointer to an equal number is the same key")
	}
	if v, ok := byPointer.Last(ctx, a); !ok || !slices.Equal(v, []string{"a"}) {
		t.Errorf("got %v, %v", v, ok)
	}

	var byStruct recourse.Cache[struct{ user, city string }, error]
	byStruct.Put(struct{ user, city string }{"ada", "Berlin"}, nil)
	if _, ok := byStruct.Last(ctx, struct{ user, city string }{"ada", "Berlin"}); !ok {
		t.Error("an interface that is nil is no answer")
	}
	if _, ok := byStruct.Last(ctx, struct{ user, city string }{"bob", "Berlin"}); ok {
		t.Error("another user's answer was given")
	}

	var byAny recourse.Cache[any, int]
	byAny.Put(1, 1)
	byAny.Put("1", 2)
	if v, ok := byAny.Last(ctx, 1); v != 1 || !ok {
		t.Errorf("got %d, %v", v, ok)
	}
}

// Keys that a map can't find again must not pile up in it.
func TestCacheOfNaN(t *testing.T) {
	c := recourse.Cache[float64, []byte]{Entries: 2}
	c.Put(1, []byte{1})
	before := heap()
	for range 1000 {
		c.Put(math.NaN(), make([]byte, 100<<10))
		if v, err := c.Fetch(t.Context(), math.NaN(), gives(make([]byte, 100<<10), 0)); len(v) == 0 || err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := c.Last(t.Context(), math.NaN()); ok {
		t.Error("NaN was found")
	}
	if _, ok := c.Last(t.Context(), 1); !ok {
		t.Error("NaN has pushed out another key")
	}
	if grown := int64(heap()) - int64(before); grown > 10<<20 {
		t.Errorf("200 MB of answers for NaN left %d MB", grown>>20)
	}
	runtime.KeepAlive(&c)
}

// heap returns the bytes in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestCacheInParallel(t *testing.T) {
	c := recourse.Cache[int, int]{Entries: 4}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 500 {
				key := (i + n) % 8
				switch n % 3 {
				case 0:
					c.Put(key, key)
				case 1:
					if v, ok := c.Last(t.Context(), key); ok && v != key {
						t.Errorf("key %d has %d", key, v)
					}
				case 2:
					if v, err := c.Fetch(t.Context(), key, gives(key, 0)); v != key || err != nil {
						t.Errorf("key %d has %d, %v", key, v, err)
					}
				}
			}
		})
	}
	wg.Wait()
}
