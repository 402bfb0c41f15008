package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

var eras = []string{legacy, modern}

type query struct {
	City string    `json:"city" jsonschema:"the city to look up"`
	Days int       `json:"days,omitempty" jsonschema:"how many days"`
	When time.Time `json:"when,omitzero"`
}

type forecast struct {
	City string `json:"city"`
	Days int    `json:"days"`
}

// register adds a tool in one of three ways: with AddTool, with the SDK's own, or
// raw; the last two are for Middleware.
func register[In, Out any](s *mcp.Server, g *recourse.Guard, way string, t *mcp.Tool, h mcp.ToolHandlerFor[In, Out]) {
	switch way {
	case "AddTool", "both":
		gosdk.AddTool(s, g, t, h)
	case "Middleware":
		mcp.AddTool(s, t, h)
	case "raw":
		if t.InputSchema == nil {
			t.InputSchema = &jsonschema.Schema{Type: "object"}
		}
		s.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in In
			_ = json.Unmarshal(req.Params.Arguments, &in)
			res, out, err := h(ctx, req, in)
			if err != nil || any(out) == nil {
				return res, err
			}
			return &mcp.CallToolResult{StructuredContent: out}, nil
		})
	default:
		panic(way)
	}
}

// A stage is a server with one tool for each thing that can happen. Its deaf tool
// runs until the test ends.
func stage(g *recourse.Guard, way string, deaf <-chan struct{}) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "stage", Version: "1"}, nil)
	if way != "AddTool" {
		s.AddReceivingMiddleware(gosdk.Middleware(g))
	}
	register(s, g, way, &mcp.Tool{Name: "forecast"}, func(_ context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, forecast, error) {
		return nil, forecast{q.City, max(q.Days, 1)}, nil
	})
	register(s, g, way, &mcp.Tool{Name: "old_forecast"}, func(ctx context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, forecast, error) {
		recourse.Warn(ctx, "Only %d of 7 days.", 3)
		return nil, forecast{q.City, 3}, nil
	})
	plain := func(name string, h mcp.ToolHandlerFor[any, any]) {
		register(s, g, way, &mcp.Tool{Name: name}, h)
	}
	plain("duplicate", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return say("beside the error"), nil, &recourse.Error{
			Code:    recourse.DuplicateEntry,
			Field:   "/email",
			Related: map[string]any{"existing_id": "rec_1"},
			Err:     errSecret,
		}
	})
	plain("leak", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return nil, nil, errSecret
	})
	plain("panics", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) { panic(errSecret) })
	plain("nothing", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	plain("blank", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return say(" \n"), nil, nil
	})
	plain("empty_list", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return say("[]"), nil, nil
	})
	plain("old_text", func(ctx context.Context, _ *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		recourse.Warn(ctx, "This is from yesterday.")
		return say("Sunny."), nil, nil
	})
	plain("own_error", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		res := say("No such city: Atlantis")
		res.IsError = true
		return res, nil, nil
	})
	plain("own_data", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		res := say(" ")
		res.IsError, res.StructuredContent = true, map[string]any{"why": "no city"}
		return res, nil, nil
	})
	plain("unwritable", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		res := say("hello")
		res.StructuredContent = json.RawMessage(`{"a":`) // an API's truncated body
		return res, nil, nil
	})
	plain("wire_error", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return nil, nil, &jsonrpc.Error{Code: 4711, Message: "of the protocol"}
	})
	plain("deaf", func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		<-deaf
		return say("too late"), nil, nil
	})
	return s
}

var errSecret = errors.New("dial tcp 10.0.0.5:5432: password=hunter2")

func say(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// connect returns a client's session with the server. Both end with the test.
func connect(t *testing.T, s *mcp.Server, era string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	server, err := s.Connect(context.Background(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "audience", Version: "2"}, opts)
	session, err := client.Connect(t.Context(), near, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close(); server.Wait() })
	return session
}

func call(t *testing.T, session *mcp.ClientSession, tool, arguments string) *mcp.CallToolResult {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return res
}

// texts returns the texts of a result's blocks.
func texts(res *mcp.CallToolResult) []string {
	var all []string
	for _, c := range res.Content {
		text, _ := c.(*mcp.TextContent)
		if text == nil {
			text = &mcp.TextContent{Text: "(no text)"}
		}
		all = append(all, text.Text)
	}
	return all
}

// failure returns the error that a model reads in a result.
func failure(t *testing.T, res *mcp.CallToolResult) *recourse.Error {
	t.Helper()
	if !res.IsError || len(res.Content) == 0 || res.StructuredContent != nil {
		t.Fatalf("isError %v, content %q, structured %v", res.IsError, texts(res), res.StructuredContent)
	}
	e := new(recourse.Error)
	if err := json.Unmarshal([]byte(texts(res)[0]), e); err != nil {
		t.Fatalf("%s: %v", texts(res)[0], err)
	}
	return e
}

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
