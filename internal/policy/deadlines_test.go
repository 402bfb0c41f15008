package policy

import (
	"cmp"
	"slices"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

func at(d time.Duration) time.Time { return start.Add(d) }

func TestDeadlineOfOneCall(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name    string
		limits  Limits
		touches []time.Duration
		want    time.Duration // after the arrival; 0: never
		cause   Cause
	}{
		{"silence ends at the idle limit", Limits{Idle: 50 * s, Cap: 600 * s}, nil, 50 * s, Idle},
		{"progress starts the idle limit anew", Limits{Idle: 50 * s, Cap: 600 * s}, []time.Duration{40 * s, 80 * s}, 130 * s, Idle},
		{"progress does not move the hard cap", Limits{Idle: 50 * s, Cap: 60 * s}, []time.Duration{40 * s, 55 * s}, 60 * s, Cap},
		{"cap alone", Limits{Cap: 60 * s}, []time.Duration{10 * s}, 60 * s, Cap},
		{"idle alone", Limits{Idle: 50 * s}, []time.Duration{10 * s}, 60 * s, Idle},
		{"both off", Limits{}, []time.Duration{10 * s}, 0, 0},
		{"negative is off", Limits{Idle: -1, Cap: -1}, nil, 0, 0},
		{"longest limit", Limits{Idle: 1<<63 - 1, Cap: 5 * s}, []time.Duration{s}, 5 * s, Cap},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var d Deadlines
			var c Clock
			d.Begin(&c, tt.limits, start)
			for _, touch := range tt.touches {
				d.Touch(&c, at(touch))
			}
			next, ok := d.Next()
			if ok != (tt.want > 0) || ok && !next.Equal(at(tt.want)) {
				t.Fatalf("Next = %v, %v; want %v", next, ok, at(tt.want))
			}
			if !ok {
				return
			}
			if early, _ := d.Expire(next.Add(-1)); early != nil {
				t.Error("expired before its deadline")
			}
			if got, cause := d.Expire(next); got != &c || cause != tt.cause {
				t.Errorf("Expire = %p, %v; want %p, %v", got, cause, &c, tt.cause)
			}
			if again, _ := d.Expire(at(time.Hour)); again != nil {
				t.Error("expired twice")
			}
		})
	}
}

func TestExpireInOrderOfDeadlines(t *testing.T) {
	var d Deadlines
	clocks := make([]Clock, 50)
	for i := range clocks {
		clocks[i].Owner = (i*37 + 11) % len(clocks)
		d.Begin(&clocks[i], Limits{Cap: time.Duration(1+clocks[i].Owner.(int)) * time.Second}, start)
	}
	d.End(&clocks[0]) // its Owner is 11
	d.End(&clocks[0])
	for want := range clocks {
		if want == 11 {
			continue
		}
		c, _ := d.Expire(at(time.Hour))
		if c == nil || c.Owner != want {
			t.Fatalf("expired %v, want the one of %d", c, want)
		}
	}
	if _, ok := d.Next(); ok {
		t.Error("a deadline is left when no call is")
	}
}

func TestTouchedCallLetsOthersPass(t *testing.T) {
	var d Deadlines
	var first, second Clock
	d.Begin(&first, Limits{Idle: 50 * time.Second}, start)
	d.Begin(&second, Limits{Idle: 60 * time.Second}, start)
	d.Touch(&first, at(30*time.Second))
	if next, _ := d.Next(); !next.Equal(at(60 * time.Second)) {
		t.Errorf("Next = %v, want the second call's", next)
	}
	if c, _ := d.Expire(at(70 * time.Second)); c != &second {
		t.Error("the second call did not expire at its time")
	}
}

func TestBeginAnewForgetsTheOldDeadline(t *testing.T) {
	var d Deadlines
	var c Clock
	d.Begin(&c, Limits{Cap: time.Second}, start)
	d.Begin(&c, Limits{Cap: time.Minute}, start)
	if next, _ := d.Next(); !next.Equal(at(time.Minute)) {
		t.Errorf("Next = %v, want %v", next, at(time.Minute))
	}
}

// While a person reads a question of the server's, no call's time runs.
func TestFreeze(t *testing.T) {
	const s = time.Second
	type step struct {
		at   time.Duration
		does func(*Deadlines, time.Time)
	}
	freeze, thaw := (*Deadlines).Freeze, (*Deadlines).Thaw
	tests := []struct {
		name   string
		begins time.Duration // with 50 s
		steps  []step
		want   time.Duration
	}{
		{"time frozen is not counted", 0, []step{{20 * s, freeze}, {120 * s, thaw}}, 150 * s},
		{"nested, and thawed once too often", 0, []step{{10 * s, freeze}, {20 * s, freeze}, {30 * s, thaw}, {40 * s, thaw}, {41 * s, thaw}}, 80 * s},
		{"a call that arrives in a freeze", 20 * s, []step{{10 * s, freeze}, {30 * s, thaw}}, 80 * s},
		{"never thawed", 0, []step{{10 * s, freeze}}, 50*s + MaxFreeze},
		{"a call that arrives after MaxFreeze", 700 * s, []step{{10 * s, freeze}}, 750 * s},
		{"overlapping freezes are one", 0, []step{{0, freeze}, {590 * s, freeze}, {595 * s, thaw}}, 50*s + MaxFreeze},
		{"a second freeze has its own time", 0, []step{{0, freeze}, {500 * s, thaw}, {510 * s, freeze}, {1010 * s, thaw}}, 1050 * s},
		{"a call that is due stays due", 0, []step{{50 * s, freeze}}, 50 * s},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var d Deadlines
			var c Clock
			begin := func(d *Deadlines, now time.Time) { d.Begin(&c, Limits{Idle: 50 * s}, now) }
			steps := slices.Concat(tt.steps, []step{{tt.begins, begin}})
			slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
			for _, step := range steps {
				step.does(&d, at(step.at))
			}
			if next, ok := d.Next(); !ok || !next.Equal(at(tt.want)) {
				t.Errorf("Next = %v, %v; want %v", next, ok, at(tt.want))
			}
			last := steps[len(steps)-1].at
			if got, _ := d.Expire(at(max(last, tt.want-1))); got != nil && tt.want > last {
				t.Error("expired early")
			}
			if got, _ := d.Expire(at(tt.want)); got == nil && tt.want > last {
				t.Error("not expired in time")
			}
			if got := c.Waited(at(tt.want)); got != tt.want-tt.begins {
				t.Errorf("Waited = %v, want the wall's %v", got, tt.want-tt.begins)
			}
		})
	}
}

func TestLeftCountsNoFreeze(t *testing.T) {
	var d Deadlines
	var c Clock
	d.Begin(&c, Limits{Idle: 50 * time.Second}, start)
	d.Freeze(at(20 * time.Second))
	if got := d.Left(&c, at(100*time.Second)); got != 30*time.Second {
		t.Errorf("Left = %v, want 30s", got)
	}
}

// Clocks that lost their monotonic reading can be set in either direction.
func TestClockJump(t *testing.T) {
	const day = 24 * time.Hour
	var d Deadlines
	var c Clock
	d.Begin(&c, Limits{Idle: 50 * time.Second}, start)
	if got, _ := d.Expire(at(10*time.Second - day)); got != nil {
		t.Error("a clock set back expired a call")
	}
	if next, _ := d.Next(); next.After(at(60*time.Second - day)) {
		t.Errorf("after a day back the call waits until %v", next)
	}
	if c.Waited(at(-day)) != 0 {
		t.Error("waited for a negative time")
	}
	if got, _ := d.Expire(at(day)); got != &c {
		t.Error("a day ahead, the call is still not due")
	}
	d.Begin(&c, Limits{Idle: 50 * time.Second}, at(0))
	if next, _ := d.Next(); !next.Equal(at(50 * time.Second)) {
		t.Errorf("back from the jump, Next = %v, want 50s on", next)
	}
}

// Two callers may read the clock in one order and get the lock in the other.
func TestSmallDisorderLosesNoTime(t *testing.T) {
	var d Deadlines
	var c Clock
	d.Begin(&c, Limits{Cap: time.Minute}, start)
	for i := range 1000 {
		d.Expire(at(time.Duration(i+1) * time.Millisecond))
		d.Expire(at(time.Duration(i) * time.Millisecond))
	}
	if next, _ := d.Next(); !next.Equal(at(time.Minute)) {
		t.Errorf("Next = %v, want %v", next, at(time.Minute))
	}
}
