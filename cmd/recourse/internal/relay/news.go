package relay

import (
	"bytes"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// news passes a notification of the server on.
func (r *Relay) news(f *wire.Frame, now time.Time) {
	m := f.Msg
	if f.Bytes == nil {
		r.lose("notifications of the server, over the limit of a message", now)
		r.say(fmt.Sprintf("a notification of the server was dropped: %s of %s are over the limit of %s", wire.Unquote(f.Method), sizeOf(f.Size), sizeOf(r.maxFrame())))
		return
	}
	_, name := methodOf(m.Method.Of(f.Bytes))
	switch name {
	case "notifications/progress":
		if !r.alive(m.Token.Of(f.Bytes), now) {
			r.lose("reports of progress of calls that had ended", now)
			return
		}
	case "notifications/cancelled":
		r.withdrawn(f, now)
		return
	case "notifications/initialized", "notifications/roots/list_changed":
		if !r.Observe {
			r.noise(f, now) // only clients say that: it prints what it hears
			return
		}
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed":
		if r.announced(name) {
			return
		}
	}
	if !r.server.greeted {
		r.server.held.keep(f.Bytes)
		return
	}
	var edit wire.Edit
	if id := m.Subscription; id.Ok() {
		if c := r.calls[parseID(id.Of(f.Bytes))]; c != nil && c.method == methodListen {
			if name == "notifications/subscriptions/acknowledged" && len(c.tries) > 0 {
				return // the client has heard it from the server before this one
			}
			edit = wire.Edit{At: id, With: c.id}
		}
	}
	r.front.splice(f.Bytes, edit)
}

// alive notes progress and reports whether the call that it is for still runs.
func (r *Relay) alive(token []byte, now time.Time) bool {
	c, ok := r.tokens[tokenKey(token)]
	if c != nil {
		r.engine.Touch(&c.Clock, now)
	}
	return ok || r.Observe
}

// withdrawn passes a notifications/cancelled of the server on: for a request of
// its own, or (2026-07-28) for a subscription of the client.
func (r *Relay) withdrawn(f *wire.Frame, now time.Time) {
	target := f.Msg.RequestID
	lit := target.Of(f.Bytes)
	for _, q := range r.asked {
		if wire.EqualID(q.id, lit) {
			r.front.splice(f.Bytes, wire.Edit{At: target, With: r.number(q.n)})
			r.settle(q, now)
			return
		}
	}
	if c := r.calls[parseID(lit)]; c != nil && !c.own {
		r.front.splice(f.Bytes, wire.Edit{At: target, With: c.id})
		if c.method == methodListen {
			r.drop(c, policy.Ignored, now)
		}
	}
}

// An asking is a request of the server that the client has not answered yet.
type asking struct {
	policy.Clock

	n      int64  // our id
	id     []byte // the server's, as it spelled it
	person bool   // all clocks stand still meanwhile
}

// question passes a request of the server on.
func (r *Relay) question(f *wire.Frame, now time.Time) {
	if f.Bytes == nil {
		r.tellServer(wire.AppendFailure(nil, f.ID, largeRequestError(f.Size, r.maxFrame())))
		return
	}
	m := f.Msg
	kind, name := methodOf(m.Method.Of(f.Bytes))
	switch {
	case kind.clients() && !r.Observe:
		r.noise(f, now) // it prints what it hears
		return
	case !r.server.greeted && kind == methodPing:
		r.tellServer(wire.AppendResult(nil, f.ID, []byte("{}")))
		return
	case !r.server.greeted:
		r.server.held.keep(f.Bytes)
		return
	case r.ends.closing && !r.Observe:
		r.unanswered(f.ID, "The client has closed its side and can't answer.")
		return
	case len(r.asked) >= maxAsked && !r.Observe:
		r.tellServer(wire.AppendFailure(nil, f.ID, &recourse.Error{
			Code:       recourse.ResourceBusy,
			Message:    "The client has not answered earlier requests yet, and gets no more until it has.",
			Suggestion: "Wait for the answers to earlier requests.",
		}))
		return
	}
	r.lastQ++
	q := &asking{n: r.lastQ, id: bytes.Clone(f.ID), person: kind != methodPing}
	q.Owner = q
	r.asked[q.n] = q
	if !r.Observe {
		r.waits.Begin(&q.Clock, policy.Limits{Cap: patience(name)}, now)
		if q.person {
			r.engine.Freeze(now)
		}
	}
	r.front.splice(f.Bytes, wire.Edit{At: m.ID, With: r.number(q.n)})
	r.arm()
}

// tellServer sends the server a message of ours about one of its own. One that
// talks and does not read gets no more of them than there is room for.
func (r *Relay) tellServer(line []byte) {
	if r.server.back.size() > backRoom {
		r.lose("answers to the server, which does not read", time.Now())
		return
	}
	r.server.back.put(line)
}

// patience is how long a client may take over a server's request.
func patience(method string) time.Duration {
	switch method {
	case "roots/list":
		return rules.Roots
	case "sampling/createMessage":
		return rules.Sampling
	case "elicitation/create":
		return rules.Elicitation
	}
	return rules.Idle
}

// settle closes the books on a server's request.
func (r *Relay) settle(q *asking, now time.Time) {
	r.waits.End(&q.Clock)
	delete(r.asked, q.n)
	if q.person && !r.Observe {
		r.engine.Thaw(now)
		r.arm()
	}
}

// giveUp ends a server's request that the client does not answer.
func (r *Relay) giveUp(q *asking, now time.Time) {
	why := "The client did not answer within " + q.Waited(now).Round(time.Second).String() + "."
	if r.ends.closing {
		why = "The client has closed its side and can't answer."
	}
	if r.server != nil {
		r.unanswered(q.id, why)
	}
	r.put(wire.AppendCancelled(nil, r.number(q.n), why))
	r.settle(q, now)
}

// unanswered tells the server that its request will have no answer.
func (r *Relay) unanswered(id []byte, why string) {
	r.tellServer(wire.AppendFailure(nil, id, &recourse.Error{
		Code:       recourse.Timeout,
		Message:    why,
		Suggestion: "Go on without the client's answer.",
		MaxRetries: -1,
	}))
}

// held keeps what a server says before its initialize was answered: clients
// that hear anything else first end the session.
type held struct {
	frames [][]byte
	size   int
	lost   int
}

func (h *held) keep(frame []byte) {
	if h.size += len(frame); h.size > holdRoom {
		h.size -= len(frame)
		h.lost++
		return
	}
	h.frames = append(h.frames, bytes.Clone(frame))
}
