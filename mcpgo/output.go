package mcpgo

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// members are what the schema of an object gains, as a text so that each schema
// gets its own.
const members = `{
	"_warnings": {
		"type": "array",
		"items": {"type": "string"},
		"description": "What is missing or old in this answer, and why."
	},
	"_completeness": {"type": "string", "enum": ["full", "partial", "empty"]}
}`

// widen makes the tool's output schema admit our members, if it has one that
// describes an object and does not use their names itself. It returns the shape of
// what the tool may then answer.
func widen(tool *mcp.Tool) shape {
	raw := tool.RawOutputSchema
	if raw == nil && tool.OutputSchema.Type != "" {
		raw, _ = json.Marshal(tool.OutputSchema)
	}
	if raw == nil {
		return shape{admits: func([]byte) bool { return true }}
	}
	never := shape{true, func([]byte) bool { return false }}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var root map[string]any
	if d.Decode(&root) != nil || !object(root) {
		return never
	}
	if known, _ := root["properties"].(map[string]any); known["_warnings"] != nil || known["_completeness"] != nil {
		return never
	}
	w := widening{root: root, seen: map[string]bool{}}
	w.admit(root)
	addMembers(root) // to be told of even where nothing forbids them
	wide, err := json.Marshal(root)
	if err != nil {
		return never
	}
	s := compile(wide, nil)
	if s == nil {
		return never
	}
	tool.OutputSchema, tool.RawOutputSchema = mcp.ToolOutputSchema{}, wide
	return shape{true, func(structured []byte) bool { return s.Check(structured) == nil }}
}

func object(s map[string]any) bool {
	switch t := s["type"].(type) {
	case nil:
		for _, word := range []string{"properties", "$ref", "allOf", "anyOf", "oneOf"} {
			if s[word] != nil {
				return true
			}
		}
		return false
	case []any:
		return slices.Contains(t, any("object"))
	default:
		return t == "object"
	}
}

// A widening adds our members to all schemas that judge the same value as the
// root, where they would refuse them.
type widening struct {
	root map[string]any
	seen map[string]bool // references followed
}

func (w widening) admit(v any) {
	s, ok := v.(map[string]any)
	if !ok {
		return
	}
	if s["additionalProperties"] != nil || s["unevaluatedProperties"] != nil {
		addMembers(s)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[word].([]any)
		for _, sub := range list {
			w.admit(sub)
		}
	}
	w.admit(s["then"])
	w.admit(s["else"])
	ref, _ := s["$ref"].(string)
	for _, word := range []string{"$defs", "definitions"} {
		name, ok := strings.CutPrefix(ref, "#/"+word+"/")
		if ok && !w.seen[ref] {
			w.seen[ref] = true
			defs, _ := w.root[word].(map[string]any)
			w.admit(defs[name])
		}
	}
}

func addMembers(s map[string]any) {
	var more map[string]any
	_ = json.Unmarshal([]byte(members), &more)
	properties, ok := s["properties"].(map[string]any)
	if !ok {
		properties = map[string]any{}
		s["properties"] = properties
	}
	maps.Copy(properties, more)
}
