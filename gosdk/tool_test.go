package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

var ways = []string{"AddTool", "Middleware", "raw", "both"}

// onEach runs a test in each era and for each way of adding a tool.
func onEach(t *testing.T, test func(t *testing.T, session *mcp.ClientSession, way string, l *journal)) {
	for _, era := range eras {
		for _, way := range ways {
			t.Run(era+"/"+way, func(t *testing.T) {
				l := new(journal)
				deaf := make(chan struct{})
				t.Cleanup(func() { close(deaf) })
				g := &recourse.Guard{Timeout: 30 * time.Second, Log: l.add}
				test(t, connect(t, stage(g, way, deaf), era, nil), way, l)
			})
		}
	}
}

func TestErrorsReachTheModel(t *testing.T) {
	cases := []struct {
		tool    string
		code    recourse.Code
		related map[string]any
		rest    []string // the blocks after ours
	}{
		{"duplicate", recourse.DuplicateEntry, map[string]any{"existing_id": "rec_1"}, []string{"beside the error"}},
		{"leak", "", nil, nil}, // the code is classification's
		{"panics", recourse.InternalError, nil, nil},
	}
	onEach(t, func(t *testing.T, session *mcp.ClientSession, way string, l *journal) {
		for _, c := range cases {
			res := call(t, session, c.tool, `{}`)
			e := failure(t, res)
			r := l.last(t)
			if c.code != "" && e.Code != c.code || e.Code != r.Code {
				t.Errorf("%s: code %s, logged %s, want %s", c.tool, e.Code, r.Code, c.code)
			}
			for k, v := range c.related {
				if e.Related[k] != v {
					t.Errorf("%s: %s is %v", c.tool, k, e.Related[k])
				}
			}
			// The SDK's own AddTool drops what a handler returns beside its error.
			if way != "Middleware" && !slices.Equal(texts(res)[1:], c.rest) {
				t.Errorf("%s: the other blocks are %q", c.tool, texts(res)[1:])
			}
			sent, _ := json.Marshal(res)
			if strings.Contains(string(sent), "10.0.0.5") || strings.Contains(string(sent), "hunter2") {
				t.Errorf("%s shows its cause: %s", c.tool, sent)
			}
			var envelope struct{ Error any }
			json.Unmarshal([]byte(texts(res)[0]), &envelope)
			if got := res.Meta[recourse.MetaError]; !reflect.DeepEqual(got, envelope.Error) {
				t.Errorf("%s: _meta has %v", c.tool, got)
			}
			if r.Outcome != "failed" || r.Client != "audience/2" || r.Tool != c.tool || !strings.Contains(r.Cause, "10.0.0.5") {
				t.Errorf("%s: logged %+v", c.tool, r)
			}
		}
	})
}

func TestNothingIsSaid(t *testing.T) {
	onEach(t, func(t *testing.T, session *mcp.ClientSession, _ string, l *journal) {
		for _, tool := range []string{"nothing", "blank"} {
			res := call(t, session, tool, `{}`)
			if res.IsError || len(res.Content) != 1 {
				t.Fatalf("%s: isError %v, %q", tool, res.IsError, texts(res))
			}
			var block struct {
				Warnings     []string `json:"_warnings"`
				Completeness string   `json:"_completeness"`
				Reason       string   `json:"reason"`
			}
			if err := json.Unmarshal([]byte(texts(res)[0]), &block); err != nil {
				t.Fatal(err)
			}
			if block.Completeness != "empty" || block.Reason != "EMPTY_RESULT" || len(block.Warnings) != 1 {
				t.Errorf("%s: %+v", tool, block)
			}
			if r := l.last(t); !r.Blank || r.Outcome != "ok" {
				t.Errorf("%s: logged %+v", tool, r)
			}
		}
		if res := call(t, session, "empty_list", `{}`); !slices.Equal(texts(res), []string{"[]"}) || res.Meta[recourse.MetaWarnings] != nil {
			t.Errorf("an empty list is data: %q", texts(res))
		}
	})
}

func TestWarningsReachTheModel(t *testing.T) {
	onEach(t, func(t *testing.T, session *mcp.ClientSession, way string, l *journal) {
		const members = `"_warnings":["Only 3 of 7 days."],"_completeness":"partial"`
		res := call(t, session, "old_forecast", `{"city":"Oslo"}`)
		structured, _ := json.Marshal(res.StructuredContent)
		switch way {
		case "Middleware": // the SDK's inferred schema forbids our members
			if string(structured) != `{"city":"Oslo","days":3}` || len(res.Content) != 2 || texts(res)[1] != "{"+members+"}" {
				t.Errorf("structured %s, content %q", structured, texts(res))
			}
		case "AddTool", "both", "raw":
			if !equalJSON(string(structured), `{"city":"Oslo","days":3,`+members+`}`) {
				t.Errorf("structured %s", structured)
			}
			if n := len(res.Content); n == 0 || !equalJSON(texts(res)[0], string(structured)) && way != "raw" {
				t.Errorf("the text is no mirror: %q", texts(res))
			}
		}
		if r := l.last(t); !slices.Equal(r.Warnings, []string{"Only 3 of 7 days."}) {
			t.Errorf("logged %q", r.Warnings)
		}
		if m, ok := res.Meta[recourse.MetaWarnings].(map[string]any); !ok || m["_completeness"] != "partial" {
			t.Errorf("_meta: %v", res.Meta)
		}

		res = call(t, session, "old_text", `{}`)
		if got := texts(res); len(got) != 2 || got[0] != "Sunny." || got[1] != `{"_warnings":["This is from yesterday."],"_completeness":"partial"}` {
			t.Errorf("texts %q", got)
		}
	})
}

func TestAHandlersOwnFailureStays(t *testing.T) {
	onEach(t, func(t *testing.T, session *mcp.ClientSession, _ string, l *journal) {
		res := call(t, session, "own_error", `{}`)
		if !res.IsError || !slices.Equal(texts(res), []string{"No such city: Atlantis"}) {
			t.Errorf("isError %v, %q", res.IsError, texts(res))
		}
		if r := l.last(t); r.Outcome != "failed" || r.Message != "No such city: Atlantis" {
			t.Errorf("logged %+v", r)
		}
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wire_error", Arguments: map[string]any{}})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != 4711 || wire.Message != "of the protocol" {
			t.Errorf("the protocol's error became %v", err)
		}
		if r := l.last(t); r.Outcome != "failed" {
			t.Errorf("logged %+v", r)
		}
	})
}

// TypeScript SDK v1 checks the structured content even of an error.
func TestAHandlersOwnFailureWithData(t *testing.T) {
	for _, way := range ways {
		g := new(recourse.Guard)
		s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
		if way != "AddTool" {
			s.AddReceivingMiddleware(gosdk.Middleware(g))
		}
		tool := &mcp.Tool{Name: "x", OutputSchema: json.RawMessage(`{"type":"object","required":["n"]}`)}
		register(s, g, way, tool, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{"why": "no city"}}, nil, nil
		})
		res := call(t, connect(t, s, modern, nil), "x", `{}`)
		data, _ := json.Marshal(res.Meta["dev.recourse/structuredContent"])
		if !res.IsError || res.StructuredContent != nil || !slices.Equal(texts(res), []string{`{"why":"no city"}`}) || string(data) != `{"why":"no city"}` {
			t.Errorf("%s: isError %v, structured %v, texts %q, _meta %s", way, res.IsError, res.StructuredContent, texts(res), data)
		}
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, session *mcp.ClientSession, way string, l *journal) {
		if way == "raw" {
			return // arguments are the handler's business
		}
		e := failure(t, call(t, session, "forecast", `{"ctiy":"Oslo","days":"many"}`))
		var fields []string
		for _, v := range e.Violations {
			fields = append(fields, v.Field)
		}
		if !slices.Equal(fields, []string{"/ctiy", "/days"}) || !strings.Contains(e.Suggestion, "city") {
			t.Errorf("violations of %v: %s", fields, e.Envelope())
		}
		if r := l.last(t); r.Fault != "caller" || string(r.Args) != `{"ctiy":"Oslo","days":"many"}` {
			t.Errorf("logged %+v", r)
		}
	})
}

func TestArgumentsThatTheTypeRefuses(t *testing.T) {
	session := connect(t, stage(nil, "AddTool", nil), modern, nil)
	e := failure(t, call(t, session, "forecast", `{"city":"Oslo","when":"tomorrow"}`))
	if e.Code != recourse.InvalidArgument || e.Field != "/when" || e.Value != "tomorrow" || !strings.Contains(e.Suggestion, "when to a date and time") {
		t.Errorf("%s", e.Envelope())
	}
}

func TestDeadline(t *testing.T) {
	for _, era := range eras {
		for _, way := range ways {
			synctest.Test(t, func(t *testing.T) {
				deaf := make(chan struct{})
				defer close(deaf)
				session := connect(t, stage(new(recourse.Guard), way, deaf), era, nil)
				began := time.Now()
				if e := failure(t, call(t, session, "deaf", `{}`)); e.Code != recourse.Timeout || e.Retryable() {
					t.Errorf("%s, %s: %s", era, way, e.Envelope())
				}
				if spent := time.Since(began); spent != 50*time.Second {
					t.Errorf("%s, %s: answered after %v", era, way, spent)
				}
				call(t, session, "forecast", `{"city":"Oslo"}`) // the session goes on
			})
		}
	}
}

// equalJSON reports whether two texts hold the same value.
func equalJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// What other middleware sees is a result whose error can be examined.
func TestMiddlewareSeesTheError(t *testing.T) {
	for _, way := range ways {
		s := stage(nil, way, nil)
		var seen error
		s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				res, err := next(ctx, method, req)
				if r, ok := res.(*mcp.CallToolResult); ok {
					seen = r.GetError()
				}
				return res, err
			}
		})
		call(t, connect(t, s, modern, nil), "leak", `{}`)
		var e *recourse.Error
		if !errors.As(seen, &e) || !errors.Is(seen, errSecret) {
			t.Errorf("%s: saw %v", way, seen)
		}
	}
}

func TestAnnotations(t *testing.T) {
	yes, no := true, false
	cases := []struct {
		name      string
		a         *mcp.ToolAnnotations
		retryable bool // a failure that may have done something
	}{
		{"none", nil, false},
		{"read-only", &mcp.ToolAnnotations{ReadOnlyHint: true}, true},
		{"idempotent", &mcp.ToolAnnotations{IdempotentHint: true}, true},
		{"read-only, not destructive", &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &no}, true},
		{"idempotent and destructive", &mcp.ToolAnnotations{IdempotentHint: true, DestructiveHint: &yes}, true},
		{"read-only and destructive", &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes}, false},
	}
	for _, way := range ways {
		for _, c := range cases {
			api := new(recourse.Dependency)
			s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
			g := new(recourse.Guard)
			if way != "AddTool" {
				s.AddReceivingMiddleware(gosdk.Middleware(g))
			}
			register(s, g, way, &mcp.Tool{Name: "x", Annotations: c.a}, func(ctx context.Context, _ *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
				_, err := recourse.Call(ctx, api, func(context.Context) (int, error) {
					return 0, &recourse.Error{Code: recourse.UpstreamError}
				})
				return nil, nil, err
			})
			e := failure(t, call(t, connect(t, s, modern, nil), "x", `{}`))
			if e.Retryable() != c.retryable {
				t.Errorf("%s, %s: %s", way, c.name, e.Envelope())
			}
		}
	}
}
