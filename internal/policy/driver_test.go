package policy

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A driver is a blocking one, as the library's: it answers at the deadline, and
// waits for no function that is deaf to it.
type driver struct {
	mu sync.Mutex
	Engine
}

var errRefused, errTimeout, errPanic = errors.New("refused"), errors.New("timeout"), errors.New("panic")

func (d *driver) call(key string, timeout time.Duration, fn func() error) error {
	var c Call
	d.mu.Lock()
	d.Begin(&c.Clock, Limits{Cap: timeout}, time.Now())
	r := d.Admit(&c, key, time.Now())
	if r.Reason != Admitted {
		d.End(&c, Ignored, time.Now())
	}
	d.mu.Unlock()
	if r.Reason != Admitted {
		return errRefused
	}
	done := make(chan error, 1)
	go func() {
		err := errPanic
		defer func() {
			_ = recover()
			v := Success
			if err != nil {
				v = Failure
			}
			d.mu.Lock()
			d.End(&c, v, time.Now())
			d.mu.Unlock()
			done <- err
		}()
		err = fn()
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(timeout):
		d.mu.Lock()
		d.Abandon(&c, Failure, time.Now())
		d.mu.Unlock()
		return errTimeout
	}
}

func (d *driver) orphans() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.Slots.Orphans()
}

func TestT7DeafHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &driver{Engine: Engine{Slots: Slots{Limit: 1}}}
		began := time.Now()
		err := d.call("deaf", 50*time.Millisecond, func() error { time.Sleep(time.Second); return nil })
		if took := time.Since(began); err != errTimeout || took != 50*time.Millisecond {
			t.Errorf("answered %v after %v, want the timeout at 50ms", err, took)
		}
		if err := d.call("other", time.Second, func() error { return nil }); err != errRefused || d.orphans() != 1 {
			t.Errorf("beside %d orphan: %v, want a refusal", d.orphans(), err)
		}
		time.Sleep(time.Second)
		if err := d.call("other", time.Second, func() error { return nil }); err != nil || d.orphans() != 0 {
			t.Errorf("after the orphan's end: %v, %d orphans", err, d.orphans())
		}
	})
}

func TestProbesThatEndBadly(t *testing.T) {
	boom := func() error { return errors.New("down") }
	probes := map[string]func() error{
		"fails":  boom,
		"panics": func() error { panic("boom") },
		"hangs":  func() error { time.Sleep(time.Minute); return nil },
	}
	for name, probe := range probes {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &driver{Engine: Engine{Breaker: Breaker{Trip: 1, Cooldown: 5 * time.Second}}}
				_ = d.call("api", time.Second, boom)
				time.Sleep(5 * time.Second)
				_ = d.call("api", time.Second, probe)
				if err := d.call("api", time.Second, func() error { return nil }); err != errRefused {
					t.Errorf("right after the probe: %v, want a refusal", err)
				}
				time.Sleep(5 * time.Second)
				if err := d.call("api", time.Second, func() error { return nil }); err != nil {
					t.Errorf("the dependency is well again, but: %v", err)
				}
				time.Sleep(time.Minute)
				if err := d.call("api", time.Second, func() error { return nil }); err != nil {
					t.Errorf("after the hung probe's late end: %v", err)
				}
			})
		})
	}
}

// The relay's way: many calls, one timer, no goroutine for any of them.
func TestOneTimerForManyCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e Engine
		began := time.Now()
		calls := make([]Call, 60)
		for i := range calls {
			calls[i].Owner = i
			e.Begin(&calls[i].Clock, Limits{Idle: time.Duration(60-i) * time.Second}, began)
		}
		wakes := 0
		for next, ok := e.Next(); ok; next, ok = e.Next() {
			time.Sleep(time.Until(next))
			wakes++
			for c, _ := e.Expire(time.Now()); c != nil; c, _ = e.Expire(time.Now()) {
				if want, got := time.Duration(60-c.Owner.(int))*time.Second, time.Since(began); got != want {
					t.Errorf("call %v ended after %v, want %v", c.Owner, got, want)
				}
			}
		}
		if wakes != len(calls) {
			t.Errorf("woke %d times for %d deadlines", wakes, len(calls))
		}
	})
}
