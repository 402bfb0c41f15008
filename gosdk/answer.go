package gosdk

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/adapter"
)

// An answer is what a handler made of a call.
type answer struct {
	result *mcp.CallToolResult // beside an error, what else the handler said
	data   []byte              // the result's structured content, nil if it has none
	other  mcp.Result          // instead of result, if middleware made one of another type
	shape  shape

	// With final, the result or the wire error leaves as it is. The error beside
	// it is for the log.
	final bool
	wire  *jsonrpc.Error
}

// A shape is what is known of a tool's output schema.
type shape struct {
	listed bool                         // there is one
	admits func(structured []byte) bool // reports whether that suits it
}

// settle tells apart what a handler can return.
func settle(res *mcp.CallToolResult, err error, sh shape) (answer, error) {
	err = adapter.Actual(err)
	if wire, ok := err.(*jsonrpc.Error); ok && wire != nil { // one that is wrapped is a cause, as in mcp.AddTool
		if len(wire.Data) > 0 && !adapter.Writable(wire.Data) {
			wire = &jsonrpc.Error{Code: wire.Code, Message: wire.Message}
		}
		return answer{final: true, wire: wire}, protocol(wire)
	}
	if err != nil {
		return answer{result: legible(res)}, err
	}
	if res == nil {
		res = new(mcp.CallToolResult)
	}
	data := adapter.Encode(res.StructuredContent)
	switch {
	case res.StructuredContent != nil && data == nil,
		len(res.Meta) > 0 && !adapter.Writable(res.Meta),
		res.InputRequests != nil && !adapter.Writable(res.InputRequests),
		slices.ContainsFunc(res.Content, illegible):
		return answer{}, adapter.Unwritable()
	case res.InputRequests != nil:
		return answer{result: res, final: true}, adapter.Asking()
	case res.IsError:
		if res = seen(res, data, sh.listed); len(res.Content) > 0 {
			return answer{result: res, final: true}, told(res)
		}
		return answer{result: res}, &recourse.Error{
			Code:       recourse.UnknownError,
			Message:    "The tool failed and did not say why.",
			MaxRetries: -1,
		}
	}
	return answer{result: res, data: data, shape: sh}, nil
}

// finish makes the result from what Run returned. Blank returns what an error is
// written to; it may carry what only the SDK can set.
func finish(blank func() *mcp.CallToolResult, out recourse.Outcome[answer]) (*mcp.CallToolResult, error) {
	a := out.Value
	switch {
	case out.Err == nil:
		return complete(a.result, a.data, a.shape.admits, out.Warnings, out.Completeness), nil
	case a.wire != nil:
		return nil, a.wire
	case a.final:
		return a.result, nil
	}
	res := blank()
	fail(res, out.Err, a.result)
	return res, nil
}

// Blank tells the log of an answer in which there is nothing.
func (a answer) Blank() bool {
	return a.result != nil && len(visible(a.result.Content)) == 0 && a.data == nil
}
