package relay

import (
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// A timer is the relay's only one. It is set for the earliest deadline and left
// alone while later ones come and go; firing early is harmless.
type timer struct {
	fire func()
	t    *time.Timer
	at   time.Time // when it fires; zero: it is not set
}

func (t *timer) set(at time.Time) {
	if !t.at.IsZero() && !at.Before(t.at) {
		return
	}
	t.at = at
	if t.t == nil {
		t.t = time.AfterFunc(time.Until(at), t.fire)
		return
	}
	t.t.Reset(time.Until(at))
}

func (t *timer) stop() {
	if t.t != nil {
		t.t.Stop()
	}
}

// arm sets the timer for the next deadline.
func (r *Relay) arm() {
	if at, ok := r.engine.Next(); ok {
		r.timer.set(at)
	}
	if at, ok := r.waits.Next(); ok {
		r.timer.set(at)
	}
}

// expire ends whatever has passed its deadline.
func (r *Relay) expire() {
	r.mu.Lock()
	r.timer.at = time.Time{}
	now := time.Now()
	for {
		clock, cause := r.engine.Expire(now)
		if clock == nil {
			break
		}
		r.timeout(clock.Owner.(*call), cause, now)
	}
	for {
		clock, _ := r.waits.Expire(now)
		if clock == nil {
			break
		}
		r.giveUp(clock.Owner.(*asking), now)
	}
	r.arm()
	r.mu.Unlock()
	r.flush()
}

// timeout answers for a call whose server did not.
func (r *Relay) timeout(c *call, cause policy.Cause, now time.Time) {
	if r.Observe && c.method != methodDiscover {
		c.would = "TIMEOUT"
		r.ends.check(r)
		return
	}
	if c.own {
		r.drop(c, policy.Ignored, now)
		return
	}
	switch c.method {
	case methodInitialize:
		r.server.late = true
		r.lost(r.server, now)
		return
	case methodDiscover:
		// It is of the legacy era, or slow to start. In both cases a new process
		// meets the initialize that follows.
		r.probed = true
		r.undiscovered(c, now)
		return
	}
	r.remember(c, "TIMEOUT", now)
	sent := r.retract(c)
	judged := policy.Ignored // what was not sent says nothing of the tool
	if sent {
		judged = policy.Failure
		r.server.back.put(wire.AppendCancelled(nil, r.number(c.n), cause.String()+" passed"))
	}
	r.fail(c, r.timeoutError(c, cause, sent, now), judged, now)
}

// undiscovered answers for a server that does not know server/discover.
func (r *Relay) undiscovered(c *call, now time.Time) {
	r.put(protocolError(c.id, -32601, "Method not found: server/discover"))
	r.drop(c, policy.Ignored, now)
}
