package relay

import (
	"bytes"
	"cmp"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// answer takes one message from the server.
func (r *Relay) answer(f *wire.Frame, now time.Time) {
	if !r.Observe {
		if mended, ok := mend(f); ok {
			f = mended
		}
	}
	kind := f.Msg.Kind
	if !r.Observe && (kind == wire.Request || kind == wire.Notification) {
		f = readableParams(f)
	}
	switch {
	case kind == wire.Request:
		r.question(f, now)
	case kind == wire.Notification:
		r.news(f, now)
	default:
		r.result(f, now)
	}
}

// result hands the server's answer to the client that asked. A good one keeps
// all its bytes but the id.
func (r *Relay) result(f *wire.Frame, now time.Time) {
	c := r.answered(f.ID)
	switch {
	case c == nil:
		r.late(f, now)
		return
	case c.own:
		r.ownAnswer(c, f, now)
		return
	case f.Bytes == nil:
		r.oversize(c, f.Size, now)
		return
	case r.tooLong(c, f):
		r.oversize(c, len(f.Bytes), now)
		return
	case c.method == methodCall:
		r.callResult(c, f, now)
		return
	}
	if !r.Observe {
		if f = presentable(c, f); r.tooLong(c, f) {
			r.oversize(c, len(f.Bytes), now)
			return
		}
	}
	switch c.method {
	case methodInitialize:
		r.forward(c, f)
		hello := c.frame
		r.drop(c, policy.Success, now)
		r.welcome(hello, f, now)
	case methodDiscover:
		// Python's old servers say this of every method that they don't know.
		if string(f.Msg.Code.Of(f.Bytes)) == "-32602" && c.modern && !r.Observe {
			r.undiscovered(c, now)
			return
		}
		r.forward(c, f)
		r.drop(c, policy.Success, now)
	case methodTools, methodPrompts, methodResources, methodTemplates:
		r.learn(c.method, c.page, f.Msg.Result.Of(f.Bytes))
		r.forward(c, f)
		r.drop(c, policy.Success, now)
	default:
		if f.Msg.Kind == wire.Result {
			r.accepted(c)
		}
		r.forward(c, f)
		r.drop(c, policy.Success, now)
	}
}

// tooLong reports whether an answer would be over the cap with the client's id.
func (r *Relay) tooLong(c *call, f *wire.Frame) bool {
	return len(f.Bytes)+len(c.id)-len(f.ID) > r.most(r.maxFrame())
}

// ownAnswer takes the answer to a request of ours.
func (r *Relay) ownAnswer(c *call, f *wire.Frame, now time.Time) {
	then := c.then
	r.drop(c, policy.Ignored, now)
	if then != nil {
		frame := *f // only this copy goes to the heap, not every frame
		then(&frame, now)
	}
}

// forward passes an answer with the client's own id.
func (r *Relay) forward(c *call, f *wire.Frame) {
	var subscription wire.Span
	if c.method == methodListen {
		subscription = f.Msg.Subscription // its value is the id
	}
	r.giveSpliced(c, f.Bytes, wire.Edit{At: f.Msg.ID, With: c.id}, wire.Edit{At: subscription, With: c.id})
}

// callResult passes the answer to a tools/call on, in a form that the model can
// use.
func (r *Relay) callResult(c *call, f *wire.Frame, now time.Time) {
	v := verdict{outcome: "ok", fault: "none", bytes: f.Size}
	if f.Msg.Kind == wire.Failure {
		r.callFailure(c, f, &v)
	} else {
		g, e := r.shaped(c, f, &v)
		switch {
		case e != nil && !r.Observe:
			r.fail(c, e, policy.Success, now)
			return
		case r.tooLong(c, g):
			r.oversize(c, len(g.Bytes), now)
			return
		case e != nil:
			c.would = string(e.err.Code)
		}
		r.goodResult(c, g, &v)
	}
	r.record(c, v, now)
	r.drop(c, policy.Success, now)
}

// callFailure says clearly what a JSON-RPC error means.
func (r *Relay) callFailure(c *call, f *wire.Frame, v *verdict) {
	m := f.Msg
	if better := diagnose.Refusal(m.Error.Of(f.Bytes)); better != nil {
		f = replaced(f, m.Error, better)
		if m = f.Msg; r.Observe {
			c.would = string(recourse.BadUpstreamResponse)
		}
	}
	d := diagnose.Failure(m.Code.Of(f.Bytes), m.Text.Of(f.Bytes), m.Data.Of(f.Bytes), c.tool, r.table.known(), r.excerpt)
	if r.table.gone[c.tool] && d.Err.Code == recourse.UnknownTool {
		d.Err.Message += r.whyGone()
	}
	v.outcome, v.fault, v.code, v.message = "failed", d.Fault, string(d.Err.Code), d.Err.Message
	v.cause, v.rpc = d.Text, d.Code
	switch {
	case r.Observe:
		if !d.Pass {
			c.would = v.code
		}
		r.forward(c, f)
	case d.Pass:
		r.forward(c, f)
	case d.Protocol:
		r.give(c, wire.AppendProtocolError(nil, c.id, d.Code, d.Err.Message, d.Err))
	default:
		r.give(c, wire.AppendToolError(nil, c.id, d.Err, c.modern))
	}
}

// whyGone explains why a tool that was listed is unknown now.
func (r *Relay) whyGone() string {
	if r.restarts > 0 {
		return " The server has restarted and no longer lists it."
	}
	return " The server no longer lists it."
}

// goodResult passes a result on, with the notice of a restart if that is due.
func (r *Relay) goodResult(c *call, f *wire.Frame, v *verdict) {
	m := f.Msg
	switch {
	case string(m.ResultType.Of(f.Bytes)) == `"input_required"`:
		v.outcome = "input_required"
	case string(m.IsError.Of(f.Bytes)) == "true":
		v.outcome, v.fault, v.code = "failed", "upstream", "EXECUTION_FAILED"
	default:
		r.server.served = true
		switch {
		case v.cut:
			v.outcome = "degraded"
		case c.tries != nil:
			v.outcome = "retried"
		}
	}
	if c.task {
		r.tasks.learn(m.Result.Of(f.Bytes))
	}
	if r.tellsNow(f) {
		// One that would be too long by it does without: the next one tells.
		if g := replaced(f, m.Result, told(m.Result.Of(f.Bytes))); !r.tooLong(c, g) {
			r.untold = false
			v.warnings = append(v.warnings, restartNotice)
			f = g
		}
	}
	r.forward(c, f)
}

// oversize answers for a call whose answer no client could read: the call ran.
func (r *Relay) oversize(c *call, size int, now time.Time) {
	r.fail(c, largeAnswerError(c, size, r.maxFrame(), "--max-frame", r.narrowing(c.tool)), policy.Success, now)
}

// fail ends a request with an error of ours.
func (r *Relay) fail(c *call, e *fault, v policy.Verdict, now time.Time) {
	if c.method == methodCall {
		r.give(c, wire.AppendToolError(nil, c.id, e.err, c.modern))
		r.record(c, verdict{outcome: e.outcome, fault: e.blame, code: string(e.err.Code), message: e.err.Message, cause: e.cause}, now)
	} else {
		r.give(c, wire.AppendFailure(nil, c.id, e.err))
	}
	r.drop(c, v, now)
}

// mend corrects a message that is legible but not legal: a missing or other jsonrpc,
// both a result and an error, of which the error counts unless it is null, or members
// that do not belong to its kind. It reports false if there is nothing to correct.
func mend(f *wire.Frame) (*wire.Frame, bool) {
	if f.Bytes == nil {
		return nil, false
	}
	m := f.Msg
	version := []byte(`"2.0"`)
	var line []byte
	switch {
	case overfull(f):
		line = rebuilt(f)
	case string(m.JSONRPC.Of(f.Bytes)) == string(version):
		return nil, false
	case m.JSONRPC.Ok():
		line = bytes.TrimSuffix(wire.AppendSplice(nil, f.Bytes, wire.Edit{At: m.JSONRPC, With: version}), []byte("\n"))
	default:
		open := bytes.IndexByte(f.Bytes, '{') + 1
		line = append(append(line, f.Bytes[:open]...), `"jsonrpc":"2.0",`...)
		line = append(line, f.Bytes[open:]...)
	}
	g := wire.Scan(line)
	g.Size, g.Notes = f.Size, f.Notes
	return g, true
}

// overfull reports whether a message has members of another kind than its own.
func overfull(f *wire.Frame) bool {
	m := f.Msg
	switch m.Kind {
	case wire.Request:
		return m.Result.Ok() || m.Error.Ok() || noticeWithID(f)
	case wire.Notification:
		return m.Result.Ok() || m.Error.Ok()
	}
	return m.Method.Ok() || m.Result.Ok() && m.Error.Ok()
}

// noticeWithID reports whether a notification has come with the id null.
func noticeWithID(f *wire.Frame) bool {
	return f.Msg.NullID && bytes.HasPrefix(f.Msg.Method.Of(f.Bytes), []byte(`"notifications/`))
}

// rebuilt returns a message with the members of its kind alone.
func rebuilt(f *wire.Frame) []byte {
	m := f.Msg
	switch m.Kind {
	case wire.Failure:
		return compose(f.ID, "error", m.Error.Of(f.Bytes))
	case wire.Result:
		return compose(f.ID, "result", m.Result.Of(f.Bytes))
	}
	line := []byte(`{"jsonrpc":"2.0",`)
	if m.Kind == wire.Request && !noticeWithID(f) {
		line = append(append(append(line, `"id":`...), f.ID...), ',')
	}
	line = append(append(line, `"method":`...), m.Method.Of(f.Bytes)...)
	if m.Params.Ok() {
		line = append(append(line, `,"params":`...), m.Params.Of(f.Bytes)...)
	}
	return append(line, '}')
}

func compose(id []byte, member string, value []byte) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), cmp.Or(string(id), "null")...)
	line = append(append(line, `,"`...), member...)
	return append(append(append(line, `":`...), value...), '}')
}
