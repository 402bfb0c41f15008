package schema

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// ranks returns the place of each property's name in the text of a schema: its
// author put first what matters first. The text is known to be JSON. (A decoder's
// tokens would do too, and take longer than the rest of Compile.)
func ranks(raw []byte) map[string]int {
	const object, list, properties = '{', '[', 'p'
	rank := map[string]int{}
	var open []byte // what the place is in, outermost first
	within := func(kind byte) bool { return len(open) > 0 && open[len(open)-1] == kind }
	key := ""
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '[':
			open = append(open, list)
		case '{':
			if within(object) && key == "properties" {
				open = append(open, properties)
			} else {
				open = append(open, object)
			}
		case '}', ']':
			open = open[:max(0, len(open)-1)]
		case '"':
			start := i
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			end := min(i+1, len(raw))
			if rest := bytes.TrimLeft(raw[end:], " \t\r\n"); within(list) || len(rest) == 0 || rest[0] != ':' {
				continue
			}
			key = unquote(raw[start:end])
			if _, ok := rank[key]; !ok && within(properties) {
				rank[key] = len(rank)
			}
		}
	}
	return rank
}

// unquote returns the text that a JSON string holds.
func unquote(raw []byte) (s string) {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(bytes.Trim(raw, `"`))
	}
	_ = json.Unmarshal(raw, &s)
	return s
}
