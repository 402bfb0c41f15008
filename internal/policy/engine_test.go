package policy

import (
	"fmt"
	"testing"
	"time"
)

var limits = Limits{Idle: 50 * time.Second, Cap: 10 * time.Minute}

func admit(t *testing.T, e *Engine, c *Call, tool string, now time.Time) {
	t.Helper()
	e.Begin(&c.Clock, limits, now)
	if r := e.Admit(c, tool, now); r.Reason != Admitted {
		t.Fatalf("%s refused: %+v", tool, r)
	}
}

func TestSlotsAreTheLimit(t *testing.T) {
	e := &Engine{Slots: Slots{Limit: 2}}
	var a, b, c Call
	admit(t, e, &a, "read", start)
	admit(t, e, &b, "read", start)
	e.Begin(&c.Clock, limits, start)
	if r := e.Admit(&c, "read", start); r.Reason != SlotsFull {
		t.Fatalf("a third call: %+v, want slots_full", r)
	}
	e.End(&c, Ignored, start)
	if got := e.Slots.Held(); got != 2 {
		t.Errorf("%d slots held after the refusal, want 2", got)
	}
	e.End(&a, Success, start)
	e.End(&a, Success, start)
	admit(t, e, &c, "read", start)
}

func TestSlotsDefaults(t *testing.T) {
	for limit, want := range map[int]int{0: 64, -1: 1000, 3: 3} {
		s := Slots{Limit: limit}
		got := 0
		for got < 1000 && s.Acquire() {
			got++
		}
		if got != want {
			t.Errorf("Limit %d: %d calls at once, want %d", limit, got, want)
		}
	}
}

func TestEachToolHasItsBreaker(t *testing.T) {
	e := &Engine{Breaker: Breaker{Trip: 3, Cooldown: 2 * time.Minute}}
	var c Call
	for range 3 {
		admit(t, e, &c, "bad", start)
		e.End(&c, Failure, start)
	}
	e.Begin(&c.Clock, limits, start)
	if r := e.Admit(&c, "bad", at(time.Minute)); r != (Refusal{CircuitOpen, time.Minute}) {
		t.Errorf("refusal %+v, want circuit_open for the minute left", r)
	}
	e.End(&c, Ignored, start)
	if e.Slots.Held() != 0 {
		t.Error("the refusal kept a slot")
	}
	admit(t, e, &c, "good", start)
	if bad, good := e.State("bad", start), e.State("good", start); bad != Open || good != Closed {
		t.Errorf("bad %v, good %v; want open, closed", bad, good)
	}
}

// Calls that were all under way before the tool's first failure count too.
func TestParallelFailuresTrip(t *testing.T) {
	var e Engine
	calls := make([]Call, 5)
	for i := range calls {
		admit(t, &e, &calls[i], "bad", start)
	}
	for i := range calls {
		e.End(&calls[i], Failure, at(time.Second))
	}
	if got := e.State("bad", at(time.Second)); got != Open {
		t.Errorf("after 5 failures %v, want open", got)
	}
}

func TestReusedCallBringsNoPermit(t *testing.T) {
	e := &Engine{Breaker: Breaker{Trip: 1, Cooldown: time.Second}}
	var c Call
	admit(t, e, &c, "a", start)
	e.End(&c, Failure, start)
	admit(t, e, &c, "a", at(time.Second)) // the probe
	e.End(&c, Success, at(time.Second))
	admit(t, e, &c, "b", at(time.Second))
	e.End(&c, Failure, at(time.Second))
	if a, b := e.State("a", at(time.Second)), e.State("b", at(time.Second)); a != Closed || b != Open {
		t.Errorf("a %v, b %v; want closed, open", a, b)
	}
}

func TestOrphanKeepsItsSlot(t *testing.T) {
	e := &Engine{Slots: Slots{Limit: 1}, Breaker: Breaker{Trip: 1}}
	var deaf, next Call
	deaf.Owner = "deaf"
	admit(t, e, &deaf, "slow", start)
	c, cause := e.Expire(at(50 * time.Second))
	if c == nil || c.Owner != "deaf" || cause != Idle {
		t.Fatalf("expired %v by %v", c, cause)
	}
	e.Abandon(&deaf, Failure, at(50*time.Second))
	e.Abandon(&deaf, Failure, at(50*time.Second))
	e.Begin(&next.Clock, limits, at(51*time.Second))
	if r := e.Admit(&next, "other", at(51*time.Second)); r.Reason != SlotsFull {
		t.Fatalf("the orphan's slot was given away: %+v", r)
	}
	if e.Slots.Orphans() != 1 {
		t.Errorf("%d orphans, want 1", e.Slots.Orphans())
	}
	e.End(&deaf, Success, at(52*time.Second))
	if got := e.State("slow", at(52*time.Second)); got != Open {
		t.Errorf("the late success made the breaker %v", got)
	}
	if e.Slots.Held() != 0 || e.Slots.Orphans() != 0 {
		t.Errorf("%d slots, %d orphans after the late answer", e.Slots.Held(), e.Slots.Orphans())
	}
}

func TestResetFreesOrphansOnly(t *testing.T) {
	var e Engine
	var orphan, waiting, late Call
	admit(t, &e, &orphan, "a", start)
	admit(t, &e, &waiting, "a", start)
	e.Abandon(&orphan, Failure, start)
	e.Reset()
	if e.Slots.Held() != 1 || e.Slots.Orphans() != 0 {
		t.Fatalf("%d slots, %d orphans; want the waiting call's only", e.Slots.Held(), e.Slots.Orphans())
	}
	admit(t, &e, &late, "a", start)
	e.Abandon(&late, Failure, start)
	e.End(&orphan, Success, start) // from the life before
	if e.Slots.Held() != 2 || e.Slots.Orphans() != 1 {
		t.Errorf("%d slots, %d orphans; an End from before took one away", e.Slots.Held(), e.Slots.Orphans())
	}
	e.End(&waiting, Success, start)
	e.End(&late, Success, start)
	if e.Slots.Held() != 0 {
		t.Errorf("%d slots held by nobody", e.Slots.Held())
	}
}

func TestAgain(t *testing.T) {
	e := &Engine{Retry: Retry{Attempts: 3, Rand: even}}
	read := Call{Repeat: ReadOnly}
	admit(t, e, &read, "read", start)
	if _, ok := e.Again(&read, Failure, Attempt{Delivery: NotSent}, start); !ok {
		t.Fatal("a call not sent is not repeated")
	}
	if r := e.Admit(&read, "read", start); r.Reason != Admitted {
		t.Fatalf("second attempt: %+v", r)
	}
	if _, ok := e.Again(&read, Failure, Attempt{Delivery: Unknown}, start); !ok {
		t.Fatal("a read that may have run is not repeated")
	}
	e.Admit(&read, "read", start)
	if _, ok := e.Again(&read, Failure, Attempt{Delivery: NotSent}, start); ok {
		t.Error("a fourth attempt")
	}
	if e.Slots.Held() != 1 {
		t.Errorf("three attempts hold %d slots, want the call's one", e.Slots.Held())
	}
	e.End(&read, Failure, start)
	read.Repeat = Idempotent
	e.Begin(&read.Clock, limits, start)
	e.Admit(&read, "read", start)
	if _, ok := e.Again(&read, Ignored, Attempt{Delivery: Unknown}, start); !ok {
		t.Error("the next call is charged for the one before")
	}
	e.Admit(&read, "read", start)
	if _, ok := e.Again(&read, Ignored, Attempt{Delivery: Unknown}, start); ok {
		t.Error("repeated twice what may have run twice")
	}
}

// T8, trap 14: a refusal ends the call; its cause is the attempt before.
func TestOpenBreakerEndsTheRetries(t *testing.T) {
	e := &Engine{Retry: Retry{Attempts: 3}, Breaker: Breaker{Trip: 2}}
	var c, other Call
	admit(t, e, &other, "bad", start)
	admit(t, e, &c, "bad", start)
	wait, ok := e.Again(&c, Failure, Attempt{Delivery: NotSent}, start)
	if !ok {
		t.Fatal("not repeated")
	}
	if _, ok := e.Again(&other, Failure, Attempt{Delivery: NotSent}, start); ok {
		t.Error("the failure that opened the breaker is repeated")
	}
	e.End(&other, Ignored, start)
	if r := e.Admit(&c, "bad", start.Add(wait)); r.Reason != CircuitOpen || r.Wait <= 0 {
		t.Errorf("Admit = %+v, want a refusal with the time left", r)
	}
	e.End(&c, Ignored, start.Add(wait))
	if e.Slots.Held() != 0 {
		t.Error("the refused call kept its slot")
	}
}

func TestRetryFitsInTheDeadline(t *testing.T) {
	e := &Engine{Retry: Retry{Attempts: 3}}
	var c Call
	admit(t, e, &c, "read", start)
	if _, ok := e.Again(&c, Ignored, Attempt{Delivery: Refused, RetryAfter: 6 * time.Second}, at(45*time.Second)); ok {
		t.Error("waits 6s with 5s left")
	}
}

// Trap 23: keys can't grow without bound, and an open breaker is not forgotten.
func TestBreakersAreBounded(t *testing.T) {
	e := &Engine{Breaker: Breaker{Trip: 2}}
	var c Call
	fail := func(key string) {
		admit(t, e, &c, key, start)
		e.End(&c, Failure, start)
	}
	fail("open")
	fail("open")
	for i := range 3 * maxBreakers {
		key := fmt.Sprint("key", i)
		fail(key)
		admit(t, e, &c, key, start)
		e.End(&c, Success, start)
	}
	if n := len(e.breakers); n > maxBreakers {
		t.Errorf("%d breakers, want at most %d", n, maxBreakers)
	}
	if got := e.State("open", start); got != Open {
		t.Errorf("the open breaker is now %v", got)
	}
	for i := range 2 * maxBreakers {
		fail(fmt.Sprint("other", i))
	}
	if n := len(e.breakers); n > maxBreakers {
		t.Errorf("%d breakers, want at most %d", n, maxBreakers)
	}
}

func TestHealthyKeysCostNothing(t *testing.T) {
	var e Engine
	var c Call
	got := testing.AllocsPerRun(100, func() {
		e.Begin(&c.Clock, limits, start)
		e.Admit(&c, "read", start)
		e.Touch(&c.Clock, start)
		e.End(&c, Success, start)
	})
	if got != 0 || len(e.breakers) != 0 {
		t.Errorf("%v allocations, %d breakers; want none", got, len(e.breakers))
	}
}
