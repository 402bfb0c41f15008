package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
	"github.com/recourse-dev/recourse/internal/redact"
	"github.com/recourse-dev/recourse/schema"
)

// An objection is what is wrong with the arguments of a call that was sent all the same.
type objection struct {
	err      *recourse.Error
	proposed []byte // arguments that would fit; nil: none are certain enough
}

// vet compares a call's arguments with the tool's schema, and puts right what can be
// meant in one way only. It returns what is to be sent, and whether that may be: a
// call that was refused is answered.
func (r *Relay) vet(c *call, frame []byte, now time.Time) ([]byte, bool) {
	mode := r.Rules.Check.For(c.tool, rules.Auto)
	t := r.table.tools[c.tool]
	if c.method != methodCall || t == nil || !r.table.complete || mode == rules.Off || c.size > maxChecked {
		return frame, true
	}
	s := r.study(t).input
	if s == nil {
		return frame, true
	}
	args := c.args.Of(frame)
	if t.simple.fits(args) || t.fits != nil && bytes.Equal(args, t.fits) {
		return frame, true
	}
	wrong := s.Check(args)
	if wrong == nil {
		return r.fit(c, t, frame), true
	}
	hide(wrong, t.secret)
	fixed := s.Repair(args)
	if fixed != nil && r.repairs(c, fixed) {
		c.stray(s, fixed.Arguments)
		return r.amend(c, frame, fixed.Arguments, fixed.Notes), true
	}
	c.objection = &objection{err: wrong}
	if fixed != nil && len(fixed.Arguments) <= maxProposed {
		// With a secret left out they would be wrong again.
		if _, hidden := r.Redact.AppendArguments(nil, fixed.Arguments, t.secret); hidden == nil {
			c.objection.proposed = fixed.Arguments
		}
	}
	if mode != rules.Enforce && !(mode == rules.Auto && t.enforces(wrong)) {
		return frame, true
	}
	if r.Observe {
		c.would = string(wrong.Code)
		return frame, true
	}
	e := c.objection.explain()
	e.NotRun = true
	r.fail(c, &fault{err: e, outcome: "short_circuited", blame: "caller"}, policy.Ignored, now)
	return nil, false
}

// fit returns the frame of a call whose arguments are right: with an object in the place
// of what stands for none. The protocol allows to leave them out, which is changed only
// for a server that has refused it.
func (r *Relay) fit(c *call, t *tool, frame []byte) []byte {
	args := c.args.Of(frame)
	none := len(args) == 0 || string(args) == "null" || string(args) == `""`
	switch {
	case len(args) == 0 && !t.wants:
	case none && r.Rules.Repair.For(c.tool, rules.Safe) != rules.Off:
		return r.amend(c, frame, []byte("{}"), nil)
	case none:
	case !t.knows(args):
		c.stray(t.input, args)
	case len(args) <= maxGood:
		t.fits = append(t.fits[:0], args...)
	}
	return frame
}

// hide takes out of an error the values that the schema declares secret.
func hide(e *recourse.Error, secret *redact.Declared) {
	if secret == nil {
		return
	}
	if secret.Secret(e.Field) {
		e.Value = nil
	}
	for i := range e.Violations {
		if secret.Secret(e.Violations[i].Field) {
			e.Violations[i].Value = nil
		}
	}
}

// stray notes which of the arguments mean nothing to the tool, and what they may have
// been meant to be.
func (c *call) stray(s *schema.Schema, args []byte) {
	for _, stray := range s.Ignored(args) {
		c.ignored = append(c.ignored, fmt.Sprintf("The tool has no argument %s, so it was ignored. Did you mean %s?", stray.Name, stray.Near))
	}
}

// maxChecked is the size of arguments above which they are not held against the
// schema.
const maxChecked = 1 << 20

// repairs reports whether a repair may be sent: what takes no more for granted than
// the spelling of a value is for every tool, what a name was meant to be only for one
// that changes nothing.
func (r *Relay) repairs(c *call, fixed *schema.Repair) bool {
	if r.Rules.Repair.For(c.tool, rules.Safe) == rules.Off {
		return false
	}
	switch fixed.Grade {
	case schema.Types:
		return true
	case schema.Names:
		return r.table.hints(c.tool).readOnly
	}
	return false
}

// amend returns the call's frame with other arguments.
func (r *Relay) amend(c *call, frame, args []byte, notes []string) []byte {
	if r.Observe {
		for _, n := range notes {
			c.notes = append(c.notes, "Guarding would have repaired the arguments: "+n)
		}
		c.mended = len(notes) > 0
		return frame
	}
	m := wire.Scan(frame).Msg
	edit := wire.Edit{At: m.Arguments, With: args}
	if !m.Arguments.Ok() {
		name := m.Name.Of(frame)
		edit = wire.Edit{At: m.Name, With: slices.Concat(name, []byte(`,"arguments":`), args)}
	}
	c.original = append([]byte{}, c.args.Of(frame)...)
	c.repaired = notes
	better := bytes.TrimSuffix(wire.AppendSplice(nil, frame, edit), []byte("\n"))
	m = wire.Scan(better).Msg
	c.idAt, c.args = m.ID, m.Arguments
	if c.frame != nil {
		r.copies += len(better) - len(c.frame)
		c.frame = better
	}
	return better
}

// explain returns the error of a call whose arguments are wrong.
func (o *objection) explain() *recourse.Error {
	e := *o.err
	e.Related = map[string]any{}
	maps.Copy(e.Related, o.err.Related)
	if o.proposed != nil {
		e.Related["proposed_arguments"] = json.RawMessage(o.proposed)
		e.Suggestion += " If you mean proposed_arguments, call again with those."
	}
	return &e
}

// maxProposed is the size of arguments that are proposed whole, in bytes: an
// envelope has to hold the rest as well.
const maxProposed = 1000

// ruleOf names a rule that a value breaks: its place, what is asked of it there, and
// what kind of value it is, since a text and a number break different parts of it.
func ruleOf(field, constraint string, value any) string {
	return fmt.Sprintf("%s %s %T", field, constraint, value)
}

// rulesOf returns the rules that arguments break.
func rulesOf(wrong *recourse.Error) []string {
	if len(wrong.Violations) == 0 {
		return []string{ruleOf(wrong.Field, wrong.Constraint, wrong.Value)}
	}
	broken := make([]string, 0, len(wrong.Violations))
	for _, v := range wrong.Violations {
		broken = append(broken, ruleOf(v.Field, v.Constraint, v.Value))
	}
	return broken
}

// enforces reports whether the server is known to refuse what breaks one of these
// rules.
func (t *tool) enforces(wrong *recourse.Error) bool {
	return t.barred != nil && slices.ContainsFunc(rulesOf(wrong), func(rule string) bool { return t.barred[rule] })
}

// maxBarred bounds the rules that are remembered of one tool.
const maxBarred = 200

// bar notes that the server has refused a call over these rules, or died of it. Of
// several, any may have been the reason; each one is a call that the schema forbids.
func (t *tool) bar(wrong *recourse.Error) {
	if t.barred == nil {
		t.barred = map[string]bool{}
	}
	for _, rule := range rulesOf(wrong) {
		if len(t.barred) < maxBarred {
			t.barred[rule] = true
		}
	}
}
