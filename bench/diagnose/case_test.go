package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// cases are our own, written apart from the rules that they judge.
func cases(t *testing.T) []sample {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readCases(files)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCasesAreTrue checks the labels of arguments with another validator: what may
// pass is valid, what is wrong is not, and a repair is.
func TestCasesAreTrue(t *testing.T) {
	for _, c := range of(badArgs, cases(t)) {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Schema))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource("case.json", doc); err != nil {
			t.Fatal(err)
		}
		s, err := compiler.Compile("case.json")
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		valid := func(b []byte) bool {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
			return err == nil && s.Validate(v) == nil
		}
		if want := c.Label.Code == ""; valid(c.Args) != want {
			t.Errorf("%s: valid is %t, want %t: %s", c.ID, !want, want, c.Args)
		}
		if c.Label.Repair != nil && !valid(c.Label.Repair) {
			t.Errorf("%s: its repair is not valid: %s", c.ID, c.Label.Repair)
		}
		if len(c.Label.Problems) == 0 != (c.Label.Auto == pass) {
			t.Errorf("%s: it has %d problems and is to be %s", c.ID, len(c.Label.Problems), c.Label.Auto)
		}
	}
}

func TestCasesDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, c := range cases(t) {
		what := string(c.Kind) + c.Channel + c.Text + string(c.Content) + string(c.Args) + string(c.Schema)
		for _, key := range []string{c.ID, what} {
			if other := seen[key]; other != "" {
				t.Errorf("%s says the same as %s", c.ID, other)
			}
			seen[key] = c.ID
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"id":"a"`, "unexpected end"},
		{`{"id":"a","kind":"riddle"}`, "riddle"},
		{`{"id":"a"}`, "kind"},
		{`[]`, "array"},
		{`{"id":"a","kind":"error_text","text":"x"}`, "label.code"},
		{`{"id":"a","kind":"error_text","channel":"smoke","text":"x","label":{"code":"TIMEOUT"}}`, "smoke"},
		{`{"id":"a","kind":"hard_negative"}`, "content"},
		{`{"id":"a","kind":"bad_args","label":{"auto":"safe"}}`, "schema"},
		{`{"id":"a","kind":"bad_args","schema":{},"label":{"auto":"maybe"}}`, "maybe"},
	} {
		name := filepath.Join(t.TempDir(), "some.jsonl")
		good := `{"id":"g","kind":"hard_negative","content":"x"}`
		if err := os.WriteFile(name, []byte(good+"\n\n"+c.line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readCases([]string{name})
		if err == nil || !strings.Contains(err.Error(), name+":3:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want the place and %q", c.line, err, c.want)
		}
	}
}

func TestCasesOfOthers(t *testing.T) {
	s, err := readCase([]byte(`{"id":"a","kind":"bad_args","schema":{ "type": "object" },"args":{ "n": 1.0 },"split":"test","label":{"code":null,"auto":"pass","repair":null,"retry_after_seconds":null}}`))
	if err != nil || string(s.Args) != `{"n":1.0}` || s.Label.Repair != nil || s.Label.Code != "" {
		t.Errorf("got %+v, %v", s, err)
	}
	s, err = readCase([]byte(`{"id":"b","kind":"error_text","text":"open","label":{"code":"CIRCUIT_OPEN"}}`))
	if err != nil || s.Label.Code != "SERVICE_UNAVAILABLE" {
		t.Errorf("got %+v, %v", s, err)
	}
}

func TestContent(t *testing.T) {
	for content, want := range map[string]string{
		`"a"`:                          `{"content":[{"type":"text","text":"a"}]}`,
		`[{"type":"text","text":"a"}]`: `{"content":[{"type":"text","text":"a"}]}`,
		`[{"id":1}]`:                   `{"content":[{"type":"text","text":"[{\"id\":1}]"}]}`,
		`{"id":1}`:                     `{"content":[{"type":"text","text":"{\"id\":1}"}]}`,
	} {
		if got := contentResult(json.RawMessage(content)); string(got) != want {
			t.Errorf("%s: got %s, want %s", content, got, want)
		}
	}
}
