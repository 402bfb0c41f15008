package policy

import "time"

// Revival decides when a dead server is started again: the first time at once,
// then after a random wait (full jitter) below 0.5 s, 1 s and 2 s, and after
// five failures in a row once in 60 s ±20 %, for ever. A call brings the next
// try forward if the last is more than 10 s old. The zero value is ready.
//
// A failure, of a life or of a start, is the first in a row if the server had
// been ready for 60 s, and at most the second if it had answered a call well:
// one that dies now and then but works between is not kept down for a minute.
//
// As [Deadlines] it counts its own time, which goes on from where it was after
// the caller's clock was set back.
type Revival struct {
	Rand func() float64 // in [0,1); if nil, math/rand/v2

	failures int // in a row
	ready    bool
	readyAt  time.Duration // these four in our time
	triedAt  time.Duration
	dueAt    time.Duration // of the next try
	ran      time.Duration // at last
	last     time.Time     // the latest now that we were told
}

const (
	// quickTries fail before the slow ones begin. The doubled wait ends far
	// below any cap that it might need.
	quickTries = 5

	slowTry  = time.Minute      // ±20 %, so that many servers don't start together
	firmLife = time.Minute      // ready for so long, a server is sound
	freshTry = 10 * time.Second // so young, the last try speaks for the next
)

// Tried notes that a try begins.
func (v *Revival) Tried(now time.Time) {
	v.triedAt = v.advance(now)
	v.ready = false
}

// Ready notes that the server has answered the handshake.
func (v *Revival) Ready(now time.Time) {
	v.readyAt = v.advance(now)
	v.ready = true
}

// Lost notes that a life or a start has ended and returns the wait until the
// next try. The life has served if a tool call was answered well in it.
func (v *Revival) Lost(served bool, now time.Time) (wait time.Duration) {
	t := v.advance(now)
	switch {
	case !v.ready:
		v.triedAt = t // a start that hung for 45 s is news, not old
	case t-v.readyAt >= firmLife:
		v.failures = 0
	}
	v.ready = false
	v.failures++
	if served {
		v.failures = min(v.failures, 2)
	}
	wait = v.wait()
	v.dueAt = t + wait
	return wait
}

// Hurry notes that a call has come while the server is down. It returns the
// time of the next try, which is now if the last is more than 10 s old: begun,
// or, if the server did not get ready, given up.
func (v *Revival) Hurry(now time.Time) (at time.Time) {
	t := v.advance(now)
	if t-v.triedAt > freshTry {
		v.dueAt = t
	}
	return v.Next(now)
}

// Next returns the time of the next try if no call comes before it.
func (v *Revival) Next(now time.Time) time.Time {
	return now.Add(max(0, v.dueAt-v.advance(now)))
}

// Soonest returns the time from which on a call brings a try about.
func (v *Revival) Soonest(now time.Time) time.Time {
	t := v.advance(now)
	return now.Add(max(0, min(v.dueAt, v.triedAt+freshTry)-t))
}

// Failures returns how many there were in a row.
func (v *Revival) Failures() int { return v.failures }

func (v *Revival) wait() time.Duration {
	switch {
	case v.failures <= 1:
		return 0
	case v.failures < quickTries:
		spread := backoff << (v.failures - 2)
		return time.Duration(random(v.Rand) * float64(spread))
	}
	return time.Duration((0.8 + 0.4*random(v.Rand)) * float64(slowTry))
}

// advance returns our time at now.
func (v *Revival) advance(now time.Time) time.Duration {
	if v.last.IsZero() {
		v.last = now
	}
	step := now.Sub(v.last)
	if step > 0 || step < -leap {
		v.last = now
	}
	v.ran += max(0, step)
	return v.ran
}
