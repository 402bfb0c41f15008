package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

type mine struct{}

func (mine) MarshalJSON() ([]byte, error) { panic(errSecret) }

// single calls a server with one tool, in each era and for each way of adding it.
func single(t *testing.T, h mcp.ToolHandlerFor[any, any], test func(t *testing.T, session *mcp.ClientSession, way string, l *journal)) {
	t.Helper()
	for _, era := range eras {
		for _, way := range ways {
			t.Run(era+"/"+way, func(t *testing.T) {
				l := new(journal)
				g := &recourse.Guard{Log: l.add}
				s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
				if way != "AddTool" {
					s.AddReceivingMiddleware(gosdk.Middleware(g))
				}
				register(s, g, way, &mcp.Tool{Name: "x", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, h)
				test(t, connect(t, s, era, nil), way, l)
			})
		}
	}
}

func returns(res mcp.CallToolResult, err error) mcp.ToolHandlerFor[any, any] {
	return func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		fresh := res
		return &fresh, nil, err
	}
}

// The SDK sends nothing at all for what JSON can't hold.
func TestWhatCannotBeWritten(t *testing.T) {
	hello := say("hello").Content
	nan := math.NaN()
	cases := map[string]mcp.CallToolResult{
		"a channel as data":      {StructuredContent: make(chan int)},
		"beside a text":          {StructuredContent: make(chan int), Content: hello},
		"half a JSON text":       {StructuredContent: json.RawMessage(`{"a":`)},
		"an empty JSON text":     {StructuredContent: json.RawMessage{}, Content: hello},
		"a method that panics":   {StructuredContent: mine{}, Content: hello},
		"metadata":               {Meta: mcp.Meta{"f": func() {}}, Content: hello},
		"an error result's":      {Meta: mcp.Meta{"n": nan}, Content: hello, IsError: true},
		"an error result's data": {StructuredContent: nan, Content: hello, IsError: true},
		"a block's metadata":     {Content: []mcp.Content{&mcp.TextContent{Text: "hello", Meta: mcp.Meta{"n": nan}}}},
		"a block's annotation":   {Content: []mcp.Content{&mcp.TextContent{Text: "hello", Annotations: &mcp.Annotations{Priority: nan}}}},
		"an image's metadata":    {Content: []mcp.Content{&mcp.ImageContent{Meta: mcp.Meta{"n": mine{}}}}},
	}
	for name, res := range cases {
		t.Run(name, func(t *testing.T) {
			single(t, returns(res, nil), func(t *testing.T, session *mcp.ClientSession, _ string, l *journal) {
				e := failure(t, call(t, session, "x", `{}`))
				if e.Code != recourse.InternalError || e.Retryable() || e.Related["outcome"] != "completed" {
					t.Error(e.Envelope())
				}
				if r := l.last(t); r.Outcome != "failed" || r.Code != recourse.InternalError {
					t.Errorf("logged %+v", r)
				}
			})
		})
	}
}

// In the older era the SDK asks the client itself, and fails.
func TestAQuestionThatCannotBeWritten(t *testing.T) {
	res := mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": nil}}
	single(t, returns(res, nil), func(t *testing.T, session *mcp.ClientSession, _ string, l *journal) {
		e := failure(t, call(t, session, "x", `{}`))
		if r := l.last(t); e.Retryable() || r.Outcome != "failed" {
			t.Errorf("%s, logged %+v", e.Envelope(), r)
		}
	})
}

// What goes with an error is left out if JSON can't hold it; the rest is sent.
func TestAnErrorIsSentWithoutWhatCannotBe(t *testing.T) {
	res := mcp.CallToolResult{
		Meta: mcp.Meta{"bad": mine{}, "trace": "t1", "none": nil},
		Content: []mcp.Content{
			nil, (*mcp.ImageContent)(nil), &mcp.TextContent{Text: " "},
			&mcp.TextContent{Text: "bad", Meta: mcp.Meta{"n": math.Inf(1)}},
			&mcp.TextContent{Text: "good"},
		},
	}
	single(t, returns(res, errors.New("no such city")), func(t *testing.T, session *mcp.ClientSession, way string, l *journal) {
		res := call(t, session, "x", `{}`)
		failure(t, res)
		// The SDK's own AddTool drops what a handler returns beside its error.
		if way != "Middleware" {
			_, none := res.Meta["none"]
			if !slices.Equal(texts(res)[1:], []string{"good"}) || res.Meta["trace"] != "t1" || !none || res.Meta["bad"] != nil {
				t.Errorf("content %q, _meta %v", texts(res), res.Meta)
			}
		}
		if r := l.last(t); r.Cause != "no such city" || res.Meta[recourse.MetaError] == nil {
			t.Errorf("logged %+v, _meta %v", r, res.Meta)
		}
	})
	single(t, returns(mcp.CallToolResult{}, &jsonrpc.Error{Code: 4711, Message: "no", Data: json.RawMessage(`{`)}), func(t *testing.T, session *mcp.ClientSession, _ string, _ *journal) {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "x", Arguments: map[string]any{}})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != 4711 || wire.Message != "no" {
			t.Errorf("the protocol's error became %v", err)
		}
	})
}

// A handler's own error result is one that every client shows.
func TestAHandlersOwnFailureIsSeen(t *testing.T) {
	blank, failed := &mcp.TextContent{Text: " "}, &mcp.TextContent{Text: "failed"}
	data := map[string]any{"why": "no city"}
	cases := []struct {
		name  string
		res   mcp.CallToolResult
		texts string
		data  string // what stays structured
	}{
		{"a blank text beside another", mcp.CallToolResult{Content: []mcp.Content{blank, failed}}, "failed", "null"},
		{"a block that is nil", mcp.CallToolResult{Content: []mcp.Content{(*mcp.ImageContent)(nil), failed}}, "failed", "null"},
		{"only data", mcp.CallToolResult{StructuredContent: data}, `{"why":"no city"}`, `{"why":"no city"}`},
		{"data and a blank text", mcp.CallToolResult{StructuredContent: data, Content: []mcp.Content{blank}}, `{"why":"no city"}`, `{"why":"no city"}`},
		{"data and a text", mcp.CallToolResult{StructuredContent: data, Content: []mcp.Content{failed}}, "failed", `{"why":"no city"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := c.res
			res.IsError, res.Meta = true, mcp.Meta{"trace": "t1"}
			single(t, returns(res, nil), func(t *testing.T, session *mcp.ClientSession, _ string, l *journal) {
				got := call(t, session, "x", `{}`)
				structured, _ := json.Marshal(got.StructuredContent)
				if !got.IsError || strings.Join(texts(got), "|") != c.texts || string(structured) != c.data || got.Meta["trace"] != "t1" {
					t.Errorf("isError %v, texts %q, structured %s, _meta %v", got.IsError, texts(got), structured, got.Meta)
				}
				if r := l.last(t); r.Outcome != "failed" {
					t.Errorf("logged %+v", r)
				}
			})
		})
	}
	t.Run("nothing at all", func(t *testing.T) {
		res := mcp.CallToolResult{IsError: true, Content: []mcp.Content{blank}, Meta: mcp.Meta{"trace": "t1"}}
		single(t, returns(res, nil), func(t *testing.T, session *mcp.ClientSession, _ string, _ *journal) {
			got := call(t, session, "x", `{}`)
			if e := failure(t, got); e.Code != recourse.UnknownError || len(got.Content) != 1 || got.Meta["trace"] != "t1" {
				t.Errorf("texts %q, _meta %v", texts(got), got.Meta)
			}
		})
	})
}

// A variable of type *recourse.Error that is nil says that all went well.
func TestANilErrorIsNone(t *testing.T) {
	var none *recourse.Error
	single(t, returns(*say("well"), none), func(t *testing.T, session *mcp.ClientSession, way string, l *journal) {
		res := call(t, session, "x", `{}`)
		if way == "Middleware" {
			return // the SDK's own AddTool has made an error of it
		}
		if r := l.last(t); res.IsError || !slices.Equal(texts(res), []string{"well"}) || r.Outcome != "ok" {
			t.Errorf("isError %v, texts %q, logged %+v", res.IsError, texts(res), r)
		}
	})
}
