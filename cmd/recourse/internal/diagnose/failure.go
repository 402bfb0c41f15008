// Package diagnose says what a server's answer means.
package diagnose

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema"
)

// A Diagnosis is what a JSON-RPC error on tools/call means.
type Diagnosis struct {
	Pass     bool            // the error belongs to the protocol: the client has to see it as it is
	Protocol bool            // it stays a JSON-RPC error, with Err as its data
	Err      *recourse.Error // what the model shall read
	Fault    string          // whose it is, in the words of the log
	Blames   bool            // the server itself says which arguments it is
	Code     int             // of the JSON-RPC error
	Text     string          // its message
}

// Failure diagnoses a JSON-RPC error from the literals of its three members.
// Tool is what was called, tools are all names if they are known, w is what else is
// known of the call. Quote makes a server's text fit to be shown.
func Failure(code, message, data []byte, tool string, tools []string, w Words, quote func(string) string) Diagnosis {
	d := Diagnosis{Fault: "upstream"}
	// A code that is no integer is a broken server's; 0 is what the Go SDK sends
	// for an error of a handler.
	if n, err := strconv.ParseFloat(strings.Trim(string(code), `"`), 64); err == nil {
		d.Code = int(n)
	}
	if json.Unmarshal(message, &d.Text) != nil {
		d.Text = string(message)
	}
	switch {
	case passes(d.Code):
		d.Pass = true
		d.Err = &recourse.Error{Code: recourse.UserActionRequired, Message: d.Text}
		if d.Code != urlElicitation {
			d.Err.Code, d.Fault = recourse.NotSupported, "caller"
		}
	case unknownTool(d, tool, tools):
		d.Protocol, d.Fault, d.Code = true, "caller", -32602
		d.Err = NoSuchTool(tool, tools)
	default:
		if d.Err = structured(data); d.Err == nil {
			d.plain(w, quote)
		}
		if d.Code == -32602 || d.Code == -32600 || blaming(d.Err.Code) {
			d.Fault = "caller"
		}
	}
	return d
}

const urlElicitation = -32042 // 2025-11-25: the user has to visit a URL first

// passes reports codes that tell a client, not a model, what to do:
// HeaderMismatch, MissingRequiredClientCapability and UnsupportedProtocolVersion
// of revision 2026-07-28.
func passes(code int) bool {
	return code == urlElicitation || -32022 <= code && code <= -32020
}

// structured returns the envelope that another recourse put into data.
func structured(data []byte) *recourse.Error {
	var envelope struct {
		Error *recourse.Error `json:"error"`
	}
	if json.Unmarshal(data, &envelope) != nil || envelope.Error == nil || envelope.Error.Code == "" {
		return nil
	}
	return envelope.Error
}

// byCode are the meanings of JSON-RPC's codes and of those that the SDKs use.
var byCode = map[int]recourse.Code{
	-32700: recourse.MalformedRequest,
	-32600: recourse.MalformedRequest,
	-32601: recourse.NotSupported,
	-32602: recourse.InvalidArgument,
	-32603: recourse.InternalError,
	-32000: recourse.InternalError,
	-32001: recourse.Timeout, // TypeScript SDK, ErrorCode.RequestTimeout
	-32002: recourse.NotFound,
	0:      recourse.InternalError,
}

// plain makes an Error from a code and a text that nobody vouches for. The text
// is quoted as the server's, and is no part of what we advise.
func (d *Diagnosis) plain(w Words, quote func(string) string) {
	w.Text, w.RPC, w.Code = d.Text, true, d.Code
	x := w.Explain()
	e := x.Err
	d.Err, d.Blames = e, x.Names
	upstream := map[string]any{"code": d.Code}
	inner, _ := unwrap(d.Text)
	if text := quote(inner); text != "" && !x.Told {
		upstream["text"] = text
		if e.Message == "" {
			e.Message = e.Error() + " upstream.text is what the server said."
		}
	} else if e.Message == "" && vague(e.Code) {
		e.Message = "The tool failed with an error that it does not explain."
	}
	if e.Related == nil {
		e.Related = map[string]any{}
	}
	e.Related["upstream"] = upstream
}

// NoSuchTool returns the error of a call of a tool that is not among those there are.
func NoSuchTool(tool string, tools []string) *recourse.Error {
	e := &recourse.Error{
		Code:       recourse.UnknownTool,
		Message:    "There is no tool " + strconv.Quote(tool) + ".",
		Suggestion: "List the tools again, and call one of those.",
		Value:      tool,
	}
	near := schema.Nearest(tool, tools)
	if len(near) > 0 {
		e.Message += " Did you mean " + strings.Join(near, " or ") + "?"
		e.Suggestion = "Call " + near[0] + " if that is what you meant; else list the tools again."
		e.Related = map[string]any{"near": near}
	}
	return e
}

// unknownTool recognises what the four SDKs say of a tool that they don't have;
// a list that is known whole must not contradict it.
func unknownTool(d Diagnosis, tool string, tools []string) bool {
	if d.Code != -32602 && d.Code != -32601 || slices.Contains(tools, tool) {
		return false
	}
	text := strings.ToLower(d.Text)
	says := strings.Contains(text, "unknown tool") || strings.Contains(text, "tool") && strings.Contains(text, "not found")
	return says || len(tools) > 0
}
