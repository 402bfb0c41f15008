package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
)

// An outing is a case of a server's answer, and what the client got for it.
type outing struct {
	sample
	sent json.RawMessage // the result; nil if it was a JSON-RPC error
	told answer          // as the case says, of a tool that nothing is known of
	read answer          // told as a failure whatever the case says, of a tool that only reads
}

// measureResults plays every text twice. Whether a failure that is told as data is
// seen shows in the first session. What it means shows in the second, so that one
// that was not seen counts once, and retryable means what the label says only there:
// of a tool that may write, a call whose outcome is not known is never repeated.
func (r *report) measureResults(s *stage, cases []sample) error {
	all := append(of(errorText, cases), of(hardNegative, cases)...)
	outings := make([]outing, len(all))
	var told, read []role
	for i, c := range all {
		name := "tool_" + strconv.Itoa(i+1)
		asIs := c.role(name, c.Flag)
		if i%2 == 0 { // the spelling must make no difference
			asIs.Result = escaped(asIs.Result)
		}
		outings[i] = outing{sample: c, sent: asIs.Result}
		told = append(told, asIs)
		if c.Kind == errorText {
			failed := c.role(name, true)
			failed.ReadOnly = true
			read = append(read, failed)
		}
	}
	nothing := make([]json.RawMessage, len(all))
	for i := range nothing {
		nothing[i] = json.RawMessage("{}")
	}
	answers, err := s.play(nil, told, nothing)
	if err != nil {
		return err
	}
	for i, a := range answers {
		outings[i].told = a
	}
	if answers, err = s.play(nil, read, nothing); err != nil {
		return err
	}
	for i, a := range answers {
		outings[i].read = a
	}
	r.judgeDisguise(outings)
	r.judgeCodes(outings[:len(read)])
	r.judgeRepeats(outings[:len(read)])
	return nil
}

// An SDK's client writes a JSON-RPC error like this.
var rpcError = regexp.MustCompile(`(?s)^(?:MCP|JSON-RPC) error (-?\d+): (.*)$`)

func (s sample) role(name string, failed bool) role {
	switch {
	case s.Kind == hardNegative:
		return role{Name: name, Result: contentResult(s.Content)}
	case s.Channel != "jsonrpc":
		return role{Name: name, Result: textResult(s.Text, failed)}
	}
	code, text := "-32603", s.Text
	if m := rpcError.FindStringSubmatch(text); m != nil {
		code, text = m[1], m[2]
	}
	message, _ := json.Marshal(text)
	return role{Name: name, Error: json.RawMessage(`{"code":` + code + `,"message":` + string(message) + `}`)}
}

// contentResult takes a text, a list of content blocks, or other JSON as a text.
func contentResult(content json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return textResult(text, false)
	}
	var blocks []struct{ Type string }
	if json.Unmarshal(content, &blocks) == nil && len(blocks) > 0 && blocks[0].Type != "" {
		return json.RawMessage(`{"content":` + string(content) + `}`)
	}
	return textResult(string(content), false)
}

func (r *report) judgeDisguise(outings []outing) {
	var recall, precision, flips, blank, changed, blocks count
	for _, o := range outings {
		switch {
		case o.Kind == errorText && o.Label.Disguised:
			recall.add(o.told.failed)
			r.note(!o.told.failed, "disguised", o.ID, "data", "an error", o.Text)
			if o.told.failed {
				precision.add(true)
			}
		case o.Kind == hardNegative:
			if o.told.failed {
				precision.add(false)
			}
			r.note(o.told.failed, "flipped", o.ID, o.told.code(), "data", string(o.Content))
			if o.Label.Blank {
				blank.add(o.told.failed)
			}
			flips.add(o.told.failed)
			if !o.told.failed && !o.Label.Blank && !o.Label.Partial {
				same := string(o.told.result) == string(o.sent)
				changed.add(!same)
				r.note(!same, "changed", o.ID, string(o.told.result), "the same bytes", string(o.Content))
			}
		}
		if o.sent != nil && !o.Label.Blank {
			kept := o.told.keeps(o.sent)
			blocks.add(!kept)
			r.note(!kept, "blocks lost", o.ID, string(o.told.result), string(o.sent), "")
		}
	}
	r.add("disguised errors seen (recall)", recall, atLeast(.95))
	r.add("told as errors rightly (precision)", precision, atLeast(.99))
	r.add("hard negatives flipped", flips, atMost(.005))
	r.add("blanks flipped", blank, atMost(0))
	r.add("good answers changed", changed, atMost(0))
	r.add("blocks lost", blocks, atMost(0))
}

func (r *report) judgeCodes(outings []outing) {
	var right count
	var pairs []pair
	for _, o := range outings {
		got := o.read.code()
		if o.told.failed {
			got = o.told.code()
		}
		pairs = append(pairs, pair{want: o.Label.Code, got: got})
		right.add(got == o.Label.Code)
		r.note(got != o.Label.Code, "code", o.ID, got, o.Label.Code, o.Text)
	}
	r.add("code", right, atLeast(.96))
	r.addValue("code, macro-F1", macroF1(pairs), count{of: len(pairs)}, atLeast(.92))
}

func (r *report) judgeRepeats(outings []outing) {
	var right, unsafe, unknown, exact, spurious count
	for _, o := range outings {
		said := o.read.envelope != nil && o.read.envelope.Retryable
		right.add(said == o.Label.Retryable)
		unsafe.add(said && !o.Label.Retryable)
		r.note(said != o.Label.Retryable, "retryable", o.ID, fmt.Sprint(said, " ", o.read.code()), fmt.Sprint(o.Label.Retryable), o.Text)
		if e := o.told.envelope; e != nil {
			wrong := e.Retryable && e.Outcome == "unknown"
			unknown.add(wrong)
			r.note(wrong, "retryable, outcome unknown", o.ID, e.Code, "not retryable", o.Text)
		}
		wait := o.read.wait()
		if want := o.Label.RetryAfter; want != nil {
			same := equal([]byte(wait), []byte(*want))
			exact.add(same)
			r.note(!same, "retry_after", o.ID, wait, string(*want), o.Text)
		} else {
			wrong := wait != "" && wait != defaultWait(o.read.code())
			spurious.add(wrong)
			r.note(wrong, "retry_after", o.ID, wait, "none", o.Text)
		}
	}
	r.add("retryable", right, atLeast(.99))
	r.add("unsafe retries", unsafe, atMost(.002))
	r.add("retryable with an unknown outcome", unknown, atMost(0))
	r.add("retry_after exact", exact, atLeast(1))
	r.add("retry_after spurious", spurious, atMost(0))
}
