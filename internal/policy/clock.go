package policy

import (
	"math"
	"time"
)

// Limits bound one call. A limit of zero or less is switched off.
type Limits struct {
	Idle time.Duration // since the arrival or the last progress
	Cap  time.Duration // since the arrival
}

// A Cause says which of a call's limits has passed.
type Cause uint8

const (
	Idle Cause = iota + 1 // no progress for so long
	Cap                   // too long in all
)

func (c Cause) String() string {
	switch c {
	case Idle:
		return "idle limit"
	case Cap:
		return "hard cap"
	}
	return "none"
}

// A Clock is one call's place among [Deadlines]. The zero value is ready, and
// ready again after End. A Clock must not be copied while it runs.
type Clock struct {
	Owner any // the caller's: leads from an expired Clock back to its call

	arrived time.Time
	idle    time.Duration // the limit, to start anew on progress
	idleAt  time.Duration // these two in the time of Deadlines
	capAt   time.Duration
	place   int // in the heap, from 1; 0: not there
}

// Waited returns the wall time since the call's arrival, freezes included.
func (c *Clock) Waited(now time.Time) time.Duration {
	return max(0, now.Sub(c.arrived))
}

// Running reports whether the clock has a deadline before it.
func (c *Clock) Running() bool { return c.place != 0 }

func (c *Clock) due() time.Duration { return min(c.idleAt, c.capAt) }

const never = time.Duration(math.MaxInt64)

// after returns t+limit, or never if the limit is off or out of range.
func after(t, limit time.Duration) time.Duration {
	if limit <= 0 || limit > never-t {
		return never
	}
	return t + limit
}
