package relay

import (
	"bytes"
	"cmp"
	"time"

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
		if c.method == methodTools && f.Msg.Kind == wire.Result && !r.Observe {
			f = r.listable(f)
		}
		r.learn(c.method, c.page, f.Msg.Result.Of(f.Bytes), now)
		r.forward(c, f)
		r.drop(c, policy.Success, now)
		if len(r.held.entries) > 0 && (r.table.seen || f.Msg.Kind == wire.Failure) {
			r.letGo(now)
		}
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
		r.callFailure(c, f, &v, now)
		r.conclude(c, &v, now)
		return
	}
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
	if v.blank && r.seemsDead(c, g, v, now) {
		return // the answer waits for what a probe finds
	}
	r.judge(c, g, &v, now)
}

// judge passes a result of the right form on, once it is clear whether it is data or
// an error.
func (r *Relay) judge(c *call, f *wire.Frame, v *verdict, now time.Time) {
	g := f
	switch m := f.Msg; {
	case r.unsettled(c, f):
	case string(m.IsError.Of(f.Bytes)) == "true":
		g = r.reported(c, f, v, now)
	default:
		kept, fits, flaw := r.keepsPromise(c, f, v)
		if g = kept; !v.own { // our own words are not to be judged
			g = r.disguised(c, kept, fits, v, now)
		}
		if v.code == "" && flaw != "" {
			g = r.unpromised(c, kept, flaw, v, now)
		}
	}
	if r.tooLong(c, g) {
		r.oversize(c, len(g.Bytes), now)
		return
	}
	if v.code == "" {
		r.worked(c)
	}
	r.goodResult(c, r.remarked(c, g, v), v)
	r.conclude(c, v, now)
}

// conclude closes the books on a call that the server has answered.
func (r *Relay) conclude(c *call, v *verdict, now time.Time) {
	r.record(c, *v, now)
	r.drop(c, policy.Success, now)
}

// unsettled reports whether a result is no final one.
func (r *Relay) unsettled(c *call, f *wire.Frame) bool {
	kind := string(f.Msg.ResultType.Of(f.Bytes))
	return kind != "" && kind != `"complete"` || c.task && f.Msg.Content.Of(f.Bytes) == nil
}

// remarked returns a result with what the model has to know of its arguments: that
// they were repaired, or that some of them meant nothing to the tool.
func (r *Relay) remarked(c *call, f *wire.Frame, v *verdict) *wire.Frame {
	result := f.Msg.Result.Of(f.Bytes)
	now := result
	if len(c.repaired) > 0 {
		now = diagnose.Note(now, diagnose.MetaRepaired, c.repaired)
		v.warnings = append(v.warnings, c.repaired...)
	}
	if len(c.ignored) > 0 && v.code == "" {
		now = diagnose.Tell(now, "full", c.ignored...)
		v.warnings = append(v.warnings, c.ignored...)
	}
	if r.Observe || len(now) == len(result) {
		return f
	}
	if g := replaced(f, f.Msg.Result, now); !r.tooLong(c, g) {
		return g
	}
	return f
}

// goodResult passes a result on, with the notice of a restart if that is due.
func (r *Relay) goodResult(c *call, f *wire.Frame, v *verdict) {
	m := f.Msg
	switch {
	case string(m.ResultType.Of(f.Bytes)) == `"input_required"`:
		v.outcome = "input_required"
	case v.code != "":
	default:
		if r.server != nil {
			r.server.served = true
		}
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
		r.dissuade(c, e.err, now)
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
