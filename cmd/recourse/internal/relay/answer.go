package relay

import (
	"bytes"
	"cmp"
	"errors"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// answer takes one frame from the server.
func (r *Relay) answer(f *wire.Frame, now time.Time) {
	if mended, ok := mend(f); ok && !r.Observe {
		f = mended
	}
	switch kind := f.Msg.Kind; {
	case f.Err != nil, kind == wire.Invalid, kind == wire.Batch:
		r.noise(f, now)
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
	}
	switch c.method {
	case methodCall:
		r.callResult(c, f, now)
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
	r.front.splice(f.Bytes, wire.Edit{At: f.Msg.ID, With: c.id}, wire.Edit{At: subscription, With: c.id})
}

// callResult passes the answer to a tools/call, or says clearly what its
// JSON-RPC error means.
func (r *Relay) callResult(c *call, f *wire.Frame, now time.Time) {
	m := f.Msg
	v := verdict{outcome: "ok", fault: "none", bytes: f.Size}
	if m.Kind == wire.Failure {
		d := diagnose.Failure(m.Code.Of(f.Bytes), m.Text.Of(f.Bytes), m.Data.Of(f.Bytes), c.tool, r.table.known(), r.excerpt)
		if r.table.gone[c.tool] && d.Err.Code == recourse.UnknownTool {
			d.Err.Message += r.whyGone()
		}
		v = verdict{outcome: "failed", fault: d.Fault, code: string(d.Err.Code), message: d.Err.Message, cause: d.Text, rpc: d.Code, bytes: f.Size}
		switch {
		case r.Observe:
			if !d.Pass {
				c.would = v.code
			}
			r.forward(c, f)
		case d.Pass:
			r.forward(c, f)
		case d.Protocol:
			r.put(wire.AppendProtocolError(nil, c.id, d.Code, d.Err.Message, d.Err))
		default:
			r.put(wire.AppendToolError(nil, c.id, d.Err, c.modern))
		}
	} else {
		switch {
		case string(m.ResultType.Of(f.Bytes)) == `"input_required"`:
			v.outcome = "input_required"
		case string(m.IsError.Of(f.Bytes)) == "true":
			v.outcome, v.fault, v.code = "failed", "upstream", "EXECUTION_FAILED"
		}
		r.goodResult(c, f, &v)
	}
	r.record(c, v, now)
	r.drop(c, policy.Success, now)
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
	if c.task {
		r.tasks.learn(f.Msg.Result.Of(f.Bytes))
	}
	if v.outcome == "ok" {
		r.server.served = true
		if c.tries != nil {
			v.outcome = "retried"
		}
	}
	if !r.tellsNow(f) {
		r.forward(c, f)
		return
	}
	r.untold = false
	v.warning = restartNotice
	n := notice(f)
	r.front.splice(f.Bytes, wire.Edit{At: f.Msg.ID, With: c.id}, n[0], n[1])
}

// oversize answers for a call whose answer no client could read: the call ran.
func (r *Relay) oversize(c *call, size int, now time.Time) {
	r.fail(c, largeAnswerError(c, size), policy.Success, now)
}

// fail ends a request with an error of ours.
func (r *Relay) fail(c *call, e *fault, v policy.Verdict, now time.Time) {
	if c.method == methodCall {
		r.put(wire.AppendToolError(nil, c.id, e.err, c.modern))
		r.record(c, verdict{outcome: e.outcome, fault: e.blame, code: string(e.err.Code), message: e.err.Message, cause: e.cause}, now)
	} else {
		r.put(wire.AppendFailure(nil, c.id, e.err))
	}
	r.drop(c, v, now)
}

// noise is a line from the server that is no message. It is not passed on: one
// such line ends the session of some clients.
func (r *Relay) noise(f *wire.Frame, now time.Time) {
	if r.Observe {
		var edit wire.Edit
		if c := r.answered(f.ID); c != nil && f.Msg.ID.Ok() && !f.Msg.Method.Ok() {
			edit = wire.Edit{At: f.Msg.ID, With: c.id} // it is ours that the server has spoilt
		}
		r.front.splice(f.Bytes, edit)
		return
	}
	var broken *wire.SyntaxError
	switch legible := errors.As(f.Err, &broken) && f.Msg.JSONRPC.Ok() && len(f.ID) > 0; {
	case legible && f.Msg.Method.Ok():
		// A request of the server's; its ids have nothing to do with ours.
		r.server.back.put(protocolError(f.ID, wire.InvalidRequest, "Invalid Request: "+f.Err.Error()))
	case f.Err == nil && f.Msg.Result.Ok() && !f.Msg.ID.Ok() && f.Bytes != nil:
		// An answer that lost its id, good if only one call can be meant.
		if c := r.answered(nil); c != nil {
			r.answer(scan(compose(r.number(c.n), "result", f.Msg.Result.Of(f.Bytes))), now)
			return
		}
	case legible:
		if c := r.answered(f.ID); c != nil && !c.own {
			r.fail(c, r.unreadableError(c, f), policy.Failure, now)
			return
		}
	}
	r.noisy++
	if r.noisy == 1 {
		r.say("the server writes lines to its standard output that are no messages; they are not passed on. The first: " + r.quote(f.Bytes, 200))
	}
}

// mend corrects a message that is legible but not legal: a missing or other
// jsonrpc, or both a result and an error, of which the error counts unless it is
// null. It reports false if there is nothing to correct.
func mend(f *wire.Frame) (*wire.Frame, bool) {
	m := f.Msg
	twofold := m.Error.Ok() && m.Result.Ok()
	if f.Err != nil || f.Bytes == nil || m.Kind == wire.Invalid || m.Kind == wire.Batch ||
		!twofold && string(m.JSONRPC.Of(f.Bytes)) == `"2.0"` {
		return nil, false
	}
	var line []byte
	switch version := []byte(`"2.0"`); {
	case twofold && m.Kind == wire.Failure:
		line = compose(f.ID, "error", m.Error.Of(f.Bytes))
	case twofold: // the error is null
		line = compose(f.ID, "result", m.Result.Of(f.Bytes))
	case m.JSONRPC.Ok():
		line = bytes.TrimSuffix(wire.AppendSplice(nil, f.Bytes, wire.Edit{At: m.JSONRPC, With: version}), []byte("\n"))
	default:
		open := bytes.IndexByte(f.Bytes, '{') + 1
		line = append(append(line, f.Bytes[:open]...), `"jsonrpc":"2.0",`...)
		line = append(line, f.Bytes[open:]...)
	}
	return scan(line), true
}

func compose(id []byte, member string, value []byte) []byte {
	line := append([]byte(`{"jsonrpc":"2.0","id":`), cmp.Or(string(id), "null")...)
	line = append(append(line, `,"`...), member...)
	return append(append(append(line, `":`...), value...), '}')
}

// scan returns a frame that came from no stream.
func scan(line []byte) *wire.Frame {
	var s wire.Scanner
	s.Feed(line)
	m, err := s.End()
	return &wire.Frame{Bytes: line, Msg: m, Err: err, Size: len(line), ID: m.ID.Of(line)}
}
