package wire

import (
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse"
)

// Numbers that JSON-RPC gives to faults of the protocol itself.
const (
	ParseError     = -32700 // the line is no JSON
	InvalidRequest = -32600 // JSON, but no request
	MethodNotFound = -32601
	InvalidParams  = -32602
)

// AppendToolError appends a whole answer to a tools/call that tells e. Set
// modern if the request was of the 2026-07-28 era, which wants a resultType.
func AppendToolError(dst, id []byte, e *recourse.Error, modern bool) []byte {
	envelope := e.Envelope()
	dst = appendHead(dst, id)
	dst = append(dst, `"result":{"content":[{"type":"text","text":`...)
	dst = appendQuoted(dst, envelope)
	dst = append(dst, `}],"isError":true,`...)
	if modern {
		dst = append(dst, `"resultType":"complete",`...)
	}
	dst = append(dst, `"_meta":{"`+recourse.MetaError+`":`...)
	dst = append(dst, strings.TrimSuffix(strings.TrimPrefix(envelope, `{"error":`), "}")...)
	return append(dst, "}}}\n"...)
}

// AppendFailure appends a whole JSON-RPC error that tells e, for any method but
// tools/call. An envelope is itself a message with an error in it, so a scan
// finds the code and the message that e resolves to, redacted.
func AppendFailure(dst, id []byte, e *recourse.Error) []byte {
	envelope := []byte(e.Envelope())
	var s Scanner
	s.Feed(envelope)
	m, _ := s.End()
	code := recourse.Code(Unquote(m.Code.Of(envelope)))
	return appendError(dst, id, Number(code), m.Text.Of(envelope), envelope)
}

// AppendProtocolError appends a whole JSON-RPC error. A nil id becomes null; a
// nil e means no data.
func AppendProtocolError(dst, id []byte, code int, message string, e *recourse.Error) []byte {
	var envelope []byte
	if e != nil {
		envelope = []byte(e.Envelope())
	}
	return appendError(dst, id, code, appendQuoted(nil, message), envelope)
}

func appendError(dst, id []byte, code int, message, data []byte) []byte {
	dst = appendHead(dst, id)
	dst = append(dst, `"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(code), 10)
	dst = append(dst, `,"message":`...)
	dst = append(dst, message...)
	if data != nil {
		dst = append(dst, `,"data":`...)
		dst = append(dst, data...)
	}
	return append(dst, "}}\n"...)
}

// AppendResult appends a whole answer with the given result.
func AppendResult(dst, id, result []byte) []byte {
	dst = appendHead(dst, id)
	dst = append(dst, `"result":`...)
	dst = append(dst, result...)
	return append(dst, "}\n"...)
}

// AppendCancelled appends a whole notifications/cancelled for the request id.
func AppendCancelled(dst, id []byte, reason string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`...)
	dst = append(dst, id...)
	if reason != "" {
		dst = append(dst, `,"reason":`...)
		dst = appendQuoted(dst, reason)
	}
	return append(dst, "}}\n"...)
}

// AppendRequest appends a whole request. Nil params are left out.
func AppendRequest(dst, id []byte, method string, params []byte) []byte {
	dst = appendHead(dst, id)
	dst = append(append(append(dst, `"method":"`...), method...), '"')
	if params != nil {
		dst = append(append(dst, `,"params":`...), params...)
	}
	return append(dst, "}\n"...)
}

func appendHead(dst, id []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		dst = append(dst, "null"...)
	}
	dst = append(dst, id...)
	return append(dst, ',')
}
