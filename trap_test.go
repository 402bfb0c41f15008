package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/policy"
)

// The tests here are named after the traps that other libraries fell into. Time
// is virtual in most of them.

var errBroken = errors.New("gears on the floor")

func callFine(context.Context) (string, error) { return "fine", nil }

func callBroken(context.Context) (string, error) {
	return "", &recourse.Error{Code: recourse.UpstreamError, Err: errBroken}
}

// callTo returns a function that is deaf to its context until c is closed.
func callTo(c <-chan struct{}, err error) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		<-c
		return "late", err
	}
}

func wantState(t *testing.T, d *recourse.Dependency, want string) {
	t.Helper()
	if got := d.State(); got != want {
		t.Fatalf("the breaker is %s, want %s", got, want)
	}
}

// wantFine makes a call that has to work.
func wantFine(t *testing.T, d *recourse.Dependency) {
	t.Helper()
	if v, err := recourse.Call(t.Context(), d, callFine); v != "fine" || err != nil {
		t.Fatalf("a good call returned %q, %v", v, err)
	}
}

// wantCode returns err as the Error that it has to be.
func wantCode(t *testing.T, err error, want recourse.Code) *recourse.Error {
	t.Helper()
	var e *recourse.Error
	if !errors.As(err, &e) || recourse.CodeOf(err) != want {
		t.Fatalf("got error %v (%v), want %v", err, recourse.CodeOf(err), want)
	}
	return e
}

// tripped returns a Dependency whose breaker is half-open.
func tripped(t *testing.T, d *recourse.Dependency) *recourse.Dependency {
	t.Helper()
	if d.Trip == 0 {
		d.Trip = 1
	}
	d.Cooldown = 10 * time.Second
	for range d.Trip {
		_, err := recourse.Call(t.Context(), d, callBroken)
		wantCode(t, err, recourse.UpstreamError)
	}
	wantState(t, d, "open")
	time.Sleep(10 * time.Second)
	wantState(t, d, "half-open")
	return d
}

// Trap: a probe that hangs keeps the breaker half-open for good.
func TestHungProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tripped(t, &recourse.Dependency{Timeout: time.Second})
		release := make(chan struct{})
		_, err := recourse.Call(t.Context(), d, callTo(release, nil))
		wantCode(t, err, recourse.Timeout)
		wantState(t, d, "open")
		close(release)
		synctest.Wait()
		wantState(t, d, "open") // its late success decides nothing
		time.Sleep(10 * time.Second)
		wantFine(t, d)
		wantState(t, d, "closed")
	})
}

// The same without any deadline: there the probe's lease ends it.
func TestHungProbeWithoutDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tripped(t, &recourse.Dependency{Timeout: -1})
		release := make(chan struct{})
		hung := make(chan error, 1)
		go func() {
			_, err := recourse.Call(t.Context(), d, callTo(release, errBroken))
			hung <- err
		}()
		synctest.Wait()
		_, err := recourse.Call(t.Context(), d, callFine)
		wantCode(t, err, recourse.ServiceUnavailable)
		time.Sleep(10 * time.Minute)
		wantFine(t, d)
		wantState(t, d, "closed")
		close(release)
		if err := <-hung; err == nil {
			t.Error("the hung call's error got lost")
		}
		wantState(t, d, "closed")
	})
}

// Trap: a probe that panics never gives its place back.
func TestPanickingProbe(t *testing.T) {
	for name, fn := range map[string]func(context.Context) (string, error){
		"panic":  func(context.Context) (string, error) { panic("probe") },
		"Goexit": func(context.Context) (string, error) { runtime.Goexit(); return "", nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := tripped(t, &recourse.Dependency{})
				_, err := recourse.Call(t.Context(), d, fn)
				wantCode(t, err, recourse.InternalError)
				wantState(t, d, "open")
				time.Sleep(10 * time.Second)
				wantFine(t, d)
				wantState(t, d, "closed")
			})
		})
	}
}

// Trap: a probe whose caller goes away never gives its place back.
func TestCancelledProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tripped(t, &recourse.Dependency{})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := recourse.Call(ctx, d, func(ctx context.Context) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		})
		wantCode(t, err, recourse.Cancelled)
		wantState(t, d, "half-open")
		wantFine(t, d)
		wantState(t, d, "closed")
	})
}

// Trap: what began before the breaker opened decides about the time after.
func TestStaleSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, late := range []error{nil, errBroken} {
			d := &recourse.Dependency{Timeout: time.Hour, Trip: 1, Cooldown: 10 * time.Second}
			release := make(chan struct{})
			old := make(chan struct{})
			go func() {
				defer close(old)
				_, _ = recourse.Call(t.Context(), d, callTo(release, late))
			}()
			synctest.Wait()
			tripped(t, d)
			close(release)
			<-old
			wantState(t, d, "half-open")
			wantFine(t, d)
		}
	})
}

// Trap: a timeout that waits for the function to notice it.
func TestDeafHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Timeout: 50 * time.Millisecond}
		release := make(chan struct{})
		defer close(release)
		began := time.Now()
		_, err := recourse.Call(t.Context(), &d, callTo(release, nil))
		wantCode(t, err, recourse.Timeout)
		if took := time.Since(began); took != 50*time.Millisecond {
			t.Errorf("returned after %v, want 50ms", took)
		}
	})
}

// Trap: work that nobody waits for any more is not counted, and piles up.
func TestOrphanKeepsItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Timeout: time.Second, Limit: 2, Trip: -1}
		release := make(chan struct{})
		for range 2 {
			_, err := recourse.Call(t.Context(), &d, callTo(release, nil))
			wantCode(t, err, recourse.Timeout)
		}
		_, err := recourse.Call(t.Context(), &d, callFine)
		e := wantCode(t, err, recourse.ResourceBusy)
		if e.Related["reason"] != "slots_full" || e.Related["unanswered"] != 2 || !e.NotRun {
			t.Errorf("refused with %v, want slots_full with 2 unanswered", e.Related)
		}
		close(release)
		synctest.Wait()
		wantFine(t, &d)
	})
}

// Trap: a retry that waits for as long as the service asks, here 24 hours.
func TestRetryAfterOfADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 3}
		runs := 0
		began := time.Now()
		_, err := recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
			runs++
			return 0, &recourse.Error{Code: recourse.RateLimited, RetryAfter: 24 * time.Hour}
		})
		e := wantCode(t, err, recourse.RateLimited)
		if took := time.Since(began); runs != 1 || took != 0 {
			t.Errorf("%d attempts in %v, want 1 at once", runs, took)
		}
		if e.RetryAfter != 24*time.Hour || !e.Retryable() {
			t.Errorf("retry after %v (%v), want the day to be passed on", e.RetryAfter, e.Retryable())
		}
	})
}

// Trap: jitter that undercuts the wait that the service asked for.
func TestRetryAfterIsAFloor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 50 {
			d := recourse.Dependency{Attempts: 2}
			var at []time.Time
			_, err := recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
				if at = append(at, time.Now()); len(at) == 1 {
					return 0, &recourse.Error{Code: recourse.RateLimited, RetryAfter: 2 * time.Second}
				}
				return 1, nil
			})
			if err != nil || len(at) != 2 {
				t.Fatalf("%d attempts, %v", len(at), err)
			}
			if wait := at[1].Sub(at[0]); wait < 2*time.Second || wait > 2500*time.Millisecond {
				t.Fatalf("waited %v, want 2s and at most half a second more", wait)
			}
		}
	})
}

// Trap: when the retry budget is used up, the caller waits and then hears of the
// budget, not of the failure.
func TestBudgetHidesNoCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 2, Trip: -1}
		repeated := 0
		for range 20 {
			runs := 0
			began := time.Now()
			_, err := recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
				runs++
				return 0, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true, Err: errBroken}
			})
			wantCode(t, err, recourse.ServiceUnavailable)
			if !errors.Is(err, errBroken) {
				t.Fatalf("%v hides the cause", err)
			}
			if runs == 1 && time.Since(began) != 0 {
				t.Errorf("waited %v for a retry that was not to be", time.Since(began))
			}
			repeated += runs - 1
		}
		if repeated != 10 {
			t.Errorf("%d retries, want the 10 of the budget", repeated)
		}
	})
}

// Trap: a clock that is set back holds the breaker open for so much longer. The
// library's own instants are monotonic; these are not.
func TestClockJump(t *testing.T) {
	wall := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	e := policy.Engine{Breaker: policy.Breaker{Trip: 1, Cooldown: 10 * time.Second}}
	var c policy.Call
	e.Begin(&c.Clock, policy.Limits{Cap: time.Minute}, wall)
	e.Admit(&c, "", wall)
	e.End(&c, policy.Failure, wall)
	past := wall.Add(-24 * time.Hour)
	e.Begin(&c.Clock, policy.Limits{Cap: time.Minute}, past)
	if r := e.Admit(&c, "", past); r.Reason != policy.CircuitOpen || r.Wait > 10*time.Second {
		t.Errorf("after a jump of a day: %+v, want at most 10s of waiting", r)
	}
	if r := e.Admit(&c, "", past.Add(10*time.Second)); r.Reason != policy.Admitted {
		t.Errorf("after the cooldown: %+v", r)
	}
	if left := e.Left(&c.Clock, past.Add(10*time.Second)); left != 50*time.Second {
		t.Errorf("%v left of the call, want 50s", left)
	}
}

// Trap: half-open lets everybody through who waits at the door.
func TestHalfOpenStampede(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tripped(t, &recourse.Dependency{})
		var through, refused atomic.Int32
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				_, err := recourse.Call(t.Context(), d, func(context.Context) (int, error) {
					through.Add(1)
					time.Sleep(time.Second)
					return 1, nil
				})
				if e := recourse.Classify(err); e != nil && e.Related["reason"] == "circuit_open" {
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		if through.Load() != 1 || refused.Load() != 49 {
			t.Errorf("%d went through and %d were refused, want 1 and 49", through.Load(), refused.Load())
		}
		wantState(t, d, "closed")
	})
}

// Trap: a wrong argument counts as a failure of the service.
func TestCallerMistakesDoNotTrip(t *testing.T) {
	trips := map[recourse.Code]bool{
		recourse.InvalidArgument: false, recourse.MissingArgument: false, recourse.NotFound: false,
		recourse.DuplicateEntry: false, recourse.Conflict: false, recourse.PermissionDenied: false,
		recourse.InvalidCredentials: false, recourse.PaymentRequired: false, recourse.Cancelled: false,
		recourse.RateLimited: false, recourse.QuotaExceeded: false, recourse.ResourceBusy: false,
		recourse.ExecutionFailed: false, "SHOP_CLOSED": false,
		recourse.Timeout: true, recourse.UpstreamError: true, recourse.ServiceUnavailable: true,
		recourse.HostUnreachable: true, recourse.BadUpstreamResponse: true, recourse.InternalError: true,
	}
	for code, want := range trips {
		var d recourse.Dependency
		for range 5 {
			_, err := recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
				return 0, recourse.Errorf(code, "no")
			})
			wantCode(t, err, code)
		}
		if got := d.State() == "open"; got != want {
			t.Errorf("five times %s: open %v, want %v", code, got, want)
		}
	}
}

// An author's own code counts if he says that it may pass.
func TestOwnCodeTripsIfRetryable(t *testing.T) {
	d := recourse.Dependency{Trip: 2}
	for range 2 {
		_, _ = recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
			return 0, &recourse.Error{Code: "SHOP_CLOSED", MaxRetries: 1}
		})
	}
	wantState(t, &d, "open")
}

// Trap: callers who go away open the breaker.
func TestCancelDoesNotTrip(t *testing.T) {
	var d recourse.Dependency
	for range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := recourse.Call(ctx, &d, func(ctx context.Context) (int, error) {
			cancel()
			<-ctx.Done()
			return 0, fmt.Errorf("gave up: %w", ctx.Err())
		})
		wantCode(t, err, recourse.Cancelled)
		_, err = recourse.Call(ctx, &d, func(context.Context) (int, error) {
			t.Error("a cancelled call was made")
			return 0, nil
		})
		if e := wantCode(t, err, recourse.Cancelled); !e.NotRun {
			t.Error("a call that was not made says that it may have run")
		}
	}
	wantState(t, &d, "closed")
	wantFine(t, &d)
}

// Trap: too little traffic. One failure an hour is five in a row nevertheless.
func TestRareFailuresTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d recourse.Dependency
		for range 5 {
			wantState(t, &d, "closed")
			time.Sleep(time.Hour)
			_, _ = recourse.Call(t.Context(), &d, callBroken)
		}
		wantState(t, &d, "open")
	})
}

// Trap: a retry that knocks at the breaker's closed door.
func TestOpenBreakerIsNotRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 3, Trip: 1}
		runs := 0
		fn := func(context.Context) (int, error) {
			runs++
			return 0, &recourse.Error{Code: recourse.HostUnreachable, MaxRetries: 3, NotRun: true, Err: errBroken}
		}
		began := time.Now()
		_, err := recourse.Call(t.Context(), &d, fn)
		if e := wantCode(t, err, recourse.HostUnreachable); !errors.Is(e, errBroken) {
			t.Error("the refusal hides the cause")
		}
		_, err = recourse.Call(t.Context(), &d, fn)
		e := wantCode(t, err, recourse.ServiceUnavailable)
		if e.Related["reason"] != "circuit_open" || !e.NotRun || !e.Retryable() || e.RetryAfter <= 0 {
			t.Errorf("refused with %s", e.Envelope())
		}
		if took := time.Since(began); runs != 1 || took != 0 {
			t.Errorf("%d attempts in %v, want 1 at once", runs, took)
		}
	})
}

// Trap: each layer repeats what the one below has repeated.
func TestRetryAmplification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer := recourse.Dependency{Attempts: 3}
		inner := recourse.Dependency{Attempts: 3, Trip: -1}
		runs := 0
		nest := func(ctx context.Context) (int, error) {
			v, err := recourse.Call(ctx, &inner, func(context.Context) (int, error) {
				runs++
				return 0, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}
			})
			if err != nil {
				return 0, &recourse.Error{Message: "No stock list.", Err: err}
			}
			return v, nil
		}
		_, err := recourse.Call(t.Context(), &outer, nest)
		if e := wantCode(t, err, recourse.ServiceUnavailable); e.Error() != "No stock list." {
			t.Errorf("got %v", e)
		}
		if runs != 3 {
			t.Errorf("%d attempts, want 3", runs)
		}
		for range 9 {
			_, _ = recourse.Call(t.Context(), &outer, nest)
		}
		wantState(t, &outer, "closed") // the failures are inner's
	})
}

// The same through a Gathering and a Cache.
func TestRetryAmplificationThroughOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer := recourse.Dependency{Attempts: 3}
		inner := recourse.Dependency{Attempts: 3, Trip: -1}
		var c recourse.Cache[string, int]
		runs := 0
		_, err := recourse.Call(t.Context(), &outer, func(ctx context.Context) (v int, err error) {
			g := recourse.Gather(ctx)
			recourse.Required(g, &recourse.Dependency{}, &v, func(ctx context.Context) (int, error) {
				return c.Fetch(ctx, "k", func(ctx context.Context) (int, error) {
					return recourse.Call(ctx, &inner, func(context.Context) (int, error) {
						runs++
						return 0, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}
					})
				})
			})
			return v, g.Wait()
		})
		wantCode(t, err, recourse.ServiceUnavailable)
		if runs != 3 {
			t.Errorf("%d attempts, want 3", runs)
		}
	})
}

// Trap: the refusal of a breaker further down is repeated further up.
func TestInnerRefusalIsNotRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := tripped(t, &recourse.Dependency{})
		_, _ = recourse.Call(t.Context(), inner, callBroken)
		outer := recourse.Dependency{Attempts: 3}
		runs := 0
		began := time.Now()
		_, err := recourse.Call(t.Context(), &outer, func(ctx context.Context) (string, error) {
			runs++
			time.Sleep(8 * time.Second) // 2 s are left: short enough to wait for
			return recourse.Call(ctx, inner, callFine)
		})
		wantCode(t, err, recourse.ServiceUnavailable)
		if took := time.Since(began); runs != 1 || took != 8*time.Second {
			t.Errorf("%d attempts in %v, want 1 in 8s", runs, took)
		}
	})
}

// Trap: an attempt is begun that can't end in time.
func TestNothingStartsThatCannotFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Attempts: 2}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		runs := 0
		began := time.Now()
		_, err := recourse.Call(ctx, &d, func(context.Context) (int, error) {
			runs++
			time.Sleep(950 * time.Millisecond)
			return 0, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}
		})
		wantCode(t, err, recourse.ServiceUnavailable)
		if took := time.Since(began); runs != 1 || took != 950*time.Millisecond {
			t.Errorf("%d attempts in %v, want 1 in 950ms", runs, took)
		}
	})
}

// Trap: a breaker with a goroutine of its own. One that is left when the test
// function ends fails the test.
func TestNoGoroutineLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		for range 100 {
			d := recourse.Dependency{Trip: 1, Attempts: 2}
			wantFine(t, &d)
			_, _ = recourse.Call(t.Context(), &d, callBroken)
			d.State()
		}
		synctest.Wait()
		if time.Since(began) != 0 {
			t.Errorf("something waited for %v", time.Since(began))
		}
	})
}

// Trap: a listener that is called under the lock and asks for the state.
func TestListenerNotUnderLock(t *testing.T) {
	d := recourse.Dependency{Trip: 1}
	var g recourse.Guard
	look := func() {
		d.State()
		over, cancel := context.WithCancel(context.Background())
		cancel()
		_ = g.Drain(over)
	}
	logged := 0
	g.Log = func(r recourse.Record) {
		look()
		logged++
		if len(r.Breakers) != 1 || r.Breakers[0] != "the service closed→open" {
			t.Errorf("breakers %q", r.Breakers)
		}
	}
	g.Map = func(error) *recourse.Error {
		look()
		_, _ = recourse.Call(context.Background(), &d, callFine)
		return &recourse.Error{Code: recourse.UpstreamError}
	}
	o := recourse.Run(t.Context(), &g, recourse.Request{Tool: "t"}, func(ctx context.Context) (int, error) {
		return recourse.Call(ctx, &d, func(context.Context) (int, error) { return 0, errBroken })
	})
	if o.Err == nil || logged != 1 {
		t.Errorf("error %v, %d records", o.Err, logged)
	}
}

// Trap: the bodies of failed answers are not closed, and with them their
// connections leak.
func TestLeakedBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wires := make(pipes)
		asked := 0
		server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if asked++; asked < 3 {
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			_, _ = io.WriteString(w, `{"n":1}`)
		})}
		go func() { _ = server.Serve(wires) }()
		defer server.Close()
		bodies := &counted{RoundTripper: &http.Transport{DialContext: wires.dial}}
		d := recourse.Dependency{Attempts: 3, Transport: bodies}
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://service.test/", nil)
		v, err := recourse.DoJSON[struct{ N int }](&d, req)
		if err != nil || v.N != 1 || asked != 3 {
			t.Errorf("got %v, %v after %d requests", v, err, asked)
		}
		if bodies.opened != 3 || bodies.closed != 3 {
			t.Errorf("%d bodies opened, %d closed", bodies.opened, bodies.closed)
		}
		d.Client().CloseIdleConnections()
	})
}

// pipes is a network of its own.
type pipes chan net.Conn

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	a, b := net.Pipe()
	p <- b
	return a, nil
}

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

// A counted transport counts the bodies that it gives and that are closed.
type counted struct {
	http.RoundTripper
	opened, closed int
}

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.RoundTripper.RoundTrip(r)
	if err == nil {
		c.opened++
		resp.Body = &countedBody{resp.Body, c, sync.Once{}}
	}
	return resp, err
}

func (c *counted) CloseIdleConnections() {
	if t, ok := c.RoundTripper.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

type countedBody struct {
	io.ReadCloser
	counted *counted
	once    sync.Once
}

func (b *countedBody) Close() error {
	b.once.Do(func() { b.counted.closed++ })
	return b.ReadCloser.Close()
}

// Ten thousand callers at once, with everything that can happen to a call; at
// the end every slot is free and the breaker lets a good call close it. It is
// meant for the race detector.
func TestTenThousandGoroutines(t *testing.T) {
	const limit = 100
	d := recourse.Dependency{Attempts: 2, Trip: 3, Cooldown: time.Nanosecond, Limit: limit, Timeout: time.Minute}
	var wg sync.WaitGroup
	for range 10_000 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			v, err := recourse.Call(ctx, &d, func(ctx context.Context) (int, error) {
				switch rand.IntN(6) {
				case 0:
					return 0, errBroken
				case 1:
					panic("trouble")
				case 2:
					cancel()
					return 0, ctx.Err()
				case 3:
					return 0, &recourse.Error{Code: recourse.NotFound}
				case 4:
					runtime.Goexit()
				}
				return 1, nil
			})
			if (v == 1) != (err == nil) {
				t.Errorf("%d with error %v", v, err)
			}
		})
	}
	wg.Wait()
	for d.State() != "closed" {
		_, err := recourse.Call(t.Context(), &d, callFine)
		if err != nil && recourse.CodeOf(err) != recourse.ServiceUnavailable {
			t.Fatal(err)
		}
	}
	release := make(chan struct{})
	var in sync.WaitGroup
	in.Add(limit)
	for range limit {
		wg.Go(func() {
			_, err := recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
				in.Done()
				<-release
				return 1, nil
			})
			if err != nil {
				t.Errorf("a slot is lost: %v", err)
				in.Done()
			}
		})
	}
	in.Wait()
	_, err := recourse.Call(t.Context(), &d, callFine)
	wantCode(t, err, recourse.ResourceBusy)
	close(release)
	wg.Wait()
	wantFine(t, &d)
}

// An Error that is its own cause, near or far, has no end; whoever looks for one
// must not take the process along.
func TestCauseWithoutEnd(t *testing.T) {
	bare := &recourse.Error{Message: "x"}
	bare.Err = fmt.Errorf("again: %w", bare)
	coded := &recourse.Error{Code: recourse.NotFound}
	coded.Err = fmt.Errorf("again: %w", coded)
	for name, err := range map[string]error{"without a code": bare, "with a code": coded, "of no Error": selfish{}} {
		g := &recourse.Guard{Log: func(recourse.Record) {}}
		o := recourse.Run(t.Context(), g, recourse.Request{Tool: "t"}, func(context.Context) (int, error) { return 0, err })
		if o.Err == nil || o.Err.Envelope() == "" || o.Err.Code == recourse.Timeout {
			t.Errorf("%s: %v", name, o.Err)
		}
	}
}

type selfish struct{}

func (selfish) Error() string   { return "selfish" }
func (s selfish) Unwrap() error { return s }

// Five mistakes that nobody has classified say nothing about the API.
func TestUnknownErrorsDoNotTrip(t *testing.T) {
	var d recourse.Dependency
	for range 10 {
		_, _ = recourse.Call(t.Context(), &d, func(context.Context) (int, error) { return 0, errors.New("no such city: Atlantis") })
	}
	if d.State() != "closed" {
		t.Error(d.State())
	}
}

// A Call inside that failed and was dealt with does not excuse the outer one.
func TestNestedFailureThatWasHandled(t *testing.T) {
	outer, inner := recourse.Dependency{Trip: 2}, recourse.Dependency{}
	for range 2 {
		_, _ = recourse.Call(t.Context(), &outer, func(ctx context.Context) (int, error) {
			_, _ = recourse.Call(ctx, &inner, func(context.Context) (int, error) { return 0, recourse.Errorf(recourse.NotFound, "no") })
			return 0, recourse.Errorf(recourse.ServiceUnavailable, "down")
		})
	}
	if outer.State() != "open" {
		t.Error(outer.State())
	}
}

// What the source of a request's body does with its time is the attempt's.
func TestBodyWithoutEnd(t *testing.T) {
	body, w := io.Pipe()
	defer w.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:1/", body)
	if err != nil {
		t.Fatal(err)
	}
	d := &recourse.Dependency{Timeout: 50 * time.Millisecond}
	if _, err := recourse.DoJSON[int](d, req); recourse.CodeOf(err) != recourse.Timeout {
		t.Error(err)
	}
}

func TestFieldIsAPointer(t *testing.T) {
	e := &recourse.Error{Code: recourse.InvalidArgument, Field: "city", Violations: []recourse.Violation{{Field: "days", Constraint: "a number"}}}
	if s := e.Envelope(); !strings.Contains(s, `"field":"/city"`) || !strings.Contains(s, `"field":"/days"`) {
		t.Error(s)
	}
}

// What a Call inside has done is not undone by what comes after it.
func TestCallAroundAnEffectIsNotRepeated(t *testing.T) {
	outer, inner := recourse.Dependency{Attempts: 3}, recourse.Dependency{}
	posts := 0
	_, err := recourse.Call(t.Context(), &outer, func(ctx context.Context) (int, error) {
		_, _ = recourse.Call(ctx, &inner, func(context.Context) (int, error) { posts++; return 1, nil })
		return 0, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}
	})
	if e := recourse.Classify(err); posts != 1 || e.Retryable() || e.Related["outcome"] != "unknown" {
		t.Errorf("%d times, then %s", posts, e.Envelope())
	}
}

// EBUSY of a file system may come after half of the work.
func TestBusyInTheMiddleIsNotRepeated(t *testing.T) {
	d, runs := recourse.Dependency{Attempts: 3}, 0
	_, err := recourse.Call(t.Context(), &d, func(context.Context) (int, error) {
		runs++
		return 0, &fs.PathError{Op: "write", Path: "/mnt/x", Err: syscall.EBUSY}
	})
	if e := recourse.Classify(err); runs != 1 || e.Retryable() {
		t.Errorf("%d times, then %s", runs, e.Envelope())
	}
}

// A 429 whose body never ends says all there is to know in its headers.
func TestDrippingBody(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		w.(http.Flusher).Flush()
		<-release
	}))
	defer s.Close()
	defer close(release)
	d := &recourse.Dependency{Name: "GitHub"}
	_, err := recourse.DoJSON[int](d, newRequest(t, http.MethodPost, s.URL, nil))
	e := recourse.Classify(err)
	if e.Code != recourse.RateLimited || e.RetryAfter != 7*time.Second || !e.NotRun || !strings.HasPrefix(e.Error(), "GitHub: The API answered 429") {
		t.Errorf("%s", e.Envelope())
	}
}
