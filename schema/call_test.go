package schema

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse"
)

// A call is one that a model might make: of a tool of testdata/tools.json, with
// what has to be said of it.
type call struct {
	Name, Tool string
	Arguments  json.RawMessage
	Code       recourse.Code // "" if nothing is wrong
	Fields     []string      // pointers, in any order
	Says       []string      // part of the constraint of each
}

func calls(t *testing.T) ([]call, map[string]*Schema) {
	text, err := os.ReadFile("testdata/tools.json")
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	tools := map[string]*Schema{}
	for name, text := range raw {
		if tools[name], err = Compile(text); err != nil {
			t.Fatal(name, err)
		}
		tools[name].StrictFormats = true
	}
	f, err := os.Open("testdata/calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []call
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all, tools
}

// TestCalls holds Check to its aim: of the calls that models get wrong, 99 % are
// described at the right place and for the right reason, and no valid one is
// refused.
func TestCalls(t *testing.T) {
	all, tools := calls(t)
	right := 0
	for _, c := range all {
		e := tools[c.Tool].Check(c.Arguments)
		if wrong := c.judge(e); wrong != "" {
			t.Logf("%s: %s\n%v", c.Name, wrong, e.Envelope())
			if c.Code == "" {
				t.Errorf("%s: refused", c.Name)
			}
			continue
		}
		right++
	}
	if t.Logf("%d of %d", right, len(all)); right*100 < len(all)*99 {
		t.Errorf("%d of %d", right, len(all))
	}
}

func (c call) judge(e *recourse.Error) string {
	if c.Code == "" {
		if e != nil {
			return "refused"
		}
		return ""
	}
	if codeOf(e) != c.Code {
		return "not " + string(c.Code)
	}
	found := e.Violations
	if len(found) == 0 {
		found = []recourse.Violation{{Field: e.Field, Constraint: e.Constraint, Suggestion: e.Suggestion}}
	}
	if len(found) != len(c.Fields) {
		return "not as many faults"
	}
	for i, field := range c.Fields {
		said := false
		for _, v := range found {
			said = said || v.Field == field && strings.Contains(v.Constraint, c.Says[i]) && strings.HasSuffix(v.Suggestion, ".")
		}
		if !said {
			return "not " + field + ": " + c.Says[i]
		}
	}
	if e.Message == "" || e.Suggestion == "" || e.Retryable() {
		return "no message or suggestion, or retryable"
	}
	return ""
}
