package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/schema"
)

// Compile says by itself what may stand at a keyword; the drafts' own schemas say
// it too.
func TestShapes(t *testing.T) {
	words := strings.Fields(`$anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary
		additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions
		dependencies dependentRequired dependentSchemas deprecated description else enum examples exclusiveMaximum exclusiveMinimum format id if
		items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not oneOf
		pattern patternProperties prefixItems properties propertyNames readOnly required then title type unevaluatedItems
		unevaluatedProperties uniqueItems writeOnly somethingElse`)
	values := []string{
		`null`, `true`, `false`, `0`, `1`, `-1`, `1.5`, `2.0`, `1e2`, `""`, `"a"`, `"string"`, `"any"`, `"_a"`, `"a:b"`, `"9"`, `"#"`, `"#a"`, `[]`, `[1,"a"]`, `["a","b"]`, `["a","a"]`,
		`["string","null"]`, `["string","string"]`, `["any"]`, `[{}]`, `[true]`, `[{"type":"any"}]`, `{}`, `{"a":true}`, `{"a":{}}`, `{"a":1}`, `{"a":{"not":1}}`,
		`{"a":["b"]}`, `{"a":["b","b"]}`, `{"a":[]}`, `{"type":"any"}`, `{"type":["string"]}`,
	}
	n := 0
	for _, draft := range drafts {
		own, err := schema.Compile(fmt.Appendf(nil, `{"$ref":%q}`, draft))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range words {
			for _, value := range values {
				doc := fmt.Sprintf(`{%q:%s}`, word, value)
				want := own.Check([]byte(doc))
				n++
				_, err := schema.Compile(fmt.Appendf(nil, `{"$schema":%q,"minimum":1,"maximum":2,"x":{%q:%s},"allOf":[{"not":{"$ref":"#/x"}}]}`, draft, word, value))
				if err != nil && !strings.Contains(err.Error(), " must be ") {
					continue // an address or a draft that there is not
				}
				if (err == nil) != (want == nil) && !excused(draft, doc) {
					t.Errorf("%s: %s: got %v, want %v", draft, doc, err, want)
				}
			}
		}
	}
	t.Logf("%d compared", n)
}

// excused reports whether a document is taken although its draft does not want
// it, or the other way round.
func excused(draft, doc string) bool {
	switch draft {
	case drafts[0]: // enum may be empty, and an exclusive limit alone; $ref had its own specification
		return strings.HasPrefix(doc, `{"enum":[`) || strings.HasPrefix(doc, `{"exclusiveM`) || strings.HasPrefix(doc, `{"$ref":`)
	case drafts[1]: // examples may be anything
		return strings.HasPrefix(doc, `{"examples":`)
	}
	return false
}
