package mcpgo_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/mcpgo"
)

var update = flag.Bool("update", false, "write what the server says into testdata")

var asks = []struct{ prose, tool, arguments string }{
	{"A good call.", "forecast", `{"city":"Oslo","days":2}`},
	{"Several faults in the arguments.", "forecast", `{"ctiy":"Oslo","days":9}`},
	{"An answer with a warning.", "old_forecast", `{"city":"Oslo"}`},
	{"A text with a warning.", "old_text", `{}`},
	{"An error, with what the handler said besides.", "duplicate", `{}`},
	{"An error that nobody has put into words.", "leak", `{}`},
	{"A panic.", "panics", `{}`},
	{"A nil result.", "nothing", `{}`},
	{"A blank text.", "blank", `{}`},
	{"An empty list is data.", "empty_list", `{}`},
	{"A handler's own error result.", "own_error", `{}`},
	{"One of blank texts and data.", "own_data", `{}`},
	{"A result that JSON can't hold.", "unwritable", `{}`},
	{"The user has to visit a page first.", "visit", `{}`},
	{"No such tool.", "forcast", `{}`},
	{"A handler that does not come back in time.", "deaf", `{}`},
}

// TestTranscripts holds what the server answers, byte for byte.
func TestTranscripts(t *testing.T) {
	for _, era := range eras {
		for _, way := range ways {
			t.Run(way+"/"+era, func(t *testing.T) {
				var got strings.Builder
				synctest.Test(t, func(t *testing.T) {
					deaf := make(chan struct{})
					defer close(deaf)
					s := stage(nil, way, deaf)
					for _, a := range asks {
						line, ans := ask(t, s, era, a.tool, a.arguments)
						fmt.Fprintf(&got, "# %s\n> %s\n< %s\n\n", a.prose, message(era, a.tool, a.arguments), line)
						if r := ans.Result.ResultType; ans.Error == nil && (r == "complete") != (era == modern) {
							t.Errorf("resultType is %q: %s", r, line)
						}
						if strings.Contains(line, "10.0.0.5") {
							t.Errorf("shows its cause: %s", line)
						}
					}
				})
				name := filepath.Join("testdata", way+"-"+era+".txt")
				if *update {
					if err := os.WriteFile(name, []byte(got.String()), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				lines, wanted := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
				for i := range min(len(lines), len(wanted)) {
					if lines[i] != wanted[i] {
						t.Fatalf("line %d differs:\nwant %s\ngot  %s", i+1, wanted[i], lines[i])
					}
				}
				if len(lines) != len(wanted) {
					t.Errorf("%d lines, want %d", len(lines), len(wanted))
				}
			})
		}
	}
}

func onEach(t *testing.T, test func(t *testing.T, s *server.MCPServer, era, way string, l *journal)) {
	for _, era := range eras {
		for _, way := range ways {
			t.Run(era+"/"+way, func(t *testing.T) {
				l := new(journal)
				test(t, stage(&recourse.Guard{Log: l.add}, way, nil), era, way, l)
			})
		}
	}
}

func TestErrorsReachTheModel(t *testing.T) {
	onEach(t, func(t *testing.T, s *server.MCPServer, era, _ string, l *journal) {
		_, a := ask(t, s, era, "duplicate", `{}`)
		e := a.failure(t)
		if e.Code != recourse.DuplicateEntry || e.Related["existing_id"] != "rec_1" || len(a.Result.Content) != 2 || a.Result.Content[1].Text != "beside the error" {
			t.Errorf("%+v", a.Result)
		}
		var envelope struct{ Error any }
		json.Unmarshal([]byte(a.Result.Content[0].Text), &envelope)
		if got := a.Result.Meta[recourse.MetaError]; !reflect.DeepEqual(got, envelope.Error) {
			t.Errorf("_meta has %v", got)
		}
		if r := l.last(t); r.Code != recourse.DuplicateEntry || r.Outcome != "failed" || r.Tool != "duplicate" || !strings.Contains(r.Cause, "10.0.0.5") || era == modern && r.Client != "raw/1" {
			t.Errorf("logged %+v", r)
		}
		_, a = ask(t, s, era, "panics", `{}`)
		if e := a.failure(t); e.Code != recourse.InternalError {
			t.Errorf("%s", e.Envelope())
		}
	})
}

func TestNothingIsSaid(t *testing.T) {
	onEach(t, func(t *testing.T, s *server.MCPServer, era, _ string, l *journal) {
		for _, tool := range []string{"nothing", "blank"} {
			line, a := ask(t, s, era, tool, `{}`)
			if r := l.last(t); !r.Blank || r.Outcome != "ok" {
				t.Errorf("%s: logged %+v", tool, r)
			}
			if a.Error != nil || a.Result.IsError || len(a.Result.Content) != 1 || !strings.Contains(a.Result.Content[0].Text, `"reason":"EMPTY_RESULT"`) {
				t.Errorf("%s: %s", tool, line)
			}
		}
		if line, a := ask(t, s, era, "empty_list", `{}`); len(a.Result.Content) != 1 || a.Result.Content[0].Text != "[]" || a.Result.Meta[recourse.MetaWarnings] != nil {
			t.Errorf("an empty list is data: %s", line)
		}
	})
}

func TestWarningsReachTheModel(t *testing.T) {
	const want = `{"city":"Oslo","days":3,"_warnings":["Only 3 of 7 days."],"_completeness":"partial"}`
	onEach(t, func(t *testing.T, s *server.MCPServer, era, way string, l *journal) {
		line, a := ask(t, s, era, "old_forecast", `{"city":"Oslo"}`)
		texts := a.Result.Content
		if way == "Middleware" { // mcp.WithOutputSchema forbids what it does not name
			if string(a.Result.StructuredContent) != `{"city":"Oslo","days":3}` || len(texts) != 2 || texts[1].Text != `{"_warnings":["Only 3 of 7 days."],"_completeness":"partial"}` {
				t.Error(line)
			}
		} else if string(a.Result.StructuredContent) != want || len(texts) != 1 || texts[0].Text != want {
			t.Error(line)
		}
		if r := l.last(t); !slices.Equal(r.Warnings, []string{"Only 3 of 7 days."}) {
			t.Errorf("logged %q", r.Warnings)
		}
	})
}

func TestAQuestionToTheUserStays(t *testing.T) {
	onEach(t, func(t *testing.T, s *server.MCPServer, era, _ string, l *journal) {
		line, a := ask(t, s, era, "visit", `{}`)
		if a.Error == nil || era == legacy && a.Error.Code != -32042 {
			t.Error(line)
		}
		if r := l.last(t); r.Outcome != "input_required" {
			t.Errorf("logged %+v", r)
		}
	})
}

// endless unwraps to itself.
type endless struct{}

func (e *endless) Error() string { return "endless" }
func (e *endless) Unwrap() error { return e }

// A question is found in any tree of errors, and the search ends in any.
func TestQuestionsInTrees(t *testing.T) {
	ask := mcp.URLElicitationRequiredError{Elicitations: []mcp.ElicitationParams{{Mode: "url", ElicitationID: "e", URL: "https://example.com/", Message: "Please log in."}}}
	cases := []struct {
		err     error
		outcome string
	}{
		{fmt.Errorf("before: %w", ask), "input_required"},
		{fmt.Errorf("before: %w", &ask), "input_required"},
		{errors.Join(errSecret, fmt.Errorf("before: %w", ask)), "input_required"},
		{errors.Join(errSecret, errSecret), "failed"},
		{new(endless), "failed"},
		{errors.Join(new(endless), ask), "failed"},
		{mcp.URLElicitationRequiredError{Elicitations: []mcp.ElicitationParams{{RequestedSchema: make(chan int)}}}, "failed"},
	}
	for _, c := range cases {
		h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, c.err }
		single(t, mcp.NewTool("x"), h, func(t *testing.T, line string, a answer, r recourse.Record) {
			if r.Outcome != c.outcome || (a.Error != nil) != (c.outcome == "input_required") {
				t.Errorf("%T: logged %+v: %s", c.err, r, line)
			}
		})
	}
}

// A call that is a task, and one that asks the client first, are the SDK's.
func TestTasksAndQuestionsPass(t *testing.T) {
	for _, way := range ways {
		l := new(journal)
		g := &recourse.Guard{Log: l.add}
		opts := []server.ServerOption{server.WithTaskCapabilities(true, true, true)}
		if way != "AddTool" {
			opts = append(opts, server.WithToolHandlerMiddleware(mcpgo.Middleware(g)))
		}
		s := server.NewMCPServer("s", "1", opts...)
		tool := mcp.NewTool("ask", mcp.WithTaskSupport(mcp.TaskSupportOptional))
		handler := func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if server.ElicitationResponse(req.Params.InputResponses, "sure") != nil || req.Params.Task != nil {
				return mcp.NewToolResultText("done"), nil
			}
			return server.NewInputRequestBuilder("state").Elicit("sure", mcp.ElicitationParams{Message: "sure?"}).ToolResult(), nil
		}
		if way == "Middleware" {
			s.AddTool(tool, handler)
		} else {
			mcpgo.AddTool(s, g, tool, handler)
		}
		line, a := ask(t, s, modern, "ask", `{}`)
		if a.Result.ResultType != "input_required" || !strings.Contains(line, `"inputRequests"`) {
			t.Errorf("%s: %s", way, line)
		}
		if r := l.last(t); r.Outcome != "input_required" {
			t.Errorf("%s: logged %+v", way, r)
		}
		asTask := strings.Replace(message(legacy, "ask", `{}`), `"arguments":{}`, `"arguments":{},"task":{}`, 1)
		out, _ := json.Marshal(s.HandleMessage(context.Background(), json.RawMessage(asTask)))
		if !strings.Contains(string(out), `"taskId"`) {
			t.Errorf("%s: no task: %s", way, out)
		}
	}
}

// TypeScript SDK v1 checks the structured content even of an error.
func TestAHandlersOwnFailureWithData(t *testing.T) {
	s := server.NewMCPServer("s", "1")
	mcpgo.AddTool(s, nil, mcp.NewTool("x", mcp.WithOutputSchema[forecast]()), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{"why": "no city"}}, nil
	})
	line, a := ask(t, s, modern, "x", `{}`)
	r := a.Result
	if !r.IsError || r.StructuredContent != nil || len(r.Content) != 1 || r.Content[0].Text != `{"why":"no city"}` || r.Meta["dev.recourse/structuredContent"] == nil {
		t.Error(line)
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	l := new(journal)
	s := stage(&recourse.Guard{Log: l.add}, "AddTool", nil)
	_, a := ask(t, s, legacy, "forecast", `{"ctiy":"Oslo","days":9}`)
	e := a.failure(t)
	if len(e.Violations) != 2 || !strings.Contains(e.Suggestion, "city") {
		t.Error(e.Envelope())
	}
	if r := l.last(t); r.Fault != "caller" {
		t.Errorf("logged %+v", r)
	}
}

// The list of tools tells of the members that an answer may have.
func TestOutputSchema(t *testing.T) {
	handler := func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		recourse.Warn(ctx, "old")
		return mcp.NewToolResultStructuredOnly(map[string]any{"n": 1}), nil
	}
	cases := []struct {
		name, schema string
		inside       bool // the members are in the data
	}{
		{"open", `{"type":"object"}`, true},
		{"closed", `{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}`, true},
		{"by reference", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{}},"additionalProperties":false}}}`, true},
		{"combined", `{"type":"object","allOf":[{"properties":{"n":{}},"additionalProperties":false}],"unevaluatedProperties":false}`, true},
		{"map of numbers", `{"type":"object","additionalProperties":{"type":"number"}}`, true},
		{"named by a pattern", `{"type":"object","propertyNames":{"pattern":"^n$"}}`, false},
		{"counted", `{"type":"object","maxProperties":1}`, false},
		{"the author's own", `{"type":"object","properties":{"_warnings":{"type":"string"}}}`, false},
		{"a list", `{"type":"array"}`, false},
	}
	for _, c := range cases {
		s := server.NewMCPServer("s", "1")
		tool := mcp.NewTool("x")
		tool.RawOutputSchema = json.RawMessage(c.schema)
		mcpgo.AddTool(s, nil, tool, handler)
		line, a := ask(t, s, legacy, "x", `{}`)
		if inside := strings.Contains(string(a.Result.StructuredContent), `"_warnings":["old"]`); inside != c.inside {
			t.Errorf("%s: %s", c.name, line)
		}
		if texts := a.Result.Content; !strings.Contains(texts[len(texts)-1].Text, `"_warnings":["old"]`) {
			t.Errorf("%s: the text does not warn: %s", c.name, line)
		}
		if known := string(s.GetTool("x").Tool.RawOutputSchema); c.inside && !strings.Contains(known, "_completeness") {
			t.Errorf("%s: listed as %s", c.name, known)
		}
	}
}

func TestAnnotations(t *testing.T) {
	for _, way := range ways {
		for _, readOnly := range []bool{false, true} {
			g := new(recourse.Guard)
			var opts []server.ServerOption
			if way != "AddTool" {
				opts = append(opts, server.WithToolHandlerMiddleware(mcpgo.Middleware(g)))
			}
			s := server.NewMCPServer("s", "1", opts...)
			api := new(recourse.Dependency)
			handler := func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				_, err := recourse.Call(ctx, api, func(context.Context) (int, error) {
					return 0, &recourse.Error{Code: recourse.UpstreamError}
				})
				return nil, err
			}
			tool := mcp.NewTool("x", mcp.WithReadOnlyHintAnnotation(readOnly))
			if way == "Middleware" {
				s.AddTool(tool, handler)
			} else {
				mcpgo.AddTool(s, g, tool, handler)
			}
			_, a := ask(t, s, modern, "x", `{}`)
			if e := a.failure(t); e.Retryable() != readOnly {
				t.Errorf("%s, read-only %v: %s", way, readOnly, e.Envelope())
			}
		}
	}
}
