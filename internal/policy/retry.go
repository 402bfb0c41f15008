package policy

import "time"

// Delivery is what is known of a failed attempt.
type Delivery uint8

const (
	Unknown  Delivery = iota // it may have run
	NotSent                  // it never reached the dependency
	Refused                  // it was turned away before it ran
	Answered                 // it ran and the answer is an error
)

// Repeat is what is known of a call's second run.
type Repeat uint8

const (
	Unsafe     Repeat = iota // it may do its work twice
	Idempotent               // it changes nothing that the first has not
	ReadOnly                 // it changes nothing at all
)

// An Attempt is one that failed, and what went before it.
type Attempt struct {
	Number     int           // from 1
	Delivery   Delivery      // of this one
	Transient  bool          // a structured answer says that it may work later
	RetryAfter time.Duration // asked for by the dependency; if zero or less, nothing was
	Ran        int           // earlier attempts that may have run
}

// MayHaveRun reports whether the attempt may have done its work.
func (a Attempt) MayHaveRun() bool {
	return a.Delivery == Unknown || a.Delivery == Answered
}

// Retry decides whether a call is tried again. Only a failed attempt may be: a
// refusal made here, by [Slots] or [Breaker], is final.
type Retry struct {
	Attempts int            // in all, at most 3; if zero, 1
	Rand     func() float64 // in [0,1); if nil, math/rand/v2
	Budget   Budget
}

const (
	maxAttempts = 3
	backoff     = 500 * time.Millisecond // doubled for each further attempt

	// leastTime is what an attempt needs; with less time left none is started.
	leastTime = 100 * time.Millisecond
)

// Next returns how long to wait before the next attempt, or reports that there
// is none. The wait is random (full jitter), not shorter than RetryAfter, and
// leaves time for an attempt. A wait that is granted has been paid for.
func (r *Retry) Next(a Attempt, repeat Repeat, left time.Duration, now time.Time) (wait time.Duration, ok bool) {
	if a.Number >= min(r.Attempts, maxAttempts) || !a.repeatable(repeat) {
		return 0, false
	}
	floor := max(0, a.RetryAfter)
	spare := left - leastTime - floor
	if spare < 0 || !r.Budget.Take(now) {
		return 0, false
	}
	spread := min(backoff<<max(0, a.Number-1), spare)
	return floor + time.Duration(random(r.Rand)*float64(spread)), true
}

// repeatable holds the rule: what did not run is repeated, what may have run
// only if that is harmless; and once, unless it changes nothing at all.
func (a Attempt) repeatable(repeat Repeat) bool {
	if !a.MayHaveRun() {
		return true
	}
	if repeat == Unsafe || repeat == Idempotent && a.Ran > 0 {
		return false
	}
	return a.Delivery == Unknown || a.Transient
}
