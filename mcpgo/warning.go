package mcpgo

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/adapter"
)

// complete returns the result to send: res itself, unless something has to be
// said about it.
func complete(res *mcp.CallToolResult, data []byte, admits func([]byte) bool, warnings []string, completeness string) *mcp.CallToolResult {
	seen := visible(res.Content)
	if len(seen) < len(res.Content) {
		changed := *res // a blank text makes some models' APIs refuse the whole conversation
		changed.Content = seen
		res = &changed
	}
	n := adapter.Notice{Warnings: warnings, Completeness: completeness}
	switch {
	case len(seen) > 0:
	case data == nil:
		n = adapter.Empty(warnings)
	default: // for clients that look at the content alone
		copied := *res
		copied.Content = []mcp.Content{mcp.NewTextContent(string(data))}
		res = &copied
	}
	if !n.Needed() {
		return res
	}
	return add(n, res, data, admits)
}

// add returns a copy of res with the notice, inside its data if they admit it.
func add(n adapter.Notice, res *mcp.CallToolResult, data []byte, admits func([]byte) bool) *mcp.CallToolResult {
	noted := *res
	noted.Meta = with(res.Meta, recourse.MetaWarnings, n)
	noted.Content = slices.Clone(res.Content)
	if spliced := n.Splice(data); spliced != nil && admits(spliced) {
		noted.StructuredContent, noted.RawStructuredContent = json.RawMessage(spliced), nil
		if i := mirror(noted.Content, data); i >= 0 {
			noted.Content[i] = replaced(noted.Content[i], string(spliced))
			return &noted
		}
	}
	noted.Content = append(noted.Content, mcp.NewTextContent(string(adapter.Encode(n))))
	return &noted
}

// structured returns a result's data, nil if it has none and if JSON can't hold
// them.
func structured(res *mcp.CallToolResult) []byte {
	if len(res.RawStructuredContent) > 0 {
		return adapter.Encode(res.RawStructuredContent)
	}
	return adapter.Encode(res.StructuredContent)
}

// textOf returns the text of a block, if it is one of text.
func textOf(c mcp.Content) (text string, ok bool) {
	switch c := c.(type) {
	case mcp.TextContent:
		return c.Text, true
	case *mcp.TextContent:
		if c != nil {
			return c.Text, true
		}
		return "", true
	}
	return "", false
}

// replaced returns a copy of a block with another text.
func replaced(c mcp.Content, text string) mcp.TextContent {
	block, ok := c.(mcp.TextContent)
	if !ok {
		block = *c.(*mcp.TextContent)
	}
	block.Text = text
	return block
}

// mirror returns the place of the text that repeats the data, or -1.
func mirror(content []mcp.Content, data []byte) int {
	var want any
	if json.Unmarshal(data, &want) != nil {
		return -1
	}
	return slices.IndexFunc(content, func(c mcp.Content) bool {
		text, ok := textOf(c)
		var got any
		return ok && json.Unmarshal([]byte(text), &got) == nil && reflect.DeepEqual(got, want)
	})
}

// visible returns the blocks that hold something to see.
func visible(content []mcp.Content) []mcp.Content {
	blank := func(c mcp.Content) bool {
		if text, ok := textOf(c); ok {
			return strings.TrimSpace(text) == ""
		}
		v := reflect.ValueOf(c)
		return c == nil || v.Kind() == reflect.Pointer && v.IsNil() // written as null
	}
	if !slices.ContainsFunc(content, blank) {
		return content
	}
	return slices.DeleteFunc(slices.Clone(content), blank)
}
