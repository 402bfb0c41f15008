// Package gosdk guards the tools of servers that are built with
// modelcontextprotocol/go-sdk.
//
// Where a server says mcp.AddTool, let it say [AddTool], and give the same Guard
// to [Middleware]; the handlers stay as they are:
//
//	g := new(recourse.Guard)
//	s.AddReceivingMiddleware(gosdk.Middleware(g))
//	gosdk.AddTool(s, g, tool, handler)
//
// Every call then ends in time, as data or as an error that a model can act on.
// Middleware adds what a tool's handler never sees: a call of a tool that does not
// exist is answered with the names that resemble it. It also guards tools that
// can't be added with AddTool.
package gosdk

import (
	"context"
	"fmt"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/adapter"
)

// AddTool is [mcp.AddTool] under g, which may be nil. A good call is answered
// exactly as mcp.AddTool would. What differs:
//
//   - The text of an error that is no *recourse.Error is not shown: it may hold
//     what a model must not see. Return one from [recourse.Errorf], or translate
//     others in the Guard's Map; search your handlers for errors.New and
//     fmt.Errorf first.
//   - t.Annotations decide what may be done twice. Set ReadOnlyHint or
//     IdempotentHint where they are true: without them [recourse.Call] repeats
//     nothing that may have run, and the model is told to look first whether the
//     call took effect, not to repeat it.
//   - A name of a tool that does not exist is answered by [Middleware] only: add
//     it with the same g.
//   - All faults of the arguments are reported at once, and numbers that suit the
//     schema but not the Go type with the limit.
//   - An error, a panic and a call that outlasts g become a result with isError,
//     the error's [recourse.Error.Envelope] first. What the handler returned
//     with its error follows, without its structured content: some clients
//     check that against the output schema before they look at isError. An
//     error of type *jsonrpc.Error stays one of the protocol. The time in which
//     a user answers an elicitation counts.
//   - The output schema, if it describes an object, gains the optional members
//     _warnings and _completeness, which an answer has after [recourse.Warn].
//   - An answer with nothing in it says so, and blank texts beside others are
//     left out: some models' APIs refuse the whole conversation for one. A result
//     that is marked as an error has a text even if the handler gave only data.
//   - A result that JSON can't hold, such as one with a truncated
//     json.RawMessage, becomes an error. The SDK would send no answer at all.
//   - Numbers beyond 2^53 are not rounded.
//
// AddTool panics where mcp.AddTool does: if a schema can't be inferred or is
// invalid.
func AddTool[In, Out any](s *mcp.Server, g *recourse.Guard, t *mcp.Tool, h mcp.ToolHandlerFor[In, Out]) {
	in, err := newInput(t.InputSchema, reflect.TypeFor[In]())
	if err != nil {
		panic(fmt.Sprintf("AddTool: tool %q: input schema: %v", t.Name, err))
	}
	out, err := newOutput(t.OutputSchema, reflect.TypeFor[Out]())
	if err != nil {
		panic(fmt.Sprintf("AddTool: tool %q: output schema: %v", t.Name, err))
	}
	own := *t
	own.InputSchema, own.OutputSchema = in.schema, out.schema
	s.AddTool(&own, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		work := func(ctx context.Context) (answer, error) {
			var args In
			if err := in.read(req.Params.Arguments, &args); err != nil {
				return answer{}, err
			}
			res, value, err := h(ctx, req, args)
			if err = adapter.Actual(err); err == nil {
				res, err = out.fill(res, value)
			}
			return settle(res, err, shape{out.schema != nil, out.admits})
		}
		if c, ok := ctx.Value(claimKey{}).(*claim); ok && c.guard == g {
			return c.answer(work(ctx))
		}
		blank := func() *mcp.CallToolResult { return new(mcp.CallToolResult) } // the SDK stamps it
		return finish(blank, recourse.Run(ctx, g, request(req, own.Annotations), work))
	})
}
