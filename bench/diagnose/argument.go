package main

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A trial is one way to call a tool with the arguments of a case.
type trial struct {
	name    string
	flags   []string
	reads   bool // the tool is known to change nothing
	refuses bool // the server refuses what reaches it, without saying what is wrong
}

// trials are all ways. A call that is neither repaired nor rejected reaches the
// server in the default mode; if it then fails, the arguments explain it.
var trials = []trial{
	{name: "enforce, read-only", flags: []string{"--check", "enforce"}, reads: true},
	{name: "enforce", flags: []string{"--check", "enforce"}},
	{name: "auto, read-only", reads: true},
	{name: "auto"},
	{name: "auto, refused", reads: true, refuses: true},
}

func (t trial) enforces() bool { return len(t.flags) > 0 }

// refusal is what a server says that leaves all explaining to others.
const refusal = "400 Bad Request: the arguments are not valid."

func (r *report) measureArguments(s *stage, cases []sample) error {
	cases = of(badArgs, cases)
	var m mending
	for _, t := range trials {
		var roles []role
		var arguments []json.RawMessage
		for i, c := range cases {
			tool := role{Name: "tool_" + strconv.Itoa(i+1), Schema: c.Schema, ReadOnly: t.reads}
			if t.refuses {
				tool.Result = textResult(refusal, true)
			}
			roles = append(roles, tool)
			arguments = append(arguments, c.Args)
		}
		answers, err := s.play(t.flags, roles, arguments)
		if err != nil {
			return err
		}
		for i, a := range answers {
			r.judgeCall(&m, t, cases[i], a)
		}
	}
	r.add("right field", m.field, atLeast(.99))
	r.add("repaired rightly, safe", m.safe, atLeast(.95))
	r.add("repaired rightly, suggested", m.suggested, bound{})
	r.add("wrong repairs", m.wrong, atMost(0))
	r.add("valid calls changed or rejected", m.valid, atMost(0))
	r.add("code of rejected calls", m.code, bound{})
	return nil
}

// A mending counts what becomes of calls.
type mending struct{ field, safe, suggested, wrong, valid, code count }

func (r *report) judgeCall(m *mending, t trial, s sample, a answer) {
	id := s.ID + " (" + t.name + ")"
	sent := string(s.Args)
	got, reached := a.arguments()
	same := reached && string(got) == sent
	mended := reached && s.Label.Repair != nil && equal(got, s.Label.Repair)
	if s.Label.Code == "" {
		// Valid, however strange: a warning is all that it may get.
		if !t.refuses {
			ok := same && !a.failed
			m.valid.add(!ok)
			r.note(!ok, "valid call", id, outcome(a), "untouched", sent)
		}
		return
	}
	if !t.refuses {
		wrong := reached && !same && (!mended || !t.reads && renames(s.Args, s.Label.Repair))
		m.wrong.add(wrong)
		r.note(wrong, "wrong repair", id, outcome(a), string(s.Label.Repair), sent)
	}
	if t.enforces() {
		r.judgeRepair(m, t, s, a, mended)
	}
	// What was mended needs no explanation.
	if t.enforces() && !mended || t.refuses && s.Label.Auto != safe {
		right := !reached && a.failed
		for _, p := range s.Label.Problems {
			right = right && a.names(p.Path)
		}
		m.field.add(right)
		r.note(!right, "field", id, outcome(a)+" at "+a.places(), s.places(), sent)
		if t.enforces() {
			m.code.add(a.code() == s.Label.Code)
			r.note(a.code() != s.Label.Code, "code of arguments", id, a.code(), s.Label.Code, sent)
		}
	}
}

// judgeRepair wants a safe repair done, or proposed for a tool that may write if it
// changes names.
func (r *report) judgeRepair(m *mending, t trial, s sample, a answer, mended bool) {
	proposed := a.envelope != nil && equal(a.envelope.Proposed, s.Label.Repair)
	var right bool
	switch {
	case s.Label.Repair == nil:
		return
	case s.Label.Auto == safe && t.reads:
		right = mended
		m.safe.add(right)
	case s.Label.Auto == safe:
		right = mended || proposed
		m.safe.add(right)
	case s.Label.Auto == suggest:
		right = proposed
		m.suggested.add(right)
	default:
		return
	}
	r.note(!right, "repair, "+string(s.Label.Auto), s.ID+" ("+t.name+")", outcome(a), string(s.Label.Repair), string(s.Args))
}

// outcome says what became of a call.
func outcome(a answer) string {
	if got, ok := a.arguments(); ok {
		return "received " + string(got)
	}
	if a.envelope == nil {
		return "failed without an envelope"
	}
	if a.envelope.Proposed != nil {
		return "proposed " + string(a.envelope.Proposed)
	}
	return "rejected, " + a.code()
}

func (s sample) places() string {
	var places []string
	for _, p := range s.Label.Problems {
		places = append(places, strconv.Quote(p.Path))
	}
	return strings.Join(places, " ")
}
