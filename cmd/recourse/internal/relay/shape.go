package relay

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// replaced returns a frame with another value in the place of a span.
func replaced(f *wire.Frame, at wire.Span, with []byte) *wire.Frame {
	line := wire.AppendSplice(nil, f.Bytes, wire.Edit{At: at, With: with})
	g := wire.Scan(bytes.TrimSuffix(line, []byte("\n")))
	g.ID, g.Size, g.Notes = f.ID, f.Size, f.Notes
	return g
}

// readableParams returns a message of the server with params that every client can
// read: TypeScript's drop one whose params or _meta are null, and never answer it.
func readableParams(f *wire.Frame) *wire.Frame {
	m := f.Msg
	switch {
	case f.Bytes == nil:
	case string(m.Params.Of(f.Bytes)) == "null":
		return replaced(f, m.Params, []byte("{}"))
	case m.Meta.Ok() && f.Bytes[m.Meta.Start] != '{':
		return replaced(f, m.Meta, []byte("{}"))
	}
	return f
}

// presentable returns an answer to anything but tools/call that every client can
// read: a result is an object, an error has a number and a message.
func presentable(c *call, f *wire.Frame) *wire.Frame {
	m := f.Msg
	if m.Kind == wire.Failure {
		if better := diagnose.Refusal(m.Error.Of(f.Bytes)); better != nil {
			return replaced(f, m.Error, better)
		}
		return f
	}
	if m.Meta.Ok() && f.Bytes[m.Meta.Start] != '{' {
		f = replaced(f, m.Meta, []byte("{}"))
		m = f.Msg
	}
	result := m.Result.Of(f.Bytes)
	switch {
	case result[0] == '{':
		if list := c.method.member(); list != "" {
			if better, ok := diagnose.List(result, list); ok {
				return replaced(f, m.Result, better)
			}
		}
		return f
	case c.method.empty(): // "pong" is an answer, too
		return replaced(f, m.Result, []byte("{}"))
	}
	line := wire.AppendFailure(nil, f.ID, broken(c, "its result is "+diagnose.Kind(result)+", which the protocol doesn't know"))
	g := wire.Scan(bytes.TrimSuffix(line, []byte("\n")))
	g.Size = f.Size
	return g
}

// shaped returns the result of a tools/call in a form that every client can read,
// or the error that takes its place.
func (r *Relay) shaped(c *call, f *wire.Frame, v *verdict) (*wire.Frame, *fault) {
	at := f.Msg.Result
	result := at.Of(f.Bytes)
	if c.task && bytes.Contains(result, []byte(`"task"`)) {
		return f, nil // it has no content yet
	}
	s := diagnose.Examine(result, c.tool)
	if s.Broken != "" {
		return f, r.brokenError(c, result, s.Broken+", which the protocol doesn't know")
	}
	v.blank, v.own = s.Blank, s.Own
	v.warnings = append(append(v.warnings, f.Notes...), s.Notes...)
	if r.Observe {
		return f, nil
	}
	better := s.Result
	now := result
	if better != nil {
		now = better
	}
	if data := f.Msg.Structured.Of(f.Bytes); !c.modern && !f.Msg.ResultType.Ok() && len(data) > 0 && data[0] != '{' && data[0] != 'n' {
		better = diagnose.Unstructured(now)
		now = better
	}
	if most := int(r.Rules.MaxText.Or(0)); most > 0 && len(now) > most {
		if cut, ok := diagnose.Cut(now, most, r.narrowing(c.tool)); ok {
			if f.Msg.Structured.Ok() && !bytes.Contains(cut, []byte(`"structuredContent"`)) && r.study(r.toolOf(c)).structured {
				// Clients that check the schema throw such a result away.
				return f, largeAnswerError(c, f.Size, most, "--max-text", r.narrowing(c.tool))
			}
			better, now = cut, cut
			v.warnings = append(v.warnings, cutNotice)
			v.cut = true
		}
	}
	if len(f.Notes) > 0 {
		better = diagnose.Warn(now, f.Notes...)
	}
	if better == nil {
		return f, nil
	}
	if c.modern && !f.Msg.ResultType.Ok() {
		better = slices.Concat([]byte(`{"resultType":"complete",`), better[1:]) // that era wants one
	}
	return replaced(f, at, better), nil
}

// cutNotice is what the log says of a result that --max-text has made shorter.
const cutNotice = "its text was over --max-text and has been cut"

// narrowing names the parameters of a tool by which one can ask for less.
func (r *Relay) narrowing(name string) []string {
	if t := r.table.tools[name]; t != nil {
		return diagnose.Narrowing(t.raw)
	}
	return nil
}

// maxDepth is the nesting that every client can read: those of the Go SDK end the
// session above it (defaultMaxDepth in its internal/json, v1.8.0).
const maxDepth = 1000

// unstructured reports whether the params of a message are a scalar, which is no
// JSON-RPC.
func unstructured(f *wire.Frame) bool {
	if f.Bytes == nil {
		return false
	}
	p := f.Msg.Params.Of(f.Bytes)
	return len(p) > 0 && p[0] != '{' && p[0] != '[' && p[0] != 'n'
}

// unfit answers for a message of the server that no client can read, or some end
// the session over.
func (r *Relay) unfit(f *wire.Frame, now time.Time) {
	why := "the params must be an object"
	if f.Msg.Depth > maxDepth {
		why = fmt.Sprintf("it is nested %d levels deep, and clients can read %d", f.Msg.Depth, maxDepth)
	}
	c := r.answered(f.ID)
	switch f.Msg.Kind {
	case wire.Request:
		r.tellServer(protocolError(f.ID, wire.InvalidRequest, "Invalid Request: "+why))
	case wire.Result, wire.Failure:
		switch {
		case c == nil:
			r.late(f, now)
			return
		case c.own:
			r.ownAnswer(c, &wire.Frame{Msg: f.Msg, ID: f.ID}, now)
			return
		case c.method == methodCall:
			r.fail(c, r.brokenError(c, f.Bytes, why), policy.Success, now)
			return
		}
		r.fail(c, &fault{err: broken(c, why)}, policy.Success, now)
		return
	}
	r.noise(f, now)
}
