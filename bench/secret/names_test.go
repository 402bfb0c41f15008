package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/internal/redact"
)

// A name is an argument or a variable that a server has.
type name struct {
	Name, Label, Type, Description, Package, Version, Tool string

	Later bool // see when
}

// names reads the corpus.
func names(t *testing.T) (list []name) {
	t.Helper()
	data, err := os.ReadFile("testdata/names.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var n name
		if err := json.Unmarshal(line, &n); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		list = append(list, n)
	}
	return list
}

// sample returns a value of n's type that is no secret by its look.
func (n name) sample() string {
	switch first, _, _ := strings.Cut(n.Type, "|"); first {
	case "boolean":
		return `true`
	case "integer", "number":
		return `4711`
	case "array":
		return `["quince"]`
	case "object":
		return `{"quince":"medlar"}`
	}
	return `"quince"`
}

// schema returns the input schema of a tool that has n.
func (n name) schema() []byte {
	p := map[string]any{"description": n.Description}
	if n.Type != "" && !strings.Contains(n.Type, "|") {
		p["type"] = n.Type
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{n.Name: p}})
	if err != nil {
		panic(err)
	}
	return schema
}

// when tells names that were there while the rules of redact were mended from those
// of servers that were asked afterwards.
func (n name) when() string {
	if n.Later {
		return "later"
	}
	return "first"
}

// TestNames pins the aim: of the secrets at least 98 in a hundred are hidden, of what
// is harmless at most 2, by the name alone and with the tool's schema.
func TestNames(t *testing.T) {
	for _, with := range []string{"name alone", "name and schema"} {
		total, wrong, said := map[string]int{}, map[string]int{}, map[string][]string{}
		packages := map[string]bool{}
		for _, n := range names(t) {
			packages[n.Package] = true
			if n.Label == "either" {
				continue
			}
			key, err := json.Marshal(n.Name)
			if err != nil {
				t.Fatal(err)
			}
			var declared *redact.Declared
			if with == "name and schema" {
				declared = redact.DeclaredIn(n.schema())
			}
			_, hidden := new(redact.Redactor).AppendArguments(nil, fmt.Appendf(nil, `{%s:%s}`, key, n.sample()), declared)
			for _, group := range []string{n.Label, n.Label + ", " + n.when()} {
				total[group]++
				if (len(hidden) > 0) != (n.Label == "secret") {
					wrong[group]++
					said[group] = append(said[group], n.Name)
				}
			}
		}
		t.Logf("%s, %d packages", with, len(packages))
		for _, group := range []string{"secret", "secret, first", "secret, later", "harmless", "harmless, first", "harmless, later"} {
			t.Logf("%s: %d of %d judged wrong", group, wrong[group], total[group])
		}
		for _, label := range []string{"secret", "harmless"} {
			t.Logf("%s, judged wrong: %q", label, said[label])
			if wrong[label]*100 > total[label]*2 {
				t.Errorf("%s: %d of %d %s names judged wrong", with, wrong[label], total[label], label)
			}
			if total[label] < 100 {
				t.Errorf("%d %s names say little", total[label], label)
			}
		}
	}
}
