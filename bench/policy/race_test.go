package policy_test

import (
	"sync"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Ten thousand callers share one Engine behind their own lock. Whatever the
// order, nobody is over the limit and everything is given back.
func TestTenThousandGoroutines(t *testing.T) {
	const slots = 100
	var mu sync.Mutex
	e := policy.Engine{Slots: policy.Slots{Limit: slots}, Retry: policy.Retry{Attempts: 3}}
	var wg sync.WaitGroup
	running, refused := 0, 0
	for i := range 10_000 {
		wg.Go(func() {
			var c policy.Call
			mu.Lock()
			now := time.Now()
			e.Begin(&c.Clock, policy.Limits{Idle: time.Minute, Cap: time.Hour}, now)
			if r := e.Admit(&c, []string{"good", "bad", "worse"}[i%3], now); r.Reason != policy.Admitted {
				refused++
				e.End(&c, policy.Ignored, now)
				mu.Unlock()
				return
			}
			running++
			if running > slots {
				t.Errorf("%d calls at once", running)
			}
			mu.Unlock()

			mu.Lock()
			defer mu.Unlock()
			running--
			e.Touch(&c.Clock, time.Now())
			if i%5 == 0 {
				e.Abandon(&c, policy.Failure, time.Now())
			}
			verdict := policy.Success
			if i%3 > 0 {
				verdict = policy.Failure
			}
			e.End(&c, verdict, time.Now())
		})
	}
	wg.Wait()
	if _, ok := e.Next(); ok || e.Slots.Held() != 0 || e.Slots.Orphans() != 0 {
		t.Errorf("left behind: deadline %v, %d slots, %d orphans", ok, e.Slots.Held(), e.Slots.Orphans())
	}
	if e.State("worse", time.Now()) != policy.Open || refused == 0 {
		t.Errorf("a tool that always fails is %v, %d calls refused", e.State("worse", time.Now()), refused)
	}
}
