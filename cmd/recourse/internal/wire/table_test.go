package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A row is one frame of testdata/frames.txt.
type row struct {
	line  int
	kind  string
	frame []byte
	found map[string]string
}

func table(t testing.TB) []row {
	text, err := os.ReadFile("testdata/frames.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for i, line := range strings.Split(string(text), "\n") {
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "\t"), " ")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			rows[len(rows)-1].found[key] = goString(t, i, strings.CutPrefix, value)
		default:
			if strings.HasPrefix(value, `"`) {
				value = "go " + value
			}
			frame := goString(t, i, strings.CutPrefix, value)
			rows = append(rows, row{i + 1, key, []byte(frame), map[string]string{}})
		}
	}
	return rows
}

func goString(t testing.TB, line int, cut func(string, string) (string, bool), value string) string {
	quoted, ok := cut(value, "go ")
	if !ok {
		return value
	}
	text, err := strconv.Unquote(quoted)
	if err != nil {
		t.Fatalf("line %d: %v", line+1, err)
	}
	return text
}

func scan(chunks ...[]byte) (Message, error) {
	var s Scanner
	for _, c := range chunks {
		s.Feed(c)
	}
	m, err := s.End()
	return *m, err
}

func spans(m *Message) map[string]Span {
	return map[string]Span{
		"jsonrpc": m.JSONRPC, "id": m.ID, "method": m.Method, "params": m.Params, "result": m.Result, "error": m.Error,
		"name": m.Name, "arguments": m.Arguments, "requestId": m.RequestID, "token": m.Token, "task": m.Task,
		"metaToken": m.MetaToken, "version": m.Version, "subscription": m.Subscription, "meta": m.Meta,
		"content": m.Content, "isError": m.IsError, "resultType": m.ResultType, "structured": m.Structured,
		"code": m.Code, "text": m.Text, "data": m.Data,
	}
}

// decoded says with encoding/json what spans must cover.
func decoded(frame []byte) map[string]string {
	found := map[string]string{}
	object := func(raw []byte) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		json.Unmarshal(raw, &m)
		return m
	}
	take := func(from map[string]json.RawMessage, names ...string) {
		for i := 0; i < len(names); i += 2 {
			if raw, ok := from[names[i]]; ok {
				found[names[i+1]] = string(raw)
			}
		}
	}
	whole := object(frame)
	take(whole, "jsonrpc", "jsonrpc", "id", "id", "method", "method", "params", "params", "result", "result", "error", "error")
	p, r := object(whole["params"]), object(whole["result"])
	take(p, "name", "name", "arguments", "arguments", "requestId", "requestId", "progressToken", "token", "task", "task", "_meta", "meta")
	take(r, "content", "content", "isError", "isError", "resultType", "resultType", "structuredContent", "structured", "_meta", "meta")
	take(object(whole["error"]), "code", "code", "message", "text", "data", "data")
	take(object(p["_meta"]), "progressToken", "metaToken", keyVersion, "version", keySubscription, "subscription")
	take(object(r["_meta"]), keySubscription, "subscription")
	return found
}

func covered(m *Message, frame []byte) map[string]string {
	found := map[string]string{}
	for name, span := range spans(m) {
		if span.Ok() {
			found[name] = string(span.Of(frame))
		}
	}
	return found
}

func TestFrames(t *testing.T) {
	containers := []string{"jsonrpc", "params", "result", "error", "arguments", "task", "meta", "content", "structured", "data"}
	for _, row := range table(t) {
		m, err := scan(row.frame)
		if kind := m.Kind.String(); err == nil && kind != row.kind || (err != nil) != (row.kind == "fault") {
			t.Errorf("line %d: %s is %s, %v", row.line, row.frame, kind, err)
		}
		found := covered(&m, row.frame)
		if err == nil && m.Kind != Batch && !maps.Equal(found, decoded(row.frame)) {
			t.Errorf("line %d: %s\ngot  %q\njson %q", row.line, row.frame, found, decoded(row.frame))
		}
		maps.DeleteFunc(found, func(name, _ string) bool { return slices.Contains(containers, name) })
		for name, set := range map[string]bool{
			"null": m.NullID, "wide": m.Wide, "surrogate": m.Surrogate,
			"duplicate": err != nil && strings.HasPrefix(err.Error(), "duplicate key"),
		} {
			if set {
				found[name] = ""
			}
		}
		if !maps.Equal(found, row.found) {
			t.Errorf("line %d: %s\ngot  %q\nwant %q", row.line, row.frame, found, row.found)
		}
	}
}

func TestCuts(t *testing.T) {
	for _, row := range table(t) {
		whole, wholeErr := scan(row.frame)
		same := func(cut string, chunks ...[]byte) {
			if m, err := scan(chunks...); m != whole || text(err) != text(wholeErr) {
				t.Errorf("line %d: %s cut %s: %v %+v, want %v %+v", row.line, row.frame, cut, err, m, wholeErr, whole)
			}
		}
		for i := range row.frame {
			same(strconv.Itoa(i), row.frame[:i], row.frame[i:])
		}
		same("everywhere", bytes.SplitAfter(row.frame, nil)...)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
