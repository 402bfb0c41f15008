package relay

import (
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// A state is what can be said of the server in one word.
type state uint8

const (
	starting   state = iota // for the first time
	ready                   // requests go to it
	restarting              // it is being replaced: ended, started again, and told what the client had told it
	waiting                 // it is down; the next try comes later, or with the next request
	failed                  // it is down, and starting it again would change nothing
)

func (s state) String() string {
	return [...]string{"starting", "ready", "restarting", "waiting", "failed"}[s]
}

// nearTry is how close the next try must be for requests to wait for it.
const nearTry = time.Second

func (r *Relay) enterState(s state, now time.Time) { r.state, r.since = s, now }

// An alarm rings once, at its time, under the relay's lock.
type alarm struct {
	policy.Clock

	ring func(now time.Time)
}

// after sets an alarm. One that was set before rings no more.
func (r *Relay) after(d time.Duration, a *alarm, ring func(now time.Time), now time.Time) {
	a.ring, a.Owner = ring, a
	r.waits.Begin(&a.Clock, policy.Limits{Cap: max(1, d)}, now)
	r.arm()
}

// answeredHere answers a request for which there is no server, and those that
// need none.
func (r *Relay) answeredHere(c *call, now time.Time) bool {
	switch {
	case r.Legacy && c.method == methodDiscover && !r.Observe:
		r.undiscovered(c, now)
		return true
	case r.state == ready, r.state == starting:
		return false
	case r.state == failed:
		r.local(c, now)
		return true
	case r.listed(c) || c.method == methodPing:
		r.local(c, now)
		return true
	case r.state == restarting, r.knock(now), c.method == methodListen && r.state != failed:
		return false
	}
	r.local(c, now)
	return true
}

// listed reports whether a request asks for a list that we know whole: of one
// that was read in pages, a page asked for again is the server's to give.
func (r *Relay) listed(c *call) bool {
	return c.method == methodTools && c.page.cursor == "" && r.table.seen
}

// knock is a request that comes while the server waits to be started again. It
// reports whether the request should wait, too.
func (r *Relay) knock(now time.Time) bool {
	if r.ends.stopping {
		return false
	}
	if r.idle || !r.revival.Hurry(now).After(now) {
		r.restart(now)
	}
	return r.state != failed && (r.state != waiting || r.revival.Next(now).Sub(now) <= nearTry)
}

// untilTry returns the time until the server is started again, or would be for a
// request that comes then.
func (r *Relay) untilTry(now time.Time) time.Duration {
	return r.revival.Soonest(now).Sub(now)
}

// local answers a request for which there is no server.
func (r *Relay) local(c *call, now time.Time) {
	if c.method == methodPing && (r.down == nil || !r.down.start) {
		r.give(c, wire.AppendResult(nil, c.id, []byte("{}")))
		r.drop(c, policy.Ignored, now)
		return
	}
	if r.listed(c) {
		r.give(c, wire.AppendResult(nil, c.id, r.table.result(c.modern)))
		r.drop(c, policy.Ignored, now)
		return
	}
	r.fail(c, r.downError(c, r.down, now), policy.Ignored, now)
}

// scheduleRestart decides, with r.mu held, when a server that is down is started again.
func (r *Relay) scheduleRestart(d *down, served bool, now time.Time) {
	r.backlog.on = true
	switch {
	case d.final:
		r.say(sentence(d.message) + " It is not started again: somebody has to change something first.")
		r.enterState(failed, now)
		r.answerBacklog(now)
	case d.idle:
		r.idle = true
		r.enterState(waiting, now)
		if len(r.backlog.entries) > 0 {
			r.restart(now)
		}
	default:
		wait := r.revival.Lost(served, now)
		if wait == 0 {
			r.say(d.message)
			r.restart(now)
			return
		}
		next := " It is started again in " + rounded(wait).String()
		if wait > nearTry {
			next += ", or when a call comes after " + max(0, rounded(r.untilTry(now))).String()
		}
		r.say(sentence(d.message) + next + ".")
		r.enterState(waiting, now)
		r.after(wait, &r.retry, r.restart, now)
		if wait > nearTry || d.slow {
			r.answerBacklog(now)
		}
	}
}

// answerBacklog answers what waits for a server that will not be back soon.
func (r *Relay) answerBacklog(now time.Time) {
	entries := r.backlog.entries
	r.backlog.entries = nil
	for _, e := range entries {
		switch {
		case e.call == nil, r.calls[e.n] == e.call && e.call.method == methodListen && r.state != failed:
			r.backlog.entries = append(r.backlog.entries, e) // it has time
		case r.calls[e.n] == e.call:
			r.local(e.call, now)
		}
	}
}

// restart starts the server again, with r.mu held.
func (r *Relay) restart(now time.Time) {
	if r.server != nil || r.ends.stopping || r.ends.closing && !r.running() {
		return
	}
	r.waits.End(&r.retry.Clock)
	r.idle = false
	r.enterState(restarting, now)
	r.backlog.on = true
	r.afterRemains(r.relaunch, now)
}

func (r *Relay) relaunch(now time.Time) {
	if r.server != nil || r.ends.stopping || r.ends.closing && !r.running() {
		return
	}
	r.restarts++
	r.revival.Tried(now)
	if d := r.launch(); d != nil {
		r.down = d
		r.scheduleRestart(d, false, now)
		r.noteEnd(d, now)
		return
	}
	r.replay(now)
}
