package mcpgo_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/mcpgo"
)

type mine struct{}

func (mine) MarshalJSON() ([]byte, error) { panic(errSecret) }

func meta(key string, value any) mcp.Result {
	return mcp.Result{Meta: &mcp.Meta{AdditionalFields: map[string]any{key: value}}}
}

// single returns what asks a server with one tool, in each era and for each way
// of guarding it.
func single(t *testing.T, tool mcp.Tool, h server.ToolHandlerFunc, test func(t *testing.T, line string, a answer, r recourse.Record)) {
	t.Helper()
	for _, era := range eras {
		for _, way := range ways {
			t.Run(era+"/"+way, func(t *testing.T) {
				l := new(journal)
				g := &recourse.Guard{Log: l.add}
				s := server.NewMCPServer("s", "1")
				if way != "AddTool" {
					s.Use(mcpgo.Middleware(g))
				}
				if way == "Middleware" {
					s.AddTool(tool, h)
				} else {
					mcpgo.AddTool(s, g, tool, h)
				}
				line, a := ask(t, s, era, tool.Name, `{}`)
				test(t, line, a, l.last(t))
			})
		}
	}
}

// The SDK sends nothing at all for what JSON can't hold.
func TestWhatCannotBeWritten(t *testing.T) {
	hello := []mcp.Content{mcp.NewTextContent("hello")}
	nan := math.NaN()
	image := mcp.NewImageContent("", "image/png")
	image.Meta = meta("n", nan).Meta
	cases := map[string]mcp.CallToolResult{
		"a channel as data":      {StructuredContent: make(chan int)},
		"beside a text":          {StructuredContent: make(chan int), Content: hello},
		"half a JSON text":       {StructuredContent: json.RawMessage(`{"a":`)},
		"half a raw JSON text":   {RawStructuredContent: json.RawMessage(`{"a":`), Content: hello},
		"a method that panics":   {StructuredContent: mine{}, Content: hello},
		"metadata":               {Result: meta("f", func() {}), Content: hello},
		"an error result's":      {Result: meta("n", nan), Content: hello, IsError: true},
		"an error result's data": {StructuredContent: nan, Content: hello, IsError: true},
		"a block's metadata":     {Content: []mcp.Content{mcp.TextContent{Type: "text", Text: "hello", Meta: meta("n", nan).Meta}}},
		"a block's annotation":   {Content: []mcp.Content{mcp.TextContent{Type: "text", Text: "hello", Annotated: mcp.Annotated{Annotations: &mcp.Annotations{Priority: &nan}}}}},
		"an image's metadata":    {Content: []mcp.Content{image}},
	}
	for name, res := range cases {
		t.Run(name, func(t *testing.T) {
			h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return &res, nil }
			single(t, mcp.NewTool("x", mcp.WithReadOnlyHintAnnotation(true)), h, func(t *testing.T, _ string, a answer, r recourse.Record) {
				e := a.failure(t)
				if e.Code != recourse.InternalError || e.Retryable() || e.Related["outcome"] != "completed" {
					t.Error(e.Envelope())
				}
				if r.Outcome != "failed" || r.Code != recourse.InternalError {
					t.Errorf("logged %+v", r)
				}
			})
		})
	}
}

// What goes with an error is left out if JSON can't hold it; the rest is sent.
func TestAnErrorIsSentWithoutWhatCannotBe(t *testing.T) {
	h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{
			Result: mcp.Result{Meta: &mcp.Meta{ProgressToken: make(chan int), AdditionalFields: map[string]any{"bad": mine{}, "trace": "t1", "none": nil}}},
			Content: []mcp.Content{
				nil, (*mcp.ImageContent)(nil), mcp.NewTextContent(" "),
				mcp.TextContent{Type: "text", Text: "bad", Meta: meta("n", math.Inf(1)).Meta},
				mcp.NewTextContent("good"),
			},
		}, errors.New("no such city")
	}
	single(t, mcp.NewTool("x"), h, func(t *testing.T, line string, a answer, r recourse.Record) {
		a.failure(t)
		if c := a.Result.Content; len(c) != 2 || c[1].Text != "good" {
			t.Error(line)
		}
		m := a.Result.Meta
		if _, none := m["none"]; m["trace"] != "t1" || !none || m["bad"] != nil || m[recourse.MetaError] == nil {
			t.Error(line)
		}
		if r.Cause != "no such city" {
			t.Errorf("logged %+v", r)
		}
	})
}

// A handler's own error result is one that every client shows.
func TestAHandlersOwnFailureIsSeen(t *testing.T) {
	blank, failed := mcp.NewTextContent(" "), mcp.NewTextContent("failed")
	data := map[string]any{"why": "no city"}
	cases := []struct {
		name  string
		res   mcp.CallToolResult
		texts string
		data  string // what stays structured
	}{
		{"a blank text beside another", mcp.CallToolResult{Content: []mcp.Content{blank, failed}}, "failed", ""},
		{"a block that is nil", mcp.CallToolResult{Content: []mcp.Content{(*mcp.ImageContent)(nil), failed}}, "failed", ""},
		{"only data", mcp.CallToolResult{StructuredContent: data}, `{"why":"no city"}`, `{"why":"no city"}`},
		{"data and a blank text", mcp.CallToolResult{StructuredContent: data, Content: []mcp.Content{blank}}, `{"why":"no city"}`, `{"why":"no city"}`},
		{"data and a text", mcp.CallToolResult{StructuredContent: data, Content: []mcp.Content{failed}}, "failed", `{"why":"no city"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := c.res
			res.IsError, res.Result = true, meta("trace", "t1")
			h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return &res, nil }
			single(t, mcp.NewTool("x"), h, func(t *testing.T, line string, a answer, r recourse.Record) {
				var texts []string
				for _, b := range a.Result.Content {
					texts = append(texts, b.Text)
				}
				if !a.Result.IsError || strings.Join(texts, "|") != c.texts || string(a.Result.StructuredContent) != c.data || a.Result.Meta["trace"] != "t1" {
					t.Error(line)
				}
				if r.Outcome != "failed" {
					t.Errorf("logged %+v", r)
				}
			})
		})
	}
	t.Run("nothing at all", func(t *testing.T) {
		res := mcp.CallToolResult{IsError: true, Content: []mcp.Content{blank}, Result: meta("trace", "t1")}
		h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return &res, nil }
		single(t, mcp.NewTool("x"), h, func(t *testing.T, line string, a answer, _ recourse.Record) {
			e := a.failure(t)
			if e.Code != recourse.UnknownError || len(a.Result.Content) != 1 || a.Result.Meta["trace"] != "t1" {
				t.Error(line)
			}
		})
	})
}

// A client in Go can't read a number that a float can't hold, and would drop the
// whole answer.
func TestAHugeNumberDoesNotCostTheAnswer(t *testing.T) {
	h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, &recourse.Error{Code: recourse.OutOfRange, Value: json.Number("1e400")}
	}
	single(t, mcp.NewTool("x"), h, func(t *testing.T, line string, a answer, _ recourse.Record) {
		if a.Error != nil || !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "OUT_OF_RANGE") {
			t.Error(line)
		}
	})
}

// A variable of type *recourse.Error that is nil says that all went well.
func TestANilErrorIsNone(t *testing.T) {
	h := func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var none *recourse.Error
		return mcp.NewToolResultText("well"), none
	}
	single(t, mcp.NewTool("x"), h, func(t *testing.T, line string, a answer, r recourse.Record) {
		if a.Error != nil || a.Result.IsError || len(a.Result.Content) != 1 || a.Result.Content[0].Text != "well" || r.Outcome != "ok" {
			t.Errorf("logged %+v: %s", r, line)
		}
	})
}
