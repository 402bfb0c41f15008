package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse"
)

var (
	down = &recourse.Error{
		Code:    recourse.ServiceUnavailable,
		Message: "The server \"db\" stopped.\n<exit 1>",
		Related: map[string]any{"outcome": "unknown"},
	}
	id = []byte(`"a\u0062"`)
)

// compact checks that line is one line of JSON and returns it without the end.
func compact(t *testing.T, line []byte) string {
	t.Helper()
	text, ended := strings.CutSuffix(string(line), "\n")
	if !ended || strings.Contains(text, "\n") || !json.Valid([]byte(text)) {
		t.Fatalf("not one line of JSON: %q", line)
	}
	return text
}

func TestAppendToolError(t *testing.T) {
	for _, modern := range []bool{false, true} {
		line := compact(t, AppendToolError(nil, id, down, modern))
		m, err := scan([]byte(line))
		if err != nil || m.Kind != Result || string(m.ID.Of([]byte(line))) != string(id) || m.Structured.Ok() {
			t.Errorf("%s: %v %+v", line, err, m)
		}
		var got struct {
			Result struct {
				Content    []struct{ Type, Text string }
				IsError    bool
				ResultType *string
				Meta       map[string]json.RawMessage `json:"_meta"`
			}
		}
		json.Unmarshal([]byte(line), &got)
		r := got.Result
		if len(r.Content) != 1 || r.Content[0].Type != "text" || r.Content[0].Text != down.Envelope() || !r.IsError {
			t.Errorf("modern %v: content %q, isError %v", modern, r.Content, r.IsError)
		}
		if meta := `{"error":` + string(r.Meta[recourse.MetaError]) + `}`; meta != down.Envelope() {
			t.Errorf("modern %v: the machine copy is %s", modern, meta)
		}
		if (r.ResultType != nil) != modern || modern && *r.ResultType != "complete" {
			t.Errorf("modern %v: resultType in %s", modern, line)
		}
	}
}

func TestAppendMessages(t *testing.T) {
	envelope := down.Envelope()
	wrapped := &recourse.Error{Err: &recourse.Error{Code: recourse.RateLimited}}
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"failure", AppendFailure(nil, []byte(`5`), down),
			`{"jsonrpc":"2.0","id":5,"error":{"code":503,"message":"The server \"db\" stopped.\n<exit 1>","data":` + envelope + `}}`},
		{"parse error", AppendProtocolError(nil, nil, ParseError, "bad \u2028\xff\x01", nil),
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad ` + "\u2028\ufffd" + `\u0001"}}`},
		{"unknown tool", AppendProtocolError(nil, []byte(`1`), InvalidParams, "Unknown tool: x", down),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: x","data":` + envelope + `}}`},
		{"result", AppendResult(nil, id, []byte(`{"a":1}`)), `{"jsonrpc":"2.0","id":"a\u0062","result":{"a":1}}`},
		{"cancelled", AppendCancelled(nil, []byte(`7`), `took "too" long`),
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"took \"too\" long"}}`},
		{"cancelled without reason", AppendCancelled(nil, id, ""),
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a\u0062"}}`},
		{"ping", AppendRequest([]byte{}, []byte(`9`), "ping", nil), `{"jsonrpc":"2.0","id":9,"method":"ping"}`},
	} {
		var got, want any
		line := compact(t, c.got)
		json.Unmarshal([]byte(line), &got)
		json.Unmarshal([]byte(c.want), &want)
		if a, b := encoded(got), encoded(want); a != b {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, a, b)
		}
	}
	if line := compact(t, AppendFailure(nil, id, wrapped)); !strings.Contains(line, `"code":429,"message":`) {
		t.Errorf("a wrapped error's code is not looked up: %s", line)
	}
	if line := AppendRequest([]byte("before\n"), id, "ping", nil); !strings.HasPrefix(string(line), "before\n{") {
		t.Errorf("what was there is gone: %s", line)
	}
}

func encoded(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestNumber(t *testing.T) {
	for code, want := range map[recourse.Code]int{
		recourse.Timeout: 504, recourse.ServiceUnavailable: 503, recourse.RateLimited: 429,
		recourse.InvalidArgument: 400, recourse.NotFound: 404, recourse.PermissionDenied: 403,
		recourse.InternalError: 500, recourse.UnknownError: 500, "MY_OWN_CODE": 500, "": 500,
	} {
		if got := Number(code); got != want {
			t.Errorf("%s: %d, want %d", code, got, want)
		}
	}
	for code, n := range numbers {
		if n < 400 || n > 599 {
			t.Errorf("%s: %d is no status of a failure", code, n)
		}
	}
}
