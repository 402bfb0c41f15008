package call_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/sony/gobreaker/v2"
	"pgregory.net/rapid"
)

// gobreaker passes into half-open just after its timeout, we do at the cooldown:
// waits of whole milliseconds never hit that instant.
const (
	trip     = 3
	cooldown = 20*time.Second + 1
)

var (
	errDown = &recourse.Error{Code: recourse.UpstreamError}
	errArgs = &recourse.Error{Code: recourse.InvalidArgument}
)

// pair is a Dependency and the gobreaker that is configured like it.
func pair() (*recourse.Dependency, *gobreaker.CircuitBreaker[int]) {
	d := &recourse.Dependency{Trip: trip, Cooldown: cooldown}
	g := gobreaker.NewCircuitBreaker[int](gobreaker.Settings{
		Timeout:     cooldown,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= trip },
		IsExcluded:  func(err error) bool { return errors.Is(err, errArgs) || errors.Is(err, context.Canceled) },
	})
	return d, g
}

// One caller, any schedule of results and pauses: both let the same calls
// through and stand in the same state after each.
func TestCallAgainstGobreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// TB alone hides Deadline, which panics in a bubble.
		rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) {
			d, g := pair()
			both := func(err error) func(*rapid.T) {
				return func(t *rapid.T) {
					ours, theirs := 0, 0
					_, _ = recourse.Call(context.Background(), d, func(context.Context) (int, error) { ours++; return 1, err })
					_, _ = g.Execute(func() (int, error) { theirs++; return 1, err })
					if ours != theirs {
						t.Fatalf("let through %d, gobreaker %d", ours, theirs)
					}
				}
			}
			t.Repeat(map[string]func(*rapid.T){
				"success":  both(nil),
				"failure":  both(errDown),
				"failure2": both(errDown), // twice as often
				"mistake":  both(errArgs),
				"cancel":   both(context.Canceled),
				"panic": func(t *rapid.T) {
					ours, theirs := 0, 0
					_, _ = recourse.Call(context.Background(), d, func(context.Context) (int, error) { ours++; panic("bug") })
					func() {
						defer func() { _ = recover() }() // ours is an error instead
						_, _ = g.Execute(func() (int, error) { theirs++; panic("bug") })
					}()
					if ours != theirs {
						t.Fatalf("let through %d, gobreaker %d", ours, theirs)
					}
				},
				"wait": func(t *rapid.T) {
					time.Sleep(time.Duration(rapid.IntRange(0, 25_000).Draw(t, "ms")) * time.Millisecond)
				},
				"": func(t *rapid.T) {
					if got, want := d.State(), g.State().String(); got != want {
						t.Fatalf("state %s, gobreaker says %s", got, want)
					}
				},
			})
		})
	})
}

// halfOpen trips both and waits for the cooldown.
func halfOpen(d *recourse.Dependency, g *gobreaker.CircuitBreaker[int]) {
	for range trip {
		_, _ = recourse.Call(context.Background(), d, func(context.Context) (int, error) { return 0, errDown })
		_, _ = g.Execute(func() (int, error) { return 0, errDown })
	}
	time.Sleep(cooldown + time.Millisecond)
}

// Where they differ: a probe that hangs blocks gobreaker for as long as it does;
// we give up on it at the Timeout, open again and let the next one through after
// the cooldown.
func TestHungProbeDiffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, g := pair()
		halfOpen(d, g)
		release := make(chan struct{})
		go func() {
			_, _ = recourse.Call(context.Background(), d, func(context.Context) (int, error) { <-release; return 1, nil })
		}()
		go func() { _, _ = g.Execute(func() (int, error) { <-release; return 1, nil }) }()
		time.Sleep(time.Hour)
		if v, err := recourse.Call(context.Background(), d, nothing); v != 1 || err != nil {
			t.Errorf("we: %v", err)
		}
		if _, err := g.Execute(func() (int, error) { return 1, nil }); !errors.Is(err, gobreaker.ErrTooManyRequests) {
			t.Errorf("gobreaker: %v; then the comparison has to be written anew", err)
		}
		close(release)
	})
}

// Where they agree though others do not: a success from before the trip closes
// nothing.
func TestStaleSuccessAgrees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, g := pair()
		d.Timeout = time.Hour
		release := make(chan struct{})
		go func() {
			_, _ = recourse.Call(context.Background(), d, func(context.Context) (int, error) { <-release; return 1, nil })
		}()
		go func() { _, _ = g.Execute(func() (int, error) { <-release; return 1, nil }) }()
		synctest.Wait()
		halfOpen(d, g)
		close(release)
		synctest.Wait()
		if ours, theirs := d.State(), g.State().String(); ours != "half-open" || theirs != "half-open" {
			t.Errorf("%s, gobreaker %s", ours, theirs)
		}
	})
}
