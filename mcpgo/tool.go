// Package mcpgo guards the tools of servers that are built with
// mark3labs/mcp-go.
//
// Where a server says s.AddTool(tool, handler), let it say
// mcpgo.AddTool(s, g, tool, handler); the handlers stay as they are. Every call
// then ends in time, as data or as an error that a model can act on. To guard
// all tools of a server in one line, pass [Middleware] to
// server.WithToolHandlerMiddleware.
package mcpgo

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema"
)

// AddTool adds a tool under g, which may be nil. A good call is answered exactly
// as without. What differs:
//
//   - The text of an error that is no *recourse.Error is not shown: it may hold
//     what a model must not see. Return one from [recourse.Errorf], or translate
//     others in the Guard's Map; search your handlers for errors.New and
//     fmt.Errorf first.
//   - The tool's annotations decide what may be done twice. Say
//     mcp.WithReadOnlyHintAnnotation(true) or mcp.WithIdempotentHintAnnotation(true)
//     where that is true: without them [recourse.Call] repeats nothing that may
//     have run, and the model is told to look first whether the call took effect,
//     not to repeat it.
//   - The arguments are checked against the tool's input schema, and all faults
//     reported at once. Arguments that the schema does not name pass, unless it
//     forbids them: mcp.NewTool does so only with
//     mcp.WithSchemaAdditionalProperties(false). Don't use server.WithInputSchemaValidation beside it: the
//     SDK would answer first, and nothing would be logged.
//   - An error, a panic and a call that outlasts g become a result with isError,
//     the error's [recourse.Error.Envelope] first; without AddTool they are
//     errors of the protocol, which few clients show to a model. An
//     mcp.URLElicitationRequiredError stays one of the protocol.
//   - The output schema, if it describes an object, gains the optional members
//     _warnings and _completeness, which an answer has after [recourse.Warn].
//   - An answer with nothing in it says so, and blank texts beside others are
//     left out: some models' APIs refuse the whole conversation for one. A result
//     that is marked as an error has a text even if the handler gave only data.
//   - A result that JSON can't hold, such as one with a truncated
//     json.RawMessage, becomes an error. The SDK would send no answer at all.
//
// A call that is augmented with a task is left to the SDK.
//
// Return errors from the handler itself. The wrappers mcp.NewTypedToolHandler
// and mcp.NewStructuredToolHandler turn theirs into a text that nobody can look
// into.
func AddTool(s *server.MCPServer, g *recourse.Guard, tool mcp.Tool, h server.ToolHandlerFunc) {
	faults := compile(tool.RawInputSchema, tool.InputSchema)
	sh := widen(&tool)
	s.AddTool(tool, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.Task != nil {
			return h(ctx, req)
		}
		work := func(ctx context.Context) (answer, error) {
			if faults != nil {
				if err := faults.Check(arguments(req)); err != nil {
					return answer{}, err
				}
			}
			res, err := h(ctx, req)
			return settle(res, err, sh)
		}
		if c, ok := ctx.Value(claimKey{}).(*claim); ok && c.guard == g {
			return c.answer(work(ctx))
		}
		return finish(recourse.Run(ctx, g, request(ctx, req, tool.Annotations), work))
	})
}

// compile returns what checks arguments against the schema, which a tool holds in
// one of two forms; nil if it has none or one that can't be read.
func compile(raw json.RawMessage, structured any) *schema.Schema {
	if raw == nil {
		raw, _ = json.Marshal(structured)
	}
	s, err := schema.Compile(raw)
	if err != nil {
		return nil
	}
	return s
}

// arguments returns the arguments as they were sent, as far as the SDK kept them.
func arguments(req mcp.CallToolRequest) json.RawMessage {
	if len(req.Params.RawArguments) > 0 {
		return req.Params.RawArguments
	}
	raw, err := json.Marshal(req.Params.Arguments)
	if err != nil {
		return nil
	}
	return raw
}
