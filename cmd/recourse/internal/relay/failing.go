package relay

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// words returns what is known of a call for whoever explains its failure.
func (c *call) words() diagnose.Words {
	w := diagnose.Words{Args: c.arguments()}
	if c.objection != nil {
		w.Objection = c.objection.explain()
	}
	return w
}

// callFailure says clearly what a JSON-RPC error means.
func (r *Relay) callFailure(c *call, f *wire.Frame, v *verdict, now time.Time) {
	m := f.Msg
	if better := diagnose.Refusal(m.Error.Of(f.Bytes)); better != nil {
		f = replaced(f, m.Error, better)
		if m = f.Msg; r.Observe {
			c.would = string(recourse.BadUpstreamResponse)
		}
	}
	d := diagnose.Failure(m.Code.Of(f.Bytes), m.Text.Of(f.Bytes), m.Data.Of(f.Bytes), c.tool, r.table.known(), c.words(), r.excerpt)
	if r.table.gone[c.tool] && d.Err.Code == recourse.UnknownTool {
		d.Err.Message += r.whyGone()
	}
	if !d.Pass && !d.Protocol {
		r.settleError(c, d.Err, false)
		r.learnFailure(c, d.Err, d.Blames, now)
	}
	v.outcome, v.fault, v.code, v.message = "failed", d.Fault, string(d.Err.Code), d.Err.Error()
	v.cause, v.rpc = d.Text, d.Code
	switch {
	case r.Observe:
		if !d.Pass && !c.mended { // what guarding would have sent may have been taken
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

// settleError says of an error that the server has reported whether the call may be
// repeated: whatever the words say, what may have run is not, unless a repeat is
// known to do no harm. A flip has only been inferred, and promises a tool that may
// act nothing.
func (r *Relay) settleError(c *call, e *recourse.Error, flipped bool) {
	if r.table.hints(c.tool).repeatable() {
		if e.Code == recourse.Timeout && e.MaxRetries == 0 {
			e.MaxRetries = 1
		}
		return
	}
	switch e.Code {
	case recourse.Timeout, recourse.ServiceUnavailable, recourse.UpstreamError, recourse.BadUpstreamResponse:
	case recourse.RateLimited, recourse.ResourceBusy:
		if flipped && e.Retryable() { // who refuses has done nothing; but it has only been inferred
			e.MaxRetries = -1
		}
		return
	default:
		if e.Retryable() {
			e.MaxRetries = -1
		}
		return
	}
	if e.NotRun {
		return
	}
	if e.Related == nil {
		e.Related = map[string]any{}
	}
	e.RetryAfter = -1
	e.Suggestion = strings.TrimSpace(r.checkFirst(c, e))
}

// learnFailure draws conclusions from a failure: from a refusal that the schema had
// foreseen, that this server enforces its schema; from a call that fails again and
// again, that its sender does not listen.
func (r *Relay) learnFailure(c *call, e *recourse.Error, blames bool, now time.Time) {
	if t := r.table.tools[c.tool]; t != nil && blames {
		if c.objection != nil {
			t.bar(c.objection.err)
		}
		t.wants = t.wants || !c.args.Ok()
	}
	r.dissuade(c, e, now)
}

// reported makes the error that a result reports one that a model can act on. What the
// server says follows, unless it is a validator's dump, of which nothing is left to
// say. One that says all this already passes as it came.
func (r *Relay) reported(c *call, f *wire.Frame, v *verdict, now time.Time) *wire.Frame {
	result := f.Msg.Result.Of(f.Bytes)
	w := c.words()
	if !v.blank { // else what it holds are our own words
		w.Text = diagnose.Said(result)
	}
	return r.failed(c, f, w, false, v, now)
}

// disguised looks for an error in a result that calls itself a success.
func (r *Relay) disguised(c *call, f *wire.Frame, fits bool, v *verdict, now time.Time) *wire.Frame {
	level := r.Rules.Disguise.For(c.tool, rules.T2)
	if level == rules.Off {
		return f
	}
	t := r.study(r.toolOf(c))
	result := f.Msg.Result.Of(f.Bytes)
	s := diagnose.Disguised(result, t.conduct, &t.memory, fits, c.arguments())
	switch {
	case s.Tier == diagnose.Structure, s.Tier == diagnose.Anchored && level == rules.T2:
	case s.Tier == diagnose.None:
		t.memory.Learn(result)
		return f
	default:
		v.warnings = append(v.warnings, "POSSIBLE_ERROR: "+s.Rule)
		t.memory.Learn(result)
		return f
	}
	v.warnings = append(v.warnings, "an error that was reported as a success: "+s.Rule)
	w := c.words()
	w.Text = s.Text
	if s.Tier == diagnose.Structure { // a wait or a code may stand beside the message
		if whole := diagnose.Said(result); json.Valid([]byte(whole)) {
			w.Text = whole
		}
	}
	return r.failed(c, f, w, true, v, now)
}

// failed returns a result as an error, and notes it.
func (r *Relay) failed(c *call, f *wire.Frame, w diagnose.Words, flipped bool, v *verdict, now time.Time) *wire.Frame {
	x := w.Explain()
	if known := r.table.known(); known != nil && r.table.tools[c.tool] == nil && aboutTools(x.Err.Code, w.Text) {
		x = diagnose.Explanation{Err: diagnose.NoSuchTool(c.tool, known), Blames: true}
	}
	result := f.Msg.Result.Of(f.Bytes)
	structured, marked := diagnose.Structured(result)
	structured = structured && !flipped
	if declared, ok := diagnose.Declared(result, now); ok {
		x = diagnose.Explanation{Err: &recourse.Error{Code: declared.Code}}
	}
	e := x.Err
	told := structured || e.Message != ""
	r.settleError(c, e, flipped)
	r.learnFailure(c, e, x.Names, now)
	v.outcome, v.fault, v.code, v.message = "failed", "upstream", string(e.Code), e.Error()
	if x.Blames {
		v.fault = "caller"
	}
	v.cause = r.excerpt(w.Text)
	if !told && v.cause != "" {
		// There are clients that show a model the first block alone.
		e.Message = e.Error() + " upstream.text is what the server said."
		if e.Related == nil {
			e.Related = map[string]any{}
		}
		e.Related["upstream"] = map[string]any{"text": v.cause}
	}
	switch {
	case r.Observe:
		if !c.mended {
			c.would = string(e.Code)
		}
		return f
	case structured && marked:
		return f // a program can read it already
	case structured:
		return replaced(f, f.Msg.Result, diagnose.Mark(result, e))
	case !flipped && e.Code == recourse.UnknownError && e.Suggestion == "":
		return f // there is nothing to say that the server has not said
	}
	return replaced(f, f.Msg.Result, diagnose.Flip(result, e, x.Told && !flipped, r.study(r.toolOf(c)).structured))
}

// aboutTools reports whether the failure of a tool that is in no list may be that there
// is none: servers also have tools that they don't list.
func aboutTools(code recourse.Code, text string) bool {
	return code == recourse.UnknownTool || (code == recourse.NotFound || code == recourse.InvalidArgument) && strings.Contains(strings.ToLower(text), "tool")
}
