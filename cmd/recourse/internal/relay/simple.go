package relay

import (
	"encoding/json"
	"slices"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A simple is an input schema that asks for nothing but names and simple types, as most
// do: what fits it can be seen without decoding, and that is true of nearly all calls.
type simple struct {
	kinds    map[string]simpleKind
	required uint64 // by index
}

type simpleKind struct {
	index int
	kind  string // string, number, integer or boolean
}

// simpleOf returns the simple form of an input schema, nil if it has none.
func simpleOf(schema []byte) *simple {
	var s map[string]json.RawMessage
	var properties map[string]map[string]json.RawMessage
	var required []string
	if json.Unmarshal(schema, &s) != nil || string(s["type"]) != `"object"` || json.Unmarshal(s["properties"], &properties) != nil {
		return nil
	}
	for key := range s {
		if !slices.Contains([]string{"type", "properties", "required", "additionalProperties", "title", "description", "$schema"}, key) {
			return nil
		}
	}
	if s["required"] != nil && json.Unmarshal(s["required"], &required) != nil || len(properties) > 64 {
		return nil
	}
	p := &simple{kinds: map[string]simpleKind{}}
	for name, property := range properties {
		var kind string
		for key := range property {
			if !slices.Contains([]string{"type", "title", "description", "default", "examples"}, key) {
				return nil
			}
		}
		if json.Unmarshal(property["type"], &kind) != nil || !slices.Contains([]string{"string", "number", "integer", "boolean"}, kind) {
			return nil
		}
		p.kinds[name] = simpleKind{index: len(p.kinds), kind: kind}
	}
	for _, name := range required {
		k, ok := p.kinds[name]
		if !ok {
			return nil
		}
		p.required |= 1 << k.index
	}
	return p
}

// fits reports whether arguments are certain to fit. They are valid JSON.
func (p *simple) fits(args []byte) bool {
	if p == nil || len(args) == 0 || args[0] != '{' {
		return false
	}
	seen := uint64(0)
	for key, value := range wire.Members(args) {
		name := key.Of(args)
		k, ok := p.kinds[string(name[1:len(name)-1])]
		if !ok || seen>>k.index&1 != 0 || !k.is(value.Of(args)) {
			return false
		}
		seen |= 1 << k.index
	}
	return seen&p.required == p.required
}

func (k simpleKind) is(value []byte) bool {
	first := value[0]
	switch k.kind {
	case "string":
		return first == '"'
	case "boolean":
		return first == 't' || first == 'f'
	case "integer":
		return !slices.ContainsFunc(value, func(c byte) bool { return c != '-' && (c < '0' || c > '9') })
	}
	return first == '-' || '0' <= first && first <= '9'
}
