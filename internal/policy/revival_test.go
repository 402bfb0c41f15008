package policy

import (
	"slices"
	"testing"
	"time"
)

// A life is what becomes of one start of a server.
type life struct {
	start  time.Duration // until ready or dead
	ready  time.Duration // ready for so long; 0: it never was
	served bool
}

func TestRevivalWaits(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	// With the middle of the jitter, half of 0.5 s, 1 s and 2 s.
	dead := []time.Duration{0, 250 * ms, 500 * ms, s, 60 * s, 60 * s, 60 * s}
	stillborn, mute := life{start: 5 * ms}, life{start: 5 * ms, ready: 5 * s}
	serves, sound := life{5 * ms, 5 * s, true}, life{5 * ms, 60 * s, false}
	tests := []struct {
		name  string
		lives []life
		want  []time.Duration
	}{
		{"dies at start", slices.Repeat([]life{stillborn}, 7), dead},
		{"hangs at start", slices.Repeat([]life{{start: 45 * s}}, 7), dead},
		{"gets ready and serves nothing", slices.Repeat([]life{mute}, 7), dead},
		{"dies now and then but serves", slices.Repeat([]life{serves}, 4), []time.Duration{0, 250 * ms, 250 * ms, 250 * ms}},
		{"dies each minute", slices.Repeat([]life{sound}, 4), []time.Duration{0, 0, 0, 0}},
		{"almost a minute is not one", []life{mute, {5 * ms, 60*s - 1, false}}, []time.Duration{0, 250 * ms}},
		{"a slow start is no life", []life{stillborn, {90 * s, s, false}}, []time.Duration{0, 250 * ms}},
		{"down for long, then sound", []life{mute, mute, mute, mute, mute, mute, sound, mute}, append(dead[:6:6], 0, 250*ms)},
		{"down for long, then serves", []life{mute, mute, mute, mute, mute, mute, serves, mute, mute}, append(dead[:6:6], 250*ms, 500*ms, s)},
		{"serves, then not any more", []life{serves, mute, mute, mute, mute}, dead[:5]},
		{"sound and served", []life{serves, serves, {5 * ms, time.Hour, true}, mute}, []time.Duration{0, 250 * ms, 0, 250 * ms}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Revival{Rand: even}
			now := start
			var waits []time.Duration
			for _, l := range tt.lives {
				v.Tried(now)
				now = now.Add(l.start)
				if l.ready > 0 {
					v.Ready(now)
					now = now.Add(l.ready)
				}
				wait := v.Lost(l.served, now)
				if next := v.Hurry(now); next.Sub(now) > wait {
					t.Fatalf("Lost says in %v, Hurry in %v", wait, next.Sub(now))
				}
				waits = append(waits, wait)
				now = now.Add(wait)
			}
			if !slices.Equal(waits, tt.want) {
				t.Errorf("waits %v, want %v", waits, tt.want)
			}
		})
	}
}

func TestRevivalJitterStaysInBounds(t *testing.T) {
	const s = time.Second
	for _, random := range []float64{0, 0.999999} {
		v := Revival{Rand: func() float64 { return random }}
		for i, bounds := range [][2]time.Duration{{0, 0}, {0, s / 2}, {0, s}, {0, 2 * s}, {48 * s, 72 * s}, {48 * s, 72 * s}} {
			wait := v.Lost(false, start)
			if wait < bounds[0] || wait > bounds[1] || v.Failures() != i+1 {
				t.Errorf("random %v: failure %d: wait %v, want %v", random, v.Failures(), wait, bounds)
			}
		}
	}
}

// exhausted returns a Revival that waits 60 s from start on, and has tried just now.
func exhausted() Revival {
	v := Revival{Rand: even}
	for range 6 {
		v.Tried(start)
		v.Lost(false, start)
	}
	return v
}

func TestHurry(t *testing.T) {
	const s = time.Second
	v := exhausted()
	for _, early := range []time.Duration{0, s, 10 * s} {
		if got := v.Hurry(at(early)); !got.Equal(at(60 * s)) {
			t.Errorf("a call after %v: next try after %v, want 60s", early, got.Sub(start))
		}
	}
	late := at(10*s + 1)
	if got := v.Next(late); !got.Equal(at(60 * s)) {
		t.Errorf("without a call: next try after %v, want 60s", got.Sub(start))
	}
	for range 3 {
		if got := v.Hurry(late); !got.Equal(late) {
			t.Errorf("a call after %v: next try after %v, want at once", late.Sub(start), got.Sub(start))
		}
	}
	v.Tried(late)
	v.Lost(false, late)
	if got := v.Hurry(late.Add(s)); !got.Equal(late.Add(60 * s)) {
		t.Errorf("the extra try failed: next after %v, want 60s", got.Sub(late))
	}
	if got := v.Hurry(at(time.Hour)); !got.Equal(at(time.Hour)) {
		t.Errorf("a try long due is at %v, want now", got)
	}
	if got := v.Next(at(2 * time.Hour)); !got.Equal(at(2 * time.Hour)) {
		t.Errorf("a try long due is at %v, want now", got)
	}
}

// A start that takes the whole start limit must not be followed by the next one
// at once, as often as a call comes.
func TestHurryAfterAStartThatHung(t *testing.T) {
	v := exhausted()
	v.Tried(start)
	v.Lost(false, at(45*time.Second))
	if got := v.Hurry(at(50 * time.Second)); !got.Equal(at(105 * time.Second)) {
		t.Errorf("next try after %v, want 105s", got.Sub(start))
	}
	if got := v.Hurry(at(56 * time.Second)); !got.Equal(at(56 * time.Second)) {
		t.Errorf("next try after %v, want 56s", got.Sub(start))
	}
}

// Clocks that lost their monotonic reading can be set in either direction.
func TestRevivalClockJump(t *testing.T) {
	const s, day, age = time.Second, 24 * time.Hour, 250 * 365 * 24 * time.Hour
	v := exhausted()
	if got := v.Hurry(at(5*s - day)); !got.Equal(at(65*s - day)) {
		t.Errorf("after a day back the next try is in %v, want 60s", got.Sub(at(5*s-day)))
	}
	if got := v.Hurry(at(16*s - day)); !got.Equal(at(16*s - day)) {
		t.Error("after a day back a call 11 s later brings no try")
	}
	for range 4 {
		for _, jump := range []time.Duration{age, -age, 0} {
			if next := v.Hurry(at(jump)).Sub(at(jump)); next < 0 || next > 72*s {
				t.Fatalf("jumped to %v: next try in %v", at(jump), next)
			}
			v.Tried(at(jump))
			v.Ready(at(jump))
			if wait := v.Lost(false, at(jump)); wait < 0 || wait > 72*s {
				t.Fatalf("after a jump to %v: wait %v", at(jump), wait)
			}
			if next := v.Hurry(at(jump + 72*s)); !next.Equal(at(jump + 72*s)) {
				t.Fatalf("after a jump to %v: no try within 72s", at(jump))
			}
		}
	}
}

// simulate plays a server whose every start ends as l, with a call each 200 ms
// if it is called at all, and returns when it was started and how long it waited.
func simulate(v *Revival, l life, called bool, span time.Duration) (starts, waits []time.Duration) {
	const beat = 200 * time.Millisecond
	var now, call time.Duration
	for now < span {
		starts = append(starts, now)
		v.Tried(at(now))
		now += l.start
		if l.ready > 0 {
			v.Ready(at(now))
			now += l.ready
		}
		waits = append(waits, v.Lost(l.served, at(now)))
		due := now + waits[len(waits)-1]
		for call = now.Truncate(beat) + beat; called && call < due; call += beat {
			if next := v.Hurry(at(call)).Sub(start); next < due {
				due = next
			}
		}
		now = due
	}
	return starts, waits
}

// A server that dies at once is started five times within the first waits, of
// less than 3.5 s in all; afterwards not more often than each 10 s while calls
// come, and each 48 s when none does.
func TestDeadServerIsNoStorm(t *testing.T) {
	const s, day = time.Second, 24 * time.Hour
	for _, tt := range []struct {
		name   string
		life   life
		called bool
		most   int
		least  int // so as not to give up
	}{
		{"called", life{start: time.Millisecond}, true, 5 + int(day/(10*s)), int(day / (11 * s))},
		{"not called", life{start: time.Millisecond}, false, 5 + int(day/(48*s)), int(day / (73 * s))},
		{"hangs at start, called", life{start: 45 * s}, true, 5 + int(day/(55*s)), int(day / (56 * s))},
		{"serves nothing, called", life{start: s, ready: s}, true, 5 + int(day/(10*s)), int(day / (13 * s))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			starts, _ := simulate(&Revival{}, tt.life, tt.called, day)
			if n := len(starts); n > tt.most || n < tt.least {
				t.Errorf("%d starts in a day, want %d to %d", n, tt.least, tt.most)
			}
			early := slices.IndexFunc(starts, func(d time.Duration) bool { return d > 20*s })
			if early > 7 {
				t.Errorf("%d starts in the first 20 s, want at most 7: %v", early, starts[:early])
			}
		})
	}
}

func TestServerThatServesIsNotKeptDown(t *testing.T) {
	const s, day = time.Second, 24 * time.Hour
	starts, waits := simulate(&Revival{}, life{10 * time.Millisecond, 5 * s, true}, true, day)
	if longest := slices.Max(waits); longest > s/2 {
		t.Errorf("it waited for %v", longest)
	}
	if least := int(day / (5510 * time.Millisecond)); len(starts) < least {
		t.Errorf("%d lives in a day, want at least %d", len(starts), least)
	}
}
