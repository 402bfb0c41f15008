// Package adapter is what the adapters for the SDKs have in common.
package adapter

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A Notice is what is added to an answer that is not the whole one.
type Notice struct {
	Warnings     []string `json:"_warnings"`
	Completeness string   `json:"_completeness"`
	Reason       string   `json:"reason,omitempty"`
}

// Empty returns the Notice of an answer in which there is nothing.
func Empty(warnings []string) Notice {
	const nothing = "The tool ran and returned nothing: no text and no data."
	return Notice{append(slices.Clip(warnings), nothing), "empty", "EMPTY_RESULT"}
}

// Needed reports whether n says anything.
func (n Notice) Needed() bool {
	return len(n.Warnings) > 0 || n.Completeness != "" && n.Completeness != "full"
}

// Splice returns the object with n at its end, or nil if the text is no object or
// has such members already.
func (n Notice) Splice(object []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || members == nil || members["_warnings"] != nil || members["_completeness"] != nil {
		return nil
	}
	joint := ","
	if len(members) == 0 {
		joint = ""
	}
	head := bytes.TrimRight(object, " \t\r\n")
	return slices.Concat(head[:len(head)-1], []byte(joint), Encode(n)[1:])
}

// Encode returns v as JSON, nil for nil and for what can't be written. A result
// that can't be written the SDKs do not send at all: the client would wait for
// ever.
func Encode(v any) (raw []byte) {
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

// Writable reports whether JSON can hold v.
func Writable(v any) bool { return v == nil || Encode(v) != nil }

// Same reports whether two JSON texts say the same.
func Same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return bytes.Equal(Encode(x), Encode(y))
}
