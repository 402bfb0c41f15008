package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// members returns n members, made from their number.
func members(n int, form string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form+",", i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// rows returns an object with a list of n objects, all alike.
func rows(n int, row string) string {
	return `{"rows":[` + strings.TrimSuffix(strings.Repeat("{"+row+"},", n), ",") + `]}`
}

// A few kB may ask for hours of work. The clock can't help the cases here, for it
// stands still: they end because their steps are counted, either undecided
// or with a poorer explanation.
func TestBudget(t *testing.T) {
	list := func(item string) string { return `{"properties":{"rows":{"items":` + item + `}}}` }
	wide := members(1000, `"some_rather_long_property_name_%d":{"type":"string"}`)
	twice := func(keyword, last string) string {
		return fmt.Sprintf(`{"properties":{"a":{"type":"array",%s:{"$ref":"#/$defs/d"}}},"$defs":{"d":{"anyOf":[%s]},"e":{"anyOf":[%s]}}}`,
			keyword, strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/e"},`, 2400), ","), members(2400, last))
	}
	for name, tt := range map[string]struct {
		schema, arguments string
		want              recourse.Code // "" if undecided
		says              string        // part of the envelope
	}{
		"unknown names, many known": {
			list(`{"additionalProperties":false,"properties":{` + wide + `}}`), rows(50, members(20, `"zzzzzzzzzzzzzzzzzzzzqqqqqqqqqqqqqqqqqqqq%d":0`)),
			recourse.UnknownArgument, "1000 arguments are wrong",
		},
		"nested names, many known": {
			list(`{"additionalProperties":false,"properties":{` + members(1000, `"p%d":{"$ref":"#/properties/rows/items"}`) + `}}`), rows(50, members(20, `"zzzz%d":0`)),
			recourse.UnknownArgument, "1000 arguments are wrong",
		},
		"each lacks a name": {list(`{"properties":{"name":{}},"required":["name"]}`), rows(900, members(60, `"c%d":0`)), recourse.MissingArgument, "900 arguments are missing"},
		"each has a name misspelt": {
			list(`{"properties":{"name":{}},"required":["name"]}`), rows(900, `"nam":0`),
			recourse.MissingArgument, "did you mean name?",
		},
		"deep faults": {
			`{"properties":{"c":{"$ref":"#"},"n":{"items":{"type":"string"}}},"required":["z"]}`,
			deep(`{"c":`, `{"n":[`+strings.Repeat("1,", 1000)+`1]}`, `}`, 300), recourse.InvalidArgument, "1000 arguments are wrong",
		},
		"tiny numbers that differ": {`{"properties":{"rows":{"uniqueItems":true}}}`, `{"rows":[` + members(50_000, `7%de-9999`) + `]}`, "", ""},
		"large whole numbers":      {list(`{"type":"integer","maximum":5}`), `{"rows":[` + strings.Repeat("1e9999,", 50_000) + `1]}`, recourse.OutOfRange, "1000 arguments are wrong"},
		"large numbers, good":      {list(`{"minimum":5}`), `{"rows":[` + strings.Repeat("1e9999,", 50_000) + `7]}`, "", ""},
		"a long number, often":     {`{"properties":{"a":{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"minimum":5},`, 4000), ",") + `]}}}`, `{"a":` + strings.Repeat("7", 1<<20) + `}`, "", ""},
		"a long text, often":       {`{"properties":{"a":{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"uniqueItems":true},`, 4000), ",") + `]}}}`, `{"a":["` + strings.Repeat("7", 1<<20) + `"]}`, "", ""},
		"a long name, often":       {`{"properties":{"a":{"additionalProperties":{"items":{"required":["x"]}}}}}`, `{"a":{"` + strings.Repeat("7", 1<<20) + `":[` + strings.Repeat(`{},`, 2000) + `{}]}}`, recourse.MissingArgument, "1000 arguments are missing"},
		"too many values":          {`{"properties":{"a":{"type":"string"}}}`, `{"a":[` + strings.Repeat(`[],`, maxSteps) + `1]}`, "", ""},
		"many commas in a text":    {`{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, `{"b":1,"a":"\"` + strings.Repeat(`,[`, maxSteps) + `"}`, recourse.InvalidArgument, "/b"},
		"alternatives of many":     {twice(`"contains"`, `{"minimum":%d}`), `{"a":[]}`, recourse.InvalidArgument, "at least 1 item"},
		"one of many, all at once": {
			`{"oneOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/d"},`, 2000), ",") + `],"$defs":{"d":{"required":[` + members(300, `"a%d"`) + `]}}}`,
			`{` + members(300, `"a%d":1`) + `}`, recourse.InvalidArgument, "only one of",
		},
		"names that are wrong": {`{"propertyNames":{"pattern":"^[a-z]{1,9}$"}}`, `{` + members(40_000, `"%d":1`) + `}`, recourse.InvalidArgument, "and many more"},
		"wide values":          {`{"properties":{"a":{"type":"string"}}}`, `{"a":{` + members(30_000, `"x%d":[1,2,[3,[4,[5]]]]`) + `}}`, recourse.InvalidArgument, "a text"},
		"members seen, often":  {`{"allOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/d"},`, 2000), ",") + `],"unevaluatedProperties":false,"$defs":{"d":{"additionalProperties":{}}}}`, `{` + many(20_000) + `}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Compile([]byte(tt.schema))
			if err != nil {
				t.Fatal(err)
			}
			var e *recourse.Error
			if c := (&check{schema: s, patience: time.Hour}); values([]byte(tt.arguments)) <= maxSteps {
				e = c.run([]byte(tt.arguments))
			} else {
				e = s.Check([]byte(tt.arguments))
			}
			if codeOf(e) != tt.want {
				t.Fatalf("got %q, want %q: %.300v", codeOf(e), tt.want, e)
			}
			if e == nil {
				return
			}
			b, _ := json.Marshal(struct {
				Message, Field, Constraint string
				Violations                 []recourse.Violation
			}{e.Message, e.Field, e.Constraint, e.Violations})
			if !strings.Contains(string(b), tt.says) || e.Suggestion == "" {
				t.Errorf("%.600s", b)
			}
			if envelope := e.Envelope(); len(envelope) > 2048 {
				t.Errorf("%d bytes", len(envelope))
			}
		})
	}
}

// A name of a MB is no field: the pointer ends at the object that has it.
func TestLongName(t *testing.T) {
	s, err := Compile([]byte(`{"properties":{"o":{"additionalProperties":{"type":"integer"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{strings.Repeat("n", 1<<20): "/o", "n": "/o/n"} {
		if e := s.Check([]byte(`{"o":{"` + name + `":"x"}}`)); e == nil || e.Field != want || len(e.Envelope()) > 2048 {
			t.Errorf("%.300v", e)
		}
	}
}

// Patterns that need long for a text leave it undecided, though Go's engine needs
// time linear in the text.
func TestSlowPatterns(t *testing.T) {
	for _, source := range []string{`.{0,1000}x$`, `([a-z]{1,500} ?){1,2}!$`, `^(?!b)(a|a)*c$`} {
		quoted, _ := json.Marshal(source)
		s, err := Compile([]byte(`{"properties":{"a":{"pattern":` + string(quoted) + `}}}`))
		if err != nil {
			t.Fatal(err)
		}
		if e := s.Check([]byte(`{"a":"` + strings.Repeat("a", 2_000_000) + `"}`)); e != nil {
			t.Errorf("%s: %v", source, e)
		}
		if e := s.Check([]byte(`{"a":"b"}`)); codeOf(e) != recourse.InvalidArgument {
			t.Errorf("%s: %v", source, e)
		}
	}
}

// An example that the author gives for a pattern that backtracks is tried once,
// not in every call.
func TestSlowExample(t *testing.T) {
	s, err := Compile([]byte(`{"properties":{"a":{"pattern":"^(?=a)(a+)+$","examples":["` + strings.Repeat("a", 39) + `!"]},"b":{"pattern":"^(?=b)b+$","examples":["c","bb"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	e := s.Check([]byte(`{"b":"x"}`))
	if e == nil || !strings.HasPrefix(e.Constraint, "a text") {
		t.Error(e)
	}
}

// Patterns of very many states, all of which would take gigabytes, backtrack.
func TestManyStates(t *testing.T) {
	engine := patterns()
	linear := 0
	for i := range 1000 {
		re, err := engine(fmt.Sprintf(`%d\w{1000}`, i))
		if err != nil {
			t.Fatal(err)
		}
		if re.(*pattern).linear != nil {
			linear++
		}
		if !re.MatchString(fmt.Sprint(i)+strings.Repeat("x", 1000)) || re.MatchString("x") {
			t.Fatal(i)
		}
	}
	if linear == 0 || linear > maxStates/1000 {
		t.Errorf("%d are linear", linear)
	}
}

// The clock ends what the steps don't.
func TestClock(t *testing.T) {
	s, err := Compile([]byte(`{"properties":{"a":{"items":{"type":"integer"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	arguments := []byte(`{"a":[` + strings.Repeat(`1,`, 5*interval) + `"x"]}`)
	if e := (&check{schema: s, patience: time.Hour}).run(arguments); codeOf(e) != recourse.InvalidArgument {
		t.Error(e)
	}
	if e := (&check{schema: s, patience: -1}).run(arguments); e != nil {
		t.Error(e)
	}
}

// Patterns that need the clock have one limit together.
func TestSlowTogether(t *testing.T) {
	s, err := Compile([]byte(`{"properties":{"a":{"pattern":"^(?=b)"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for slow, want := range map[time.Duration]recourse.Code{0: recourse.InvalidArgument, maxSlow + 1: ""} {
		c := &check{schema: s, patience: time.Hour, slow: slow}
		if e := c.run([]byte(`{"a":"x"}`)); codeOf(e) != want {
			t.Errorf("%v: %v", slow, e)
		}
	}
}

// Over 4 MB nothing is checked.
func TestLargeArguments(t *testing.T) {
	s, err := Compile([]byte(`{"properties":{"a":{"type":"integer"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	large := []byte(`{"a":"` + strings.Repeat("x", 4<<20-8) + `"}`)
	if e := s.Check(large); codeOf(e) != recourse.InvalidArgument {
		t.Errorf("%d bytes: %.200v", len(large), e)
	}
	if e := s.Check(append(large, ' ')); e != nil {
		t.Errorf("one more: %.200v", e)
	}
}

// Where no value would do, the advice is to send none; and what is secret is not
// repeated.
func TestAdvice(t *testing.T) {
	for _, tt := range [][3]string{
		{`{"properties":{"a":{"enum":[]}}}`, `{"a":1}`, "Leave a out."},
		{`{"propertyNames":false}`, `{"a":1}`, "Leave a out."},
		{`{"properties":{"api_key":{"uniqueItems":true}}}`, `{"api_key":["hunter3","hunter3"]}`, "Send each item of api_key once."},
		{kinds, `{"v":{"kind":"c"}}`, "Set v.kind to one of: a, b."},
		{`{"properties":{"l":{"minItems":18446744073709551615}}}`, `{"l":[]}`, "Change l to a list of at least 2147483647 items."},
	} {
		s, err := Compile([]byte(tt[0]))
		if err != nil {
			t.Fatal(err)
		}
		if e := s.Check([]byte(tt[1])); e == nil || e.Suggestion != tt[2] {
			t.Errorf("%s: %v, want %q", tt[0], e, tt[2])
		}
	}
}

// A fault of our own must not become the caller's.
func TestPanic(t *testing.T) {
	s := &Schema{root: &draft.Schema{AllOf: []*draft.Schema{nil}}}
	if e := s.Check([]byte(`{}`)); e != nil {
		t.Error(e)
	}
}

// An anchor that only a dynamic reference leads to counts like the rest.
func TestDynamicAnchor(t *testing.T) {
	const tree = `{"$id":"https://example.com/root","properties":{"l":{"$ref":"list"}},"$defs":{
		"item":{"$dynamicAnchor":"T","type":"object",%s},
		"list":{"$id":"list","type":"array","items":{"$dynamicRef":"#T"},"$defs":{"any":{"$dynamicAnchor":"T"}}}}}`
	for _, tt := range []struct{ item, arguments, field string }{
		{`"unevaluatedProperties":false`, `{"l":[{}]}`, ""},
		{`"unevaluatedProperties":false`, `{"l":[{"a":1}]}`, "/l/0/a"},
		{`"properties":{"q":{"unevaluatedProperties":false}}`, `{"l":[{"q":{}}]}`, ""},
		{`"properties":{"q":{"unevaluatedProperties":false}}`, `{"l":[{"q":{"z":1}}]}`, "/l/0/q/z"},
		{`"properties":{"q":{"$dynamicRef":"#T"}}`, `{"l":[{"q":1}]}`, "/l/0/q"},
	} {
		s, err := Compile(fmt.Appendf(nil, tree, tt.item))
		if err != nil {
			t.Fatal(err)
		}
		switch e := s.Check([]byte(tt.arguments)); {
		case e == nil && tt.field != "", e != nil && e.Field != tt.field:
			t.Errorf("%s, %s: %v, want a fault of %q", tt.item, tt.arguments, e, tt.field)
		}
	}
}

// Of more faults than are looked for it is always the same ones that are told.
func TestSameFaults(t *testing.T) {
	s, err := Compile([]byte(`{"additionalProperties":false,"properties":{"a":{"additionalProperties":{"type":"string"}},"b":{"additionalProperties":{"type":"string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	arguments := []byte(`{` + many(1500) + `,"a":{` + many(900) + `},"b":{` + many(900) + `}}`)
	want := s.Check(arguments).Envelope()
	for range 10 {
		if got := s.Check(arguments).Envelope(); got != want {
			t.Fatalf("%s\n%s", got, want)
		}
	}
}
