package mcpgo

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/adapter"
)

// An answer is what a handler made of a call.
type answer struct {
	result *mcp.CallToolResult // beside an error, what else the handler said
	data   []byte              // the result's structured content, nil if it has none
	shape  shape

	// With final, the result or the error leaves as it is. The error beside the
	// answer is for the log.
	final bool
	err   error
}

// A shape is what is known of a tool's output schema.
type shape struct {
	listed bool                         // there is one
	admits func(structured []byte) bool // reports whether that suits it
}

// settle tells apart what a handler can return.
func settle(res *mcp.CallToolResult, err error, sh shape) (answer, error) {
	err = adapter.Actual(err)
	left := maxTree
	if url := question(err, &left); url != nil {
		if !adapter.Writable(url.Elicitations) {
			return answer{}, adapter.Unwritable()
		}
		return answer{final: true, err: err}, adapter.Asking()
	}
	if err != nil {
		return answer{result: legible(res)}, err
	}
	if res == nil {
		res = new(mcp.CallToolResult)
	}
	data := structured(res)
	switch {
	case data == nil && (res.StructuredContent != nil || len(res.RawStructuredContent) > 0),
		res.Meta != nil && !adapter.Writable(res.Meta),
		len(res.InputRequests) > 0 && !adapter.Writable(res.InputRequests),
		slices.ContainsFunc(res.Content, illegible):
		return answer{}, adapter.Unwritable()
	case res.NeedsInput():
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

// maxTree is how many errors are looked at: one that unwraps to itself has no end.
const maxTree = 100

// question returns the error in err's tree that asks the user to visit a page.
func question(err error, left *int) *mcp.URLElicitationRequiredError {
	for ; err != nil && *left > 0; *left-- {
		switch e := any(err).(type) {
		case mcp.URLElicitationRequiredError:
			return &e
		case *mcp.URLElicitationRequiredError:
			return e
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			for _, sub := range e.Unwrap() {
				if url := question(sub, left); url != nil {
					return url
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// finish makes the result from what Run returned. The SDK stamps it for the era.
func finish(out recourse.Outcome[answer]) (*mcp.CallToolResult, error) {
	a := out.Value
	switch {
	case out.Err == nil:
		return complete(a.result, a.data, a.shape.admits, out.Warnings, out.Completeness), nil
	case a.final:
		return a.result, a.err
	}
	return failed(out.Err, a.result), nil
}

// failed returns the result that tells e, and after it what the handler said
// besides, which may be nil.
func failed(e *recourse.Error, said *mcp.CallToolResult) *mcp.CallToolResult {
	envelope := e.Envelope()
	res := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.NewTextContent(envelope)}}
	if said != nil {
		res.Content = append(res.Content, said.Content...)
		res.Meta = said.Meta
	}
	// The envelope's own text, so that the copy is as short and without secrets. A
	// number such as 1e400 in it would cost a client in Go the whole answer.
	object := json.RawMessage(strings.TrimSuffix(strings.TrimPrefix(envelope, `{"error":`), "}"))
	if json.Unmarshal(object, new(any)) == nil {
		res.Meta = with(res.Meta, recourse.MetaError, object)
	}
	return res
}

// with returns a copy of m with one more member.
func with(m *mcp.Meta, key string, value any) *mcp.Meta {
	more := new(mcp.Meta)
	if m != nil {
		*more = *m
	}
	more.AdditionalFields = maps.Clone(more.AdditionalFields)
	if more.AdditionalFields == nil {
		more.AdditionalFields = map[string]any{}
	}
	more.AdditionalFields[key] = value
	return more
}

// metaStructured is where an error result's own structured content goes.
const metaStructured = "dev.recourse/structuredContent"

// seen makes an error result of a handler's one that all clients show: without
// blank texts, and with a text where it has only data. If the tool has an output
// schema, the data move to where nobody holds them against it: TypeScript SDK v1
// does, and then throws, so that nobody learns of the error.
func seen(res *mcp.CallToolResult, data []byte, listed bool) *mcp.CallToolResult {
	shown := *res
	shown.Content = visible(res.Content)
	if data == nil {
		return &shown
	}
	if len(shown.Content) == 0 {
		shown.Content = []mcp.Content{mcp.NewTextContent(string(data))}
	}
	if listed {
		shown.StructuredContent, shown.RawStructuredContent = nil, nil
		shown.Meta = with(res.Meta, metaStructured, json.RawMessage(data))
	}
	return &shown
}

// told makes an error of a result that a handler marked as one itself, for the
// log.
func told(res *mcp.CallToolResult) *recourse.Error {
	for _, block := range res.Content {
		text, ok := textOf(block)
		if !ok {
			continue
		}
		var e recourse.Error
		if json.Unmarshal([]byte(text), &e) == nil { // an envelope
			return &e
		}
		return &recourse.Error{Code: recourse.UnknownError, Message: text, MaxRetries: -1}
	}
	return &recourse.Error{Code: recourse.UnknownError, MaxRetries: -1}
}

// Blank tells the log of an answer in which there is nothing.
func (a answer) Blank() bool {
	return a.result != nil && len(visible(a.result.Content)) == 0 && a.data == nil
}
