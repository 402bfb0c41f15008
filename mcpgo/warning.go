package mcpgo

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/recourse-dev/recourse"
)

// A notice is what we add to an answer that is not the whole one.
type notice struct {
	Warnings     []string `json:"_warnings"`
	Completeness string   `json:"_completeness"`
	Reason       string   `json:"reason,omitempty"`
}

const nothing = "The tool ran and returned nothing: no text and no data."

// complete returns the result to send: res itself, unless something has to be
// said about it.
func complete(res *mcp.CallToolResult, data []byte, admits func([]byte) bool, warnings []string, completeness string) *mcp.CallToolResult {
	seen := visible(res.Content)
	if len(seen) < len(res.Content) {
		changed := *res // a blank text makes some models' APIs refuse the whole conversation
		changed.Content = seen
		res = &changed
	}
	n := notice{Warnings: warnings, Completeness: completeness}
	switch {
	case len(seen) > 0:
	case data == nil:
		n = notice{append(slices.Clip(warnings), nothing), "empty", "EMPTY_RESULT"}
	default: // for clients that look at the content alone
		copied := *res
		copied.Content = []mcp.Content{mcp.NewTextContent(string(data))}
		res = &copied
	}
	if len(n.Warnings) == 0 && (completeness == "" || completeness == "full") {
		return res
	}
	return n.add(res, data, admits)
}

// add returns a copy of res with the notice, inside its data if they admit it.
func (n notice) add(res *mcp.CallToolResult, data []byte, admits func([]byte) bool) *mcp.CallToolResult {
	noted := *res
	noted.Meta = with(res.Meta, recourse.MetaWarnings, n)
	noted.Content = slices.Clone(res.Content)
	if spliced := n.splice(data); spliced != nil && admits(spliced) {
		noted.StructuredContent, noted.RawStructuredContent = json.RawMessage(spliced), nil
		if i := mirror(noted.Content, data); i >= 0 {
			noted.Content[i] = replaced(noted.Content[i], string(spliced))
			return &noted
		}
	}
	noted.Content = append(noted.Content, mcp.NewTextContent(string(encode(n))))
	return &noted
}

// splice returns the object with the notice at its end, or nil if the text is no
// object or has such members already.
func (n notice) splice(object []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || members == nil || members["_warnings"] != nil || members["_completeness"] != nil {
		return nil
	}
	joint := ","
	if len(members) == 0 {
		joint = ""
	}
	head := bytes.TrimRight(object, " \t\r\n")
	return slices.Concat(head[:len(head)-1], []byte(joint), encode(n)[1:])
}

// structured returns a result's data, nil if it has none and if JSON can't hold
// them.
func structured(res *mcp.CallToolResult) []byte {
	if len(res.RawStructuredContent) > 0 {
		return encode(res.RawStructuredContent)
	}
	return encode(res.StructuredContent)
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

// encode returns v as JSON, nil for nil.
func encode(v any) (raw []byte) {
	defer func() {
		if recover() != nil { // a MarshalJSON of v's
			raw = nil
		}
	}()
	if v == nil {
		return nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
