package policy

import (
	"testing"
	"time"
)

func TestRetry(t *testing.T) {
	const s, day = time.Second, 24 * time.Hour
	tests := []struct {
		name   string
		a      Attempt
		repeat Repeat
		left   time.Duration
		want   bool
		wait   time.Duration // with the middle of the jitter
	}{
		{"not sent", Attempt{Delivery: NotSent}, Unsafe, 50 * s, true, s / 4},
		{"refused", Attempt{Delivery: Refused}, Unsafe, 50 * s, true, s / 4},
		{"unknown, unsafe", Attempt{Delivery: Unknown}, Unsafe, 50 * s, false, 0},
		{"unknown, idempotent", Attempt{Delivery: Unknown}, Idempotent, 50 * s, true, s / 4},
		{"unknown, read-only", Attempt{Delivery: Unknown}, ReadOnly, 50 * s, true, s / 4},
		{"answered for good", Attempt{Delivery: Answered}, ReadOnly, 50 * s, false, 0},
		{"answered for now, unsafe", Attempt{Delivery: Answered, Transient: true}, Unsafe, 50 * s, false, 0},
		{"answered for now, read-only", Attempt{Delivery: Answered, Transient: true}, ReadOnly, 50 * s, true, s / 4},

		{"second failure waits longer", Attempt{Number: 2, Delivery: NotSent}, Unsafe, 50 * s, true, s / 2},
		{"three attempts at most", Attempt{Number: 3, Delivery: NotSent}, ReadOnly, 50 * s, false, 0},
		{"ran once, may have run again", Attempt{Number: 2, Ran: 1}, Idempotent, 50 * s, false, 0},
		{"ran once, may have read again", Attempt{Number: 2, Ran: 1}, ReadOnly, 50 * s, true, s / 2},
		{"ran once, repeat was not sent", Attempt{Number: 2, Ran: 1, Delivery: NotSent}, Idempotent, 50 * s, true, s / 2},

		{"the dependency's wait is a floor", Attempt{Delivery: Refused, RetryAfter: 3 * s}, Unsafe, 50 * s, true, 3*s + s/4},
		{"…that leaves no time", Attempt{Delivery: Refused, RetryAfter: 49*s + 950*time.Millisecond}, Unsafe, 50 * s, false, 0},
		{"…of a day", Attempt{Delivery: Refused, RetryAfter: day}, Unsafe, 50 * s, false, 0},
		{"…negative means nothing", Attempt{Delivery: Refused, RetryAfter: -s}, Unsafe, 50 * s, true, s / 4},
		{"jitter leaves time to finish", Attempt{Delivery: NotSent}, Unsafe, 200 * time.Millisecond, true, 50 * time.Millisecond},
		{"no time to finish", Attempt{Delivery: NotSent}, Unsafe, 99 * time.Millisecond, false, 0},
		{"no time at all", Attempt{Delivery: NotSent}, Unsafe, 0, false, 0},
		{"no deadline", Attempt{Delivery: NotSent}, Unsafe, never, true, s / 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Retry{Attempts: 10, Rand: even}
			tt.a.Number = max(1, tt.a.Number)
			wait, ok := r.Next(tt.a, tt.repeat, tt.left, start)
			if ok != tt.want || wait != tt.wait {
				t.Errorf("Next = %v, %v; want %v, %v", wait, ok, tt.wait, tt.want)
			}
		})
	}
}

func TestRetryOnlyWhenAsked(t *testing.T) {
	var r Retry
	if _, ok := r.Next(Attempt{Number: 1, Delivery: NotSent}, ReadOnly, time.Minute, start); ok {
		t.Error("the zero Retry retries")
	}
}

func TestFullJitterStaysInBounds(t *testing.T) {
	for _, random := range []float64{0, 0.999999} {
		r := Retry{Attempts: 3, Rand: func() float64 { return random }}
		wait, ok := r.Next(Attempt{Number: 2, Delivery: NotSent}, Unsafe, time.Minute, start)
		if !ok || wait < 0 || wait >= time.Second {
			t.Errorf("random %v: wait %v, %v", random, wait, ok)
		}
		wait, _ = r.Next(Attempt{Number: 1, Delivery: Refused, RetryAfter: time.Second}, Unsafe, time.Minute, start)
		if wait < time.Second {
			t.Errorf("random %v undercuts the dependency's second: %v", random, wait)
		}
	}
}

// T9: an empty budget says so before anybody has waited.
func TestBudgetIsAskedBeforeWaiting(t *testing.T) {
	r := Retry{Attempts: 3}
	a := Attempt{Number: 1, Delivery: NotSent}
	for i := range 10 {
		if _, ok := r.Next(a, Unsafe, time.Minute, start); !ok {
			t.Fatalf("retry %d of a full budget refused", i+1)
		}
	}
	if wait, ok := r.Next(a, Unsafe, time.Minute, start); ok || wait != 0 {
		t.Errorf("an 11th retry at once: %v, %v", wait, ok)
	}
	if _, ok := r.Next(a, Unsafe, time.Minute, at(time.Minute)); !ok {
		t.Error("no retry after a minute")
	}
	for range 11 {
		r.Budget.Earn()
	}
	if _, ok := r.Next(a, Unsafe, time.Minute, at(time.Minute)); !ok {
		t.Error("no retry after ten successes")
	}
	if _, ok := r.Next(a, Unsafe, time.Minute, at(-24*time.Hour)); ok {
		t.Error("a clock set back filled the budget")
	}
	if _, ok := r.Next(a, Unsafe, time.Minute, at(time.Minute-24*time.Hour)); !ok {
		t.Error("a clock set back stopped the refill")
	}
}

func TestRefusedRetryCostsNothing(t *testing.T) {
	r := Retry{Attempts: 3}
	for range 100 {
		r.Next(Attempt{Number: 1, Delivery: Unknown}, Unsafe, time.Minute, start)
		r.Next(Attempt{Number: 1, Delivery: NotSent}, Unsafe, 0, start)
	}
	if _, ok := r.Next(Attempt{Number: 1, Delivery: NotSent}, Unsafe, time.Minute, start); !ok {
		t.Error("decisions against a retry used the budget up")
	}
}
