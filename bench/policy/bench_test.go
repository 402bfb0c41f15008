package policy_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
	"github.com/sony/gobreaker/v2"
)

// BenchmarkCall is one call's whole way, the oldest open one ending as a new
// one begins.
func BenchmarkCall(b *testing.B) {
	for _, open := range []int{1, 64, 10_000} {
		b.Run(fmt.Sprint("open=", open), func(b *testing.B) {
			e := policy.Engine{Slots: policy.Slots{Limit: -1}}
			limits := policy.Limits{Idle: 50 * time.Second, Cap: 10 * time.Minute}
			calls := make([]policy.Call, open)
			now := time.Now()
			for i := range calls {
				now = now.Add(time.Microsecond)
				e.Begin(&calls[i].Clock, limits, now)
				e.Admit(&calls[i], "read_file", now)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				c := &calls[i]
				if i++; i == open {
					i = 0
				}
				now = now.Add(time.Microsecond)
				e.End(c, policy.Success, now)
				e.Begin(&c.Clock, limits, now)
				e.Admit(c, "read_file", now)
				e.Next()
			}
		})
	}
}

func BenchmarkDeadlines(b *testing.B) {
	for _, open := range []int{1, 64, 10_000} {
		b.Run(fmt.Sprint("open=", open), func(b *testing.B) {
			var d policy.Deadlines
			limits := policy.Limits{Idle: 50 * time.Second, Cap: 10 * time.Minute}
			clocks := make([]policy.Clock, open)
			now := time.Now()
			for i := range clocks {
				d.Begin(&clocks[i], limits, now.Add(time.Duration(i)))
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				c := &clocks[i]
				if i++; i == open {
					i = 0
				}
				now = now.Add(time.Microsecond)
				d.End(c)
				d.Begin(c, limits, now)
			}
		})
	}
}

func BenchmarkBreaker(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		var ours policy.Breaker
		now := time.Now()
		b.ReportAllocs()
		for b.Loop() {
			p, _, _ := ours.Admit(now, time.Minute)
			ours.Done(p, policy.Success, now)
		}
	})
	b.Run("gobreaker", func(b *testing.B) {
		g := gobreaker.NewTwoStepCircuitBreaker[any](gobreaker.Settings{})
		b.ReportAllocs()
		for b.Loop() {
			done, _ := g.Allow()
			done(nil)
		}
	})
}
