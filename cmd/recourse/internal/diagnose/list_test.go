package diagnose

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

type listCase struct{ list, result, want string }

// listCases reads testdata/lists.txt: the name of a list, its result, and what
// becomes of it.
func listCases(t testing.TB) (cases []listCase) {
	b, err := os.ReadFile(filepath.Join("testdata", "lists.txt"))
	if err != nil {
		t.Fatal(err)
	}
	name, result := "", ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "", "#":
		case "->":
			cases = append(cases, listCase{name, result, rest})
		default:
			name, result = kind, rest
		}
	}
	if len(cases) < 70 {
		t.Fatalf("%d cases", len(cases))
	}
	return cases
}

func TestList(t *testing.T) {
	for _, c := range listCases(t) {
		got, changed := List([]byte(c.result), c.list)
		want := c.want
		if want == "same" {
			want = c.result
		}
		if string(got) != want || changed != (want != c.result) {
			t.Errorf("%s %s\nbecomes %s\nnot     %s (%v)", c.list, c.result, got, want, changed)
		}
		listed(t, []byte(c.result), c.list)
	}
}

func TestListOfNothing(t *testing.T) {
	const cut = `{"resources":[{"uri":"a:b","name":null,"size":1.5,"annotations":{"audience":["user"],"lastModified":"2025"}}],"ttlMs":-1}`
	for _, result := range []string{"", "null", "[]", `"x"`, "1"} {
		if got, changed := List([]byte(result), "tools"); changed || string(got) != result {
			t.Errorf("%s becomes %s", result, got)
		}
	}
	for n := range cut {
		List([]byte(cut[:n]), "resources") // a cut value is no reason to panic
	}
	if got, changed := List([]byte(`{"x":null}`), ""); changed || string(got) != `{"x":null}` {
		t.Errorf("a result that has no list becomes %s", got)
	}
}

func FuzzList(f *testing.F) {
	for _, c := range listCases(f) {
		f.Add([]byte(c.result), c.list)
	}
	f.Fuzz(listed)
}

// TestListGrammar tries more than a person would think of. A failure names the
// seed.
func TestListGrammar(t *testing.T) {
	for seed := range uint64(500) {
		g := grammar{rand.New(rand.NewPCG(seed, 1))}
		name, result := g.listResult()
		if listed(t, []byte(result), name); t.Failed() {
			t.Fatalf("seed %d: %s %s", seed, name, result)
		}
	}
}

// listed checks what holds of every value.
func listed(t *testing.T, result []byte, name string) {
	result = bytes.TrimSpace(result)
	if _, ok := strictItems[name]; !ok || !json.Valid(result) {
		return
	}
	before := bytes.Clone(result)
	got, changed := List(result, name)
	if !bytes.Equal(result, before) {
		t.Fatal("the bytes that came were changed")
	}
	if changed == bytes.Equal(got, result) {
		t.Errorf("changed is %v", changed)
	}
	r, ok := exact(result).(map[string]any)
	if kind, said := r["resultType"].(string); !ok || said && kind != "complete" {
		if changed {
			t.Errorf("changed to %s", got)
		}
		return
	}
	if again, more := List(got, name); more {
		t.Errorf("%s\nbecomes %s", got, again)
	}
	if repeats(json.NewDecoder(bytes.NewReader(result))) {
		return // clients do not agree on what it says
	}
	if changed && strictList(r, name) == nil {
		t.Errorf("good, but changed to %s", got)
	}
	now, ok := exact(got).(map[string]any)
	if _, array := now[name].([]any); ok && !array && r[name] != nil {
		return // a list that is no list
	}
	if err := strictList(now, name); err != nil {
		t.Errorf("%v: %s", err, got)
	}
	if came, is := callable(r[name], name), callable(now[name], name); came != is {
		t.Errorf("of %s, %s are left", came, is)
	}
}

// callable returns what the items are called by.
func callable(list any, name string) string {
	var names []string
	items, ok := list.([]any)
	if !ok {
		items = []any{list}
	}
	for _, item := range items {
		o, _ := item.(map[string]any)
		if id, _ := o[strictItems[name].id].(string); id != "" {
			names = append(names, id)
		}
	}
	return strings.Join(names, "|")
}

func exact(b []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	_ = d.Decode(&v)
	return v
}

// repeats reports whether an object in the next value has two members of a name.
func repeats(d *json.Decoder) bool {
	d.UseNumber()
	found := false
	var value func()
	value = func() {
		open, _ := d.Token()
		seen := map[any]bool{}
		for open == json.Delim('{') && d.More() {
			key, _ := d.Token()
			found = found || seen[key]
			seen[key] = true
			value()
		}
		for open == json.Delim('[') && d.More() {
			value()
		}
		if open == json.Delim('{') || open == json.Delim('[') {
			_, _ = d.Token()
		}
	}
	value()
	return found
}

func (g grammar) listResult() (name, result string) {
	name = g.one("tools", "prompts", "resources", "resourceTemplates")
	schema := func() string {
		return g.object(g.is("type", `"object"`, `"array"`, `["object"]`), g.is("$schema", `"a"`), g.is("required", `["a"]`, `"a"`),
			func() (string, string) {
				return "properties", g.object(g.is("a", `{}`, `{"type":"string"}`), g.is("b", `true`, `false`, `{}`))
			})
	}
	with := func(name string, value func() string) func() (string, string) {
		return func() (string, string) { return name, value() }
	}
	icon := func() string {
		return g.object(g.is("src", `"a"`), g.is("sizes", `["any"]`, `"48x48"`), g.is("theme", `"dark"`, `"blue"`), g.is("mimeType", `"a/b"`))
	}
	argument := func() string {
		return g.object(g.is("name", `"a"`), g.is("title", `"t"`), g.is("description", `"d"`), g.is("required", `true`, `null`))
	}
	item := func() string {
		if g.IntN(6) == 0 {
			return g.value(3)
		}
		annotations := g.object(g.is("title", `"t"`), g.is("readOnlyHint", `true`, `null`), g.is("destructiveHint", `false`, `"no"`),
			g.is("audience", `["user"]`, `"user"`, `["user","me"]`), g.is("priority", `1`, `0.5`, `2`), g.is("lastModified", `"2025-01-12T15:00:58Z"`, `"2025-01-12"`))
		return g.object(
			g.is("name", `"a"`, `"b"`), g.is("name", `"a"`), g.is("uri", `"a:b"`), g.is("uriTemplate", `"a:{b}"`),
			with("inputSchema", schema), with("outputSchema", schema), with("arguments", func() string { return g.list(argument) }),
			with("icons", func() string { return g.list(icon) }), with("annotations", func() string { return annotations }),
			g.is("execution", `{"taskSupport":"optional"}`, `{"taskSupport":null}`),
			g.is("title", `"t"`), g.is("description", `"d"`), g.is("mimeType", `"a/b"`), g.is("size", `5`, `5.0`, `5.5`), g.is("_meta", `{"a":null}`),
		)
	}
	return name, g.object(
		func() (string, string) { return name, g.list(item) }, func() (string, string) { return name, g.list(item) },
		g.is("nextCursor", `"a"`, `5`, `null`), g.is("_meta", `{}`), g.is("ttlMs", `0`, `1.0`, `-1`), g.is("cacheScope", `"public"`, `"all"`),
		g.is("resultType", `"complete"`), g.is("x", `null`),
	)
}

// strictItems says what an item is called by, and has the rules of its members
// that are its own.
var strictItems = map[string]struct {
	id    string
	rules map[string]strictRule
}{
	"tools":             {"name", map[string]strictRule{"annotations": strictHints, "execution": strictExecution}},
	"prompts":           {"name", map[string]strictRule{"arguments": every(strictArgument)}},
	"resources":         {"uri", map[string]strictRule{"annotations": strictAnnotations, "mimeType": is[string], "size": strictWhole}},
	"resourceTemplates": {"uriTemplate", map[string]strictRule{"annotations": strictAnnotations, "mimeType": is[string]}},
}

// A strictRule says whether a client reads a value.
type strictRule func(v any) bool

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

func among(words ...string) strictRule {
	return func(v any) bool { s, ok := v.(string); return ok && slices.Contains(words, s) }
}

func every(r strictRule) strictRule {
	return func(v any) bool {
		list, ok := v.([]any)
		return ok && !slices.ContainsFunc(list, func(v any) bool { return !r(v) })
	}
}

// members is the rule of an object: its members, where they are there.
func members(rules map[string]strictRule, need ...string) strictRule {
	return func(v any) bool {
		o, ok := v.(map[string]any)
		for name, r := range rules {
			if m, there := o[name]; there && !r(m) {
				return false
			}
		}
		for _, name := range need {
			if _, there := o[name]; !there {
				return false
			}
		}
		return ok
	}
}

func bounded(low, high float64) strictRule {
	return func(v any) bool {
		n, ok := v.(json.Number)
		f, err := n.Float64()
		return ok && err == nil && f >= low && f <= high
	}
}

func strictWhole(v any) bool {
	n, ok := v.(json.Number)
	_, err := n.Int64()
	return ok && err == nil
}

var (
	strictExecution = members(map[string]strictRule{"taskSupport": among("required", "optional", "forbidden")})
	strictHints     = members(map[string]strictRule{
		"title": is[string], "readOnlyHint": is[bool], "destructiveHint": is[bool], "idempotentHint": is[bool], "openWorldHint": is[bool],
	})
	strictArgument    = members(map[string]strictRule{"name": is[string], "title": func(v any) bool { return v == nil || is[string](v) }, "description": is[string], "required": is[bool]}, "name")
	strictAnnotations = members(map[string]strictRule{"audience": every(among("user", "assistant")), "priority": bounded(0, 1), "lastModified": dated})
	strictIcons       = every(members(map[string]strictRule{
		"src": is[string], "mimeType": is[string], "sizes": every(is[string]), "theme": among("light", "dark"),
	}, "src"))
	strictModern = members(map[string]strictRule{"type": among("object"), "$schema": is[string]}, "type")
	strictSchema = members(map[string]strictRule{"type": among("object"), "$schema": is[string], "required": every(is[string]), "properties": properties}, "type")
)

func properties(v any) bool {
	o, ok := v.(map[string]any)
	for _, p := range o {
		ok = ok && (is[map[string]any](p) || is[[]any](p))
	}
	return ok
}

// zod's pattern of a time with an offset but for the days that a month has, which
// the library knows.
var zodTime = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)

func dated(v any) bool {
	s, _ := v.(string)
	m := zodTime.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	_, err := time.Parse(time.DateOnly, m[1])
	return err == nil
}

// strictList says why a client would refuse a list. It asks for what the schemas of
// the TypeScript SDK and the types of those for Python and Go ask for.
func strictList(r map[string]any, name string) error {
	top := members(map[string]strictRule{
		"nextCursor": is[string], "_meta": is[map[string]any], "resultType": is[string], "cacheScope": among("public", "private"),
		"ttlMs": func(v any) bool { return strictWhole(v) && bounded(0, math.MaxInt32*1<<22)(v) },
	}, name)
	if !top(r) {
		return errors.New("a member of the result")
	}
	items, ok := r[name].([]any)
	if !ok {
		return errors.New("no list")
	}
	_, modern := r["resultType"]
	for i, item := range items {
		if err := strictItem(item, name, modern); err != nil {
			return fmt.Errorf("item %d: %w", i, err)
		}
	}
	return nil
}

func strictItem(item any, name string, modern bool) error {
	o, _ := item.(map[string]any)
	kind := strictItems[name]
	if !isString(o[kind.id]) || !is[string](o["name"]) {
		return errors.New("it has no name")
	}
	if !members(kind.rules)(item) {
		return errors.New("a member of its own")
	}
	if !members(map[string]strictRule{"title": is[string], "description": is[string], "icons": strictIcons, "_meta": is[map[string]any]})(item) {
		return errors.New("a member that all have")
	}
	input, output := strictSchema, strictSchema
	if modern {
		input, output = strictModern, members(map[string]strictRule{"$schema": is[string]})
	}
	if name == "tools" && !members(map[string]strictRule{"inputSchema": input, "outputSchema": output}, "inputSchema")(item) {
		return errors.New("a schema")
	}
	return nil
}
