package main

import (
	"encoding/json"
	"testing"
)

const envelopeText = `{\"error\":{\"code\":\"RATE_LIMITED\",\"message\":\"m\",\"suggestion\":\"s\",\"retryable\":true,\"retry_after_seconds\":9}}`

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		line   string
		failed bool
		code   string
		wait   string
	}{
		"data":         {`{"result":{"content":[{"type":"text","text":"a"}]}}`, false, "", ""},
		"in the text":  {`{"result":{"isError":true,"content":[{"type":"text","text":"` + envelopeText + `"},{"type":"text","text":"429"}]}}`, true, "RATE_LIMITED", "9"},
		"in _meta":     {`{"result":{"isError":true,"content":[],"_meta":{"dev.recourse/error":{"code":"TIMEOUT","retryable":false}}}}`, true, "TIMEOUT", ""},
		"a server's":   {`{"result":{"isError":true,"content":[{"type":"text","text":"{\"error\":{\"code\":\"X\",\"message\":\"m\"}}"}]}}`, true, "UNKNOWN_ERROR", ""},
		"data, quoted": {`{"result":{"content":[{"type":"text","text":"` + envelopeText + `"}]}}`, false, "", ""},
		"protocol":     {`{"error":{"code":-32602,"message":"m","data":{"error":{"code":"UNKNOWN_TOOL"}}}}`, true, "UNKNOWN_TOOL", ""},
		"bare":         {`{"error":{"code":-32602,"message":"m"}}`, true, "UNKNOWN_ERROR", ""},
	} {
		a, err := read([]byte(c.line))
		if err != nil || a.failed != c.failed || a.code() != c.code || a.wait() != c.wait {
			t.Errorf("%s: got %t %q %q, %v", name, a.failed, a.code(), a.wait(), err)
		}
	}
}

func TestKeeps(t *testing.T) {
	a := answer{content: []json.RawMessage{json.RawMessage(`"e"`), json.RawMessage(`"a"`), json.RawMessage(`"b"`)}}
	for result, want := range map[string]bool{
		`{"content":["a","b"]}`:         true,
		`{"content":["e"]}`:             true,
		`{"content":[]}`:                true,
		`{"content":["b","a"]}`:         false,
		`{"content":["a","b","c"]}`:     false,
		`{"content":["e","b"]}`:         false,
		`{"content":["e","a","b","x"]}`: false,
	} {
		if got := a.keeps(json.RawMessage(result)); got != want {
			t.Errorf("%s: got %t", result, got)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		envelope, path string
		want           bool
	}{
		{`{"field":"/a"}`, "/a", true},
		{`{"field":"/a"}`, "/b", false},
		{`{"field":"/a"}`, "", false},
		{`{}`, "", true}, // all arguments
		{`{"violations":[{"field":"/a"},{"field":"/b/0"}]}`, "/b/0", true},
		{`{"violations":[{"field":"/a"}]}`, "", false},
		{`{"violations":[{"field":""}]}`, "", true},
	} {
		var a answer
		if err := json.Unmarshal([]byte(c.envelope), &a.envelope); err != nil {
			t.Fatal(err)
		}
		if got := a.names(c.path); got != c.want {
			t.Errorf("%s at %q: got %t", c.envelope, c.path, got)
		}
	}
	if (answer{}).names("") {
		t.Error("no error points nowhere")
	}
}

func TestArguments(t *testing.T) {
	for _, sent := range []string{"", `{"a":"<\u2028>"}`, `null`} {
		_, result := role{Name: "x"}.answer([]byte(sent))
		a, err := read([]byte(`{"result":` + string(result) + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := a.arguments(); !ok || string(got) != sent {
			t.Errorf("got %q, %t, want %q", got, ok, sent)
		}
	}
	if _, ok := (answer{texts: []string{"rejected"}}).arguments(); ok {
		t.Error("nothing reached the server")
	}
}
