package relay

import (
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
)

// A hold is the calls that came before any list of tools: they wait until we have asked for
// one, or a second, so that their arguments can be checked.
type hold struct {
	entries  []entry
	patience alarm
}

// holdTime is what a call waits for a list of ours at most.
const holdTime = time.Second

// hold keeps back a call that has come before any list of tools was seen, and asks for
// one. It reports whether it does. A server that has once failed to list its tools is
// not waited for again.
func (r *Relay) hold(c *call, now time.Time) bool {
	if c.method != methodCall || c.frame == nil || r.table.seen || r.Rules.Check.For(c.tool, rules.Auto) == rules.Off {
		return false
	}
	waiting := len(r.held.entries) > 0
	listing := !waiting && r.listing()
	if !waiting && !listing && !r.mayLearn(now) {
		return false
	}
	r.held.entries = append(r.held.entries, entry{call: c, n: c.n})
	if !waiting {
		r.after(holdTime, &r.held.patience, r.letGo, now)
		if !listing {
			r.learnTools(now, r.letGo)
		}
	}
	return true
}

// listing reports whether the client itself is about to get the list, as far as that
// is to be seen among the first of its requests.
func (r *Relay) listing() bool {
	if len(r.calls) > 100 {
		return false
	}
	for _, c := range r.calls {
		if c.method == methodTools && !c.own && c.life != nil && c.life == r.server {
			return !r.Observe
		}
	}
	return false
}

// mayLearn reports whether a list of tools would be news, and can be asked for.
func (r *Relay) mayLearn(now time.Time) bool {
	t := &r.table
	if !t.stale.IsZero() && now.After(t.stale) {
		t.stale = time.Time{}
		t.changed()
		t.own = false
	}
	if t.seen && now.Sub(t.walked) < leastLife/2 {
		return false // a server that announces changes all the time is not asked each time
	}
	return !t.complete && !t.own && t.offered && r.client.initialized && !r.Observe && r.state == ready
}

// learnTools begins a walk of our own.
func (r *Relay) learnTools(now time.Time, done func(now time.Time)) {
	r.table.own, r.table.walked = true, now
	r.walk(methodTools, "", 1, now, func(_ bool, now time.Time) { done(now) })
}

// letGo lets the calls go that have waited for the list.
func (r *Relay) letGo(now time.Time) {
	r.waits.End(&r.held.patience.Clock)
	entries := r.held.entries
	r.held.entries = nil
	for _, e := range entries {
		if r.calls[e.n] == e.call {
			r.pass(e.call, e.call.frame, now)
		}
	}
}
