package policy

import (
	"math/rand/v2"
	"time"
)

// A Verdict is what a call's end says about the dependency.
type Verdict uint8

const (
	Ignored Verdict = iota // nothing: the caller's mistake, a cancel, not sent
	Success                // it answered
	Failure                // it was down, too slow, or broke; a panic counts too
)

// A State is where a Breaker stands.
type State uint8

const (
	Closed   State = iota // calls pass
	Open                  // calls are refused
	HalfOpen              // one call at a time may probe
)

func (s State) String() string {
	return [...]string{"closed", "open", "half-open"}[s]
}

// A Permit is leave to make one call. Give it back with [Breaker.Done], from a
// defer if the call may panic.
type Permit struct{ generation uint64 }

// A Breaker refuses calls to a dependency that has failed several times in a
// row. The zero value is closed. It changes its state when asked, never by itself.
//
// A Permit belongs to a generation, which ends when the state changes or a probe
// loses its lease: what comes back later decides nothing.
type Breaker struct {
	Trip     int            // consecutive failures that open it; if zero, 5; if negative, none
	Cooldown time.Duration  // time held open; if zero, 5s doubling to 30s, each ±20%
	Rand     func() float64 // in [0,1); if nil, math/rand/v2

	state      State
	generation uint64
	failures   int           // in a row, while closed
	trips      int           // in a row, without a good probe
	probing    bool          // a probe is out, while half-open
	since      time.Time     // opened, or the probe left
	hold       time.Duration // of this opening
	lease      time.Duration // of this probe
}

// Defaults of a Breaker. After an outage of 60 s, a longest hold of 60 s left a
// median of 29 s to the first good call, one of 15 s left 2 s.
const (
	defaultTrip  = 5
	firstHold    = 5 * time.Second
	longestHold  = 30 * time.Second
	defaultLease = time.Minute
)

// Admit asks for leave to call. If it refuses, it says how long to wait until
// asking again makes sense. A probe that has not come back after lease, by
// default a minute, loses its place to the next one.
func (b *Breaker) Admit(now time.Time, lease time.Duration) (p Permit, wait time.Duration, ok bool) {
	switch b.State(now) {
	case Open:
		return p, b.left(now, b.hold), false
	case HalfOpen:
		if left := b.left(now, b.lease); b.probing && left > 0 {
			return p, min(left, b.hold), false
		}
		if lease <= 0 {
			lease = defaultLease
		}
		b.generation++
		b.probing, b.since, b.lease = true, now, lease
	}
	return Permit{b.generation}, 0, true
}

// Done gives a Permit back.
func (b *Breaker) Done(p Permit, v Verdict, now time.Time) {
	if p.generation != b.generation {
		return
	}
	switch {
	case b.state == HalfOpen:
		b.generation++
		b.probing = false
		if v == Success {
			b.state, b.failures, b.trips = Closed, 0, 0
		} else if v == Failure {
			b.open(now)
		}
	case v == Success:
		b.failures = 0
	case v == Failure:
		b.failures++
		if trip := b.trip(); trip > 0 && b.failures >= trip {
			b.generation++
			b.open(now)
		}
	}
}

// State returns the state at now.
func (b *Breaker) State(now time.Time) State {
	if b.state == Open && b.left(now, b.hold) == 0 {
		b.state = HalfOpen
	}
	return b.state
}

// idle reports whether forgetting b would change nothing.
func (b *Breaker) idle() bool { return b.state == Closed && b.failures == 0 }

func (b *Breaker) trip() int {
	if b.Trip == 0 {
		return defaultTrip
	}
	return b.Trip
}

func (b *Breaker) open(now time.Time) {
	b.state, b.since, b.hold = Open, now, b.Cooldown
	if b.hold <= 0 {
		b.hold = min(firstHold<<min(b.trips, 3), longestHold)
		b.hold = time.Duration(float64(b.hold) * (0.8 + 0.4*random(b.Rand)))
	}
	b.trips++
}

// left returns what remains of span since b.since. A clock that was set back
// starts the span anew rather than prolonging it.
func (b *Breaker) left(now time.Time, span time.Duration) time.Duration {
	if now.Before(b.since) {
		b.since = now
	}
	return max(0, span-now.Sub(b.since))
}

func random(f func() float64) float64 {
	if f == nil {
		return rand.Float64()
	}
	return f()
}
