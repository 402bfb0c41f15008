//go:build linux

package kill

import (
	"encoding/json"
	"testing"
	"time"
)

// Whoever looks for faults has to see them.

func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		tool, line    string
		ending, wrong string
	}{
		{"pay", result(`{"call":"1.1.7","level":"debug","watched":"note://today"}`, false), data, ""},
		{"pay", result(`{"call":"1.1.8","level":"debug","watched":"note://today"}`, false), unknown, "the answer to another call"},
		{"get", result(`{"call":"1.1.7","watched":"note://today"}`, false), data, "the server does not know what the client had set"},
		{"get", result(`{"call":"1.1.7","level":"debug"}`, false), data, "the server does not know what the client had set"},
		{"get", `{"result":{"content":[]}}`, unknown, "no content"},
		{"get", `{}`, unknown, "neither result nor error"},
		{"pay", result(`{"error":{"code":"X","suggestion":"Wait.","retryable":true}}`, true), refused, ""},
		{"pay", result(`{"error":{"code":"X","suggestion":"Look.","retryable":false,"outcome":"unknown"}}`, true), unknown, ""},
		{"pay", result(`{"error":{"code":"X","suggestion":"Again.","retryable":true,"outcome":"unknown"}}`, true), unknown, "it may have run and is called retryable"},
		{"put", result(`{"error":{"code":"X","suggestion":"Again.","retryable":true,"outcome":"unknown"}}`, true), unknown, ""},
		{"put", result(`{"error":{"code":"X","suggestion":"","retryable":true}}`, true), refused, "no suggestion"},
		{"put", result(`broken`, true), unknown, "no envelope"},
		{"pay", `{"error":{"code":1,"data":{}}}`, unknown, "a protocol error to a tool call"},
		{"tools/list", `{"error":{"code":1,"data":{"error":{"code":"X","suggestion":"Wait.","retryable":true}}}}`, refused, ""},
		{"tools/list", `{"result":{"tools":[]}}`, data, "another list"},
		{"ping", `{"result":{}}`, data, ""},
	} {
		var m message
		if err := json.Unmarshal([]byte(tt.line), &m); err != nil {
			t.Fatal(err)
		}
		if ending, wrong := m.judge(tt.tool, "1.1.7"); ending != tt.ending || wrong != tt.wrong {
			t.Errorf("%s, %s: %q, %q, want %q, %q", tt.tool, tt.line, ending, wrong, tt.ending, tt.wrong)
		}
	}
}

func result(text string, isError bool) string {
	b, err := json.Marshal(map[string]any{"result": map[string]any{"content": []any{map[string]string{"text": text}}, "isError": isError}})
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestMisrun(t *testing.T) {
	for _, tt := range []struct {
		tool, ending string
		times        int
		want         string
	}{
		{"pay", data, 1, ""},
		{"pay", data, 0, "it has never run"},
		{"pay", data, 2, "it ran 2 times"},
		{"pay", unknown, 0, ""},
		{"pay", unknown, 1, ""},
		{"pay", refused, 0, ""},
		{"pay", refused, 1, "the error does not say that it may have run, and it has"},
		{"pay", "", 2, "it ran 2 times"},
		{"put", data, 2, ""},
		{"get", data, 3, "it ran 3 times, and may be repeated once"},
		{"get", refused, 1, ""},
	} {
		if got := misrun(&call{tool: tt.tool, ending: tt.ending}, tt.times); got != tt.want {
			t.Errorf("%s that ended as %q and ran %d times: %q, want %q", tt.tool, tt.ending, tt.times, got, tt.want)
		}
	}
}

func TestMisrecorded(t *testing.T) {
	ended := time.Now()
	for _, tt := range []struct {
		answers, records int
		murdered         time.Duration // after the call; 0: never
		want             string
	}{
		{1, 1, 0, ""},
		{1, 0, 0, "0 records"},
		{1, 2, 0, "2 records"},
		{0, 1, 0, ""}, // cancelled
		{0, 0, 0, "0 records"},
		{1, 0, time.Second, "0 records"},
		{1, 0, time.Millisecond, ""},
		{0, 0, time.Second, ""},
		{0, 1, time.Second, ""},
		{0, 2, time.Second, "2 records"},
	} {
		s := &session{}
		if tt.murdered > 0 {
			s.murdered = ended.Add(tt.murdered)
		}
		if got := s.misrecorded(&call{answers: tt.answers, ended: ended}, tt.records); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
