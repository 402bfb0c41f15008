// Package policy_test checks the policy engine against plain models of it and
// against another breaker. It is apart so that the root module requires nothing.
package policy_test

import (
	"testing"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
	"pgregory.net/rapid"
)

// A visit is a call in the plain model of the Engine.
type visit struct {
	call   policy.Call
	tool   string
	begun  bool
	slot   bool
	orphan bool
	pass   *pass // of the attempt under way
	tries  int
	ran    int
}

// A house counts its visits instead of keeping numbers, and drives the real
// thing beside itself.
type house struct {
	real   policy.Engine
	visits [8]visit
	fuses  map[string]*fuse
	now    time.Time
}

const (
	slots    = 4
	attempts = 3
)

func TestEngineAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &house{
			real: policy.Engine{
				Slots:   policy.Slots{Limit: slots},
				Retry:   policy.Retry{Attempts: attempts},
				Breaker: policy.Breaker{Trip: trip, Cooldown: cooldown},
			},
			fuses: map[string]*fuse{"read": {state: "closed"}, "write": {state: "closed"}},
			now:   start,
		}
		t.Repeat(rapid.StateMachineActions(h))
		for i := range h.visits {
			h.end(&h.visits[i], policy.Ignored)
		}
		if _, ok := h.real.Next(); ok || h.real.Slots.Held() != 0 {
			t.Fatalf("all calls have ended, but a deadline is left: %v, and %d slots", ok, h.real.Slots.Held())
		}
	})
}

func (h *house) Begin(t *rapid.T) {
	v := h.pick(t, func(v *visit) bool { return !v.begun })
	v.begun, v.tool = true, rapid.SampledFrom([]string{"read", "write"}).Draw(t, "tool")
	v.call.Owner = v
	v.call.Repeat = rapid.SampledFrom([]policy.Repeat{policy.Unsafe, policy.Idempotent, policy.ReadOnly}).Draw(t, "repeat")
	h.real.Begin(&v.call.Clock, policy.Limits{Idle: 50 * time.Second}, h.now)
	h.admit(t, v)
}

func (h *house) Again(t *rapid.T) {
	v := h.pick(t, func(v *visit) bool { return v.pass != nil })
	a := policy.Attempt{
		Delivery:  rapid.SampledFrom([]policy.Delivery{policy.Unknown, policy.NotSent, policy.Refused, policy.Answered}).Draw(t, "delivery"),
		Transient: rapid.Bool().Draw(t, "transient"),
	}
	may := a.Delivery == policy.Unknown || a.Delivery == policy.Answered
	final := a.Delivery == policy.Answered && !a.Transient
	harmless := v.call.Repeat == policy.ReadOnly || v.call.Repeat == policy.Idempotent && v.ran == 0
	h.judge(v, policy.Failure)
	want := v.tries < attempts && (!may || harmless && !final) && h.fuses[v.tool].at(h.now) != "open"
	if may {
		v.ran++
	}
	h.real.Retry.Budget = policy.Budget{}
	if _, ok := h.real.Again(&v.call, policy.Failure, a, h.now); ok != want {
		t.Fatalf("try %d, %+v: repeated %v, want %v", v.tries, a, ok, want)
	}
	if want {
		h.admit(t, v)
	}
}

func (h *house) Abandon(t *rapid.T) {
	v, verdict := h.pick(t, begun), verdicts.Draw(t, "verdict")
	h.real.Abandon(&v.call, verdict, h.now)
	h.judge(v, verdict)
	v.orphan = v.orphan || v.slot
}

func (h *house) End(t *rapid.T) { h.end(h.pick(t, begun), verdicts.Draw(t, "verdict")) }

func (h *house) Reset(*rapid.T) {
	h.real.Reset()
	for i := range h.visits {
		h.visits[i].slot = h.visits[i].slot && !h.visits[i].orphan
	}
}

func (h *house) Wait(t *rapid.T) {
	h.now = h.now.Add(time.Duration(rapid.IntRange(0, 25).Draw(t, "seconds")) * time.Second)
	for c, _ := h.real.Expire(h.now); c != nil; c, _ = h.real.Expire(h.now) {
		h.end(c.Owner.(*visit), policy.Failure)
	}
}

func (h *house) Check(t *rapid.T) {
	held, orphans := h.held()
	if s := h.real.Slots; s.Held() != held || s.Orphans() != orphans {
		t.Fatalf("%d slots, %d orphans; the model has %d, %d", s.Held(), s.Orphans(), held, orphans)
	}
	for tool, fuse := range h.fuses {
		if got, want := h.real.State(tool, h.now).String(), fuse.at(h.now); got != want {
			t.Fatalf("%s is %s, the model says %s", tool, got, want)
		}
	}
}

func begun(v *visit) bool { return v.begun }

var verdicts = rapid.SampledFrom([]policy.Verdict{policy.Success, policy.Failure, policy.Failure, policy.Ignored})

func (h *house) pick(t *rapid.T, ok func(*visit) bool) *visit {
	var some []*visit
	for i := range h.visits {
		if ok(&h.visits[i]) {
			some = append(some, &h.visits[i])
		}
	}
	if len(some) == 0 {
		t.Skip("no such call")
	}
	return some[rapid.IntRange(0, len(some)-1).Draw(t, "call")]
}

func (h *house) admit(t *rapid.T, v *visit) {
	got := h.real.Admit(&v.call, v.tool, h.now)
	if want := h.admits(v); got.Reason != want {
		t.Fatalf("refused for %q, the model says %q", got.Reason, want)
	}
	if (got.Reason == policy.CircuitOpen) != (got.Wait > 0) {
		t.Fatalf("refusal %+v", got)
	}
}

func (h *house) admits(v *visit) policy.Reason {
	if held, _ := h.held(); !v.slot && held >= slots {
		return policy.SlotsFull
	}
	f := h.fuses[v.tool]
	if !f.admits(h.now) {
		return policy.CircuitOpen
	}
	v.pass = &pass{valid: true, probe: f.state == "half-open", until: h.now.Add(policy.MaxFreeze)}
	f.passes = append(f.passes, v.pass)
	v.slot = true
	v.tries++
	return policy.Admitted
}

func (h *house) end(v *visit, verdict policy.Verdict) {
	h.real.End(&v.call, verdict, h.now)
	h.judge(v, verdict)
	*v = visit{call: v.call}
}

func (h *house) judge(v *visit, verdict policy.Verdict) {
	if v.pass != nil {
		h.fuses[v.tool].done(v.pass, verdict, h.now)
		v.pass = nil
	}
}

func (h *house) held() (held, orphans int) {
	for i := range h.visits {
		if h.visits[i].slot {
			held++
		}
		if h.visits[i].slot && h.visits[i].orphan {
			orphans++
		}
	}
	return held, orphans
}
