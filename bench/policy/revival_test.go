package policy_test

import (
	"testing"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
	"pgregory.net/rapid"
)

// A life is a line in the plain model's diary, with times of its own clock,
// which nobody sets.
type life struct {
	tried, ready, ended time.Duration // -1: not yet
	served              bool
}

// A diary is Revival as one would explain it: it forgets nothing and counts
// anew each time.
type diary struct {
	lives []life
	due   time.Duration
}

func (d *diary) last() *life { return &d.lives[len(d.lives)-1] }

// failures counts those in a row up to and with the n-th life.
func (d *diary) failures(n int) int {
	if n == 0 {
		return 0
	}
	l := d.lives[n-1]
	if l.ready >= 0 && l.ended-l.ready >= time.Minute {
		return 1
	}
	if row := d.failures(n-1) + 1; row < 2 || !l.served {
		return row
	}
	return 2
}

func (d *diary) wait(luck float64) time.Duration {
	most := map[int]float64{1: 0, 2: 0.5, 3: 1, 4: 2}
	seconds, quick := most[d.failures(len(d.lives))]
	if quick {
		seconds *= luck
	} else {
		seconds = 48 + 24*luck
	}
	return time.Duration(seconds * float64(time.Second))
}

// call returns when a call that comes at now is tried.
func (d *diary) call(now time.Duration) time.Duration {
	news := d.last().tried
	if d.last().ready < 0 {
		news = d.last().ended
	}
	if now-news > 10*time.Second {
		d.due = min(d.due, now)
	}
	return max(d.due, now)
}

// rounding of seconds may differ between the model and the real thing.
const rounding = time.Microsecond

// dying drives the real thing and the model side by side.
type dying struct {
	real  policy.Revival
	model diary
	wall  time.Time
	now   time.Duration // of the model
	luck  float64
}

func TestRevivalAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &dying{wall: start}
		d.real.Rand = func() float64 { return d.luck }
		d.begin()
		t.Repeat(rapid.StateMachineActions(d))
	})
}

func (d *dying) begin() {
	d.real.Tried(d.wall)
	d.model.lives = append(d.model.lives, life{d.now, -1, -1, false})
}

func (d *dying) alive() bool { return d.model.last().ended < 0 }

func (d *dying) Ready(t *rapid.T) {
	if !d.alive() || d.model.last().ready >= 0 {
		t.Skip("not starting")
	}
	d.real.Ready(d.wall)
	d.model.last().ready = d.now
}

func (d *dying) Serve(t *rapid.T) {
	if !d.alive() || d.model.last().ready < 0 {
		t.Skip("not ready")
	}
	d.model.last().served = true
}

func (d *dying) Die(t *rapid.T) {
	if !d.alive() {
		t.Skip("dead")
	}
	d.luck = rapid.Float64Range(0, 0.999999).Draw(t, "luck")
	l := d.model.last()
	l.ended = d.now
	got, want := d.real.Lost(l.served, d.wall), d.model.wait(d.luck)
	d.model.due = d.now + want
	if (got - want).Abs() > rounding {
		t.Fatalf("failure %d waits %v, the model says %v", d.real.Failures(), got, want)
	}
}

func (d *dying) Call(t *rapid.T) {
	if d.alive() {
		t.Skip("alive")
	}
	got, want := d.real.Hurry(d.wall).Sub(d.wall), d.model.call(d.now)-d.now
	if (got - want).Abs() > rounding {
		t.Fatalf("a call is tried in %v, the model says %v", got, want)
	}
}

func (d *dying) Start(t *rapid.T) {
	if d.alive() {
		t.Skip("alive")
	}
	d.begin()
}

func (d *dying) Wait(t *rapid.T) {
	ms := rapid.OneOf(rapid.IntRange(0, 2000), rapid.IntRange(9_990, 10_010), rapid.IntRange(59_990, 60_010), rapid.IntRange(0, 200_000)).Draw(t, "ms")
	d.wall = d.wall.Add(time.Duration(ms) * time.Millisecond)
	d.now += time.Duration(ms) * time.Millisecond
	d.look()
}

func (d *dying) SetBack(t *rapid.T) {
	d.wall = d.wall.Add(-time.Duration(rapid.IntRange(2, 100_000).Draw(t, "seconds")) * time.Second)
	d.look()
}

// look tells the time to the real thing, as any call would.
func (d *dying) look() {
	d.real.Hurry(d.wall)
	if !d.alive() {
		d.model.call(d.now)
	}
}

func (d *dying) Check(t *rapid.T) {
	row := len(d.model.lives)
	if d.alive() {
		row--
	}
	if got, want := d.real.Failures(), d.model.failures(row); got != want {
		t.Fatalf("%d failures in a row, the model says %d", got, want)
	}
}
