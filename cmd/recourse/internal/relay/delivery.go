package relay

import (
	"fmt"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// maxTries bounds the attempts of one request, unread ones included.
const maxTries = 3

// unread reports whether the server can not have heard of the call: it was never
// sent, or lies wholly in what the dead server has left in its input.
func (c *call) unread() bool { return c.life == nil || c.life.back.place(c.from) >= c.life.read }

// sift decides what becomes of the requests that were with a life when it ended:
// what it never read is sent again, and so is, once, what may be repeated. The
// rest is answered.
func (r *Relay) sift(l *life, d *down, now time.Time) {
	var again []*call
	for _, c := range r.inOrder() {
		if c.life != l {
			continue
		}
		unread := c.unread()
		if t := r.table.tools[c.tool]; t != nil && c.objection != nil && !unread && l.why == "" && d.crashed() {
			t.bar(c.objection.err)
		}
		switch {
		case c.blank != nil:
			c.blank(now) // it has been answered
		case c.own:
			then := c.then
			r.drop(c, policy.Ignored, now)
			if then != nil {
				then(nil, now)
			}
		case c.method == methodListen && r.ends.closing:
			r.drop(c, policy.Ignored, now)
		case c.method == methodPing:
			r.give(c, wire.AppendResult(nil, c.id, []byte("{}")))
			r.drop(c, policy.Ignored, now)
		case r.mayRepeat(c, d, unread):
			c.tries = append(c.tries, calllog.Attempt{Micros: now.Sub(c.sentAt).Microseconds(), Code: string(recourse.ServiceUnavailable)})
			c.ran = c.ran || !unread
			c.life = nil
			again = append(again, c)
		case unread && c.method == methodCall && r.Rules.OnRestart == rules.Fail && !d.final:
			r.fail(c, r.restartedError(c), policy.Ignored, now)
		default:
			r.fail(c, r.lostError(c, d, unread, now), policy.Ignored, now)
		}
	}
	r.backlog.push(again)
}

// mayRepeat reports whether a request may be sent once more after the death of
// the server that had it.
func (r *Relay) mayRepeat(c *call, d *down, unread bool) bool {
	switch {
	case c.frame == nil, d.final, len(c.tries)+1 >= maxTries && c.method != methodListen:
		return false
	case r.Rules.OnRestart == rules.Fail && c.method == methodCall:
		return false
	case c.method == methodTask || c.method == methodTaskResult:
		return false // the task has died with its server
	case unread:
		return true
	case c.method == methodCall:
		return r.table.hints(c.tool).repeatable() && !c.ran && !c.task
	}
	return c.method.reads() && (!c.ran || c.method == methodListen)
}

// countLost tells of the notifications that a life was never told: unlike requests,
// they are not told the next one.
func (r *Relay) countLost(l *life) {
	n := l.back.lines()
	for _, c := range r.calls {
		if c.life == l && !l.back.left(c.from) {
			n--
		}
	}
	if n > 0 {
		r.say(fmt.Sprintf("%d notifications of the client were lost with the server", n))
	}
}

// A backlog is what the client has said while the server can't be told: before
// its first initialize answer, since a server that dies before it has then heard
// nothing else; and from the end of one life until the next one is ready.
type backlog struct {
	on      bool
	entries []entry
	size    int
	notes   int // of that, of notifications
	lost    int // notifications that there was no room for
}

// An entry is a request or a notification.
type entry struct {
	call *call
	n    int64 // its id, by which a call that has ended since is known
	note []byte
}

func (b *backlog) keep(c *call) {
	b.size += len(c.frame)
	c.kept = true
	b.entries = append(b.entries, entry{call: c, n: c.n})
}

// forget takes the room of a call that has ended back. Its entry is passed over.
func (b *backlog) forget(c *call) {
	if c.kept {
		b.size -= len(c.frame)
	}
}

// noteRoom bounds the notifications in a backlog.
const noteRoom = 4 << 20

func (b *backlog) note(frame []byte) {
	if b.notes+len(frame) > noteRoom {
		b.lost++
		return
	}
	b.notes += len(frame)
	b.size += len(frame)
	b.entries = append(b.entries, entry{note: append([]byte(nil), frame...)})
}

// push puts requests that were with a server before all that has waited.
func (b *backlog) push(calls []*call) {
	if len(calls) == 0 {
		return
	}
	entries := make([]entry, 0, len(calls)+len(b.entries))
	for _, c := range calls {
		b.size += len(c.frame)
		c.kept = true
		entries = append(entries, entry{call: c, n: c.n})
	}
	b.entries = append(entries, b.entries...)
}

// postpone decides what becomes of a notification while the server is away.
func (r *Relay) postpone(name string, frame []byte) {
	switch name {
	case "notifications/initialized":
		if r.server != nil && r.server.greeted && r.state == restarting {
			r.backlog.note(frame) // the replay has passed the place where it belongs
		}
	case "notifications/roots/list_changed":
		r.session.rootsChanged = true
	case "notifications/progress":
		// It is for a request that died with the server.
	default:
		r.backlog.note(frame)
	}
}

// deliver sends what has waited.
func (r *Relay) deliver(now time.Time) {
	b := r.backlog
	r.backlog = backlog{}
	if b.lost > 0 {
		r.say(fmt.Sprintf("%d notifications of the client were dropped while the server was away: there were too many", b.lost))
	}
	for _, e := range b.entries {
		if e.call != nil && r.calls[e.n] == e.call {
			e.call.kept = false
		}
		switch {
		case e.call == nil:
			r.server.back.splice(e.note)
		case r.calls[e.n] != e.call: // it has ended since
		case r.failsNow(e.call):
			r.fail(e.call, r.restartedError(e.call), policy.Ignored, now)
		case r.hold(e.call, now): // it came before the tools were known
		default:
			r.pass(e.call, e.call.frame, now)
		}
	}
}
