package diagnose

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// label returns what a key says. Keys with escapes are as rare as they are legal.
func label(key []byte) []byte {
	if bytes.IndexByte(key, '\\') >= 0 {
		return []byte(wire.Unquote(key))
	}
	return key[1 : len(key)-1]
}

// member returns the value of the last member of that name, nil if there is none
// or object is no object.
func member(object []byte, name string) []byte {
	var found wire.Span
	for key, value := range wire.Members(object) {
		if string(label(key.Of(object))) == name {
			found = value
		}
	}
	return found.Of(object)
}

// put sets a member where the last of its name stands, else behind all others.
// All other bytes stay.
func put(object []byte, name string, value []byte) []byte {
	var at wire.Span
	end := 0
	for key, v := range wire.Members(object) {
		if end = v.End; string(label(key.Of(object))) == name {
			at = v
		}
	}
	switch {
	case at.Ok():
		return slices.Concat(object[:at.Start], value, object[at.End:])
	case end == 0:
		return slices.Concat([]byte(`{"`+name+`":`), value, []byte("}"))
	}
	return slices.Concat(object[:end], []byte(`,"`+name+`":`), value, object[end:])
}

// keep returns object with those members that pass.
func keep(object []byte, pass func(name string, value []byte) bool) []byte {
	kept := []byte("{")
	for key, value := range wire.Members(object) {
		if !pass(string(label(key.Of(object))), value.Of(object)) {
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		kept = append(kept, object[key.Start:value.End]...)
	}
	return append(kept, '}')
}

// list returns an array of the values.
func list(values ...[]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
}

// quote returns text as a JSON string.
func quote(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be written
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Kind says of what kind a value is: "an object", "missing".
func Kind(value []byte) string {
	if len(value) == 0 {
		return "missing"
	}
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// unfinished reports a result that is not the answer yet: since revision
// 2026-07-28 a resultType says so.
func unfinished(result []byte) bool {
	kind := member(result, "resultType")
	return Kind(kind) == "a string" && wire.Unquote(kind) != "complete"
}
