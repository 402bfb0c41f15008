package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/adapter"
	"github.com/recourse-dev/recourse/schema"
)

// Middleware guards tools that were added without [AddTool], such as raw ones,
// and what lies between it and a handler. Give it to the server's
// AddReceivingMiddleware. A tool under AddTool with the same g is guarded and
// logged once.
//
// It changes what a raw tool may return as little as it can: arguments are not
// checked, and an error becomes a result with isError, unless it is a
// *jsonrpc.Error. A call of a tool that does not exist stays an error of the
// protocol, which names similar tools. In other methods it only turns a panic
// into an error of the protocol; the panic goes to [slog.Default].
//
// Where a tool's output schema forbids further members, warnings stand in a last
// text, which clients that prefer structured content don't show: use AddTool.
//
// To learn of a tool's annotations it asks the server for its list of tools at
// each call.
func Middleware(g *recourse.Guard) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			defer func() {
				if v := recover(); v != nil {
					slog.ErrorContext(ctx, "recourse: panic in "+method, "panic", v, "stack", string(debug.Stack()))
					res, err = nil, internal()
				}
			}()
			if call, ok := req.(*mcp.CallToolRequest); ok && method == "tools/call" {
				return guarded(ctx, g, next, call)
			}
			return next(ctx, method, req)
		}
	}
}

// internal returns the protocol's error for a bug. Its number is HTTP's: those
// of JSON-RPC and MCP, -32768 to -32000, are a peer's.
func internal() error {
	e := &recourse.Error{Code: recourse.InternalError}
	return &jsonrpc.Error{Code: 500, Message: "The server broke on this request.", Data: json.RawMessage(e.Envelope())}
}

// guarded runs a call under g.
func guarded(ctx context.Context, g *recourse.Guard, next mcp.MethodHandler, req *mcp.CallToolRequest) (mcp.Result, error) {
	tool, names := find(ctx, next, req)
	var notes *mcp.ToolAnnotations
	if tool != nil {
		notes = tool.Annotations
	}
	out := recourse.Run(ctx, g, request(req, notes), func(ctx context.Context) (answer, error) {
		c := &claim{guard: g}
		res, err := next(context.WithValue(ctx, claimKey{}, c), "tools/call", req)
		var wire *jsonrpc.Error
		if tool == nil && errors.As(err, &wire) && wire.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(wire.Message, "unknown tool") {
			return unknown(req.Params.Name, names)
		}
		called, ok := res.(*mcp.CallToolResult)
		switch {
		case err == nil && res != nil && !ok:
			if !adapter.Writable(res) {
				return answer{}, adapter.Unwritable()
			}
			return answer{other: res}, nil
		case called != nil && called.GetError() != nil:
			err = called.GetError()
			called = without(called, err)
			if e := refused(tool, req, err); e != nil {
				return answer{}, e
			}
		case called == nil && err == nil:
			called = stamped(req)
		}
		sh := shapeOf(tool)
		if own := c.shape.Load(); own != nil {
			sh = *own
		}
		return settle(called, err, sh)
	})
	if out.Err == nil && out.Value.other != nil {
		return out.Value.other, nil
	}
	res, err := finish(func() *mcp.CallToolResult { return stamped(req) }, out)
	if err != nil {
		return nil, err // a nil *CallToolResult would be a result
	}
	return res, nil
}

// without returns what a handler said besides err, whose text SetError made a
// block of if there was nothing else.
func without(res *mcp.CallToolResult, err error) *mcp.CallToolResult {
	if len(res.Content) != 1 {
		return res
	}
	if text, ok := res.Content[0].(*mcp.TextContent); !ok || text.Text != err.Error() {
		return res
	}
	rest := *res
	rest.Content = nil
	return &rest
}

// refused returns all faults of arguments that mcp.AddTool has refused, or nil if
// it was not that: the SDK tells of the first fault only.
func refused(tool *mcp.Tool, req *mcp.CallToolRequest, err error) *recourse.Error {
	if mismatch, ok := any(err).(*json.UnmarshalTypeError); ok && mismatch != nil {
		return excess(req.Params.Arguments, mismatch)
	}
	if tool == nil || !strings.HasPrefix(err.Error(), `validating "arguments": `) {
		return nil
	}
	e := &recourse.Error{Code: recourse.InvalidArgument}
	if raw, err := json.Marshal(tool.InputSchema); err == nil {
		if s, err := schema.Compile(raw); err == nil {
			if all := s.Check(req.Params.Arguments); all != nil {
				e = all
			}
		}
	}
	e.Err = err
	return e
}

// stamped returns an empty result with the resultType that the era wants. The
// SDK sets it on what a tool's handler returns, but not on what middleware
// makes, and its setter is private.
func stamped(req *mcp.CallToolRequest) *mcp.CallToolResult {
	res := new(mcp.CallToolResult)
	if req.ProtocolVersion() >= "2026-07-28" {
		_ = json.Unmarshal([]byte(`{"content":[],"resultType":"complete"}`), res)
	}
	return res
}

// find returns the tool that is called, nil if there is none, and the names of
// all.
func find(ctx context.Context, next mcp.MethodHandler, req *mcp.CallToolRequest) (tool *mcp.Tool, names []string) {
	list := &mcp.ListToolsRequest{Session: req.Session, Params: new(mcp.ListToolsParams), Extra: req.Extra}
	for {
		res, err := next(ctx, "tools/list", list)
		page, ok := res.(*mcp.ListToolsResult)
		if err != nil || !ok {
			return tool, names
		}
		for _, t := range page.Tools {
			names = append(names, t.Name)
			if t.Name == req.Params.Name {
				return t, nil
			}
		}
		if page.NextCursor == "" {
			return nil, names
		}
		list.Params = &mcp.ListToolsParams{Cursor: page.NextCursor}
	}
}

// shapeOf returns the shape of a tool that we did not add, or of none.
func shapeOf(tool *mcp.Tool) shape {
	if tool == nil || tool.OutputSchema == nil {
		return shape{admits: func([]byte) bool { return tool != nil }}
	}
	return shape{true, func(structured []byte) bool {
		raw, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			return false
		}
		s, err := schema.Compile(raw)
		return err == nil && s.Check(structured) == nil
	}}
}

// unknown makes an error of a call of a tool that does not exist.
func unknown(name string, names []string) (answer, error) {
	e := &recourse.Error{
		Code:       recourse.UnknownTool,
		Message:    fmt.Sprintf("There is no tool %q.", name),
		Suggestion: "List the tools again, and call one of those.",
	}
	if near := schema.Nearest(name, names); len(near) > 0 {
		e.Message += " Did you mean " + or(near) + "?"
		e.Suggestion = "Call " + near[0] + " if that is what you meant; else list the tools again."
		e.Related = map[string]any{"near": near}
	}
	return answer{final: true, wire: &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidParams,
		Message: e.Message,
		Data:    json.RawMessage(e.Envelope()),
	}}, e
}

// or returns "a, b or c".
func or(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// A claim tells AddTool's handler that its call runs under the guard already, and
// is told by it. The pointer is atomic because middleware between the two may
// give up on the handler.
type claim struct {
	guard *recourse.Guard
	shape atomic.Pointer[shape]
}

type claimKey struct{}

// answer returns what the handler of [AddTool] made of the call, for Middleware
// to finish. It is a result even if there is an error, so that middleware
// between the two sees what it always saw.
func (c *claim) answer(a answer, err error) (*mcp.CallToolResult, error) {
	if err == nil {
		c.shape.Store(&a.shape)
	}
	switch {
	case a.wire != nil:
		return nil, a.wire
	case err == nil || a.final:
		return a.result, nil
	}
	res := new(mcp.CallToolResult)
	if a.result != nil {
		res.Meta, res.Content = a.result.Meta, a.result.Content
	}
	res.SetError(err)
	return res, nil
}
