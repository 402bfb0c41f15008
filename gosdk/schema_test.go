package gosdk_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

// A kind is a tool whose good calls must be answered as mcp.AddTool does.
type kind struct {
	name string
	add  func(s *mcp.Server, way string)
}

func kindOf[In, Out any](name string, tool mcp.Tool, h mcp.ToolHandlerFor[In, Out]) kind {
	return kind{name, func(s *mcp.Server, way string) {
		tool.Name = name
		register(s, nil, way, &tool, h)
	}}
}

type tree struct {
	Name string            `json:"name"`
	Tags map[string]string `json:"tags,omitempty"`
	Size *float64          `json:"size"`
}

func gives[Out any](out Out) mcp.ToolHandlerFor[any, Out] {
	return func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, Out, error) {
		return nil, out, nil
	}
}

var half = 0.5

var kinds = []kind{
	kindOf("object", mcp.Tool{}, gives(tree{Name: "<a> & b\u2028", Tags: map[string]string{"z": "1", "a": "2"}, Size: &half})),
	kindOf("pointer", mcp.Tool{}, gives(&tree{Name: "a", Size: &half})),
	kindOf("list", mcp.Tool{}, gives([]int{1, 2})),
	kindOf("nil_map", mcp.Tool{}, gives(map[string]int(nil))),
	kindOf("number", mcp.Tool{}, gives(1.5e21)),
	kindOf("text", mcp.Tool{}, gives("hello")),
	kindOf("untyped", mcp.Tool{}, gives(any(map[string]any{"a": 1}))),
	kindOf("given_schema", mcp.Tool{OutputSchema: json.RawMessage(`{"type":"object","properties":{"unit":{"default":"m"}}}`)}, gives(any(map[string]any{"a": 1}))),
	kindOf("with_content", mcp.Tool{}, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, tree, error) {
		return say("a tree"), tree{Name: "a"}, nil
	}),
	kindOf("list_with_content", mcp.Tool{}, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, []int, error) {
		return say("a list"), []int{1}, nil
	}),
	kindOf("arguments", mcp.Tool{}, func(_ context.Context, _ *mcp.CallToolRequest, in tree) (*mcp.CallToolResult, tree, error) {
		return nil, in, nil
	}),
	kindOf("defaults", mcp.Tool{InputSchema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"name": {Type: "string", Default: json.RawMessage(`"oak"`)},
		"more": {Type: "object", Properties: map[string]*jsonschema.Schema{"n": {Default: json.RawMessage(`7`)}}},
	}}}, func(_ context.Context, _ *mcp.CallToolRequest, in map[string]any) (*mcp.CallToolResult, map[string]any, error) {
		return nil, in, nil
	}),
	kindOf("raw", mcp.Tool{InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, _ *mcp.CallToolRequest, in json.RawMessage) (*mcp.CallToolResult, any, error) {
		return say(string(in)), nil, nil
	}),
	kindOf("meta", mcp.Tool{}, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		res := say("x")
		res.Meta = mcp.Meta{"k": 1}
		return res, nil, nil
	}),
}

func TestGoodAnswersAreTheSDKsOwn(t *testing.T) {
	var asks []ask
	for _, k := range kinds {
		asks = append(asks, ask{k.name, k.name, `{"name":"elm","size":1.5,"tags":{"b":"c"}}`}, ask{k.name, k.name, `{"more":{},"name":"x","size":null}`})
	}
	for _, era := range eras {
		serve := func(way string) string {
			s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
			for _, k := range kinds {
				k.add(s, way)
			}
			if way == "Middleware" {
				return converse(t, s, era, asks) // no middleware: the SDK alone
			}
			if way == "both" {
				s.AddReceivingMiddleware(gosdk.Middleware(nil))
			}
			return converse(t, s, era, asks)
		}
		want := strings.Split(serve("Middleware"), "\n")
		for _, way := range []string{"AddTool", "both"} {
			got := strings.Split(serve(way), "\n")
			for i := range want {
				if want[i] != got[i] && !strings.Contains(want[i], `"isError":true`) {
					t.Errorf("%s, %s:\nask  %s\nwant %s\ngot  %s", era, way, want[i-1], want[i], got[i])
				}
			}
		}
	}
}

// A number beyond 2^53 arrives and leaves as it is, which go-sdk alone would
// round.
func TestBigNumbers(t *testing.T) {
	type row struct {
		ID int64 `json:"id"`
	}
	const id = 9007199254740993
	for _, given := range []any{nil, json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"},"n":{"default":1}}}`)} {
		s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
		gosdk.AddTool(s, nil, &mcp.Tool{Name: "x", InputSchema: given}, func(_ context.Context, _ *mcp.CallToolRequest, r row) (*mcp.CallToolResult, row, error) {
			if r.ID != id {
				t.Errorf("arrived as %d", r.ID)
			}
			return nil, r, nil
		})
		text := converse(t, s, modern, []ask{{"", "x", `{"id":9007199254740993}`}})
		if !strings.Contains(text, `"structuredContent":{"id":9007199254740993}`) {
			t.Error(text)
		}
	}
}

// An answer that breaks the author's own schema is no data, and the call ran.
func TestBrokenOutput(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
	tool := &mcp.Tool{Name: "x", OutputSchema: json.RawMessage(`{"type":"object","required":["n"]}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	gosdk.AddTool(s, nil, tool, gives(map[string]int{}))
	e := failure(t, call(t, connect(t, s, modern, nil), "x", `{}`))
	if e.Code != recourse.InternalError || e.Retryable() || e.Related["outcome"] != "completed" {
		t.Error(e.Envelope())
	}
}

// The list of tools tells of the members that an answer may have, and where the
// schema can't admit them they stand beside the data.
func TestOutputSchema(t *testing.T) {
	cases := []struct {
		name, schema string
		inside       bool // the members are in the data
	}{
		{"open", `{"type":"object"}`, true},
		{"closed", `{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}`, true},
		{"or null", `{"type":["object","null"],"additionalProperties":false,"properties":{"n":{}}}`, true},
		{"by reference", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{}},"additionalProperties":false}}}`, true},
		{"combined", `{"type":"object","allOf":[{"properties":{"n":{}},"additionalProperties":false}],"unevaluatedProperties":false}`, true},
		{"one of", `{"oneOf":[{"type":"object","properties":{"n":{}},"additionalProperties":false},{"type":"string"}]}`, true},
		{"map of numbers", `{"type":"object","additionalProperties":{"type":"number"}}`, true},
		{"recursive", `{"type":"object","properties":{"n":{},"next":{"$ref":"#"}},"additionalProperties":false}`, true},
		{"named by a pattern", `{"type":"object","propertyNames":{"pattern":"^n$"}}`, false},
		{"counted", `{"type":"object","maxProperties":1}`, false},
		{"the author's own", `{"type":"object","properties":{"_warnings":{"type":"string"}}}`, false},
	}
	for _, c := range cases {
		s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
		gosdk.AddTool(s, nil, &mcp.Tool{Name: "x", OutputSchema: json.RawMessage(c.schema)}, func(ctx context.Context, _ *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
			recourse.Warn(ctx, "old")
			return nil, map[string]any{"n": 1}, nil
		})
		session := connect(t, s, legacy, nil)
		res := call(t, session, "x", `{}`)
		structured, _ := json.Marshal(res.StructuredContent)
		if inside := strings.Contains(string(structured), `"_warnings":["old"]`); inside != c.inside {
			t.Errorf("%s: %s", c.name, structured)
		}
		if all := texts(res); !strings.Contains(all[len(all)-1], `"_warnings":["old"]`) {
			t.Errorf("%s: the text does not warn: %q", c.name, all)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := json.Marshal(list.Tools[0].OutputSchema)
		if c.inside && !strings.Contains(string(raw), "_completeness") {
			t.Errorf("%s: listed as %s", c.name, raw)
		}
		// A client that checks against the list finds nothing wrong.
		listed := new(jsonschema.Schema)
		if err := json.Unmarshal(raw, listed); err != nil {
			t.Fatal(err)
		}
		resolved, err := listed.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(res.StructuredContent); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestWrongSchemasPanic(t *testing.T) {
	cases := map[string]*mcp.Tool{
		"no schema":        {Name: "x", InputSchema: json.RawMessage(`7`)},
		"not of an object": {Name: "x", InputSchema: json.RawMessage(`{"type":"array"}`)},
		"bad default":      {Name: "x", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","default":"x"}}}`)},
		"bad output":       {Name: "x", OutputSchema: json.RawMessage(`{"$ref":"#/nowhere"}`)},
	}
	for name, tool := range cases {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			gosdk.AddTool(mcp.NewServer(&mcp.Implementation{Name: "s"}, nil), nil, tool, gives(any(nil)))
		}()
	}
}
