// Package wire is the data path: JSON-RPC messages as lines of bytes, found,
// read and changed without being decoded.
//
// A [Reader] cuts a stream into lines and scans each one while it arrives. A
// [Scanner] is that scan alone: it checks the grammar of RFC 8259 and notes
// where the few values lie that a proxy asks for. [AppendSplice] replaces those
// values and leaves every other byte as it was. The other Append functions
// write whole messages of our own.
package wire

// A Kind says what a frame is in JSON-RPC.
type Kind uint8

const (
	Invalid      Kind = iota // no JSON-RPC message, though it may be JSON
	Request                  // a method and an id, which may be null
	Notification             // a method without id
	Result                   // an id and a result
	Failure                  // an error that is not null; the id may be missing
	Batch                    // an array, whatever is in it
)

func (k Kind) String() string {
	return [...]string{"invalid", "request", "notification", "result", "failure", "batch"}[k]
}

// A Span is a half-open range of bytes in a frame. The zero value is absent.
type Span struct{ Start, End int }

// Of returns the bytes of frame that s covers, nil if s is absent.
func (s Span) Of(frame []byte) []byte {
	if !s.Ok() {
		return nil
	}
	return frame[s.Start:s.End:s.End]
}

// Ok reports whether s is present.
func (s Span) Ok() bool { return s.End > s.Start }

// A Message is what a scan found. Spans cover whole JSON values, quotes
// included; a null is present. Of a nested key that comes twice the last counts.
type Message struct {
	Kind
	JSONRPC, ID, Method, Params, Result, Error Span

	Name, Arguments, RequestID, Token, Task  Span // params: name, arguments, requestId, progressToken, task
	Content, IsError, ResultType, Structured Span // result: content, isError, resultType, structuredContent
	Code, Text, Data                         Span // error: code, message, data

	Meta         Span // params._meta or result._meta
	MetaToken    Span // params._meta: progressToken
	Version      Span // params._meta: io.modelcontextprotocol/protocolVersion
	Subscription Span // either _meta: io.modelcontextprotocol/subscriptionId

	Depth     int  // objects and arrays within each other, the message itself counted
	NullID    bool // "id":null was present
	Wide      bool // a byte above 0x7f is somewhere in the frame
	Surrogate bool // an escape of half a UTF-16 pair is somewhere in the frame
}
