package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/schema"
)

// decoded keeps the spelling of numbers.
func decoded(t *rapid.T, text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// Whatever the schema, what is valid is left alone, and what is repaired fits
// according to another validator, and needs no second repair.
func TestRepairOracle(t *testing.T) {
	repaired := 0
	rapid.Check(t, func(t *rapid.T) {
		doc := map[string]any{
			"definitions": map[string]any{"d": map[string]any{"type": someType.Draw(t, "definition")}},
			"allOf":       []any{subschema(false, 3).Draw(t, "schema")},
		}
		text, _ := json.Marshal(doc)
		arguments, _ := json.Marshal(object(3).Draw(t, "arguments"))
		s, err := schema.Compile(text)
		if err != nil {
			t.Skip()
		}
		r := s.Repair(arguments)
		if r == nil {
			return
		}
		repaired++
		if s.Check(arguments) == nil {
			t.Fatalf("%s\n%s became %s", text, arguments, r.Arguments)
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		parsed, _ := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err := c.AddResource("x.json", parsed); err != nil {
			t.Fatal(err)
		}
		oracle, err := c.Compile("x.json")
		if err != nil {
			t.Fatal(err)
		}
		v, _ := jsonschema.UnmarshalJSON(bytes.NewReader(r.Arguments))
		if err := oracle.Validate(v); err != nil || s.Repair(r.Arguments) != nil {
			t.Fatalf("%s\n%s became %s: %v", text, arguments, r.Arguments, err)
		}
	})
	t.Logf("%d repaired", repaired)
}

// A field is an argument of a made-up tool: its schema, and values that fit it.
type field struct {
	schema map[string]any
	values *rapid.Generator[any]
}

var (
	fieldNames = rapid.SampledFrom([]string{
		"query", "limit", "owner", "repo", "start_date", "end_date", "max_results", "tags", "labels", "is_draft", "page", "per_page", "path",
		"content", "sort", "title", "body", "assignees", "include_closed", "user_id", "issue_number", "spreadsheet_id", "timezone",
	})
	texts = rapid.Map(rapid.SampledFrom([]string{"a", "Oslo", "two words", "42", "007", "true", "null", `{"a":1}`, "[x]", "it's", `say "hi"`, "a, b", "None", "1e3"}), func(s string) any { return s })
	ints  = rapid.Map(rapid.Int64Range(-5, 1<<60), func(n int64) any { return json.Number(strconv.FormatInt(n, 10)) })
	words = []any{"open", "in_progress", "closed"}
)

// fields are what arguments of real tools look like.
func fields() *rapid.Generator[field] {
	flat := []field{
		{map[string]any{"type": "string"}, texts},
		{map[string]any{"type": "integer"}, ints},
		{map[string]any{"type": "number"}, rapid.SampledFrom([]any{json.Number("1.50"), json.Number("-3"), json.Number("0.1")})},
		{map[string]any{"type": "boolean"}, rapid.SampledFrom([]any{true, false})},
		{map[string]any{"type": "string", "enum": words}, rapid.SampledFrom(words)},
	}
	inner := map[string]any{"type": "object", "properties": map[string]any{"n": flat[1].schema, "s": flat[0].schema}, "required": []any{"n", "s"}}
	nested := rapid.Custom(func(t *rapid.T) any {
		return map[string]any{"n": ints.Draw(t, "n"), "s": texts.Draw(t, "s")}
	})
	all := append(flat, field{inner, nested})
	for _, item := range slices.Clone(all) {
		all = append(all, field{
			map[string]any{"type": "array", "items": item.schema},
			rapid.Map(rapid.SliceOfN(item.values, 0, 3), func(v []any) any { return v }),
		})
	}
	return rapid.SampledFrom(all)
}

// spoil writes a value as models sometimes do; nil if it would then be another
// one, or valid.
func spoil(t *rapid.T, s map[string]any, v any) any {
	text, _ := json.Marshal(v)
	switch v := v.(type) {
	case string:
		if s["enum"] != nil {
			return rapid.SampledFrom([]any{strings.ToUpper(v), " " + v, strings.ReplaceAll(v, "_", " ") + "\n", []any{v}}).Draw(t, "case")
		}
		if n := json.Number(v); v == "42" {
			return n
		}
		return []any{v}
	case json.Number, bool:
		return rapid.SampledFrom([]any{string(text), " " + string(text), []any{v}}).Draw(t, "quoted")
	case []any:
		if len(v) == 1 && !strings.ContainsAny(fmt.Sprint(v[0]), ",-{[") && v[0] != "null" && v[0] != "None" {
			return rapid.SampledFrom([]any{v[0], string(text)}).Draw(t, "alone")
		}
		return rapid.SampledFrom([]any{string(text), "```json\n" + string(text) + "\n```", python(v)}).Draw(t, "list")
	case map[string]any:
		return rapid.SampledFrom([]any{string(text), python(v), []any{v}}).Draw(t, "object")
	}
	return nil
}

// python prints a value as Python does.
func python(v any) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "'") {
			return strconv.Quote(v)
		}
		return "'" + strings.ReplaceAll(v, `\`, `\\`) + "'"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case []any:
		items := []string{}
		for _, item := range v {
			items = append(items, python(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		items := []string{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			items = append(items, python(name)+": "+python(v[name]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// misname writes a name as models sometimes do.
func misname(t *rapid.T, name string) string {
	words := strings.Split(name, "_")
	camel := words[0]
	for _, w := range words[1:] {
		camel += strings.ToUpper(w[:1]) + w[1:]
	}
	i := rapid.IntRange(1, len(name)-2).Draw(t, "i")
	return rapid.SampledFrom([]string{
		camel, strings.Join(words, "-"), strings.ToUpper(name), strings.Join(words, ""), name + "s",
		name[:i] + name[i+1:i+2] + name[i:i+1] + name[i+2:],
	}).Draw(t, "name")
}

// TestSpoiled spoils valid calls in ways that can be undone, and wants the call
// back: never another one, unless it is marked as a guess.
func TestSpoiled(t *testing.T) {
	wrong, back, lost := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		properties, sent, want := map[string]any{}, map[string]any{}, map[string]any{}
		var required []string
		spoiled := false
		for _, name := range rapid.SliceOfNDistinct(fieldNames, 1, 5, rapid.ID).Draw(t, "names") {
			f := fields().Draw(t, "field")
			properties[name] = f.schema
			v := f.values.Draw(t, "value")
			is := rapid.IntRange(0, 5).Draw(t, "fate")
			if is < 4 && rapid.Bool().Draw(t, "required") {
				required = append(required, name)
			}
			switch is {
			case 0:
				if bad := spoil(t, f.schema, v); bad != nil {
					sent[name], want[name], spoiled = bad, v, true
				}
			case 1:
				sent[misname(t, name)], want[name], spoiled = v, v, true
			case 2, 3:
				sent[name], want[name] = v, v
			case 4:
				sent[name], spoiled = nil, true
			}
		}
		doc := map[string]any{"type": "object", "properties": properties, "required": append([]string{}, required...), "additionalProperties": false}
		text, _ := json.Marshal(doc)
		s, err := schema.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		arguments, _ := json.Marshal(sent)
		if spoiled && rapid.IntRange(0, 9).Draw(t, "wrapped") == 0 {
			arguments, _ = json.Marshal(map[string]any{"arguments": sent})
		}
		r := s.Repair(arguments)
		fits, _ := json.Marshal(want)
		if s.Check(fits) != nil { // something required was not sent
			t.Skip()
		}
		switch {
		case r == nil && s.Check(arguments) == nil:
		case r != nil && reflect.DeepEqual(decoded(t, r.Arguments), decoded(t, fits)):
			back++
		case r == nil || r.Grade == schema.Guess:
			lost++
			t.Logf("lost: %s\n%s\n%s\n%+v", text, arguments, fits, r)
		default:
			wrong++
			t.Fatalf("%s\n%s became %s, not %s\n%q", text, arguments, r.Arguments, fits, r.Notes)
		}
	})
	if t.Logf("%d back, %d lost", back, lost); back < 19*lost {
		t.Error("fewer than 95 % came back")
	}
}
