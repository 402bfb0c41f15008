package call_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/policy"
	"github.com/sony/gobreaker/v2"
)

func nothing(context.Context) (int, error) { return 1, nil }

// BenchmarkStack is retry(breaker(timeout(nothing))), closed and without a
// failure. The floor is what every such stack pays, and "goroutine" what every
// one pays that returns on time from a function that is deaf to its context.
func BenchmarkStack(b *testing.B) {
	ctx := context.Background()
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			_, _ = nothing(ctx)
			cancel()
		}
	})
	b.Run("goroutine", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _ = nothing(ctx)
			}()
			select {
			case <-done:
			case <-ctx.Done():
			}
			cancel()
		}
	})
	b.Run("Call", func(b *testing.B) {
		d := recourse.Dependency{Attempts: 3}
		b.ReportAllocs()
		for b.Loop() {
			_, _ = recourse.Call(ctx, &d, nothing)
		}
	})
	b.Run("Run+Call", func(b *testing.B) {
		d := recourse.Dependency{Attempts: 3}
		var g recourse.Guard
		r := recourse.Request{Tool: "t"}
		b.ReportAllocs()
		for b.Loop() {
			recourse.Run(ctx, &g, r, func(ctx context.Context) (int, error) { return recourse.Call(ctx, &d, nothing) })
		}
	})
	b.Run("failsafe-go", func(b *testing.B) {
		stack := failsafe.With(
			retrypolicy.NewBuilder[int]().WithMaxRetries(2).WithBackoff(500*time.Millisecond, 5*time.Second).Build(),
			circuitbreaker.NewBuilder[int]().WithFailureThreshold(5).WithDelay(5*time.Second).Build(),
			timeout.New[int](10*time.Second),
		)
		b.ReportAllocs()
		for b.Loop() {
			_, _ = stack.WithContext(ctx).GetWithExecution(func(e failsafe.Execution[int]) (int, error) { return nothing(e.Context()) })
		}
	})
	b.Run("gobreaker", func(b *testing.B) {
		g := gobreaker.NewCircuitBreaker[int](gobreaker.Settings{})
		b.ReportAllocs()
		for b.Loop() {
			_, _ = byHand(ctx, g, nothing)
		}
	})
}

// byHand is what one writes around gobreaker.
func byHand(ctx context.Context, g *gobreaker.CircuitBreaker[int], fn func(context.Context) (int, error)) (v int, err error) {
	for i := range 3 {
		v, err = g.Execute(func() (int, error) {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			return fn(ctx)
		})
		if err == nil || errors.Is(err, gobreaker.ErrOpenState) {
			return v, err
		}
		select {
		case <-time.After(rand.N(500 * time.Millisecond << i)):
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
	return v, err
}

// BenchmarkCheck is one look at a closed breaker, alone and from all cores.
func BenchmarkCheck(b *testing.B) {
	var d recourse.Dependency
	var mu sync.Mutex
	var ours policy.Breaker
	theirs := gobreaker.NewTwoStepCircuitBreaker[any](gobreaker.Settings{})
	failsafes := circuitbreaker.NewWithDefaults[any]()
	now := time.Now()
	for _, c := range []struct {
		name  string
		check func()
	}{
		{"State", func() { d.State() }},
		{"Breaker", func() { // locked as a Dependency does it
			mu.Lock()
			p, _, _ := ours.Admit(now, time.Minute)
			mu.Unlock()
			mu.Lock()
			ours.Done(p, policy.Success, now)
			mu.Unlock()
		}},
		{"failsafe-go", func() {
			if failsafes.TryAcquirePermit() {
				failsafes.RecordSuccess()
			}
		}},
		{"gobreaker", func() {
			if done, err := theirs.Allow(); err == nil {
				done(nil)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.check()
			}
		})
		b.Run(c.name+"/parallel", func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					c.check()
				}
			})
		})
	}
}

// BenchmarkRefusal is a call that an open breaker refuses, to its envelope.
func BenchmarkRefusal(b *testing.B) {
	d := recourse.Dependency{Name: "GitHub", Trip: 1, Cooldown: time.Hour}
	ctx := context.Background()
	_, _ = recourse.Call(ctx, &d, func(context.Context) (int, error) { return 0, &recourse.Error{Code: recourse.UpstreamError} })
	b.ReportAllocs()
	for b.Loop() {
		_, err := recourse.Call(ctx, &d, nothing)
		_ = recourse.Classify(err).Envelope()
	}
}

// BenchmarkEnvelope writes an error with everything that is common in one.
func BenchmarkEnvelope(b *testing.B) {
	e := &recourse.Error{
		Code: recourse.DuplicateEntry, Message: "A record with this email already exists.",
		Suggestion: "Use update_record with existing_id, or choose a different email.",
		Field:      "/email", Value: "ada@example.com", Constraint: "must be unique",
		Related: map[string]any{"existing_id": "rec_abc123"},
	}
	for name, write := range map[string]func(){
		"full": func() { _ = e.Envelope() },
		"bare": func() { _ = (&recourse.Error{Code: recourse.Timeout}).Envelope() },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				write()
			}
		})
	}
}
