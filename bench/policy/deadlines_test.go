package policy_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
	"pgregory.net/rapid"
)

var start = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

// off stands for a limit that is switched off.
const off = math.MaxInt32

// A candle is a call in the plain model: it burns down second by second.
type candle struct {
	clock            *policy.Clock
	limit, idle, cap int
}

func (c *candle) left() int { return min(c.idle, c.cap) }

// candles is Deadlines as one would explain it: no heap, no offsets.
type candles struct {
	lit     []*candle
	holders int
	frozen  int // seconds of this freeze
}

func (m *candles) second() {
	if m.holders > 0 && m.frozen < int(policy.MaxFreeze/time.Second) {
		m.frozen++
		return
	}
	for _, c := range m.lit {
		if c.idle != off {
			c.idle--
		}
		if c.cap != off {
			c.cap--
		}
	}
}

// due returns the seconds until the first candle is out.
func (m *candles) due() (int, bool) {
	least := off
	for _, c := range m.lit {
		least = min(least, c.left())
	}
	if least > 0 && m.holders > 0 {
		least += int(policy.MaxFreeze/time.Second) - m.frozen
	}
	return least, least < off
}

func (m *candles) find(c *policy.Clock) int {
	return slices.IndexFunc(m.lit, func(l *candle) bool { return l.clock == c })
}

func (m *candles) putOut(c *policy.Clock) {
	if i := m.find(c); i >= 0 {
		m.lit = slices.Delete(m.lit, i, i+1)
	}
}

func limit(n int) int {
	if n <= 0 {
		return off
	}
	return n
}

// burning drives the real thing and the model side by side.
type burning struct {
	real  policy.Deadlines
	model candles
	pool  [40]policy.Clock
	now   time.Time
}

func TestDeadlinesAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		t.Repeat(rapid.StateMachineActions(&burning{now: start}))
	})
}

func (b *burning) pick(t *rapid.T) *policy.Clock {
	return &b.pool[rapid.IntRange(0, len(b.pool)-1).Draw(t, "call")]
}

func (b *burning) begin(c *policy.Clock, idle, hard int) {
	b.real.Begin(c, policy.Limits{Idle: time.Duration(idle) * time.Second, Cap: time.Duration(hard) * time.Second}, b.now)
	b.model.putOut(c)
	b.model.lit = append(b.model.lit, &candle{c, limit(idle), limit(idle), limit(hard)})
}

func (b *burning) Begin(t *rapid.T) {
	b.begin(b.pick(t), rapid.IntRange(-1, 30).Draw(t, "idle"), rapid.IntRange(-1, 60).Draw(t, "cap"))
}

func (b *burning) Crowd(t *rapid.T) {
	for i := range b.pool {
		b.begin(&b.pool[i], 0, rapid.IntRange(1, 60).Draw(t, "cap"))
	}
}

func (b *burning) Touch(t *rapid.T) {
	c := b.pick(t)
	b.real.Touch(c, b.now)
	if i := b.model.find(c); i >= 0 {
		b.model.lit[i].idle = b.model.lit[i].limit
	}
}

func (b *burning) End(t *rapid.T) {
	c := b.pick(t)
	b.real.End(c)
	b.model.putOut(c)
}

func (b *burning) Freeze(*rapid.T) {
	b.real.Freeze(b.now)
	if b.model.holders++; b.model.holders == 1 {
		b.model.frozen = 0
	}
}

func (b *burning) Thaw(*rapid.T) {
	b.real.Thaw(b.now)
	b.model.holders = max(0, b.model.holders-1)
}

func (b *burning) Wait(t *rapid.T) {
	n := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(0, 700)).Draw(t, "seconds")
	b.now = b.now.Add(time.Duration(n) * time.Second)
	for range n {
		b.model.second()
	}
	b.expire(t)
}

func (b *burning) SetBack(t *rapid.T) {
	b.now = b.now.Add(-time.Duration(rapid.IntRange(2, 100_000).Draw(t, "seconds")) * time.Second)
	b.expire(t)
}

func (b *burning) Check(t *rapid.T) {
	next, ok := b.real.Next()
	due, want := b.model.due()
	if ok != want || ok && due > 0 && !next.Equal(b.now.Add(time.Duration(due)*time.Second)) {
		t.Fatalf("Next in %v, %v; the model says %ds, %v", next.Sub(b.now), ok, due, want)
	}
	if ok && due <= 0 && next.After(b.now) {
		t.Fatalf("Next in %v, but a call is due", next.Sub(b.now))
	}
}

// expire takes out what is due and compares each with the model.
func (b *burning) expire(t *rapid.T) {
	for c, cause := b.real.Expire(b.now); c != nil; c, cause = b.real.Expire(b.now) {
		i := b.model.find(c)
		if i < 0 {
			t.Fatal("expired a call that isn't there")
		}
		out := b.model.lit[i]
		for _, other := range b.model.lit {
			if other.left() < out.left() {
				t.Fatalf("expired one with %ds before one with %ds", out.left(), other.left())
			}
		}
		want := policy.Idle
		if out.cap < out.idle {
			want = policy.Cap
		}
		if out.left() > 0 || cause != want {
			t.Fatalf("expired by %v with %ds idle, %ds cap left", cause, out.idle, out.cap)
		}
		b.model.putOut(c)
	}
	if due, ok := b.model.due(); ok && due <= 0 {
		t.Fatal("a call is due and was not expired")
	}
}
