package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDeclared(t *testing.T) {
	type sample struct{ Schema, In, Want json.RawMessage }
	eachCase(t, "declared.jsonl", func(line int, c sample) {
		got, _ := new(Redactor).AppendArguments(nil, c.In, DeclaredIn(c.Schema))
		if string(got) != string(c.Want) {
			t.Errorf("line %d\n  got %s\n want %s", line, got, c.Want)
		}
	})
}

// Schemas that are no JSON, deep, wide or in a circle are read in bounded time.
func TestDeclaredHostile(t *testing.T) {
	circle := `{"$defs":{"a":{"anyOf":[` + strings.Repeat(`{"$ref":"#/$defs/a"},`, 50) + `{"format":"password"}]}},"properties":{"x":{"$ref":"#/$defs/a"}}}`
	for _, schema := range []string{
		"", "{", "[]", circle,
		strings.Repeat(`{"items":`, 5000) + `{}` + strings.Repeat(`}`, 5000),
		`{"properties":{` + strings.Repeat(`"a":{"format":"password"},`, 20_000) + `"b":{}}}`,
	} {
		got, _ := new(Redactor).AppendArguments(nil, []byte(`{"q":"x"}`), DeclaredIn([]byte(schema)))
		if string(got) != `{"q":"x"}` {
			t.Errorf("%.40s: got %s", schema, got)
		}
	}
}

func TestDeclaredSecret(t *testing.T) {
	d := DeclaredIn([]byte(`{"properties":{"pin":{"format":"password"},"a/b":{"properties":{"x":{"writeOnly":true}}},"keys":{"items":{"writeOnly":true}},"open":{}}}`))
	for pointer, want := range map[string]bool{
		"/pin": true, "/pin/0": true, "/a~1b/x": true, "/a~1b/y": false, "/keys/3": true, "/open": false, "": false, "/none/of/it": false,
	} {
		if got := d.Secret(pointer); got != want {
			t.Errorf("%q: %v", pointer, got)
		}
	}
	if (*Declared)(nil).Secret("/pin") {
		t.Error("nothing declares something")
	}
}
