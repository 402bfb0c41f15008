package gosdk

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
)

// An output is what a tool returns as data.
type output struct {
	schema any                  // as listed; nil if the tool has none
	own    *jsonschema.Resolved // without our members
	wide   *jsonschema.Resolved // with them; nil if they have no place
	zero   any                  // stands for a nil pointer; may be nil
}

// newOutput returns the output for a schema, or if that is nil, for a Go type.
func newOutput(given any, t reflect.Type) (*output, error) {
	out := new(output)
	if given == nil && t == reflect.TypeFor[any]() {
		return out, nil
	}
	if given != nil {
		s, err := parse(given)
		if err != nil {
			return nil, err
		}
		out.zero = zeroOf(t)
		return out, out.resolve(given, s)
	}
	if known, ok := inferred.outputs.Load(t); ok {
		return known.(*output), nil
	}
	s, err := infer(t)
	if err != nil {
		return nil, err
	}
	out.zero = zeroOf(t)
	if err := out.resolve(s, s); err != nil {
		return nil, err
	}
	inferred.outputs.Store(t, out)
	return out, nil
}

// zeroOf returns the zero value of what a pointer type points to.
func zeroOf(t reflect.Type) any {
	if t.Kind() != reflect.Pointer {
		return nil
	}
	return reflect.Zero(t.Elem()).Interface()
}

func (out *output) resolve(listed any, s *jsonschema.Schema) (err error) {
	out.schema = listed
	if out.own, err = s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
		return err
	}
	wide := widen(s)
	if wide == nil {
		return nil
	}
	// What our members make invalid, stays without them.
	if out.wide, err = wide.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err == nil {
		out.schema = wide
	}
	return nil
}

// widen returns a copy of s that admits our members, or nil if they have no
// place: in what is no object, and where the author uses their names himself.
func widen(s *jsonschema.Schema) *jsonschema.Schema {
	if !object(s) || s.Properties["_warnings"] != nil || s.Properties["_completeness"] != nil {
		return nil
	}
	wide := s.CloneSchemas()
	admit(wide, wide, map[*jsonschema.Schema]bool{})
	if wide.Properties["_warnings"] == nil {
		addMembers(wide) // to be told of even where nothing forbids them
	}
	return wide
}

func object(s *jsonschema.Schema) bool {
	if s.Type == "" && s.Types == nil {
		return len(s.Properties) > 0 || s.Ref != "" || len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0
	}
	return s.Type == "object" || slices.Contains(s.Types, "object")
}

// admit adds our members to s and to all schemas that judge the same value as
// s, where they would refuse them.
func admit(root, s *jsonschema.Schema, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	if s.AdditionalProperties != nil || s.UnevaluatedProperties != nil {
		addMembers(s)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.Then, s.Else}} {
		for _, sub := range list {
			admit(root, sub, seen)
		}
	}
	for prefix, defs := range map[string]map[string]*jsonschema.Schema{"#/$defs/": root.Defs, "#/definitions/": root.Definitions} {
		if name, ok := strings.CutPrefix(s.Ref, prefix); ok {
			admit(root, defs[name], seen)
		}
	}
	if s.Ref == "#" {
		admit(root, root, seen)
	}
}

func addMembers(s *jsonschema.Schema) {
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	if len(s.PropertyOrder) > 0 {
		s.PropertyOrder = append(slices.Clone(s.PropertyOrder), "_warnings", "_completeness")
	}
	s.Properties["_warnings"] = &jsonschema.Schema{
		Type:        "array",
		Items:       &jsonschema.Schema{Type: "string"},
		Description: "What is missing or old in this answer, and why.",
	}
	s.Properties["_completeness"] = &jsonschema.Schema{Type: "string", Enum: []any{"full", "partial", "empty"}}
}

// admits reports whether an answer with our members suits the listed schema.
func (out *output) admits(structured []byte) bool {
	if out.schema == nil {
		return true
	}
	var v any
	return out.wide != nil && json.Unmarshal(structured, &v) == nil && out.wide.Validate(&v) == nil
}

// fill puts a handler's value into its result, as mcp.AddTool does. An error
// result gets none: what a handler returns beside its error is no data.
func (out *output) fill(res *mcp.CallToolResult, value any) (*mcp.CallToolResult, error) {
	if res == nil {
		res = new(mcp.CallToolResult)
	}
	if res.IsError || res.InputRequests != nil {
		return res, nil
	}
	if v := reflect.ValueOf(value); out.zero != nil && v.Kind() == reflect.Pointer && v.IsNil() {
		value = out.zero
	}
	if value == nil {
		return res, nil
	}
	text, err := json.Marshal(value)
	if err == nil && out.own != nil {
		text, err = out.check(text)
	}
	if err != nil {
		return nil, &recourse.Error{
			Code:       recourse.InternalError,
			Message:    "The tool ran, but what it returned is not what it promises to return.",
			Suggestion: "Don't repeat the call: it may have had its effect. Tell the user that this tool has a bug.",
			MaxRetries: -1,
			Related:    map[string]any{"outcome": "completed"},
			Err:        fmt.Errorf("output: %w", err),
		}
	}
	filled := *res
	filled.StructuredContent = json.RawMessage(text)
	if res.Content == nil || text[0] != '{' {
		filled.Content = append(slices.Clip(res.Content), &mcp.TextContent{Text: string(text)})
	}
	return &filled, nil
}

// check adds the defaults to a value and holds it against the author's schema.
func (out *output) check(text []byte) ([]byte, error) {
	text, err := withDefaults(out.own, text)
	if err != nil {
		return nil, err
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	return text, out.own.Validate(&v)
}
