package policy

import "time"

// MaxFreeze is the longest time that clocks stand still in one piece: as long
// as the longest limit for a person's answer.
const MaxFreeze = 10 * time.Minute

// leap is the step back in time that is a set clock and not two callers that
// read the clock in one order and got the lock in the other.
const leap = time.Second

// Deadlines holds the clocks of many calls, for a caller with a single timer.
// The zero value is ready.
//
// It counts its own time, which never goes back, stands still during a freeze,
// and goes on from where it was after the caller's clock was set back.
type Deadlines struct {
	heap    heap
	ran     time.Duration // our time at last
	last    time.Time     // the latest now that we were told
	holders int           // freezes not yet thawed
	left    time.Duration // of MaxFreeze, while holders > 0
}

// Begin starts a call's clocks. A running Clock starts anew.
func (d *Deadlines) Begin(c *Clock, l Limits, now time.Time) {
	t := d.advance(now)
	d.heap.remove(c)
	c.arrived = now
	c.idle, c.idleAt, c.capAt = l.Idle, after(t, l.Idle), after(t, l.Cap)
	if c.due() != never {
		d.heap.push(c)
	}
}

// Touch notes progress: the idle limit starts anew. It takes constant time; the
// heap learns of it when the old deadline comes up.
func (d *Deadlines) Touch(c *Clock, now time.Time) {
	if c.place != 0 {
		c.idleAt = after(d.advance(now), c.idle)
	}
}

// End stops a call's clocks. It does nothing for a Clock that doesn't run.
func (d *Deadlines) End(c *Clock) { d.heap.remove(c) }

// Next returns the earliest deadline if nothing else happens before: in a
// freeze, the one that comes after MaxFreeze. It reports false if there is none.
func (d *Deadlines) Next() (time.Time, bool) {
	c := d.heap.first()
	if c == nil {
		return time.Time{}, false
	}
	wait := c.due() - d.ran
	if d.holders > 0 && wait > 0 {
		wait += min(d.left, never-wait)
	}
	return d.last.Add(wait), true
}

// Expire takes out one Clock whose deadline has passed and says which limit it
// was, or returns nil. Call it until it does.
func (d *Deadlines) Expire(now time.Time) (*Clock, Cause) {
	t := d.advance(now)
	c := d.heap.first()
	if c == nil || c.due() > t {
		return nil, 0
	}
	d.heap.remove(c)
	if c.idleAt <= c.capAt {
		return c, Idle
	}
	return c, Cap
}

// Left returns the time until a running Clock's deadline, freezes not counted.
func (d *Deadlines) Left(c *Clock, now time.Time) time.Duration {
	t := d.advance(now)
	if c.place == 0 {
		return never
	}
	return max(0, c.due()-t)
}

// Freeze makes all clocks stand still, for instance while a person is asked,
// until Thaw was called as often as Freeze, or MaxFreeze has passed.
func (d *Deadlines) Freeze(now time.Time) {
	d.advance(now)
	if d.holders == 0 {
		d.left = MaxFreeze
	}
	d.holders++
}

// Thaw takes back one Freeze.
func (d *Deadlines) Thaw(now time.Time) {
	d.advance(now)
	d.holders = max(0, d.holders-1)
}

// advance returns our time at now.
func (d *Deadlines) advance(now time.Time) time.Duration {
	if d.last.IsZero() {
		d.last = now
	}
	step := now.Sub(d.last)
	if step > 0 || step < -leap {
		d.last = now
	}
	step = max(0, step)
	if d.holders > 0 {
		still := min(step, d.left)
		d.left -= still
		step -= still
	}
	d.ran += step
	return d.ran
}
