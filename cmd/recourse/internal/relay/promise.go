package relay

import (
	"fmt"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// keepsPromise holds a result against the form that its tool has promised. Data that
// are only in the text are put where they belong. It reports whether the data fit,
// and what is wrong if they don't: the SDKs' clients refuse such an answer whole.
func (r *Relay) keepsPromise(c *call, f *wire.Frame, v *verdict) (g *wire.Frame, fits bool, flaw string) {
	output := r.study(r.toolOf(c)).output
	if output == nil || c.task || r.Rules.Check.For(c.tool, rules.Auto) == rules.Off {
		return f, false, ""
	}
	result := f.Msg.Result.Of(f.Bytes)
	data := f.Msg.Structured.Of(f.Bytes)
	if data == nil {
		if data = diagnose.Data(result); data == nil {
			return f, false, "it has no structuredContent, and its text holds no such data"
		}
		if e := output.Check(data); e != nil {
			return f, false, "it has no structuredContent, and what its text holds does not fit: " + brokenRule(e)
		}
		if r.Observe {
			return f, true, ""
		}
		v.warnings = append(v.warnings, "structuredContent was missing; it was taken from the text")
		return replaced(f, f.Msg.Result, diagnose.Promised(result, data)), true, ""
	}
	if e := output.Check(data); e != nil {
		return f, false, "its structuredContent does not fit: " + brokenRule(e)
	}
	return f, true, ""
}

// brokenRule says which value is not as promised.
func brokenRule(e *recourse.Error) string {
	rule := func(field, constraint string) string {
		if field == "" {
			field = "it"
		}
		return field + " must be " + strings.TrimPrefix(constraint, "required: ")
	}
	if len(e.Violations) == 0 {
		return rule(e.Field, e.Constraint)
	}
	text := rule(e.Violations[0].Field, e.Violations[0].Constraint)
	if n := len(e.Violations) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more", n)
	}
	return text
}

// unpromised returns a result that breaks its tool's promise as an error, with all
// that it holds: the SDKs' clients would show nothing of it.
func (r *Relay) unpromised(c *call, f *wire.Frame, flaw string, v *verdict, now time.Time) *wire.Frame {
	e := &recourse.Error{
		Code:       recourse.BadUpstreamResponse,
		Message:    fmt.Sprintf("%s ran, but its answer is not of the form that its outputSchema promises: %s.", c.what(), flaw),
		Suggestion: "Don't repeat the call: it is done. Read its answer in the blocks behind this one, and take care, since it may be incomplete. Tell the user that this server breaks its own promise.",
		MaxRetries: -1,
		Related:    map[string]any{"outcome": "completed", "reason": "output_schema_mismatch"},
	}
	v.outcome, v.fault, v.code, v.message = "failed", "upstream", string(e.Code), e.Message
	if r.Observe {
		c.would = v.code
		return f
	}
	r.dissuade(c, e, now)
	return replaced(f, f.Msg.Result, diagnose.Flip(f.Msg.Result.Of(f.Bytes), e, false, true))
}

// listable returns a list of tools without outputSchemas that can't be used: the
// TypeScript SDK's client compiles all of them, and refuses the whole list for one.
func (r *Relay) listable(f *wire.Frame) *wire.Frame {
	result := f.Msg.Result.Of(f.Bytes)
	better := diagnose.Compilable(result, func(tool string, raw []byte) bool {
		if fine, ok := r.outputs[string(raw)]; ok {
			return fine
		}
		if r.outputs == nil || len(r.outputs) > maxNames {
			r.outputs = map[string]bool{}
		}
		fine := r.compile(tool, "outputSchema", raw) != nil
		r.outputs[string(raw)] = fine
		return fine
	})
	if len(better) == len(result) {
		return f
	}
	return replaced(f, f.Msg.Result, better)
}
