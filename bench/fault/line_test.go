//go:build faults

package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/bench/fault/table"
)

// fault says what is wrong with a line that a client reads. Batches are there in
// one revision.
func fault(line []byte, batches bool) string {
	line = bytes.TrimLeft(line, " \t") // legal, and nobody minds
	var m map[string]json.RawMessage
	switch {
	case !utf8.Valid(line):
		return "invalid UTF-8"
	case table.Lone(line):
		return "half of a surrogate pair"
	case bytes.HasSuffix(line, []byte("\r\n")):
		return "a carriage return"
	case !json.Valid(line):
		return "no JSON"
	case len(line) == 0:
		return "an empty line"
	case line[0] == '[' && batches:
		var all []json.RawMessage
		json.Unmarshal(line, &all) // valid
		for _, one := range all {
			if wrong := fault(one, false); wrong != "" {
				return "in a batch: " + wrong
			}
		}
		return ""
	case line[0] != '{' || json.Unmarshal(line, &m) != nil:
		return "no object"
	case string(m["jsonrpc"]) != `"2.0"`:
		return "no jsonrpc"
	}
	id, method := m["id"], m["method"]
	_, result := m["result"]
	_, failure := m["error"]
	switch {
	case method != nil && (result || failure):
		return "both a request and an answer"
	case method != nil:
		return ""
	case id == nil || result == failure:
		return "no message"
	case failure:
		return faultOfError(m["error"])
	}
	return ""
}

func faultOfError(raw json.RawMessage) string {
	var e struct {
		Code    *int
		Message *string
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.Code == nil || e.Message == nil || *e.Message == "" {
		return fmt.Sprintf("no error object (%v)", err)
	}
	return ""
}

// like reports whether a text of JSON has what another one has: all members of
// objects, the same elements of arrays, the same numbers by their spelling. The
// messages of a batch may have any order.
func like(want, got []byte) bool {
	w, g := decode(want), decode(got)
	all, ok := w.([]any)
	have, isArray := g.([]any)
	if !ok || !isArray {
		return contains(w, g)
	}
	for _, one := range all {
		i := slices.IndexFunc(have, func(other any) bool { return contains(one, other) })
		if i < 0 {
			return false
		}
		have = slices.Delete(have, i, i+1)
	}
	return len(have) == 0
}

func decode(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.Decode(&v) // what is no JSON is nothing
	return v
}

func contains(want, got any) bool {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		for key, value := range w {
			if have, is := g[key]; !is || !contains(value, have) {
				ok = false
			}
		}
		return ok
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, contains)
	}
	return reflect.DeepEqual(want, got)
}

func TestLike(t *testing.T) {
	for _, test := range []struct {
		want, got string
		like      bool
	}{
		{`{"a":1}`, `{"b":[],"a":1}`, true},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":[{}]}`, `{"a":[{"b":1}]}`, true},
		{`{"a":[{}]}`, `{"a":[]}`, false},
		{`[{"id":1},{"id":2}]`, `[{"id":2},{"id":1}]`, true},
		{`[{"id":1}]`, `[{"id":2},{"id":1}]`, false},
	} {
		if got := like([]byte(test.want), []byte(test.got)); got != test.like {
			t.Errorf("like(%s, %s) is %v", test.want, test.got, got)
		}
	}
}

func TestFaultOfLine(t *testing.T) {
	for line, good := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                           true,
		`{"jsonrpc":"2.0","id":1,"result":"\ud83d\ude00"}`:               true,
		`{"jsonrpc":"2.0","id":1,"result":"\\ud83d"}`:                    true,
		`{"jsonrpc":"2.0","id":1,"result":"\ud83d"}`:                     false,
		`{"jsonrpc":"2.0","id":1,"result":"\ude00\ud83d"}`:               false,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}":             false,
		`{"jsonrpc":"2.0","id":1}`:                                       false,
		`{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`:                false,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`:      true,
		`{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}`:    false,
		`{"id":1,"result":{}}`:                                           false,
		`[{"jsonrpc":"2.0","id":1,"result":{}}]`:                         false,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n":               false,
		"\ufeff" + `{"jsonrpc":"2.0","id":1,"result":{}}`:                false,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`: true,
		" \t" + `{"jsonrpc":"2.0","id":1,"result":{}}`:                   true,
		"\n": false,
	} {
		if got := fault([]byte(line), false); (got == "") != good {
			t.Errorf("%q: %q", line, got)
		}
	}
}
