package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// plain is the engine of the tests.
var plain RegexpEngine = func(source string) (Regexp, error) { return regexp.Compile(source) }

func compiled(text string, v Version) (*Schema, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var doc any
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	return Compile(doc, v, plain)
}

// Where the reference at the root leads.
func TestReferences(t *testing.T) {
	for _, tt := range []struct {
		v            Version
		schema, want string
	}{
		{V2020, `{"$ref":"#"}`, "#"},
		{V2020, `{"$ref":""}`, "#"},
		{V2020, `{"$ref":"input.json#/$defs/a","$defs":{"a":{}}}`, "#/$defs/a"},
		{V2020, `{"$ref":"#/$defs/a~1b~0c%25","$defs":{"a/b~c%":{}}}`, "#/$defs/a~1b~0c%"},
		{V2020, `{"$ref":"#/allOf/1/not","allOf":[true,{"not":{}}]}`, "#/allOf/1/not"},
		{V2020, `{"$ref":"#/x-words/0/y","x-words":[{"y":{}}]}`, "#/x-words/0/y"},
		{V2020, `{"$ref":"#/properties/$ref","properties":{"$ref":{}}}`, "#/properties/$ref"},
		{V2020, `{"$ref":"#a","$defs":{"b":{"$anchor":"a"}}}`, "#/$defs/b"},
		{V2020, `{"$ref":"#a","$defs":{"b":{"$dynamicAnchor":"a"}}}`, "#/$defs/b"},
		{V2020, `{"$id":"http://h/p/q","$ref":"r","$defs":{"b":{"$id":"/p/r"}}}`, "#/$defs/b"},
		{V2020, `{"$id":"http://h/p/q","$ref":"r#a","$defs":{"b":{"$id":"r","items":{"$anchor":"a"}}}}`, "#/$defs/b/items"},
		{V2020, `{"$id":"http://h/p/","$ref":"q/s","$defs":{"b":{"$id":"q/r","not":{"$id":"s"}}}}`, "#/$defs/b/not"},
		{V2020, `{"$id":"urn:example:a","$ref":"urn:example:b#/not","$defs":{"b":{"$id":"urn:example:b","not":{}}}}`, "#/$defs/b/not"},
		{V2020, `{"$ref":"#/$defs/b/$defs/c","$defs":{"b":{"$id":"http://h/b","$defs":{"c":{}}}}}`, "#/$defs/b/$defs/c"},
		{V2020, `{"$ref":"#/$defs/a","enum":[{"$id":"x"}],"$defs":{"a":{"const":{"$id":"x","$anchor":"y"}},"b":{"$id":"x"}}}`, "#/$defs/a"},
		{V2020, `{"$ref":"x","enum":[{"$id":"x"}],"$defs":{"b":{"$id":"x"}}}`, "#/$defs/b"},
		{V2020, `{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, "https://json-schema.org/draft/2020-12/schema#"},
		{V2020, `{"$ref":"http://json-schema.org/draft/2020-12/meta/core#/$defs/uriString"}`, "https://json-schema.org/draft/2020-12/meta/core#/$defs/uriString"},
		{V7, `{"allOf":[{"$ref":"http://json-schema.org/draft-07/schema#"}],"$ref":"https://json-schema.org/draft-07/schema"}`, "http://json-schema.org/draft-07/schema#"},
		{V7, `{"$ref":"#a","definitions":{"b":{"$id":"#a"}}}`, "#/definitions/b"},
		{V7, `{"$id":"http://h/elsewhere","$ref":"c","definitions":{"b":{"$id":"c"}}}`, "#/definitions/b"},
		{V4, `{"$ref":"c#d","definitions":{"b":{"id":"c","not":{"id":"#d"}}}}`, "#/definitions/b/not"},
		{V2019, `{"$recursiveAnchor":true,"$ref":"#a","$defs":{"b":{"$anchor":"a"}}}`, "#/$defs/b"},
		{V7, `{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"#a","$defs":{"b":{"$anchor":"a"}}}`, "#/$defs/b"},
		{V2020, `{"$ref":"c#a","$defs":{"b":{"$id":"c","$schema":"http://json-schema.org/draft-07/schema#","definitions":{"d":{"$id":"#a"}}}}}`, "#/$defs/b/definitions/d"},
		{V2020, `{"$ref":"#a","$defs":{"b":{"$schema":"http://json-schema.org/draft-07/schema#","$anchor":"a"}}}`, "#/$defs/b"},
	} {
		s, err := compiled(tt.schema, tt.v)
		if err != nil {
			t.Errorf("%s: %v", tt.schema, err)
			continue
		}
		got := s.Ref.Location()
		if got = strings.TrimPrefix(got, base); got != tt.want {
			t.Errorf("%s: leads to %s, want %s", tt.schema, got, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		v            Version
		schema, want string
	}{
		{V2020, `7`, " must be an object or true or false"},
		{V4, `{"not":true}`, "/not must be an object"},
		{V2020, `{"type":"any"}`, "/type must be one of: null, boolean"},
		{V2020, `{"properties":{"a":{"minLength":-1}}}`, "/properties/a/minLength must be a whole number"},
		{V2020, `{"$defs":{"unused":{"required":["a","a"]}}}`, "/$defs/unused/required must be a list of different texts"},
		{V2020, `{"x":{"type":7},"$ref":"#/x"}`, "/x/type must be one of"},
		{V2020, `{"title":"a","$ref":"#/title"}`, "/title must be an object or true or false"},
		{V2020, `{"items":[{}]}`, "/items must be an object or true or false"},
		{V7, `{"dependencies":{"a/b":[1]}}`, "/dependencies/a~1b must be a list of different texts"},
		{V2020, `{"$defs":{"c":{"$id":"http://h/","$schema":"http://json-schema.org/draft-04/schema#"},"b":{"id":"x","$id":"http://h/c","$schema":"http://json-schema.org/draft-04/schema#","not":true}}}`, "/$defs/b/not must be an object"},
		{V2020, `{"minimum":1,"not":{"b":1,"minimum":"1","maximum":"1"}}`, "/not/maximum must be a number"},
		{V2020, `{"$ref":"#/$defs/a"}`, `there is no "#/$defs/a"`},
		{V2020, `{"$ref":"#/allOf/01","allOf":[{},{}]}`, `there is no "#/allOf/01"`},
		{V2020, `{"$ref":"#a"}`, `there is no "#a"`},
		{V7, `{"$ref":"#a","definitions":{"b":{"$ref":"#","$id":"#a"}}}`, `there is no "#a"`},
		{V2020, `{"$ref":"#%"}`, `"#%" is not an address`},
		{V2020, `{"$ref":"::"}`, `"::" is not an address`},
		{V2020, `{"$id":"http://h%"}`, `"http://h%" is not an address`},
		{V2020, `{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, `/$defs/a and /$defs/b have the same anchor "x"`},
		{V2020, `{"$id":"http://h/","$defs":{"a":{"$id":"b"},"b":{"$id":"/b"}}}`, `/$defs/a and /$defs/b have the same address "http://h/b"`},
		{V2020, `{"$ref":"other.json#/a"}`, "other.json is not part of the schema"},
		{V2020, `{"$ref":"file:///etc/passwd"}`, "file:///etc/passwd is not part"},
		{V2020, `{"$ref":"https://json-schema.org/draft/2020-12/../../x"}`, "https://json-schema.org/"},
		{V2020, `{"$schema":"https://example.com/own"}`, "https://example.com/own is not part"},
		{V2020, `{"not":{"$id":"x","$schema":"https://example.com/own"}}`, "https://example.com/own is not part"},
		{V2020, `{"properties":{"a/b":{"pattern":"("}}}`, `/properties/a~1b/pattern has the pattern "("`},
		{V2020, `{"patternProperties":{"[":true}}`, `/patternProperties has the pattern "["`},
	} {
		_, err := compiled(tt.schema, tt.v)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.schema, err, tt.want)
		}
	}
	_, err := compiled(`{"pattern":"("}`, V2020)
	if wrong := new(PatternError); !errors.As(err, &wrong) || wrong.Unwrap() == nil {
		t.Errorf("got %#v", err)
	}
}

// What is taken: where nothing leads, an address or a pattern may be anything, and
// $schema counts only beside an address.
func TestTaken(t *testing.T) {
	for _, text := range []string{
		`true`, `{}`, `{"frobnicate":{"type":7}}`, `{"$defs":{"a":{"$ref":"none.json"},"b":{"pattern":"("}}}`,
		`{"properties":{"a":{"$schema":"https://example.com/own"}}}`, `{"$id":"https://json-schema.org/draft/2020-12/schema"}`,
		`{"default":{"$id":"::"},"const":{"type":7}}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#"}}}`,
		`{"$schema":"https://json-schema.org/schema"}`, `{"maximum":1e400}`,
	} {
		if _, err := compiled(text, V2020); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The drafts' own schemas compile, with all that they refer to.
func TestOwn(t *testing.T) {
	for v, address := range map[Version]string{
		V4: "http://json-schema.org/draft-04/schema", V6: "http://json-schema.org/draft-06/schema#", V7: "https://json-schema.org/draft-07/schema#",
		V2019: "https://json-schema.org/draft/2019-09/schema", V2020: "http://json-schema.org/draft/2020-12/schema",
	} {
		if got, ok := named(address); !ok || got != v {
			t.Errorf("%s: got %d", address, got)
		}
		s, err := compiled(fmt.Sprintf(`{"$ref":%q}`, address), V2020)
		if err != nil {
			t.Fatal(err)
		}
		if s.Ref.Version != v {
			t.Errorf("%s is of version %d", address, s.Ref.Version)
		}
		if v < V2019 {
			if sub := s.Ref.Properties["not"]; sub.Ref != s.Ref {
				t.Errorf("%s: not leads to %s", address, sub.Ref.Location())
			}
			continue
		}
		for _, part := range s.Ref.AllOf {
			if !part.Ref.RecursiveAnchor && part.Ref.DynamicAnchors["meta"] != part.Ref {
				t.Errorf("%s: %s is not dynamic", address, part.Ref.Location())
			}
		}
	}
}

// Equal subschemas are one, also on a circle.
func TestOneSchema(t *testing.T) {
	s, err := compiled(`{"$defs":{"a":{"items":{"$ref":"#/$defs/b"}},"b":{"items":{"$ref":"#/$defs/a"}}},"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}`, V2020)
	if err != nil {
		t.Fatal(err)
	}
	a := s.AllOf[0].Ref
	if s.AllOf[1].Ref != a || a.Items.Ref.Items.Ref != a {
		t.Error("compiled twice")
	}
}

// A reference alone, whose siblings count only since 2019-09.
func TestSiblings(t *testing.T) {
	const text = `{"$ref":"#/definitions/a","type":"string","maxLength":3,"definitions":{"a":{"type":"string"}}}`
	for _, v := range []Version{V4, V6, V7, V2019, V2020} {
		s, err := compiled(text, v)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.MaxLength != nil && s.Types != nil; got != (v >= V2019) || s.Ref == nil {
			t.Errorf("version %d: %v", v, got)
		}
	}
}

// Each resource has its own anchors; a pointer names none.
func TestDynamic(t *testing.T) {
	s, err := compiled(`{"$id":"http://h/r","$dynamicRef":"#n","items":{"$dynamicRef":"l#/$defs/m"},"$defs":{"l":{"$id":"l","$defs":{"m":{"$dynamicAnchor":"n","type":"null"}}},"m":{"$dynamicAnchor":"n"}}}`, V2020)
	if err != nil {
		t.Fatal(err)
	}
	if s.DynamicRef.Anchor != "n" || s.DynamicAnchors["n"] != s.DynamicRef.Ref || s.DynamicRef.Ref.DynamicAnchor != "n" {
		t.Errorf("%+v", s.DynamicRef)
	}
	far := s.Items.DynamicRef
	if far.Anchor != "" || far.Ref.DynamicAnchors["n"] != far.Ref || !slices.Equal(far.Ref.Types.ToStrings(), []string{"null"}) {
		t.Errorf("%+v", far)
	}
}
