package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// ask takes one line from the client.
func (r *Relay) ask(f *wire.Frame, now time.Time) {
	if f.Bytes != nil && !r.Observe && (f.Err != nil || !f.Clean()) {
		f = wire.Mend(f, true)
	}
	switch {
	case f.Err == nil && f.Msg.Kind == wire.Batch && f.Bytes != nil:
		r.askAll(f, now)
	case f.Err != nil && f.Bytes != nil && !r.Observe && r.askEach(f, now):
	default:
		r.askOne(f, now)
	}
}

// askEach takes several messages that the client has written without a line end
// between them. It reports whether that is what they are.
func (r *Relay) askEach(f *wire.Frame, now time.Time) bool {
	found, between := parts(f.Bytes, true)
	if len(found) == 0 || len(between) > 0 || slices.ContainsFunc(found, func(p wire.Piece) bool { return !single(&p.Frame) }) {
		return false
	}
	for i := range found {
		r.askOne(&found[i].Frame, now)
	}
	return true
}

// askOne takes one message from the client.
func (r *Relay) askOne(f *wire.Frame, now time.Time) {
	if !r.Observe && single(f) && f.Bytes != nil && versioned(f) && overfull(f) {
		if mended, ok := mend(f); ok {
			f = mended
		}
	}
	switch kind := f.Msg.Kind; {
	case f.Err == nil && (kind == wire.Result || kind == wire.Failure):
		r.reply(f, now)
	case f.Err != nil, kind == wire.Invalid, kind == wire.Batch, f.Bytes == nil,
		kind == wire.Request && !plain(f.ID), !r.Observe && (!versioned(f) || unstructured(f) || f.Msg.Depth > maxDepth):
		r.refuse(f, now)
	case kind == wire.Request:
		r.request(f, now)
	default:
		r.tell(f, now)
	}
}

// versioned reports whether a message says that it is of JSON-RPC 2.0.
func versioned(f *wire.Frame) bool {
	lit := f.Msg.JSONRPC.Of(f.Bytes)
	return string(lit) == `"2.0"` || len(lit) > 0 && lit[0] == '"' && wire.Unquote(lit) == "2.0"
}

// request sends a request on, if nothing speaks against it.
func (r *Relay) request(f *wire.Frame, now time.Time) {
	c := r.enter(f, now)
	switch {
	case c.method == methodInitialize:
		r.hello(f)
		if r.probed {
			r.anew(now)
		}
	case c.modern:
		r.meet(c, f, now)
	}
	r.engine.Deadlines.Begin(&c.Clock, r.limits(c), now)
	if r.answeredHere(c, now) || r.deadTask(c, f.Msg.Params.Of(f.Bytes), now) {
		return
	}
	isCall := c.method == methodCall
	if !r.hold(c, now) {
		r.pass(c, f.Bytes, now)
	}
	if isCall && r.mayLearn(now) {
		r.learnTools(now, func(time.Time) {})
	}
	r.arm()
}

// pass sends a request that is known whole on, if its arguments and the policy allow
// it.
func (r *Relay) pass(c *call, frame []byte, now time.Time) {
	frame, ok := r.vet(c, frame, now)
	if !ok || !c.admitted && !r.admit(c, now) {
		return
	}
	c.admitted = true
	if r.failsNow(c) && !r.backlog.on {
		r.fail(c, r.restartedError(c), policy.Ignored, now)
		return
	}
	switch {
	case r.backlog.on && (c.method != methodInitialize || r.client.opened):
		r.backlog.keep(c)
	case r.server != nil:
		r.send(c, frame, now)
	case c.method != methodInitialize: // the first handshake is sent as soon as there is a process
		r.backlog.keep(c)
	}
}

// enter opens the books for a request.
func (r *Relay) enter(f *wire.Frame, now time.Time) *call {
	m := f.Msg
	c := r.newCall(now)
	c.id = append(c.id[:0], f.ID...)
	if c.notes = f.Notes; r.batch != nil {
		c.batch = r.batch
		c.batch.open++
	}
	c.modern = m.Version.Ok()
	c.task = m.Task.Ok()
	c.method, c.name = methodOf(m.Method.Of(f.Bytes))
	c.idAt = m.ID
	if r.copies+len(f.Bytes) <= backRoom && len(f.Bytes) <= maxKept || r.backlog.on || c.method == methodInitialize {
		c.frame = bytes.Clone(f.Bytes)
		r.copies += len(c.frame)
	}
	switch c.method {
	case methodCall:
		c.tool = r.table.intern(m.Name.Of(f.Bytes))
		c.args = m.Arguments
		c.size = m.Arguments.End - m.Arguments.Start
	case methodTools, methodPrompts, methodResources, methodTemplates:
		c.page = r.list(c.method).ask(m.Params.Of(f.Bytes))
	}
	if m.MetaToken.Ok() {
		c.token = tokenKey(m.MetaToken.Of(f.Bytes))
		r.tokens[c.token] = c
	}
	return c
}

// admit asks the policy. It answers what may not pass.
func (r *Relay) admit(c *call, now time.Time) bool {
	if c.method == methodInitialize || r.Observe {
		return true
	}
	if r.waiting() > backRoom || len(r.calls) > maxCalls {
		r.fail(c, busyError(c), policy.Ignored, now)
		return false
	}
	if c.method != methodCall {
		return true
	}
	if refusal := r.engine.Admit(&c.Call, c.tool, now); refusal.Reason != policy.Admitted {
		r.fail(c, refusalError(c, refusal), policy.Ignored, now)
		return false
	}
	return true
}

// waiting returns the bytes that wait for the server.
func (r *Relay) waiting() int {
	n := r.backlog.size
	if r.server != nil {
		n += r.server.back.size()
	}
	return n
}

// limits returns the deadlines of a request.
func (r *Relay) limits(c *call) policy.Limits {
	l := r.client.limits
	switch c.method {
	case methodInitialize:
		return policy.Limits{Cap: r.Rules.StartMax.Or(rules.Start)}
	case methodDiscover:
		return policy.Limits{Cap: rules.Discover - discoverStep}
	case methodListen:
		return policy.Limits{}
	case methodTaskResult:
		l.Idle = 0
	}
	return l
}

// tell sends a notification of the client on.
func (r *Relay) tell(f *wire.Frame, now time.Time) {
	_, name := methodOf(f.Msg.Method.Of(f.Bytes))
	switch name {
	case "notifications/cancelled":
		r.cancelled(f, now)
		return
	case "notifications/initialized":
		r.client.initialized = true
	}
	switch {
	case r.state == failed:
	case r.backlog.on && r.client.opened:
		r.postpone(name, f.Bytes)
	case r.backlog.on, r.server == nil:
		r.backlog.note(f.Bytes)
	default:
		r.server.back.splice(f.Bytes)
	}
}

// cancelled ends a request that the client no longer wants: it gets no answer,
// and the server hears of it only if it has heard of the request.
func (r *Relay) cancelled(f *wire.Frame, now time.Time) {
	c := r.find(f.Msg.RequestID.Of(f.Bytes))
	if c == nil || c.method == methodInitialize {
		return
	}
	if r.retract(c) {
		c.life.back.splice(f.Bytes, wire.Edit{At: f.Msg.RequestID, With: r.number(c.n)})
		r.watchSilence(c, now)
	}
	r.remember(c, "CANCELLED", now)
	r.record(c, verdict{outcome: "cancelled", fault: "none", code: "CANCELLED"}, now)
	r.drop(c, policy.Ignored, now)
}

// reply hands the client's answer to the server that asked.
func (r *Relay) reply(f *wire.Frame, now time.Time) {
	q := r.asked[parseID(f.ID)]
	if q == nil || r.server == nil {
		return // late, or nobody asked
	}
	if f.Bytes == nil {
		r.server.back.put(wire.AppendFailure(nil, q.id, largeRequestError(f.Size, maxRequest)))
	} else {
		r.server.back.splice(f.Bytes, wire.Edit{At: f.Msg.ID, With: q.id})
	}
	r.settle(q, now)
}

// refuse answers what is no message. A client sees at once what it did wrong; a
// server might end the session over it.
func (r *Relay) refuse(f *wire.Frame, now time.Time) {
	if r.Observe && f.Bytes != nil && r.server != nil {
		r.server.back.splice(f.Bytes)
		return
	}
	id := f.ID
	if !plain(id) {
		id = nil
	}
	switch {
	case f.Err != nil && f.Bytes == nil:
		r.refusal(protocolError(nil, wire.ParseError, "Parse error: "+f.Err.Error()))
	case f.Bytes == nil && f.Msg.Kind == wire.Request:
		c := r.newCall(now)
		c.id, c.modern, c.size = append(c.id[:0], f.ID...), f.Msg.Version.Ok(), f.Size
		c.method, c.name = methodOf(f.Method)
		r.fail(c, &fault{err: largeRequestError(f.Size, maxRequest), outcome: "short_circuited", blame: "caller"}, policy.Ignored, now)
	case f.Bytes == nil:
		r.say("a message of " + sizeOf(f.Size) + " from the client, which wants no answer, was dropped")
	case f.Err != nil && !json.Valid(f.Bytes):
		r.refusal(protocolError(nil, wire.ParseError, "Parse error: "+f.Err.Error()))
	default:
		r.refusal(protocolError(id, wire.InvalidRequest, "Invalid Request: "+flaw(f)))
	}
}

// flaw says why a line that is JSON is no message.
func flaw(f *wire.Frame) string {
	switch {
	case f.Err != nil:
		return f.Err.Error()
	case f.Msg.NullID:
		return "the id must not be null"
	case len(f.ID) > 0 && !plain(f.ID):
		return "the id must be a string or a number"
	case f.Msg.Depth > maxDepth:
		return fmt.Sprintf("it is nested %d levels deep, and servers can read %d", f.Msg.Depth, maxDepth)
	case unstructured(f):
		return "the params must be an object"
	case f.Msg.Kind == wire.Invalid:
		return "there is neither a method nor a result"
	}
	return `it must say "jsonrpc":"2.0"`
}

// plain reports whether an id is a string or a number.
func plain(id []byte) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9')
}

// number returns n as a literal, valid until the next call.
func (r *Relay) number(n int64) []byte {
	r.digits = strconv.AppendInt(r.digits[:0], n, 10)
	return r.digits
}

func (r *Relay) put(frame []byte) { r.front.put(frame) }

func protocolError(id []byte, code int, message string) []byte {
	return wire.AppendProtocolError(nil, id, code, message, nil)
}
