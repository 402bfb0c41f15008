package demo

import (
	"encoding/json"
	"fmt"
	"strings"
)

// directRows tells what the client saw without recourse.
func directRows(r Result) []row {
	rows := r.Direct.story(r.Case)
	if r.Case.harm != "" {
		rows = append(rows, row{}, row{text: r.Case.harm})
	}
	return rows
}

// throughRows tells what it saw with recourse.
func throughRows(r Result) []row {
	rows := r.Through.story(r.Case)
	if r.Through.message.Result != nil && r.Through.Next == nil && same().holds(r) {
		rows = append(rows, row{text: "Byte for byte what the server wrote.", style: green})
	}
	if verdict([]Result{r}) != nil {
		rows[0].style = red
		rows = append(rows, row{}, row{text: "This is not what had to come: see the end.", style: red})
	}
	return rows
}

// story tells what a client saw: of each call how it ended, then what came.
func (s *Sight) story(c *Case) []row {
	rows := s.answer("the connection ended after " + span(s.Took))
	step, seen := c.next, s.Next
	for ; step != nil && seen != nil; step, seen = step.next, seen.Next {
		rows = append(rows, row{}, row{text: step.String(), style: dim})
		rows = append(rows, seen.answer("there is no connection any more")...)
	}
	if c.harm == "" && s.message.Result != nil { // the bytes are the point
		if c.start > 0 {
			rows = append(rows, row{label: "ready", text: "after " + span(s.Ready)})
		}
		rows = append(rows,
			row{label: "result", text: count(len(s.message.Result))},
			row{label: "sha256", text: digest(s.Answer)[:32] + "…"})
	}
	for _, late := range s.Late {
		rows = append(rows, row{text: fmt.Sprintf("✗ After %s an answer came that nobody waited for any more.", span(late)), style: red})
	}
	return rows
}

// answer tells of one call; end is why there is no answer if the connection is
// closed.
func (s *Sight) answer(end string) []row {
	switch m := s.message; {
	case s.Closed:
		return []row{{text: "✗ No answer: " + end + ".", style: red}}
	case s.Answer == nil:
		return []row{{text: fmt.Sprintf("✗ Nothing, for %s. The client gave up.", span(s.Took)), style: red}}
	case m.Error != nil:
		return []row{
			{text: fmt.Sprintf("✗ JSON-RPC error %d after %s", m.Error.Code, span(s.Took)), style: red},
			{text: m.Error.Message},
		}
	case s.envelope != nil:
		rows := []row{{text: fmt.Sprintf("✓ %v after %s", s.envelope[0].value, span(s.Took)), style: green}}
		for _, e := range s.envelope[1:] {
			rows = append(rows, row{label: e.key, text: show(e.value)})
		}
		return rows
	}
	rows := []row{{text: "✓ An answer after " + span(s.Took), style: green}}
	if s.failed {
		rows[0] = row{text: "✗ An error after " + span(s.Took), style: red}
	}
	if len(s.text) <= longest {
		rows = append(rows, row{label: "text", text: s.text})
	}
	for _, note := range s.notes {
		rows = append(rows, row{label: "note", text: note})
	}
	if s.structured != nil {
		rows = append(rows, row{label: "structured", text: string(s.structured)})
	}
	for _, note := range s.repaired {
		rows = append(rows, row{label: "repaired", text: note})
	}
	return rows
}

// longest is the size of a text that is shown, in bytes.
const longest = 600

// String is how a step is announced.
func (s *step) String() string {
	if s.pause > 0 {
		return "→ " + span(s.pause) + " later: " + s.tool + " " + s.args
	}
	return "→ then " + s.tool + " " + s.args
}

// show writes a member's value: text as it is, everything else as JSON.
func show(value any) string {
	if text, ok := value.(string); ok {
		return strings.TrimRight(text, "\n")
	}
	text, _ := json.Marshal(value)
	return string(text)
}
