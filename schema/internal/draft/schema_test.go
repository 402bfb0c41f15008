package draft

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// show writes the parts of a Schema that differ in spelling between drafts.
func show(s *Schema) string {
	var parts []string
	add := func(name string, v any) { parts = append(parts, fmt.Sprint(name, "=", v)) }
	if s.Minimum != nil {
		add("min", s.Minimum.RatString())
	}
	if s.ExclusiveMinimum != nil {
		add("above", s.ExclusiveMinimum.RatString())
	}
	if s.Maximum != nil {
		add("max", s.Maximum.RatString())
	}
	if s.ExclusiveMaximum != nil {
		add("below", s.ExclusiveMaximum.RatString())
	}
	if s.Types != nil {
		add("types", *s.Types)
	}
	if s.Enum != nil {
		add("enum", s.Enum.Values)
	}
	if s.Const != nil {
		add("const", *s.Const)
	}
	if s.MaxItems != nil {
		add("maxItems", *s.MaxItems)
	}
	for _, sub := range s.PrefixItems {
		add("prefix", show(sub))
	}
	for name, sub := range map[string]*Schema{"items": s.Items, "rest": s.AdditionalProperties, "contains": s.Contains, "if": s.If, "then": s.Then, "lone": s.UnevaluatedItems} {
		if sub != nil {
			add(name, show(sub))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.DependentSchemas)) {
		add(name, show(s.DependentSchemas[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(s.DependentRequired)) {
		add(name, s.DependentRequired[name])
	}
	if s.Bool != nil {
		add("bool", *s.Bool)
	}
	if len(s.AllOf) > 0 {
		add("all", len(s.AllOf))
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, " ") + "}"
}

// Each keyword as the drafts have it, or lack it.
func TestKeywords(t *testing.T) {
	for _, tt := range []struct {
		v            Version
		schema, want string
	}{
		{V4, `{"minimum":1,"exclusiveMinimum":true,"maximum":2.50,"exclusiveMaximum":false}`, "{above=1 max=5/2}"},
		{V4, `{"exclusiveMinimum":true}`, "{}"},
		{V6, `{"minimum":1,"exclusiveMinimum":0,"exclusiveMaximum":1e1}`, "{above=0 below=10 min=1}"},
		{V4, `{"const":1,"contains":{},"if":{},"then":{}}`, "{}"},
		{V6, `{"const":null,"contains":{},"if":{},"then":{}}`, "{const=<nil> contains={bool=true}}"},
		{V7, `{"contains":false,"if":{},"then":false,"unevaluatedItems":{}}`, "{contains={bool=false} if={bool=true} then={bool=false}}"},
		{V7, `{"then":false}`, "{}"},
		{V2019, `{"unevaluatedItems":{}}`, "{lone={bool=true}}"},
		{V7, `{"items":[{},false],"additionalItems":false,"prefixItems":[{}]}`, "{items={bool=false} prefix={bool=false} prefix={bool=true}}"},
		{V4, `{"items":[{}],"additionalItems":false,"additionalProperties":true}`, "{items={bool=false} prefix={bool=true} rest={bool=true}}"},
		{V7, `{"items":{},"additionalItems":false}`, "{items={bool=true}}"},
		{V7, `{"additionalItems":false}`, "{}"},
		{V2020, `{"items":false,"prefixItems":[{}],"additionalItems":7}`, "{items={bool=false} prefix={bool=true}}"},
		{V7, `{"dependencies":{"a":["b"],"c":false},"dependentRequired":7}`, "{a=[b] c={bool=false}}"},
		{V2020, `{"dependencies":{"a":["b"],"c":false},"dependentRequired":{"a":["d"]},"dependentSchemas":{"c":{},"e":{}}}`, "{a=[d b] c={all=2} e={bool=true}}"},
		{V2020, `{"type":["string","null"],"enum":["a",null]}`, "{enum=[a <nil>] types=[null,string]}"},
		{V2020, `{"enum":[]}`, "{enum=[]}"},
		{V2020, `{"maxItems":99999999999999999999}`, "{maxItems=9223372036854775807}"},
	} {
		s, err := compiled(tt.schema, tt.v)
		if err != nil {
			t.Errorf("%s: %v", tt.schema, err)
			continue
		}
		if got := show(s); got != tt.want {
			t.Errorf("version %d, %s: got %s, want %s", tt.v, tt.schema, got, tt.want)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, tt := range []struct {
		name       string
		good, evil []string
	}{
		{"date", []string{"2024-02-29"}, []string{"2023-02-29", "2024-2-9", "24-02-09", "2024-02-29Z", ""}},
		{"time", []string{"09:30:00Z", "09:30:00z", "09:30:00.125+05:30", "23:59:60Z", "15:59:60-08:00", "05:29:60+05:30"},
			[]string{"09:30:00", "9:30:00Z", "09:30Z", "24:00:00Z", "09:60:00Z", "09:30:61Z", "09:30:60Z", "09:30:00,5Z", "09:30:00.Z", "09:30:00+24:00", "09:30:00+0530", "09-30-00Z", "0a:30:00Z", ""}},
		{"date-time", []string{"2024-02-29T09:30:00Z", "2024-02-29t09:30:00-01:00"}, []string{"2024-02-29 09:30:00Z", "2024-02-30T09:30:00Z", "2024-02-29T", "2024-02-29"}},
		{"email", []string{"ada@example.com", `"a b"@example.com`, "a.b+c@[192.0.2.1]", "a@[IPv6:2001:db8::1]"},
			[]string{"ada", "@example.com", "a..b@example.com", ".a@example.com", "a@-b.com", "a@", "a b@example.com", `"a@example.com`, "a@[192.0.2.1", "a@[x]", strings.Repeat("a", 65) + "@b.com"}},
		{"ipv4", []string{"192.0.2.1"}, []string{"192.0.2", "192.0.2.256", "192.0.2.01", "::1"}},
		{"ipv6", []string{"2001:db8::1", "::ffff:192.0.2.1"}, []string{"192.0.2.1", "fe80::1%eth0", ":::"}},
		{"uri", []string{"https://example.com/a?b#c", "urn:x:y", "http://[2001:db8::1]:80/"}, []string{"/a", "example.com", "http://[x:y]/", ""}},
		{"uuid", []string{"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"}, []string{"123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a4564-26614174000"}},
		{"regex", []string{"(", "a"}, nil},
	} {
		s, err := compiled(fmt.Sprintf(`{"format":%q}`, tt.name), V2020)
		if err != nil || s.Format == nil || s.Format.Name != tt.name {
			t.Fatal(tt.name, err, s.Format)
		}
		for _, text := range tt.good {
			if !s.Format.Valid(text) {
				t.Errorf("%s: %q is not valid", tt.name, text)
			}
		}
		for _, text := range tt.evil {
			if s.Format.Valid(text) {
				t.Errorf("%s: %q is valid", tt.name, text)
			}
		}
	}
	if s, err := compiled(`{"format":"frob"}`, V2020); err != nil || s.Format != nil {
		t.Error(s.Format, err)
	}
}

// A large or deep document is no more trouble than a small one, byte for byte.
func TestBounds(t *testing.T) {
	const n = 5000
	chain, wide := map[string]any{}, map[string]any{}
	for i := range n {
		chain[fmt.Sprint(i)] = map[string]any{"$ref": fmt.Sprintf("#/$defs/%d", (i+1)%n)}
		wide[fmt.Sprint(i)] = map[string]any{"$id": fmt.Sprint(i), "$anchor": "a", "$ref": fmt.Sprint((i*7)%n, "#a")}
	}
	var deep any = true
	for range n {
		deep = map[string]any{"not": deep}
	}
	for name, doc := range map[string]any{
		"chain": map[string]any{"$ref": "#/$defs/0", "$defs": chain}, "wide": map[string]any{"properties": wide}, "deep": deep,
	} {
		if _, err := Compile(doc, V2020, plain); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever the document, there is a Schema or a reason; and the same again.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		`{"$id":"http://a/b","$defs":{"c":{"$id":"d","$dynamicAnchor":"e"}},"$dynamicRef":"d#e"}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"#x","$ref":"#x","dependencies":{"a":["b"],"c":{}}}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","id":"x","items":[{}],"additionalItems":false,"minimum":1,"exclusiveMinimum":true}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"$recursiveRef":"#","a":{"$id":"b"},"$ref":"#/a"}`,
		`{"$ref":"https://json-schema.org/draft/2020-12/schema","patternProperties":{"^a":{"$anchor":"b"}}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || len(text) > 1<<16 {
			t.Skip()
		}
		s, err := compiled(text, V2020)
		if (s == nil) == (err == nil) {
			t.Fatal(s, err)
		}
		again, twice := compiled(text, V2020)
		if err != nil {
			if err.Error() == "" || twice == nil || err.Error() != twice.Error() {
				t.Errorf("%v, then %v", err, twice)
			}
			return
		}
		if s.Location() != base+"#" || show(s) != show(again) {
			t.Errorf("%s, then %s", show(s), show(again))
		}
	})
}
