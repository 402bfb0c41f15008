package mcpgo

import (
	"context"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/recourse-dev/recourse"
)

// Middleware guards tools that were added without [AddTool], and what lies
// between it and a handler. Pass it to server.WithToolHandlerMiddleware, or to
// Use. A tool under AddTool with the same g is guarded and logged once.
//
// It changes what a handler may return as little as it can: arguments are not
// checked, since a handler may accept more than its schema says. Where an output
// schema forbids further members, warnings stand in a last text, which clients
// that prefer structured content don't show: use AddTool. A call of a
// tool that does not exist never gets here; the SDK answers it.
func Middleware(g *recourse.Guard) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Params.Task != nil {
				return next(ctx, req)
			}
			tool := find(ctx, req.Params.Name)
			return finish(recourse.Run(ctx, g, request(ctx, req, tool.Annotations), func(ctx context.Context) (answer, error) {
				c := &claim{guard: g}
				res, err := next(context.WithValue(ctx, claimKey{}, c), req)
				sh := shapeOf(tool)
				if own := c.shape.Load(); own != nil {
					sh = *own
				}
				return settle(res, err, sh)
			}))
		}
	}
}

// find returns the tool that is called; a session's own hides the server's.
func find(ctx context.Context, name string) mcp.Tool {
	if s, ok := server.ClientSessionFromContext(ctx).(server.SessionWithTools); ok {
		if t, ok := s.GetSessionTools()[name]; ok {
			return t.Tool
		}
	}
	if s := server.ServerFromContext(ctx); s != nil {
		if t := s.GetTool(name); t != nil {
			return t.Tool
		}
	}
	return mcp.Tool{}
}

// shapeOf returns the shape of a tool that we did not add.
func shapeOf(tool mcp.Tool) shape {
	if tool.RawOutputSchema == nil && tool.OutputSchema.Type == "" {
		return shape{admits: func([]byte) bool { return true }}
	}
	return shape{true, func(structured []byte) bool {
		s := compile(tool.RawOutputSchema, tool.OutputSchema)
		return s != nil && s.Check(structured) == nil
	}}
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
// to finish.
func (c *claim) answer(a answer, err error) (*mcp.CallToolResult, error) {
	if err == nil {
		c.shape.Store(&a.shape)
	}
	if a.final {
		return a.result, a.err
	}
	return a.result, err
}
