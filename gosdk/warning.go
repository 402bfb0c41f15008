package gosdk

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/adapter"
)

// complete returns the result to send: res itself, unless something has to be
// said about it.
func complete(res *mcp.CallToolResult, structured []byte, admits func([]byte) bool, warnings []string, completeness string) *mcp.CallToolResult {
	if res.InputRequests != nil {
		return res // not an answer yet
	}
	seen := visible(res.Content)
	if len(seen) < len(res.Content) {
		changed := *res // a blank text makes some models' APIs refuse the whole conversation
		changed.Content = seen
		res = &changed
	}
	n := adapter.Notice{Warnings: warnings, Completeness: completeness}
	switch {
	case len(seen) > 0:
	case structured == nil:
		n = adapter.Empty(warnings)
	default: // for clients that look at the content alone
		copied := *res
		copied.Content = []mcp.Content{&mcp.TextContent{Text: string(structured)}}
		res = &copied
	}
	if !n.Needed() {
		return res
	}
	return add(n, res, structured, admits)
}

// add returns a copy of res with the notice, inside its data if they admit it.
func add(n adapter.Notice, res *mcp.CallToolResult, structured []byte, admits func([]byte) bool) *mcp.CallToolResult {
	noted := *res
	noted.Meta = maps.Clone(res.Meta)
	if noted.Meta == nil {
		noted.Meta = mcp.Meta{}
	}
	noted.Meta[recourse.MetaWarnings] = n
	noted.Content = slices.Clone(res.Content)
	if spliced := n.Splice(structured); spliced != nil && admits(spliced) {
		noted.StructuredContent = json.RawMessage(spliced)
		if i := mirror(noted.Content, structured); i >= 0 {
			text := *noted.Content[i].(*mcp.TextContent)
			text.Text = string(spliced)
			noted.Content[i] = &text
			return &noted
		}
	}
	noted.Content = append(noted.Content, &mcp.TextContent{Text: string(adapter.Encode(n))})
	return &noted
}

// mirror returns the place of the text that repeats the structured content, or
// -1.
func mirror(content []mcp.Content, structured []byte) int {
	return slices.IndexFunc(content, func(c mcp.Content) bool {
		text, ok := c.(*mcp.TextContent)
		return ok && adapter.Same([]byte(text.Text), structured)
	})
}

// visible returns the blocks that hold something to see.
func visible(content []mcp.Content) []mcp.Content {
	blank := func(c mcp.Content) bool {
		if text, ok := c.(*mcp.TextContent); ok {
			return text == nil || strings.TrimSpace(text.Text) == ""
		}
		v := reflect.ValueOf(c)
		return c == nil || v.Kind() == reflect.Pointer && v.IsNil() // written as null
	}
	if !slices.ContainsFunc(content, blank) {
		return content
	}
	return slices.DeleteFunc(slices.Clone(content), blank)
}
