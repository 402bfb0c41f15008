package gosdk

import (
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse/internal/adapter"
)

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
	return !adapter.Writable(c)
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
	maps.DeleteFunc(said.Meta, func(_ string, v any) bool { return !adapter.Writable(v) })
	return &said
}
