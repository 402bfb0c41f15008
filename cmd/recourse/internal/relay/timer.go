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
	now := time.Now()
	if r.asleep(now) {
		r.mu.Unlock()
		return
	}
	r.timer.at = time.Time{}
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
		switch owner := clock.Owner.(type) {
		case *asking:
			r.giveUp(owner, now)
		case *alarm:
			owner.ring(now)
		}
	}
	r.arm()
	r.mu.Unlock()
	r.flush()
}

// wakeTime is what a relay that was stopped itself (SIGSTOP, a suspended
// machine) takes to read the answers that have come meanwhile.
const wakeTime = 500 * time.Millisecond

// asleep reports whether the timer fires so late that we can't have run. Limits
// that have passed are then looked at once more, a moment later.
func (r *Relay) asleep(now time.Time) bool {
	late := now.Sub(r.timer.at)
	if late < time.Second || r.timer.at.IsZero() {
		return false
	}
	r.timer.at = now.Add(wakeTime)
	r.timer.t.Reset(wakeTime)
	return true
}

// timeout answers for a call whose server did not.
func (r *Relay) timeout(c *call, cause policy.Cause, now time.Time) {
	if r.Observe && c.method != methodDiscover {
		c.would = "TIMEOUT"
		r.ends.check(r)
		return
	}
	if c.own {
		then := c.then
		r.drop(c, policy.Ignored, now)
		if then != nil {
			then(nil, now)
		}
		return
	}
	switch {
	case c.method == methodInitialize && !r.client.opened && r.server != nil:
		r.server.why, r.server.slow = "no answer to initialize within "+r.startLimit().String(), true
		r.condemn(r.server)
		return
	case c.method == methodDiscover && r.starts.working(c.life, now.Sub(c.at)) && now.Sub(c.at) < r.startLimit():
		r.engine.Deadlines.Begin(&c.Clock, policy.Limits{Cap: discoverStep}, now)
		return
	case c.method == methodDiscover:
		// It is of the legacy era, or slow to start. In both cases a new process
		// meets the initialize that follows.
		r.probed = true
		r.undiscovered(c, now)
		return
	}
	r.remember(c, "TIMEOUT", now)
	l, said, waited := c.life, c.said, c.Waited(now)
	sent := r.retract(c)
	judged := policy.Ignored // what was not sent says nothing of the tool
	if sent {
		judged = policy.Failure
	}
	if sent && c.method != methodInitialize {
		l.back.put(wire.AppendCancelled(nil, r.number(c.n), cause.String()+" passed"))
	}
	r.fail(c, r.timeoutError(c, cause, sent, now), judged, now)
	r.suspect(l, said, waited, now)
}

// undiscovered answers for a server that does not know server/discover.
func (r *Relay) undiscovered(c *call, now time.Time) {
	r.give(c, protocolError(c.id, wire.MethodNotFound, "Method not found: server/discover"))
	r.drop(c, policy.Ignored, now)
}
