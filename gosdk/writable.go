package gosdk

import (
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
)

// writable reports whether JSON can hold v. A result that it can't hold the SDK
// does not send at all: the client would wait for ever.
func writable(v any) bool { return v == nil || encode(v) != nil }

// illegible reports whether JSON can't hold a block.
func illegible(c mcp.Content) bool {
	switch c := c.(type) { // the common ones need no try
	case *mcp.TextContent:
		if c == nil || c.Meta == nil && c.Annotations == nil {
			return false
		}
	case *mcp.ImageContent:
		if c == nil || c.Meta == nil && c.Annotations == nil {
			return false
		}
	}
	return !writable(c)
}

// legible returns, of what a handler returned with its error, the blocks that can
// be sent and shown, and the metadata that can be sent; nil for nil.
func legible(res *mcp.CallToolResult) *mcp.CallToolResult {
	if res == nil {
		return nil
	}
	said := *res
	said.Content = slices.DeleteFunc(slices.Clone(visible(res.Content)), illegible)
	said.Meta = maps.Clone(res.Meta)
	maps.DeleteFunc(said.Meta, func(_ string, v any) bool { return !writable(v) })
	return &said
}

// unwritable returns the error of a result that can't be sent.
func unwritable() *recourse.Error {
	return &recourse.Error{
		Code:       recourse.InternalError,
		Message:    "The tool ran, but what it returned can't be written as JSON.",
		Suggestion: "Don't repeat the call: it may have had its effect. Tell the user that this tool has a bug.",
		MaxRetries: -1,
		Related:    map[string]any{"outcome": "completed"},
	}
}
