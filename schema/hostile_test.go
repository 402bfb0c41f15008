package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// chain returns a schema of n definitions, each of which is made from the name
// of the next.
func chain(n int, link func(next string) string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":%s,`, i, link(fmt.Sprintf("#/$defs/d%d", i+1)))
	}
	fmt.Fprintf(&b, `"d%d":{"required":["never"]}}}`, n)
	return b.String()
}

func deep(open, inner, end string, n int) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
}

// What a stranger's schema or arguments may do: nothing. A want of nil means that
// Compile refuses; else it is the code of Check, "" for none.
func TestHostile(t *testing.T) {
	code := func(c recourse.Code) *recourse.Code { return &c }
	undecided := code("")
	twice := func(keyword string) func(string) string {
		return func(next string) string {
			return fmt.Sprintf(`{%q:[{"$ref":%q},{"$ref":%q}]}`, keyword, next, next)
		}
	}
	for name, tt := range map[string]struct {
		schema, arguments string
		want              *recourse.Code
	}{
		"itself":               {`{"$ref":"#"}`, `{}`, undecided},
		"itself, draft 7":      {`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#"}`, `{}`, undecided},
		"each other":           {`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `{}`, undecided},
		"itself twice":         {`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, `{}`, undecided},
		"itself by dynamicRef": {`{"$dynamicAnchor":"a","$dynamicRef":"#a"}`, `{}`, undecided},
		"not itself":           {`{"not":{"$ref":"#"}}`, `{}`, undecided},
		"if itself":            {`{"if":{"$ref":"#"},"then":false}`, `{}`, undecided},
		"allOf tree":           {chain(60, twice("allOf")), `{}`, undecided},
		"anyOf tree":           {chain(60, twice("anyOf")), `{}`, undecided},
		"oneOf tree":           {chain(60, twice("oneOf")), `{}`, undecided},
		"dependentSchemas tree": {chain(60, func(next string) string {
			return fmt.Sprintf(`{"dependentSchemas":{"a":{"$ref":%q},"b":{"$ref":%q}}}`, next, next)
		}), `{"a":1,"b":2}`, undecided},
		"long chain":        {chain(3000, func(next string) string { return fmt.Sprintf(`{"$ref":%q}`, next) }), `{}`, undecided},
		"deep schema":       {deep(`{"not":`, `{}`, `}`, 10_000), `{}`, nil},
		"deep list":         {`{"enum":` + deep(`[`, ``, `]`, 10_000) + `}`, `{}`, nil},
		"too deep for JSON": {deep(`[`, ``, `]`, 100_000), `{}`, nil},
		"deep arguments": {
			`{"$ref":"#/$defs/t","$defs":{"t":{"additionalProperties":{"$ref":"#/$defs/t"},"not":{"required":["no"]}}}}`,
			deep(`{"a":`, `{}`, `}`, 9_000), undecided,
		},
		"deep arguments, shallow schema": {`{"required":["b"]}`, deep(`{"a":`, `{}`, `}`, 9_000), code(recourse.MissingArgument)},
		"arguments too deep for JSON":    {`{}`, deep(`{"a":`, `{}`, `}`, 100_000), code(recourse.MalformedRequest)},
		"branching by depth": {
			`{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/$defs/t"},{"$ref":"#/$defs/t"}]}}}}}`,
			deep(`{"a":`, `{}`, `}`, 100), undecided,
		},
		"wide schema":    {`{"properties":{` + strings.Repeat(`"a":{},`, 1000) + `"b":{}}}`, `{}`, code("")},
		"large schema":   {`{"title":"` + strings.Repeat("x", maxSchema) + `"}`, `{}`, nil},
		"many objects":   {`{"allOf":[` + strings.Repeat(`{},`, maxSubschemas) + `{}]}`, `{}`, nil},
		"large list":     {`{"properties":{"a":{"items":{"type":"integer"}}}}`, `{"a":[` + strings.Repeat(`1,`, 1_000_000) + `1]}`, undecided},
		"unique items":   {`{"properties":{"a":{"uniqueItems":true}}}`, `{"a":[` + items(100_000) + `]}`, undecided},
		"one item often": {`{"properties":{"a":{"uniqueItems":true}}}`, `{"a":[` + strings.Repeat(`{"a":[1,2]},`, 50_000) + `1]}`, code(recourse.InvalidArgument)},
		"long text":      {`{"properties":{"a":{"maxLength":3}}}`, `{"a":"` + strings.Repeat("é", 1_000_000) + `"}`, code(recourse.OutOfRange)},
		"many faults":    {`{"properties":{"a":{"items":{"type":"integer"}}}}`, `{"a":[` + strings.Repeat(`"x",`, 50_000) + `1]}`, code(recourse.InvalidArgument)},
		"many unknown":   {`{"additionalProperties":false,"required":["title"],"properties":{"title":{}}}`, `{` + many(20_000) + `}`, code(recourse.MissingArgument)},
		"quick pattern":  {`{"properties":{"a":{"pattern":"^(a+)+$"}}}`, `{"a":"` + strings.Repeat("a", 5_000) + `!"}`, code(recourse.InvalidArgument)},
		"slow pattern":   {`{"properties":{"a":{"pattern":"^(?=a)(a+)+$"}}}`, `{"a":"` + strings.Repeat("a", 50_000) + `!"}`, undecided},
		"slow patterns": {
			`{"patternProperties":{"^(?=a)(a+)+$":{}},"additionalProperties":false}`,
			`{` + slow(500) + `}`, undecided,
		},
		"slow name":               {`{"propertyNames":{"pattern":"^(?=a)(a+)+$"}}`, `{"` + strings.Repeat("a", 60) + `!":1}`, undecided},
		"huge repetition":         {`{"properties":{"a":{"pattern":"((a{1000}){1000}){1000}"}}}`, `{"a":"a"}`, code(recourse.InvalidArgument)},
		"no pattern":              {`{"properties":{"a":{"pattern":"("}}}`, `{}`, nil},
		"huge number":             {`{"properties":{"a":{"maximum":5}}}`, `{"a":1e999999999}`, code(recourse.OutOfRange)},
		"tiny number":             {`{"properties":{"a":{"type":"integer"}}}`, `{"a":1e-999999999}`, code(recourse.InvalidArgument)},
		"exponent past int":       {`{"properties":{"a":{"maximum":5}}}`, `{"a":1e99999999999999999999}`, code(recourse.OutOfRange)},
		"long number":             {`{"properties":{"a":{"multipleOf":7}}}`, `{"a":` + strings.Repeat("7", 1_000_000) + `}`, code("")},
		"equal numbers":           {`{"properties":{"a":{"const":1}}}`, `{"a":1e-999999999}`, code(recourse.InvalidArgument)},
		"unique numbers":          {`{"properties":{"a":{"uniqueItems":true}}}`, `{"a":[1e999999999,2e999999999]}`, code("")},
		"huge number in schema":   {`{"maximum":1e999999999}`, `{}`, nil},
		"long number in schema":   {`{"maximum":` + strings.Repeat("7", 100_000) + `}`, `{}`, nil},
		"file":                    {`{"$ref":"file:///etc/passwd"}`, `{}`, nil},
		"file by id":              {`{"$id":"file:///etc/","$ref":"passwd"}`, `{}`, nil},
		"http":                    {`{"$ref":"http://127.0.0.1:1/x.json"}`, `{}`, nil},
		"https dynamic":           {`{"$dynamicRef":"https://example.com/x.json#a"}`, `{}`, nil},
		"relative":                {`{"$ref":"x.json"}`, `{}`, nil},
		"nowhere":                 {`{"$ref":"#/$defs/none"}`, `{}`, nil},
		"foreign draft":           {`{"$schema":"https://example.com/my-draft"}`, `{}`, nil},
		"draft of the wrong type": {`{"$schema":7}`, `{}`, nil},
		"its own draft":           {`{"$id":"https://example.com/s","$schema":"https://example.com/s"}`, `{}`, nil},
		"a draft's name":          {`{"$id":"https://json-schema.org/draft/2020-12/schema","type":"object"}`, `{}`, code("")},
		"refers to a draft":       {`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"type":7}`, code(recourse.InvalidArgument)},
		"id of the wrong type":    {`{"$id":{}}`, `{}`, nil},
		"id of no form":           {`{"$id":"::"}`, `{}`, nil},
		"wrong types":             {`{"type":5,"properties":[],"required":"x","enum":{},"minimum":"1"}`, `{}`, nil},
		"unknown words":           {`{"type":"object","frobnicate":{"$ref":7},"x-y":[]}`, `{}`, code("")},
		"unknown type":            {`{"type":"any"}`, `{}`, nil},
		"negative length":         {`{"properties":{"a":{"minLength":-1}}}`, `{}`, nil},
		"everything":              {`true`, `{"a":1}`, code("")},
		"nothing":                 {`false`, `{"a":1}`, code(recourse.UnknownArgument)},
		"null":                    {`null`, `{}`, nil},
		"text":                    {`"{}"`, `{}`, nil},
		"two schemas":             {`{}{}`, `{}`, nil},
		"empty":                   {``, `{}`, nil},
		"no text":                 {`{"properties":{"` + "\xff" + `":{}}}`, `{"` + "\xff" + `":1}`, code("")},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Compile([]byte(tt.schema))
			switch {
			case tt.want == nil && err == nil:
				t.Error("compiled")
			case tt.want == nil:
				var e *recourse.Error
				if !errors.As(err, &e) || e.Code != recourse.ConfigurationError || e.Message == "" || len(e.Message) > 1000 {
					t.Error(err)
				}
			case err != nil:
				t.Error(err)
			default:
				// The clock must not decide: what is undecided is so by its steps.
				c := &check{schema: s, patience: time.Hour}
				e := c.run([]byte(tt.arguments))
				if got := codeOf(e); got != *tt.want {
					t.Errorf("got %q, want %q: %v", got, *tt.want, e)
				}
				if e != nil && (len(e.Violations) > 20 || len(e.Envelope()) > 2048) {
					t.Errorf("%d violations", len(e.Violations))
				}
			}
		})
	}
}

func codeOf(e *recourse.Error) recourse.Code {
	if e == nil {
		return ""
	}
	return e.Code
}

// many returns n members, of which none resembles title.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"q%dx":1,`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// slow returns n members whose names make a pattern backtrack.
func slow(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%s%d":1,`, strings.Repeat("a", 40), i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// items returns n lists, no two of which are equal.
func items(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `[[%d],"x"],`, i)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// A pattern that backtracks without end is waited for once, and then decides nothing.
func TestSlowPatternIsGivenUp(t *testing.T) {
	s, err := Compile([]byte(`{"properties":{"x":{"type":"string","pattern":"^(?=(a+)+$)(a|aa)+b$"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if e := s.Check([]byte(`{"x":"` + strings.Repeat("a", 60) + `"}`)); e != nil {
			t.Fatal(e)
		}
	}
	if s.Check([]byte(`{"x":"aab"}`)) == nil { // too short to take long
		t.Error("aab has passed")
	}
}
