package gosdk

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	n := notice{Warnings: warnings, Completeness: completeness}
	switch {
	case len(seen) > 0:
	case structured == nil:
		n = notice{append(slices.Clip(warnings), nothing), "empty", "EMPTY_RESULT"}
	default: // for clients that look at the content alone
		copied := *res
		copied.Content = []mcp.Content{&mcp.TextContent{Text: string(structured)}}
		res = &copied
	}
	if len(n.Warnings) == 0 && (completeness == "" || completeness == "full") {
		return res
	}
	return n.add(res, structured, admits)
}

// add returns a copy of res with the notice, inside its data if they admit it.
func (n notice) add(res *mcp.CallToolResult, structured []byte, admits func([]byte) bool) *mcp.CallToolResult {
	noted := *res
	noted.Meta = maps.Clone(res.Meta)
	if noted.Meta == nil {
		noted.Meta = mcp.Meta{}
	}
	noted.Meta[recourse.MetaWarnings] = n
	noted.Content = slices.Clone(res.Content)
	if spliced := n.splice(structured); spliced != nil && admits(spliced) {
		noted.StructuredContent = json.RawMessage(spliced)
		if i := mirror(noted.Content, structured); i >= 0 {
			text := *noted.Content[i].(*mcp.TextContent)
			text.Text = string(spliced)
			noted.Content[i] = &text
			return &noted
		}
	}
	noted.Content = append(noted.Content, &mcp.TextContent{Text: string(encode(n))})
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

// mirror returns the place of the text that repeats the structured content, or
// -1.
func mirror(content []mcp.Content, structured []byte) int {
	return slices.IndexFunc(content, func(c mcp.Content) bool {
		text, ok := c.(*mcp.TextContent)
		return ok && sameJSON([]byte(text.Text), structured)
	})
}

func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return bytes.Equal(encode(x), encode(y))
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

// encode returns v as JSON, nil for nil and for what can't be written.
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
