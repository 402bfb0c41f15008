package mcpgo_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/mcpgo"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

var (
	eras = []string{legacy, modern}
	ways = []string{"AddTool", "Middleware", "both"}
)

type forecast struct {
	City string `json:"city"`
	Days int    `json:"days"`
}

// A stage is a server with one tool for each thing that can happen, guarded in
// one of the ways. Its deaf tool runs until the channel is closed.
func stage(g *recourse.Guard, way string, deaf <-chan struct{}) *server.MCPServer {
	var opts []server.ServerOption
	if way != "AddTool" {
		opts = append(opts, server.WithToolHandlerMiddleware(mcpgo.Middleware(g)))
	}
	s := server.NewMCPServer("stage", "1", opts...)
	add := func(tool mcp.Tool, h server.ToolHandlerFunc) {
		if way == "Middleware" {
			s.AddTool(tool, h)
		} else {
			mcpgo.AddTool(s, g, tool, h)
		}
	}
	query := []mcp.ToolOption{
		mcp.WithString("city", mcp.Required(), mcp.Description("the city to look up")),
		mcp.WithInteger("days", mcp.Max(7)),
		mcp.WithSchemaAdditionalProperties(false),
		mcp.WithOutputSchema[forecast](),
	}
	add(mcp.NewTool("forecast", query...), func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructuredOnly(forecast{req.GetString("city", ""), req.GetInt("days", 1)}), nil
	})
	add(mcp.NewTool("old_forecast", query...), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		recourse.Warn(ctx, "Only %d of 7 days.", 3)
		return mcp.NewToolResultStructuredOnly(forecast{req.GetString("city", ""), 3}), nil
	})
	plain := func(name string, h func(context.Context) (*mcp.CallToolResult, error)) {
		add(mcp.NewTool(name), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) { return h(ctx) })
	}
	plain("duplicate", func(context.Context) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("beside the error"), &recourse.Error{
			Code:    recourse.DuplicateEntry,
			Field:   "/email",
			Related: map[string]any{"existing_id": "rec_1"},
			Err:     errSecret,
		}
	})
	plain("leak", func(context.Context) (*mcp.CallToolResult, error) { return nil, errSecret })
	plain("panics", func(context.Context) (*mcp.CallToolResult, error) { panic(errSecret) })
	plain("nothing", func(context.Context) (*mcp.CallToolResult, error) { return nil, nil })
	plain("blank", func(context.Context) (*mcp.CallToolResult, error) { return mcp.NewToolResultText(" \n"), nil })
	plain("empty_list", func(context.Context) (*mcp.CallToolResult, error) { return mcp.NewToolResultText("[]"), nil })
	plain("old_text", func(ctx context.Context) (*mcp.CallToolResult, error) {
		recourse.Warn(ctx, "This is from yesterday.")
		return mcp.NewToolResultText("Sunny."), nil
	})
	plain("own_error", func(context.Context) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("No such city: Atlantis"), nil
	})
	plain("own_data", func(context.Context) (*mcp.CallToolResult, error) {
		res := mcp.NewToolResultError(" ")
		res.StructuredContent = map[string]any{"why": "no city"}
		return res, nil
	})
	plain("unwritable", func(context.Context) (*mcp.CallToolResult, error) {
		res := mcp.NewToolResultText("hello")
		res.StructuredContent = json.RawMessage(`{"a":`) // an API's truncated body
		return res, nil
	})
	plain("visit", func(context.Context) (*mcp.CallToolResult, error) {
		return nil, mcp.URLElicitationRequiredError{Elicitations: []mcp.ElicitationParams{{Mode: "url", ElicitationID: "e", URL: "https://example.com/", Message: "Please log in."}}}
	})
	plain("deaf", func(context.Context) (*mcp.CallToolResult, error) {
		<-deaf
		return mcp.NewToolResultText("too late"), nil
	})
	return s
}

var errSecret = errors.New("dial tcp 10.0.0.5:5432: password=hunter2")

// A journal keeps a guard's records.
type journal struct {
	mu  sync.Mutex
	all []recourse.Record
}

func (l *journal) add(r recourse.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r)
}

// last returns the only record since the last time.
func (l *journal) last(t *testing.T) recourse.Record {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) != 1 {
		t.Fatalf("%d records, want one: %+v", len(l.all), l.all)
	}
	r := l.all[0]
	l.all = nil
	return r
}

// An answer is what a client reads.
type answer struct {
	Result struct {
		Meta    map[string]any `json:"_meta"`
		Content []struct {
			Type, Text string
		}
		StructuredContent json.RawMessage
		IsError           bool
		ResultType        string
	}
	Error *struct {
		Code    int
		Message string
	}
}

// ask sends a raw tools/call and returns the raw answer.
func ask(t *testing.T, s *server.MCPServer, era, tool, arguments string) (line string, a answer) {
	t.Helper()
	out, err := json.Marshal(s.HandleMessage(context.Background(), json.RawMessage(message(era, tool, arguments))))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return string(out), a
}

func message(era, tool, arguments string) string {
	meta := ""
	if era == modern {
		meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + era + `","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"}}`
	}
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + meta + `}}`
}

// failure returns the error that a model reads in an answer.
func (a answer) failure(t *testing.T) *recourse.Error {
	t.Helper()
	r := a.Result
	if !r.IsError || len(r.Content) == 0 || r.StructuredContent != nil {
		t.Fatalf("no error result: %+v", a)
	}
	e := new(recourse.Error)
	if err := json.Unmarshal([]byte(r.Content[0].Text), e); err != nil {
		t.Fatalf("%s: %v", r.Content[0].Text, err)
	}
	return e
}
