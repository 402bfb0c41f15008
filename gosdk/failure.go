package gosdk

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/adapter"
)

// fail writes e into res, and after it what the handler said besides, which may
// be nil.
func fail(res *mcp.CallToolResult, e *recourse.Error, said *mcp.CallToolResult) {
	envelope := e.Envelope()
	res.Content = []mcp.Content{&mcp.TextContent{Text: envelope}}
	res.StructuredContent = nil
	if said != nil {
		res.Content = append(res.Content, said.Content...)
		res.Meta = maps.Clone(said.Meta)
	}
	if res.Meta == nil {
		res.Meta = mcp.Meta{}
	}
	// The envelope's own text, so that the copy is as short and without secrets. A
	// number such as 1e400 in it would cost a client in Go the whole answer.
	object := json.RawMessage(strings.TrimSuffix(strings.TrimPrefix(envelope, `{"error":`), "}"))
	if json.Unmarshal(object, new(any)) == nil {
		res.Meta[recourse.MetaError] = object
	}
	res.SetError(e)
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
		shown.Content = []mcp.Content{&mcp.TextContent{Text: string(data)}}
	}
	if listed {
		shown.StructuredContent = nil
		shown.Meta = maps.Clone(res.Meta)
		if shown.Meta == nil {
			shown.Meta = mcp.Meta{}
		}
		shown.Meta[metaStructured] = json.RawMessage(data)
	}
	return &shown
}

// told makes an error of a result that a handler marked as one itself, for the
// log.
func told(res *mcp.CallToolResult) *recourse.Error {
	for _, block := range res.Content {
		text, ok := block.(*mcp.TextContent)
		if !ok {
			continue
		}
		var e recourse.Error
		if json.Unmarshal([]byte(text.Text), &e) == nil { // an envelope
			return &e
		}
		return &recourse.Error{Code: recourse.UnknownError, Message: text.Text, MaxRetries: -1}
	}
	return &recourse.Error{Code: recourse.UnknownError, MaxRetries: -1}
}

// codes are the meanings of JSON-RPC's own numbers and of MCP's, for the log.
var codes = map[int64]recourse.Code{
	jsonrpc.CodeInvalidRequest:                recourse.MalformedRequest,
	jsonrpc.CodeMethodNotFound:                recourse.NotSupported,
	jsonrpc.CodeInvalidParams:                 recourse.InvalidArgument,
	jsonrpc.CodeInternalError:                 recourse.InternalError,
	mcp.CodeMissingRequiredClientCapabilities: recourse.NotSupported,
}

// protocol makes an error of one that stays a JSON-RPC error, for the log.
func protocol(wire *jsonrpc.Error) *recourse.Error {
	if wire.Code == mcp.CodeURLElicitationRequired {
		return adapter.Asking()
	}
	code, ok := codes[wire.Code]
	if !ok {
		code = recourse.UnknownError
	}
	return &recourse.Error{Code: code, Message: wire.Message, MaxRetries: -1}
}
