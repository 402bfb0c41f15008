package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// equal compares as JSON Schema does: 1 and 1.0 are the same.
func (c *check) equal(a, b any) bool {
	if c.spent(1) {
		return true
	}
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || c.exact(a).Cmp(c.exact(b)) == 0)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, c.equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, c.equal)
	}
	switch b.(type) { // nothing that == could not compare
	case []any, map[string]any:
		return false
	}
	return a == b
}

// unique reports whether no two items are equal, in linear time. If not, it
// returns one that comes twice.
func (c *check) unique(items []any) (twice any, ok bool) {
	have := make(map[string]bool, len(items))
	var key []byte
	for _, item := range items {
		key = c.canonical(key[:0], item)
		if c.out {
			return nil, true
		}
		if have[string(key)] {
			return item, false
		}
		have[string(key)] = true
	}
	return nil, true
}

// canonical appends a text that is the same for equal values only.
func (c *check) canonical(b []byte, v any) []byte {
	if c.spent(1) {
		return b
	}
	switch v := v.(type) {
	case nil:
		return append(b, 'n')
	case bool:
		return strconv.AppendBool(b, v)
	case json.Number:
		if i, ok := small(v); ok {
			return strconv.AppendInt(b, i, 10)
		}
		return append(b, c.exact(v).RatString()...)
	case string:
		return c.sized(b, v)
	case []any:
		b = append(b, '[')
		for _, item := range v {
			b = append(c.canonical(b, item), ',')
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for _, key := range c.names(v) {
			b = c.sized(b, key)
			b = append(c.canonical(b, v[key]), ',')
		}
		return append(b, '}')
	}
	return b
}

// sized appends a text with its length: to quote it would take ten times as long.
func (c *check) sized(b []byte, s string) []byte {
	c.spent(len(s) / 256)
	b = strconv.AppendInt(append(b, '"'), int64(len(s)), 10)
	return append(append(b, ':'), s...)
}
