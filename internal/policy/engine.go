package policy

import (
	"maps"
	"time"
)

// A Call is one call's state in an [Engine]. The zero value is ready, and ready
// again after End. Calls are the caller's to allocate, or to embed.
type Call struct {
	Clock
	Repeat Repeat

	key      string
	breaker  *Breaker // nil if the key had none when the call was admitted
	permit   Permit
	admitted bool // the permit is still out
	slot     bool // held
	orphan   bool
	life     int // of the orphan
	attempts int
	ran      int // attempts that may have run
}

// A Reason is why a call was refused here, in the words of the envelope.
type Reason string

const (
	Admitted    Reason = ""
	SlotsFull   Reason = "slots_full"
	CircuitOpen Reason = "circuit_open"
)

// A Refusal tells a call to go away. The zero value is none.
type Refusal struct {
	Reason Reason
	Wait   time.Duration // until another try makes sense; if zero, unknown
}

// An Engine is what calls to one dependency pass: deadline, slots, retry, and a
// breaker for each key. The zero value is ready.
//
// Begin starts a call's clocks, Admit lets each of its attempts through, End
// ends it, whatever happened in between. A request that only needs a deadline
// uses the methods of Deadlines, End included, on a Clock of its own.
type Engine struct {
	Deadlines
	Slots   Slots
	Retry   Retry
	Breaker Breaker // the pattern for each key's

	breakers map[string]*Breaker
}

// maxBreakers bounds the keys with failures on record; beyond it, new keys have
// no breaker. Only a closed breaker without failures makes room.
const maxBreakers = 1000

// Admit asks for leave to make the next attempt of a call. The first one takes
// the call's slot. A refused call holds nothing but its clock, and a slot it had
// before.
func (e *Engine) Admit(c *Call, key string, now time.Time) Refusal {
	had := c.slot
	if !had && !e.Slots.Acquire() {
		return Refusal{Reason: SlotsFull}
	}
	c.key, c.slot, c.permit = key, true, Permit{}
	if c.breaker = e.breakers[key]; c.breaker != nil {
		p, wait, ok := c.breaker.Admit(now, e.lease(c, now))
		if !ok {
			if !had {
				e.Slots.Release()
				c.slot = false
			}
			return Refusal{CircuitOpen, wait}
		}
		c.permit = p
	}
	c.admitted = true
	c.attempts++
	return Refusal{}
}

// Again ends a failed attempt and returns how long to wait before Admit may be
// asked for the next one, or reports that the failure is final, as it is if it
// has opened the breaker. It fills in the Attempt's Number and Ran.
func (e *Engine) Again(c *Call, v Verdict, a Attempt, now time.Time) (wait time.Duration, ok bool) {
	e.judge(c, v, now)
	a.Number, a.Ran = c.attempts, c.ran
	if a.MayHaveRun() {
		c.ran++
	}
	if e.State(c.key, now) == Open {
		return 0, false // else it would wait, only to be refused
	}
	return e.Retry.Next(a, c.Repeat, e.Left(&c.Clock, now), now)
}

// Abandon answers for a call whose work goes on: its clocks stop and v is its
// verdict, but it keeps its slot until End or Reset. End's verdict is then void:
// a late success closes no breaker.
func (e *Engine) Abandon(c *Call, v Verdict, now time.Time) {
	e.Deadlines.End(&c.Clock)
	e.judge(c, v, now)
	if c.slot && !c.orphan {
		c.orphan, c.life = true, e.Slots.Orphan()
	}
}

// End ends a call, its work included. Calling it again does nothing.
func (e *Engine) End(c *Call, v Verdict, now time.Time) {
	e.Deadlines.End(&c.Clock)
	e.judge(c, v, now)
	switch {
	case c.orphan:
		e.Slots.Settle(c.life)
	case c.slot:
		e.Slots.Release()
	}
	c.slot, c.orphan, c.breaker, c.attempts, c.ran = false, false, nil, 0, 0
}

// Reset frees the slots of all orphans: what they worked on is dead. Calls that
// still have a caller are not touched.
func (e *Engine) Reset() { e.Slots.Forget() }

// State returns the state of the key's breaker.
func (e *Engine) State(key string, now time.Time) State {
	if b := e.breakers[key]; b != nil {
		return b.State(now)
	}
	return Closed
}

// judge gives the attempt's permit back, once. A key gets its breaker with its
// first failure, so healthy keys cost nothing.
func (e *Engine) judge(c *Call, v Verdict, now time.Time) {
	if !c.admitted {
		return
	}
	c.admitted = false
	if v == Success {
		e.Retry.Budget.Earn()
	}
	b := c.breaker
	if b == nil {
		b = e.breakers[c.key]
	}
	if b == nil && v == Failure {
		b = e.newBreaker(c.key)
	}
	if b != nil {
		b.Done(c.permit, v, now)
	}
}

// newBreaker returns nil if there is no room.
func (e *Engine) newBreaker(key string) *Breaker {
	if len(e.breakers) >= maxBreakers {
		maps.DeleteFunc(e.breakers, func(_ string, b *Breaker) bool { return b.idle() })
	}
	if len(e.breakers) >= maxBreakers {
		return nil
	}
	if e.breakers == nil {
		e.breakers = map[string]*Breaker{}
	}
	b := e.Breaker
	e.breakers[key] = &b
	return &b
}

// lease returns how long a probe of c may be out: to its hard cap, for progress
// may keep it alive till then. Expired calls come back earlier.
func (e *Engine) lease(c *Call, now time.Time) time.Duration {
	return min(c.capAt-e.advance(now), MaxFreeze)
}
