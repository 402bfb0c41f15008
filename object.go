package recourse

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// defined holds the keys that Related can't replace, in the order of writing.
var defined = []string{
	"code", "message", "suggestion", "field", "value", "constraint",
	"violations", "retryable", "retry_after_seconds", "max_retries",
}

// An object is a JSON object with its members in order.
type object []member

type member struct {
	key string // valid UTF-8
	raw []byte // compact JSON, valid UTF-8, not null
}

// object returns what is written of e.
func (e *Error) object() object {
	r := e.resolve()
	o := make(object, 0, len(defined)+len(r.Related))
	o.add("code", encode(r.Code))
	o.text("message", r.Message)
	o.text("suggestion", r.Suggestion)
	if r.Field != "" {
		o.text("field", pointer(r.Field))
	}
	o.add("value", shown(r.Field, r.Value))
	if r.Constraint != "" {
		o.text("constraint", r.Constraint)
	}
	if len(r.Violations) > 0 {
		o.add("violations", violations(r.Violations))
	}
	o.add("retryable", encode(r.MaxRetries > 0))
	if r.RetryAfter > 0 {
		o.add("retry_after_seconds", encode(seconds(r.RetryAfter)))
	}
	if r.MaxRetries > 0 {
		o.add("max_retries", encode(r.MaxRetries))
	}
	return append(o, related(r.Related)...)
}

// related returns further members, sorted by the keys that are written. Where
// two names become one key, the first name's value is kept.
func related(members map[string]any) object {
	if len(members) == 0 {
		return nil
	}
	var o object
	for _, name := range slices.Sorted(maps.Keys(members)) {
		m := hide(strings.ToValidUTF8(name, "\uFFFD"), plain(members[name]))
		if !slices.Contains(defined, m.key) && o.index(m.key) < 0 {
			o.add(m.key, m.raw)
		}
	}
	slices.SortFunc(o, func(a, b member) int { return cmp.Compare(a.key, b.key) })
	return o
}

// pointer returns a field as a JSON Pointer: most who leave out the slash mean a
// field at the top.
func pointer(field string) string {
	if field == "" || field[0] == '/' {
		return field
	}
	return "/" + field
}

func violations(all []Violation) []byte {
	list := make([]json.RawMessage, len(all))
	for i, v := range all {
		var o object
		o.text("field", pointer(v.Field))
		o.add("value", shown(v.Field, v.Value))
		o.text("constraint", v.Constraint)
		if v.Suggestion != "" {
			o.text("suggestion", v.Suggestion)
		}
		list[i] = o.append(nil)
	}
	return encode(list)
}

// add appends a member, unless raw is nil.
func (o *object) add(key string, raw []byte) {
	if raw != nil {
		*o = append(*o, member{key, raw})
	}
}

// text appends a string without its secrets.
func (o *object) text(key, s string) {
	s = redactor.Text(strings.ToValidUTF8(s, "\uFFFD"))
	if simple(s) {
		o.add(key, quoted(s)) // as encode does, but s stays off the heap
		return
	}
	o.add(key, encode(s))
}

// index returns the place of key in o, or -1.
func (o object) index(key string) int {
	return slices.IndexFunc(o, func(m member) bool { return m.key == key })
}

// append appends o as JSON to b.
func (o object) append(b []byte) []byte {
	size := len(b) + len("{}")
	for _, m := range o {
		size += m.len() + len(`"":,`)
	}
	b = slices.Grow(b, size-len(b))
	b = append(b, '{')
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		if simple(m.key) {
			b = append(append(append(b, '"'), m.key...), '"', ':')
		} else {
			b = append(append(b, encode(m.key)...), ':')
		}
		b = append(b, m.raw...)
	}
	return append(b, '}')
}

// encode returns v as compact JSON, nil if JSON can't hold it or v's own methods
// panic. Most of what is
// written is short and simple, and the encoder costs more than its result.
func encode(v any) (raw []byte) {
	defer func() {
		if recover() != nil { // a MarshalJSON of v's
			raw = nil
		}
	}()
	switch v := v.(type) {
	case string:
		if simple(v) {
			return quoted(v)
		}
	case Code:
		if simple(string(v)) {
			return quoted(string(v))
		}
	case bool:
		return strconv.AppendBool(nil, v)
	case int:
		return strconv.AppendInt(nil, int64(v), 10)
	case int64:
		return strconv.AppendInt(nil, v, 10)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// simple reports whether s is written in JSON as it is: printable ASCII.
func simple(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func quoted(s string) []byte {
	return append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
}

// seconds returns d in seconds, rounded up.
func seconds(d time.Duration) int64 {
	n := int64(d / time.Second)
	if d%time.Second > 0 {
		n++
	}
	return n
}
