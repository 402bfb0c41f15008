//go:build linux

package main

import (
	"strings"
	"testing"
)

func TestEcho(t *testing.T) {
	tests := []struct{ name, request, answer string }{
		{"a call", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"abc"}}}`,
			`{"result":{"content":[{"type":"text","text":"abc"}]},"jsonrpc":"2.0","id":7}` + "\n"},
		{"id last, blanks", `{"method": "tools/call", "params": {"arguments": {"text": "a b"}, "name": "echo"}, "jsonrpc": "2.0", "id": "x"}`,
			`{"result":{"content":[{"type":"text","text":"a b"}]},"jsonrpc":"2.0","id":"x"}` + "\n"},
		{"an empty text", `{"id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":""}}}`,
			`{"result":{"content":[{"type":"text","text":""}]},"jsonrpc":"2.0","id":1}` + "\n"},
		{"ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"result":{},"jsonrpc":"2.0","id":1}` + "\n"},
		{"another method", `{"jsonrpc":"2.0","id":2,"method":"prompts/list"}`,
			`{"error":{"code":-32601,"message":"no method prompts/list here"},"jsonrpc":"2.0","id":2}` + "\n"},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{"an answer", `{"jsonrpc":"2.0","id":2,"result":{}}`, ""},
	}
	for _, test := range tests {
		var out strings.Builder
		if err := echo(strings.NewReader(test.request+"\n"), &out); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if out.String() != test.answer {
			t.Errorf("%s:\n got %s\nwant %s", test.name, out.String(), test.answer)
		}
	}
	if err := echo(strings.NewReader(`{"id":1,"method":"tools/call","params":{"text":"cut off`+"\n"), new(strings.Builder)); err == nil {
		t.Error("a torn message was taken for a whole one")
	}
}
