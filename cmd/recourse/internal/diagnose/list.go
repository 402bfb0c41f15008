package diagnose

import (
	"bytes"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// List returns the result of tools/list, prompts/list, resources/list or
// resources/templates/list in a form that every client can read, and whether
// that is another one: there are clients that refuse a whole list for one member
// of one item. Name is that of the list in the result. Only what a client refuses
// is changed: optional members that are null or of another type are left out or
// put right, and so are items, if they lack what they are called by. A list that
// is no array at all stays as it is, but for null and {}, which mean an empty one.
func List(result []byte, name string) ([]byte, bool) {
	f := lists()[name]
	if f == nil || len(result) == 0 || result[0] != '{' || f.read(result, 0) == len(result) {
		return result, false
	}
	if era := member(result, "resultType"); era != nil {
		if unfinished(result) {
			return result, false
		}
		f = modernLists()[name]
	}
	better := f.mend(result)
	return better, !bytes.Equal(better, result)
}

// What the clients ask for. Measured with the SDKs for TypeScript (1.32 and 2.4, of
// both eras), Python (2.3) and Go (1.8): each thing here makes at least one of them
// refuse the list if it is otherwise.
var (
	textual = &form{first: `"`}
	filled  = &form{first: `"`, holds: func(v []byte) bool { return len(v) > len(`""`) }}
	// prose is read by people and models: any value says something to them.
	prose  = &form{first: `"`, mends: func(v []byte) []byte { return quote(string(v)) }}
	cursor = &form{first: `"`, mends: func(v []byte) []byte {
		if Kind(v) != "a number" {
			return nil
		}
		return quote(string(v))
	}}
	boolean = &form{first: "tf"}
	meta    = &form{first: "{"}
	strs    = &form{first: "[", each: textual}

	// integer is what Go asks for: it refuses a fraction, and 1.0 too.
	integer = &form{first: digits, mends: integral, holds: func(v []byte) bool {
		_, err := strconv.ParseInt(string(v), 10, 64)
		return err == nil
	}}
	// lifetime is one that JavaScript can hold.
	lifetime = &form{first: digits, mends: func(v []byte) []byte {
		if v = integral(v); len(v) == 0 || v[0] == '-' {
			return nil
		}
		return v
	}, instead: "0", holds: func(v []byte) bool {
		n, err := strconv.ParseInt(string(v), 10, 64)
		return err == nil && n >= 0 && n <= safest
	}}
	share = &form{first: digits, holds: func(v []byte) bool {
		n, err := strconv.ParseFloat(string(v), 64)
		return err == nil && n >= 0 && n <= 1
	}}
	moment = &form{first: `"`, holds: func(v []byte) bool {
		text := label(v)
		_, err := time.Parse(time.RFC3339, string(text))
		return err == nil && momentSpelling().Match(text)
	}}

	icons = &form{first: "[", each: &form{first: "{", fields: []field{
		{name: "src", form: textual, need: true},
		{name: "mimeType", form: textual},
		{name: "sizes", form: strs},
		{name: "theme", form: word("light", "dark")},
	}}}
	annotations = &form{first: "{", fields: []field{
		{name: "audience", form: &form{first: "[", each: word("user", "assistant")}},
		{name: "priority", form: share},
		{name: "lastModified", form: moment},
	}}
	arguments = &form{first: "[", each: &form{first: "{", fields: []field{
		{name: "name", form: textual, need: true},
		{name: "title", form: &form{first: `"n`, mends: prose.mends}}, // null is well with all
		{name: "description", form: prose},
		{name: "required", form: boolean},
	}}}
	// Hints that can't be read promise nothing, nor do those beside them.
	hints = &form{first: "{", fields: []field{
		{name: "title", form: prose},
		{name: "readOnlyHint", form: boolean, soil: true},
		{name: "destructiveHint", form: boolean, soil: true},
		{name: "idempotentHint", form: boolean, soil: true},
		{name: "openWorldHint", form: boolean, soil: true},
	}}
	execution = &form{first: "{", fields: []field{{name: "taskSupport", form: word("required", "optional", "forbidden")}}}
)

const (
	digits = "-0123456789"
	safest = 1<<53 - 1 // Number.MAX_SAFE_INTEGER
)

// momentSpelling is stricter than time.Parse, as zod's is.
var momentSpelling = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
})

// word is one of those.
func word(words ...string) *form {
	return &form{first: `"`, holds: func(v []byte) bool {
		for _, w := range words {
			if string(label(v)) == w {
				return true
			}
		}
		return false
	}}
}

// integral returns a number without a fraction as an integer.
func integral(v []byte) []byte {
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil || n != float64(int64(n)) || n > safest || n < -safest {
		return nil
	}
	return strconv.AppendInt(nil, int64(n), 10)
}

// lists are those of the revisions up to 2025-11-25, modernLists those of
// 2026-07-28, in which TypeScript asks less of a schema. They are made when a list
// comes: the start of the server does not wait for them.
var (
	lists       = sync.OnceValue(func() map[string]*form { return listForms(toolSchema(), true) })
	modernLists = sync.OnceValue(func() map[string]*form {
		return listForms(&form{
			first: "{", instead: `{"type":"object"}`, fields: []field{
				{name: "type", form: objectWord(), need: true},
				{name: "$schema", form: textual},
			},
		}, false)
	})
)

func objectWord() *form {
	f := word("object")
	f.instead = `"object"`
	return f
}

// toolSchema is a tool's inputSchema.
func toolSchema() *form {
	// PHP writes an empty object as []; TypeScript refuses schemas that are true or
	// false, which say the same as these.
	property := &form{first: "{[", instead: "{}", mends: func(v []byte) []byte {
		if v[0] == 'f' {
			return []byte(`{"not":{}}`)
		}
		return nil
	}}
	return &form{first: "{", instead: `{"type":"object"}`, fields: []field{
		{name: "type", form: objectWord(), need: true},
		{name: "properties", form: &form{first: "{", each: property, instead: "{}"}},
		{name: "required", form: strs},
		{name: "$schema", form: textual},
	}}
}

func listForms(input *form, early bool) map[string]*form {
	output := &form{first: "{", fields: []field{{name: "$schema", form: textual}}}
	if early {
		// Without an outputSchema a client takes any answer. With one of another type
		// it would refuse all that the tool says.
		output = &form{first: "{", fields: append([]field(nil), input.fields...)}
		output.fields[0].soil = true
	}
	item := func(fields ...field) *form {
		return &form{first: "{", fields: append(fields,
			field{name: "title", form: prose},
			field{name: "description", form: prose},
			field{name: "icons", form: icons},
			field{name: "_meta", form: meta},
		)}
	}
	forms := map[string]*form{}
	for name, one := range map[string]*form{
		"tools": item(
			field{name: "name", form: filled, need: true},
			field{name: "inputSchema", form: input, need: true},
			field{name: "outputSchema", form: output},
			field{name: "annotations", form: hints},
			field{name: "execution", form: execution},
		),
		"prompts": item(
			field{name: "name", form: filled, need: true},
			field{name: "arguments", form: arguments},
		),
		"resources": item(
			field{name: "uri", form: filled, need: true},
			field{name: "name", form: textual, need: true, like: "uri"},
			field{name: "mimeType", form: textual},
			field{name: "size", form: integer},
			field{name: "annotations", form: annotations},
		),
		"resourceTemplates": item(
			field{name: "uriTemplate", form: filled, need: true},
			field{name: "name", form: textual, need: true, like: "uriTemplate"},
			field{name: "mimeType", form: textual},
			field{name: "annotations", form: annotations},
		),
	} {
		items := &form{first: "[", each: one, instead: "[]", mends: otherwise}
		scope, kind := word("public", "private"), &form{first: `"`, instead: `"complete"`}
		scope.instead = `"private"`
		forms[name] = &form{first: "{", fields: []field{
			{name: name, form: items, need: true},
			{name: "nextCursor", form: cursor},
			{name: "_meta", form: meta},
			{name: "ttlMs", form: lifetime},
			{name: "cacheScope", form: scope},
			{name: "resultType", form: kind},
		}}
	}
	return forms
}

// otherwise leaves a list that is no list to the client's own error: an empty one
// in its place would say that there is nothing.
func otherwise(v []byte) []byte {
	for range wire.Members(v) {
		return v
	}
	if v[0] == '{' {
		return nil
	}
	return v
}
