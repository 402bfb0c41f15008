package diagnose

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// internalError is JSON-RPC's code for a fault that has no other.
const internalError = -32603

// Refusal returns the error of an answer in a form that every client can read:
// an object with a whole number of 32 bits as its code and a message that is not
// empty, both in front, and all other members as they are. It returns nil if
// member is one already. What is missing is taken from what there is; the Go
// SDK's client ends the session, and the TypeScript SDK's waits for ever, where
// it is not.
func Refusal(member []byte) []byte {
	if Kind(member) == "an object" {
		return refused(member)
	}
	code, message, data := int32(internalError), "", member
	switch Kind(member) {
	case "a string":
		if visible(member) {
			return refusal(code, member)
		}
		data = nil
	case "a number":
		if n, ok := whole(member); ok {
			code, data = n, nil
		}
	case "an array":
		message = told(member)
	default:
		data = nil
	}
	if message == "" {
		message = unexplained
	}
	if data == nil {
		return refusal(code, quote(message))
	}
	return refusal(code, quote(message), `"data":`+string(data))
}

const unexplained = "The server failed without saying why."

func refusal(code int32, message []byte, members ...string) []byte {
	b := slices.Concat([]byte(`{"code":`+strconv.Itoa(int(code))+`,"message":`), message)
	for _, m := range members {
		b = append(append(b, ','), m...)
	}
	return append(b, '}')
}

// refused makes a refusal of an error that is an object, nil if it is one.
func refused(b []byte) []byte {
	code, message, data := member(b, "code"), member(b, "message"), member(b, "data")
	n, numbered := whole(code)
	exact := numbered && strconv.Itoa(int(n)) == string(code)
	spoken := Kind(message) == "a string" && visible(message)
	if exact && spoken {
		return nil
	}
	if !numbered {
		n = internalError
	}
	if !spoken {
		text := told(message)
		for _, name := range []string{"data", "error", "detail", "details", "reason", "description", "error_description", "msg", "text"} {
			if text == "" {
				text = told(member(b, name))
			}
		}
		if text == "" {
			text = unexplained
		}
		message = quote(text)
	}
	var members []string
	for key, at := range wire.Members(b) {
		if name := string(label(key.Of(b))); name != "code" && name != "message" {
			members = append(members, string(b[key.Start:at.End]))
		}
	}
	if data == nil && !numbered && Kind(code) == "a string" && visible(code) {
		// Such as ECONNREFUSED: what reads data can still tell.
		members = append(members, `"data":{"code":`+string(code)+`}`)
	}
	return refusal(n, message, members...)
}

// whole returns the number that a code stands for, be it a string or 1.0 or 1e3,
// if it is a whole one of 32 bits.
func whole(code []byte) (int32, bool) {
	text := strings.TrimSpace(wire.Unquote(code))
	if kind := Kind(code); kind != "a number" && kind != "a string" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != math.Trunc(n) || n < math.MinInt32 || n > math.MaxInt32 {
		return 0, false
	}
	return int32(n), true
}

// told returns what a value says to a reader: a text, the first text in it that
// has a telling name, the first of any, or all of its JSON; "" if nothing.
func told(value []byte) string {
	const most = 500 // bytes of JSON that still read as a message
	switch Kind(value) {
	case "a string":
		if visible(value) {
			return wire.Unquote(value)
		}
		return ""
	case "an object", "an array":
	case "a number":
		return string(value)
	default:
		return ""
	}
	for _, name := range []string{"message", "detail", "error", "reason", "title", "text"} {
		if m := member(value, name); Kind(m) == "a string" && visible(m) {
			return wire.Unquote(m)
		}
	}
	if m := member(member(value, "error"), "message"); Kind(m) == "a string" && visible(m) {
		return wire.Unquote(m) // an envelope like our own
	}
	parts, first := 0, ""
	take := func(v []byte) {
		if parts++; first == "" && Kind(v) == "a string" && visible(v) {
			first = wire.Unquote(v)
		}
	}
	for at := range wire.Elements(value) {
		take(at.Of(value))
	}
	for _, at := range wire.Members(value) {
		take(at.Of(value))
	}
	if first != "" || parts == 0 {
		return first
	}
	if len(value) <= most {
		return string(value)
	}
	return ""
}
