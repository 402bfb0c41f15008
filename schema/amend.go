package schema

import (
	"encoding/json"
	"slices"
)

// counts are the keywords whose value is a length or a number of things.
var counts = []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"}

// maxCount is what larger ones are taken for: generators write the largest number
// they have for "no limit", which no int holds.
const maxCount = 1<<31 - 1

// amend corrects in a schema what generators mean otherwise than the drafts:
// counts that no int holds, and OpenAPI's nullable.
func amend(v any, names bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			amend(item, false)
		}
	case map[string]any:
		for key, member := range v {
			if names || !slices.Contains([]string{"const", "enum", "default", "examples"}, key) {
				amend(member, !names && slices.Contains([]string{"properties", "patternProperties", "$defs", "definitions"}, key))
			}
		}
		if names {
			return
		}
		for _, key := range counts {
			if n, ok := v[key].(json.Number); ok && whole(n) && vast(n) {
				v[key] = json.Number("2147483647")
			}
		}
		if v["nullable"] == true {
			switch t := v["type"].(type) {
			case string:
				if t != "null" {
					v["type"] = []any{t, "null"}
				}
			case []any:
				if !slices.Contains(t, any("null")) {
					v["type"] = append(t, "null")
				}
			}
		}
	}
}

// vast reports whether a whole number is over maxCount.
func vast(n json.Number) bool {
	if i, ok := small(n); ok {
		return i > maxCount
	}
	r := new(check).exact(n)
	return r.Sign() > 0 && (!r.Num().IsInt64() || r.Num().Int64() > maxCount)
}
