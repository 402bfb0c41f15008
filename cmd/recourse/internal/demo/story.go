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
	if r.Through.message.Result != nil && same().holds(r) {
		rows = append(rows, row{text: "Byte for byte what the server wrote.", style: green})
	}
	if verdict([]Result{r}) != nil {
		rows[0].style = red
		rows = append(rows, row{}, row{text: "This is not what had to come: see the end.", style: red})
	}
	return rows
}

// story tells what a client saw: first how the call ended, then what came.
func (s *Sight) story(c *Case) (rows []row) {
	switch m := s.message; {
	case s.Closed:
		rows = append(rows, row{text: fmt.Sprintf("✗ No answer: the connection ended after %s.", span(s.Took)), style: red})
	case s.Answer == nil:
		rows = append(rows, row{text: fmt.Sprintf("✗ Nothing, for %s. The client gave up.", span(s.Took)), style: red})
	case m.Error != nil:
		rows = append(rows,
			row{text: fmt.Sprintf("✗ JSON-RPC error %d after %s", m.Error.Code, span(s.Took)), style: red},
			row{text: m.Error.Message})
	case s.envelope != nil:
		for i, e := range s.envelope {
			if i == 0 {
				rows = append(rows, row{text: fmt.Sprintf("✓ %v after %s", e.value, span(s.Took)), style: green})
				continue
			}
			rows = append(rows, row{label: e.key, text: show(e.value)})
		}
	default:
		rows = append(rows, s.data(c)...)
	}
	for _, late := range s.Late {
		rows = append(rows, row{text: fmt.Sprintf("✗ After %s an answer came that nobody waited for any more.", span(late)), style: red})
	}
	return rows
}

// data tells of an answer that is no error.
func (s *Sight) data(c *Case) []row {
	rows := []row{{text: "✓ An answer after " + span(s.Took), style: green}}
	if c.start > 0 {
		rows = append(rows, row{label: "ready", text: "after " + span(s.Ready)})
	}
	if len(s.text) <= 200 {
		rows = append(rows, row{label: "text", text: s.text})
	}
	return append(rows,
		row{label: "result", text: count(len(s.message.Result))},
		row{label: "sha256", text: digest(s.Answer)[:32] + "…"})
}

// show writes a member's value: text as it is, everything else as JSON.
func show(value any) string {
	if text, ok := value.(string); ok {
		return strings.TrimRight(text, "\n")
	}
	text, _ := json.Marshal(value)
	return string(text)
}
