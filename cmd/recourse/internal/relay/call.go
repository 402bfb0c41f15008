package relay

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// A call is a request on its way to the server: the client's, or our own.
type call struct {
	policy.Call

	n      int64  // our id
	id     []byte // the client's, as it spelled it
	method method
	name   string // the method, as text
	tool   string
	token  string // progress token, as spelled
	modern bool   // it carries its era in _meta
	task   bool   // the client asked for a task
	own    bool   // ours: nobody waits for the answer

	life      *life // that it was sent to; nil: not yet
	from, to  int64 // where it lies in that life's queue
	at        time.Time
	sentAt    time.Time
	said      int64      // bytes that the server had said by then
	frame     []byte     // a copy, for another attempt; nil: too large
	idAt      wire.Span  // in frame
	args      wire.Span  // in frame; the record gets them
	size      int        // of the arguments
	original  []byte     // arguments that were sent in another form; nil: none were
	repaired  []string   // what was changed in them
	mended    bool       // when observing: they would have been
	ignored   []string   // names in them that the tool does not know
	objection *objection // what is wrong with them, though they were sent
	tries     []calllog.Attempt
	ran       bool     // an earlier attempt may have run
	kept      bool     // in the backlog
	admitted  bool     // by the policy
	would     string   // when observing: the code it would have ended with
	page      page     // of a list
	short     bool     // its answer was begun, and broke off
	notes     []string // what was corrected in the request
	batch     *batch   // that it came in; nil: alone

	blank func(now time.Time)                // delivers its answer, which waits; nil: none does
	then  func(f *wire.Frame, now time.Time) // of our own: takes the answer, nil if none came
}

// maxKept is the size above which no copy of a request is kept for another
// attempt, unless it has not even been sent once. All copies together are bounded
// by backRoom.
const maxKept = 1 << 20

// newCall returns a call in the table of those in flight.
func (r *Relay) newCall(now time.Time) *call {
	var c *call
	if n := len(r.spare); n > 0 {
		c, r.spare = r.spare[n-1], r.spare[:n-1]
	} else {
		c = &call{}
	}
	r.lastID++
	c.Owner, c.n, c.at = c, r.lastID, now
	r.calls[c.n] = c
	return c
}

// drop takes a call out of the table. Its answer, if one comes, is late.
func (r *Relay) drop(c *call, v policy.Verdict, now time.Time) {
	l, b := c.life, c.batch
	if l == nil {
		r.backlog.forget(c)
	}
	r.engine.End(&c.Call, v, now)
	delete(r.calls, c.n)
	r.copies -= len(c.frame)
	if c.token != "" && r.tokens[c.token] == c {
		delete(r.tokens, c.token)
		if c.task && len(r.tokens) < maxCalls {
			// A task reports progress after its call was answered.
			r.tokens[c.token] = nil
		}
	}
	if len(r.spare) < 256 {
		*c = call{id: c.id[:0]}
		r.spare = append(r.spare, c)
	}
	if b != nil {
		r.leave(b)
	}
	if l != nil && l.leaving {
		r.release(l)
	}
	r.ends.check(r)
}

// An ending is a call that was ended before its answer came.
type ending struct {
	n    int64
	tool string
	id   string
	at   time.Time
	code string
}

// remember keeps the last endings, so that a late answer can be told from one
// that nobody asked for.
func (r *Relay) remember(c *call, code string, now time.Time) {
	if c.method == methodCall {
		r.endings[c.n%int64(len(r.endings))] = ending{c.n, c.tool, string(c.id), now, code}
	}
}

// maxLate bounds what a server that answers at random writes into the log.
const maxLate = 1000

// late notes an answer that comes after its call has ended, or that nobody has
// asked for. It is dropped.
func (r *Relay) late(f *wire.Frame, now time.Time) {
	if r.lates++; r.lates > maxLate || r.Log == nil {
		r.lose("answers that nobody waited for", now)
		return
	}
	rec := r.remark("late", "nobody waits for an answer with this id", now)
	rec.RequestID, rec.ResultBytes = string(f.ID), f.Size
	n := parseID(f.ID)
	if e := r.endings[max(0, n)%int64(len(r.endings))]; n > 0 && e.n == n {
		rec.Tool, rec.RequestID, rec.Code, rec.Micros = e.tool, e.id, e.code, now.Sub(e.at).Microseconds()
		rec.Message = "the answer came this long after the call had ended"
	}
	r.records = append(r.records, rec)
}

// answered returns the call that a server's answer with this id is for, or nil.
// It forgives servers that answer with the other JSON type, and those that lose
// the id as long as only one call can be meant.
func (r *Relay) answered(id []byte) *call {
	n := parseID(id)
	if c := r.calls[n]; c != nil {
		return c
	}
	if lost := n == 0 || len(id) == 0 || string(id) == "null"; lost && len(r.calls) == 1 {
		for _, c := range r.calls {
			return c
		}
	}
	return nil
}

// send passes a request on, with our own id. frame is c's.
func (r *Relay) send(c *call, frame []byte, now time.Time) {
	c.life, c.sentAt, c.said = r.server, now, r.server.said.Load()
	c.from, c.to = c.life.back.splice(frame, wire.Edit{At: c.idAt, With: r.number(c.n)})
}

// own writes a request of our own. then gets the answer, or nil if none came
// within d or the server has ended.
func (r *Relay) own(name string, params []byte, d time.Duration, now time.Time, then func(*wire.Frame, time.Time)) {
	c := r.newCall(now)
	c.own, c.method, c.name, c.then, c.life = true, methods[name].method, name, then, r.server
	r.engine.Deadlines.Begin(&c.Clock, policy.Limits{Cap: d}, now)
	c.from, c.to = c.life.back.put(wire.AppendRequest(nil, r.number(c.n), name, params))
	r.arm()
}

// parseID reads an id of ours that came back, also from those who make it a
// string or a float; -1 is none of ours.
func parseID(lit []byte) int64 {
	text := string(bytes.Trim(lit, `"`))
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return -1
}

// retract takes an unsent request out of the server's queue. It reports whether
// the server may have heard of it.
func (r *Relay) retract(c *call) (heard bool) {
	if c.life == nil {
		return false // it waits for the server, and is passed over then
	}
	return !c.life.back.remove(c.from, c.to)
}

// tokenKey returns a progress token's literal in a form that survives another
// encoder's choice of escapes.
func tokenKey(lit []byte) string {
	if bytes.IndexByte(lit, '\\') >= 0 {
		return `"` + wire.Unquote(lit) + `"`
	}
	return string(lit)
}
