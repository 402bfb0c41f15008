package schema

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// What is right keeps its bytes, what is not moved its place, and numbers their
// digits.
func TestRepairKeepsBytes(t *testing.T) {
	s, err := Compile([]byte(`{"type":"object","properties":{"n":{"type":"integer"},"f":{"type":"number"},"max_rows":{"type":"integer"},"list":{"type":"array","items":{"type":"integer"}},"more":{}},"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]string{
		`{ "more" : {"b":1.0, "a":"\u00e9<"}, "n":"9007199254740993", "f": 1.10 }`: `{"more":{"b":1.0, "a":"\u00e9<"},"n":9007199254740993,"f":1.10}`,
		`{"maxRows": 9007199254740993,"f":"1.10","n":1}`:                           `{"max_rows":9007199254740993,"f":1.10,"n":1}`,
		`{"list":[1, "2", 3e0],"n":-0}`:                                            `{"list":[1,2,3e0],"n":-0}`,
		`{"list":"[1, 2e0]"}`:                                                      `{"list":[1, 2e0]}`,
		`{"more":"<&>\ud800","n":"1"}`:                                             `{"more":"<&>\ud800","n":1}`,
	} {
		if r := s.Repair([]byte(arguments)); r == nil || string(r.Arguments) != want {
			t.Errorf("%s became %+v, want %s", arguments, r, want)
		}
	}
}

// Notes say in plain words what was done, and no secret.
func TestRepairNotes(t *testing.T) {
	s, err := Compile([]byte(`{"type":"object","properties":{"days":{"type":"integer"},"api_key":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"note":{"type":"string"}},"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	r := s.Repair([]byte(`{"Days":"3","api_key":4711,"tags":"a","note":null,"zone":"x"}`))
	want := []string{
		"There is no argument zone; it is left out.",
		"The argument Days is now called days.",
		"The argument api_key was a number and is now a text.",
		`The argument tags was the text "a" and is now a list of 1.`,
		"The argument note was null and is left out.",
		`The argument days was the text "3" and is now the number 3.`,
	}
	if r == nil || r.Grade != Guess || !sameSet(r.Notes, want) {
		t.Errorf("%+v", r)
	}
	token := "ghp_" + strings.Repeat("aB3d", 9)
	if r := s.Repair([]byte(`{"tags":"` + token + `"}`)); r == nil || !strings.Contains(string(r.Arguments), token) || strings.Contains(r.Notes[0], token) {
		t.Errorf("%+v", r)
	}
}

func sameSet(a, b []string) bool {
	set := func(all []string) map[string]bool {
		m := map[string]bool{}
		for _, s := range all {
			m[s] = true
		}
		return m
	}
	return len(a) == len(b) && reflect.DeepEqual(set(a), set(b))
}

// However large or twisted the arguments, a repair ends.
func TestRepairBounded(t *testing.T) {
	numbers := `{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}},"o":{"type":"object","additionalProperties":{"type":"integer"}}},"additionalProperties":false}`
	wide := `{"type":"object","additionalProperties":false,"properties":{` + members(3000, `"some_rather_long_name_%d":{"type":"string"}`) + `}}`
	inside := "1"
	for range 12 {
		inside = fmt.Sprintf("%q", "["+inside+"]")
	}
	for name, tt := range map[string]struct {
		schema, arguments string
		repaired          bool
	}{
		"many texts":          {numbers, `{"a":[` + strings.TrimSuffix(strings.Repeat(`"1",`, 900), ",") + `]}`, true},
		"too many texts":      {numbers, `{"a":[` + members(100_000, `"%d"`) + `]}`, false},
		"a long list as text": {numbers, `{"a":"[` + members(50_000, `%d`) + `]"}`, true},
		"brackets":            {numbers, `{"a":"` + strings.Repeat("[", 1<<20) + `"}`, false},
		"parentheses":         {numbers, `{"a":"` + strings.Repeat("(", 1<<20) + `"}`, false},
		"braces and words":    {numbers, `{"o":"` + strings.Repeat("{a ", 1300) + `"}`, false},
		"quotes":              {numbers, `{"a":"['` + strings.Repeat(`\\`, 1<<20) + `"}`, false},
		"text in text":        {numbers, `{"a":` + inside + `}`, false},
		"many nulls":          {numbers, `{"o":{` + members(5000, `"x%d":null`) + `}}`, false},
		"many names":          {wide, `{` + members(3000, `"some-rather-long-name-%d":"a"`) + `}`, false},
		"many strangers":      {wide, `{` + members(30_000, `"zzzz%d":"a"`) + `}`, false},
		"deep":                {numbers, `{"a":` + deep(`[`, `"1"`, `]`, 5000) + `}`, false},
		"digits":              {numbers, `{"a":["` + strings.Repeat("7", 1<<20) + `"]}`, true},
		"commas":              {numbers, `{"a":"` + strings.Repeat("1,", 1<<19) + `"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Compile([]byte(tt.schema))
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			s.Repair([]byte(tt.arguments))
			s.Ignored([]byte(tt.arguments))
			if took := time.Since(start); took > patience {
				t.Errorf("took %v", took)
			}
			w := &work{check: &check{schema: s, patience: time.Hour}}
			if r := w.run([]byte(tt.arguments)); (r != nil) != tt.repaired {
				t.Errorf("repaired: %v", r != nil)
			}
		})
	}
}

func TestIgnored(t *testing.T) {
	s, err := Compile([]byte(`{"type":"object","properties":{"limit":{"type":"integer"},"max_results":{"type":"integer"},"mode":{},"query":{},
		"filter":{"type":"object","properties":{"labels":{"type":"array"}}},"rows":{"type":"array","items":{"properties":{"title":{}}}},
		"map":{"type":"object","properties":{"name":{}},"additionalProperties":{"type":"string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string][]Stray{
		`{"limitt":5,"maxResults":3}`:                        {{"/limitt", "limitt", "limit"}, {"/maxResults", "maxResults", "max_results"}},
		`{"filter":{"label":["a"]},"rows":[{},{"tilte":1}]}`: {{"/filter/label", "label", "labels"}, {"/rows/1/tilte", "tilte", "title"}},
		`{"limit":5,"limits":6}`:                             nil, // it may be another thing
		`{"model":"x"}`:                                      nil, // a word of its own
		`{"map":{"names":"a"}}`:                              nil, // names are free
		`{"x_trace":1,"q":2}`:                                nil,
		`{"limit":"5"}`:                                      nil,
		`[]`:                                                 nil,
		`{"limitt":`:                                         nil,
	} {
		if got := s.Ignored([]byte(arguments)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", arguments, got, want)
		}
	}
}
