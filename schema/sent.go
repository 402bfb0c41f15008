package schema

import (
	"encoding/json"
	"slices"
)

// sent returns what the model sent there, if that tells it anything: of what is
// missing there is nothing to show.
func (f fault) sent() any {
	if f.kind == isMissing || f.kind == isDependent || f.kind == isOneMissing {
		return nil
	}
	return pruned(f.value)
}

// How much of a value is kept. An envelope shows 200 characters, but looks for
// secrets before it cuts.
const (
	maxNode  = 20     // members of an object, items of a list, levels
	maxText  = 4000   // characters of a text
	maxValue = 40_000 // bytes in all
)

// pruned returns what is at the beginning of v: all of it if it is small.
func pruned(v any) any {
	left := maxValue
	return prune(v, maxNode, &left)
}

func prune(v any, depth int, left *int) any {
	if *left -= 8; *left < 0 || depth == 0 && !scalar(v) {
		return nil
	}
	switch v := v.(type) {
	case string:
		s := clip(v, maxText)
		*left -= len(s)
		return s
	case json.Number:
		n := v[:min(len(v), maxText)]
		*left -= len(n)
		return n
	case []any:
		items := make([]any, min(len(v), maxNode))
		for i := range items {
			items[i] = prune(v[i], depth/2, left)
		}
		return items
	case map[string]any:
		o := map[string]any{}
		for _, name := range first(v, maxNode) {
			key := clip(name, maxText)
			*left -= len(key)
			o[key] = prune(v[name], depth/2, left)
		}
		return o
	}
	return v
}

func scalar(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}

// first returns the n names of o that come first.
func first(o map[string]any, n int) []string {
	names := make([]string, 0, n+1)
	for name := range o {
		if i, _ := slices.BinarySearch(names, name); i < n {
			names = slices.Insert(names, i, name)
			names = names[:min(len(names), n)]
		}
	}
	return names
}
