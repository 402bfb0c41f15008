package mcpgo

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/recourse-dev/recourse"
)

// An answer is what a handler made of a call.
type answer struct {
	result *mcp.CallToolResult // beside an error, what else the handler said
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
	err = actual(err)
	var url mcp.URLElicitationRequiredError
	var pointer *mcp.URLElicitationRequiredError
	if errors.As(err, &url) || errors.As(err, &pointer) {
		return answer{final: true, err: err}, asking()
	}
	if err != nil {
		return answer{result: res}, err
	}
	if res == nil {
		res = new(mcp.CallToolResult)
	}
	switch {
	case res.NeedsInput():
		return answer{result: res, final: true}, asking()
	case res.IsError && (len(visible(res.Content)) > 0 || structured(res) != nil):
		if sh.listed {
			res = bare(res)
		}
		return answer{result: res, final: true}, told(res)
	case res.IsError:
		return answer{}, &recourse.Error{
			Code:       recourse.UnknownError,
			Message:    "The tool failed and did not say why.",
			MaxRetries: -1,
		}
	}
	if res.StructuredContent != nil && structured(res) == nil {
		return answer{}, &recourse.Error{
			Code:       recourse.InternalError,
			Message:    "The tool ran, but what it returned can't be written as JSON.",
			Suggestion: "Don't repeat the call: it may have had its effect. Tell the user that this tool has a bug.",
			MaxRetries: -1,
			Related:    map[string]any{"outcome": "completed"},
		}
	}
	return answer{result: res, shape: sh}, nil
}

// finish makes the result from what Run returned. The SDK stamps it for the era.
func finish(out recourse.Outcome[answer]) (*mcp.CallToolResult, error) {
	a := out.Value
	switch {
	case out.Err == nil:
		return complete(a.result, a.shape.admits, out.Warnings, out.Completeness), nil
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
		res.Content = append(res.Content, visible(said.Content)...)
		res.Meta = said.Meta
	}
	// The envelope's own text, so that the copy is as short and without secrets.
	object := json.RawMessage(strings.TrimSuffix(strings.TrimPrefix(envelope, `{"error":`), "}"))
	res.Meta = with(res.Meta, recourse.MetaError, object)
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

// bare moves the structured content of an error result to where nobody checks it
// against the output schema: TypeScript SDK v1 does, and then throws, so that
// nobody learns of the error.
func bare(res *mcp.CallToolResult) *mcp.CallToolResult {
	data := structured(res)
	if data == nil {
		return res
	}
	moved := *res
	moved.StructuredContent, moved.RawStructuredContent = nil, nil
	moved.Meta = with(res.Meta, metaStructured, json.RawMessage(data))
	if len(visible(res.Content)) == 0 {
		moved.Content = []mcp.Content{mcp.NewTextContent(string(data))}
	}
	return &moved
}

// told makes an error of a result that a handler marked as one itself, for the
// log.
func told(res *mcp.CallToolResult) *recourse.Error {
	for _, block := range visible(res.Content) {
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

// asking makes an error of a question to the client. Nothing has failed: the
// reason says so to the log.
func asking() *recourse.Error {
	return &recourse.Error{
		Code:       recourse.UserActionRequired,
		MaxRetries: -1,
		Related:    map[string]any{"reason": "input_required"},
	}
}

// actual returns err, but for a nil *recourse.Error nil: whoever returns a
// variable of that type means that all went well.
func actual(err error) error {
	if e, ok := err.(*recourse.Error); ok && e == nil {
		return nil
	}
	return err
}

// Blank tells the log of an answer in which there is nothing.
func (a answer) Blank() bool {
	return a.result != nil && len(visible(a.result.Content)) == 0 && structured(a.result) == nil
}
