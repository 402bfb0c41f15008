package recourse

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
)

const (
	// maxEnvelope is the size of an envelope in bytes. Clients put it into a
	// conversation, where it stays.
	maxEnvelope = 2048

	// maxText is how much of a text is always kept, in bytes of JSON. Message,
	// suggestion and code then leave a third of the envelope free.
	maxText = 600

	// maxDetail is how long a Related member may be, in bytes of JSON, before
	// it is the first to be shortened.
	maxDetail = 256
)

// MarshalJSON returns the object with defaults filled in, without the
// {"error":…} around it. It can't fail: details that JSON can't hold are left
// out. Note that [json.Marshal] escapes <, > and & in what MarshalJSON returns.
func (e *Error) MarshalJSON() ([]byte, error) {
	return e.object().append(nil), nil
}

// Envelope returns {"error":…} as a first text block must hold it: compact,
// valid UTF-8, at most 2048 bytes.
//
// Where it would be longer, it gives up, in this order and only as far as
// needed: Related members over 256 bytes, the longest first (a string is cut to
// 200 characters, anything else is dropped); the ends of constraint, message
// and suggestion past 600 bytes; Violations but the first, from the last on;
// Related members, the longest first; violations; value; constraint; field.
func (e *Error) Envelope() string {
	const head, tail = `{"error":`, `}`
	o := e.object()
	for i := 0; ; i++ {
		text := append(o.append([]byte(head)), tail...)
		over := len(text) - maxEnvelope
		if over <= 0 || i == len(shrinking) {
			return string(text)
		}
		o = shrinking[i](o, over)
	}
}

// shrinking holds what Envelope does, in order, to an object that is so many
// bytes over.
var shrinking = []func(o object, over int) object{
	shortenRelated,
	cutText("constraint"),
	cutText("message"),
	cutText("suggestion"),
	dropViolations,
	dropRelated,
	drop("violations"),
	drop("value"),
	drop("constraint"),
	drop("field"),
}

func shortenRelated(o object, over int) object {
	for _, key := range o.related() {
		i := o.index(key)
		before := len(o[i].raw)
		if over <= 0 || before <= maxDetail {
			continue
		}
		var s string
		if json.Unmarshal(o[i].raw, &s) == nil {
			o[i].raw = encode(cut(s, maxValue))
			over -= before - len(o[i].raw)
		} else {
			o = slices.Delete(o, i, i+1)
			over -= before
		}
	}
	return o
}

func dropRelated(o object, over int) object {
	for _, key := range o.related() {
		if over > 0 {
			i := o.index(key)
			over -= o[i].len()
			o = slices.Delete(o, i, i+1)
		}
	}
	return o
}

// related returns the keys of o's Related members, that of the longest first.
func (o object) related() []string {
	rest := slices.DeleteFunc(slices.Clone(o), func(m member) bool { return slices.Contains(defined, m.key) })
	slices.SortStableFunc(rest, func(a, b member) int { return cmp.Compare(b.len(), a.len()) })
	keys := make([]string, len(rest))
	for i, m := range rest {
		keys[i] = m.key
	}
	return keys
}

func (m member) len() int { return len(m.key) + len(m.raw) }

func dropViolations(o object, over int) object {
	i := o.index("violations")
	if i < 0 {
		return o
	}
	var list []json.RawMessage
	if json.Unmarshal(o[i].raw, &list) != nil {
		return o
	}
	for ; over > 0 && len(list) > 1; list = list[:len(list)-1] {
		over -= len(list[len(list)-1]) + len(",")
	}
	o[i].raw = encode(list)
	return o
}

func cutText(key string) func(object, int) object {
	return func(o object, over int) object {
		i := o.index(key)
		if i < 0 || len(o[i].raw) <= maxText {
			return o
		}
		var s string
		if json.Unmarshal(o[i].raw, &s) != nil {
			return o
		}
		s = cut(s, maxEnvelope)
		keep := max(maxText, len(o[i].raw)-over)
		n := sort.Search(len(s), func(n int) bool { return len(encode(cut(s, n+1))) > keep })
		o[i].raw = encode(cut(s, n))
		return o
	}
}

func drop(key string) func(object, int) object {
	return func(o object, _ int) object {
		return slices.DeleteFunc(o, func(m member) bool { return m.key == key })
	}
}
