package policy

import (
	"testing"
	"time"
)

const lease = 10 * time.Second

// even makes jitter vanish.
func even() float64 { return 0.5 }

func call(t *testing.T, b *Breaker, v Verdict, now time.Time) {
	t.Helper()
	p, _, ok := b.Admit(now, lease)
	if !ok {
		t.Fatalf("refused while %v", b.State(now))
	}
	b.Done(p, v, now)
}

// tripped returns a Breaker that opened at start for 5 s.
func tripped(t *testing.T) *Breaker {
	b := &Breaker{Rand: even}
	for range 5 {
		call(t, b, Failure, start)
	}
	if got := b.State(start); got != Open {
		t.Fatalf("after 5 failures %v, want open", got)
	}
	return b
}

func wantState(t *testing.T, b *Breaker, now time.Time, want State) {
	t.Helper()
	if got := b.State(now); got != want {
		t.Errorf("state %v, want %v", got, want)
	}
}

func TestBreakerTrips(t *testing.T) {
	const s, f, i = Success, Failure, Ignored
	tests := []struct {
		name string
		trip int
		in   []Verdict
		want State
	}{
		{"four of five", 0, []Verdict{f, f, f, f}, Closed},
		{"five in a row", 0, []Verdict{f, f, f, f, f}, Open},
		{"a success between", 0, []Verdict{f, f, f, f, s, f}, Closed},
		{"an ignored call between", 0, []Verdict{f, f, f, f, i, f}, Open},
		{"its own number", 2, []Verdict{f, f}, Open},
		{"switched off", -1, []Verdict{f, f, f, f, f, f, f, f}, Closed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &Breaker{Trip: tt.trip}
			for _, v := range tt.in {
				call(t, b, v, start)
			}
			wantState(t, b, start, tt.want)
		})
	}
}

func TestBreakerSaysHowLong(t *testing.T) {
	b := tripped(t)
	if _, wait, ok := b.Admit(at(2*time.Second), lease); ok || wait != 3*time.Second {
		t.Errorf("2s into the 5s: %v, %v; want a refusal for 3s", wait, ok)
	}
}

func TestCooldown(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name     string
		cooldown time.Duration
		rand     float64
		want     []time.Duration // of openings in a row
	}{
		{"doubles to 30s", 0, 0.5, []time.Duration{5 * s, 10 * s, 20 * s, 30 * s, 30 * s, 30 * s}},
		{"20% less", 0, 0, []time.Duration{4 * s, 8 * s, 16 * s, 24 * s, 24 * s}},
		{"exact if it was given", 120 * s, 0, []time.Duration{120 * s, 120 * s}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &Breaker{Trip: 1, Cooldown: tt.cooldown, Rand: func() float64 { return tt.rand }}
			now := start
			for _, want := range tt.want {
				call(t, b, Failure, now)
				_, got, _ := b.Admit(now, lease)
				if (got - want).Abs() > time.Microsecond {
					t.Fatalf("held open for %v, want %v", got, want)
				}
				now = now.Add(got)
				wantState(t, b, now.Add(-1), Open)
			}
			call(t, b, Success, now)
			call(t, b, Failure, now)
			if _, got, _ := b.Admit(now, lease); (got - tt.want[0]).Abs() > time.Microsecond {
				t.Errorf("after a recovery held open for %v, want %v again", got, tt.want[0])
			}
		})
	}
}

func TestT1HalfOpenLetsOneThrough(t *testing.T) {
	b := tripped(t)
	now := at(5 * time.Second)
	passed := 0
	for range 50 {
		_, wait, ok := b.Admit(now, lease)
		if ok {
			passed++
		} else if wait <= 0 {
			t.Fatal("refused without a time to come back")
		}
	}
	if passed != 1 {
		t.Errorf("%d of 50 callers let through, want 1", passed)
	}
}

func TestT2PanickingProbeReopens(t *testing.T) {
	b := tripped(t)
	now := at(5 * time.Second)
	func() {
		defer func() { _ = recover() }()
		p, _, _ := b.Admit(now, lease)
		defer b.Done(p, Failure, now)
		panic("boom")
	}()
	wantState(t, b, now, Open)
	wantState(t, b, now.Add(10*time.Second), HalfOpen)
}

func TestT3HungProbeLosesItsLease(t *testing.T) {
	b := tripped(t)
	hung, _, _ := b.Admit(at(5*time.Second), lease)
	if _, wait, ok := b.Admit(at(14*time.Second), lease); ok || wait != time.Second {
		t.Errorf("a second before the lease ends: %v, %v", wait, ok)
	}
	second, _, ok := b.Admit(at(15*time.Second), lease)
	if !ok {
		t.Fatal("the lease has ended, but no other probe gets through")
	}
	b.Done(hung, Success, at(16*time.Second))
	wantState(t, b, at(16*time.Second), HalfOpen)
	b.Done(hung, Failure, at(16*time.Second))
	wantState(t, b, at(16*time.Second), HalfOpen)
	b.Done(second, Success, at(17*time.Second))
	wantState(t, b, at(17*time.Second), Closed)
}

func TestT3ProbeWithoutALeaseGetsOne(t *testing.T) {
	b := tripped(t)
	b.Admit(at(5*time.Second), 0)
	if _, _, ok := b.Admit(at(66*time.Second), 0); !ok {
		t.Error("a minute later the probe still holds its place")
	}
}

func TestT4StaleResultsDecideNothing(t *testing.T) {
	b := &Breaker{Trip: 1, Rand: even}
	slow, _, _ := b.Admit(start, lease)
	other, _, _ := b.Admit(start, lease)
	call(t, b, Failure, start)

	b.Done(slow, Success, at(time.Second))
	wantState(t, b, at(time.Second), Open)
	wantState(t, b, at(5*time.Second), HalfOpen)
	b.Done(slow, Success, at(5*time.Second))
	wantState(t, b, at(5*time.Second), HalfOpen)

	call(t, b, Success, at(5*time.Second))
	b.Done(other, Failure, at(6*time.Second))
	wantState(t, b, at(6*time.Second), Closed)
}

func TestT5CancelsCountForNothing(t *testing.T) {
	b := &Breaker{}
	for range 100 {
		call(t, b, Ignored, start)
	}
	wantState(t, b, start, Closed)
}

func TestT6CancelledProbeGivesItsPlaceBack(t *testing.T) {
	b := tripped(t)
	now := at(5 * time.Second)
	call(t, b, Ignored, now)
	wantState(t, b, now, HalfOpen)
	call(t, b, Success, now)
	wantState(t, b, now, Closed)
}

func TestProbePermitCountsOnce(t *testing.T) {
	b := tripped(t)
	now := at(5 * time.Second)
	p, _, _ := b.Admit(now, lease)
	b.Done(p, Ignored, now)
	b.Done(p, Success, now)
	wantState(t, b, now, HalfOpen)
}

// A long lease is no reason to stay away: the probe may be back any moment.
func TestWaitBesideAProbe(t *testing.T) {
	b := tripped(t)
	b.Admit(at(5*time.Second), time.Hour)
	if _, wait, ok := b.Admit(at(6*time.Second), time.Hour); ok || wait != 5*time.Second {
		t.Errorf("beside a probe: %v, %v; want a refusal for the hold's 5s", wait, ok)
	}
}

func TestBreakerClockJump(t *testing.T) {
	const day = 24 * time.Hour
	b := tripped(t)
	if _, wait, _ := b.Admit(at(-day), lease); wait > 5*time.Second {
		t.Errorf("set back a day, it stays open for %v", wait)
	}
	wantState(t, b, at(5*time.Second-day), HalfOpen)
	b.Admit(at(0), lease)
	b.Admit(at(-day), lease)
	if _, _, ok := b.Admit(at(lease-day), lease); !ok {
		t.Error("set back a day, a probe keeps its place for longer than its lease")
	}
	wantState(t, tripped(t), at(day), HalfOpen)
}
