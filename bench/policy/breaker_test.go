package policy_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
	"github.com/sony/gobreaker/v2"
	"pgregory.net/rapid"
)

const (
	trip     = 3
	cooldown = 20 * time.Second
	lease    = 7 * time.Second
)

// A pass is a permit in the plain model. It counts only while it is valid.
type pass struct {
	permit policy.Permit
	valid  bool
	probe  bool
	until  time.Time // of the lease
}

// A fuse is a Breaker as one would explain it: it remembers every pass it gave
// and crosses out those that have lost their say.
type fuse struct {
	state    string
	failures int
	opened   time.Time
	passes   []*pass
}

func (f *fuse) become(state string) {
	f.state, f.failures = state, 0
	for _, p := range f.passes {
		p.valid = false
	}
}

func (f *fuse) at(now time.Time) string {
	if f.state == "open" && !now.Before(f.opened.Add(cooldown)) {
		f.become("half-open")
	}
	return f.state
}

func (f *fuse) admits(now time.Time) bool {
	switch f.at(now) {
	case "open":
		return false
	case "half-open":
		for _, p := range f.passes {
			if p.valid && now.Before(p.until) {
				return false
			}
		}
		f.become("half-open")
	}
	return true
}

func (f *fuse) done(p *pass, v policy.Verdict, now time.Time) {
	f.at(now)
	if !p.valid {
		return
	}
	p.valid = false
	switch {
	case v == policy.Success && p.probe:
		f.become("closed")
	case v == policy.Success:
		f.failures = 0
	case v == policy.Failure:
		f.failures++
		if p.probe || f.failures == trip {
			f.become("open")
			f.opened = now
		}
	}
}

func TestBreakerAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := policy.Breaker{Trip: trip, Cooldown: cooldown}
		f := fuse{state: "closed"}
		now := start
		t.Repeat(map[string]func(*rapid.T){
			"admit": func(t *rapid.T) {
				permit, wait, ok := b.Admit(now, lease)
				if want := f.admits(now); ok != want {
					t.Fatalf("admitted %v while the model is %s and says %v", ok, f.state, want)
				}
				if ok {
					f.passes = append(f.passes, &pass{permit, true, f.state == "half-open", now.Add(lease)})
				} else if wait <= 0 || wait > cooldown {
					t.Fatalf("refused for %v", wait)
				}
			},
			"done": func(t *rapid.T) {
				if len(f.passes) == 0 {
					t.Skip("none out")
				}
				i := rapid.IntRange(0, len(f.passes)-1).Draw(t, "pass")
				v := rapid.SampledFrom([]policy.Verdict{policy.Success, policy.Failure, policy.Failure, policy.Ignored}).Draw(t, "verdict")
				p := f.passes[i]
				f.passes = append(f.passes[:i], f.passes[i+1:]...)
				b.Done(p.permit, v, now)
				f.done(p, v, now)
			},
			"wait": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(0, 25).Draw(t, "seconds")) * time.Second)
			},
			"": func(t *rapid.T) {
				if got, want := b.State(now).String(), f.at(now); got != want {
					t.Fatalf("state %s, the model says %s", got, want)
				}
			},
		})
	})
}

// gobreaker has no leases, so the calls here never hang: each comes back before
// the next begins, or from before the state changed.
func TestBreakerAgainstGobreaker(t *testing.T) {
	down, cancelled := errors.New("down"), errors.New("cancelled")
	outcomes := map[error]policy.Verdict{nil: policy.Success, down: policy.Failure, cancelled: policy.Ignored}
	synctest.Test(t, func(t *testing.T) {
		// TB alone hides Deadline, which panics in a bubble.
		rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) {
			b := policy.Breaker{Trip: trip, Cooldown: cooldown}
			g := gobreaker.NewTwoStepCircuitBreaker[any](gobreaker.Settings{
				Timeout:     cooldown,
				ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= trip },
				IsExcluded:  func(err error) bool { return err == cancelled },
			})
			type call struct {
				permit policy.Permit
				done   func(error)
			}
			var out []call
			t.Repeat(map[string]func(*rapid.T){
				"admit": func(t *rapid.T) {
					permit, _, ok := b.Admit(time.Now(), time.Hour)
					done, err := g.Allow()
					if ok != (err == nil) {
						t.Fatalf("admitted %v, gobreaker says %v", ok, err)
					}
					if ok {
						out = append(out, call{permit, done})
					}
				},
				"done": func(t *rapid.T) {
					if len(out) == 0 {
						t.Skip("none out")
					}
					i := rapid.IntRange(0, len(out)-1).Draw(t, "call")
					err := rapid.SampledFrom([]error{nil, down, down, cancelled}).Draw(t, "error")
					b.Done(out[i].permit, outcomes[err], time.Now())
					out[i].done(err)
					out = append(out[:i], out[i+1:]...)
				},
				"wait": func(t *rapid.T) {
					time.Sleep(time.Duration(rapid.IntRange(1, 25_000).Draw(t, "ms")) * time.Millisecond)
				},
				"": func(t *rapid.T) {
					if got, want := b.State(time.Now()).String(), g.State().String(); got != want {
						t.Fatalf("state %s, gobreaker says %s", got, want)
					}
				},
			})
		})
	})
}
