package relay

import (
	"testing"

	"github.com/recourse-dev/recourse/schema"
)

// What fits a simple schema at a glance fits it for package schema, too; and most that
// fits is seen so.
func TestSimple(t *testing.T) {
	const simple = `{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer","description":"x"},"x":{"type":"number"},"b":{"type":"boolean"}},"required":["a"],"additionalProperties":false}`
	p := simpleOf([]byte(simple))
	s, err := schema.Compile([]byte(simple))
	if p == nil || err != nil {
		t.Fatal(p, err)
	}
	for args, want := range map[string]bool{
		`{"a":"1"}`: true, ` {"a":"1"}`: false, `{"a":"1","n":-12,"x":1.5e3,"b":true}`: true,
		`{ "b" : false , "a" : "\"}" }`: true, `{"a":1}`: false, `{"n":1}`: false, `{"a":"1","n":1.5}`: false,
		`{"a":"1","n":1e2}`: false, `{"a":"1","n":"1"}`: false, `{"a":"1","z":1}`: false, `{"a":"1","a":2}`: false,
		`{"a":"1","b":null}`: false, `{"a":null}`: false, `[]`: false, `"a"`: false, `{}`: false, ``: false,
		`{"a":"1","x":"1"}`: false, `{"\u0061":"1"}`: false, `{"a":["1"]}`: false,
	} {
		got := p.fits([]byte(args))
		if got != want {
			t.Errorf("%s: %v", args, got)
		}
		if got && s.Check([]byte(args)) != nil {
			t.Errorf("%s: %v", args, s.Check([]byte(args)))
		}
	}
	for _, other := range []string{
		`{}`, `[]`, `true`, `{"type":"object"}`, `{"type":"object","properties":{"a":{}}}`,
		`{"type":"object","properties":{"a":{"type":"string","minLength":1}}}`,
		`{"type":"object","properties":{"a":{"type":["string","null"]}}}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"minProperties":1}`,
		`{"type":"object","properties":{"a":true}}`,
	} {
		if simpleOf([]byte(other)) != nil {
			t.Errorf("%s is simple", other)
		}
	}
}
