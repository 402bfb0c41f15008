package mcpgo

import (
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/recourse-dev/recourse/internal/adapter"
)

// illegible reports whether JSON can't hold a block.
func illegible(c mcp.Content) bool {
	switch c := c.(type) { // the common ones need no try
	case mcp.TextContent:
		if c.Meta == nil && c.Annotations == nil {
			return false
		}
	case mcp.ImageContent:
		if c.Meta == nil && c.Annotations == nil {
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
	if res.Meta != nil && !adapter.Writable(res.Meta) {
		rest := *res.Meta
		if !adapter.Writable(rest.ProgressToken) {
			rest.ProgressToken = nil
		}
		rest.AdditionalFields = maps.Clone(rest.AdditionalFields)
		maps.DeleteFunc(rest.AdditionalFields, func(_ string, v any) bool { return !adapter.Writable(v) })
		said.Meta = &rest
	}
	return &said
}
