package gosdk

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema"
	strict "github.com/segmentio/encoding/json"
)

// An input is what a tool takes.
type input struct {
	schema   any // as listed
	resolved *jsonschema.Resolved
	faults   *schema.Schema // nil if package schema can't read it
	defaults bool           // the schema may hold some
}

// inferred keeps the inputs and outputs that follow from a Go type: stateless
// servers add their tools anew for each request.
var inferred struct{ inputs, outputs sync.Map }

// newInput returns the input for a schema, or if that is nil, for a Go type.
func newInput(given any, t reflect.Type) (*input, error) {
	if given != nil {
		s, err := parse(given)
		if err != nil {
			return nil, err
		}
		return resolveInput(given, s)
	}
	if known, ok := inferred.inputs.Load(t); ok {
		return known.(*input), nil
	}
	s := &jsonschema.Schema{Type: "object"} // for any, as mcp.AddTool does
	if t != reflect.TypeFor[any]() {
		var err error
		if s, err = infer(t); err != nil {
			return nil, err
		}
	}
	in, err := resolveInput(s, s)
	if err == nil {
		inferred.inputs.Store(t, in)
	}
	return in, err
}

func resolveInput(listed any, s *jsonschema.Schema) (*input, error) {
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(listed)
	if err != nil {
		return nil, err
	}
	in := &input{schema: listed, resolved: resolved, defaults: bytes.Contains(raw, []byte(`"default"`))}
	if faults, err := schema.Compile(raw); err == nil {
		in.faults = faults
	}
	return in, nil
}

// infer returns the schema of a Go type, or of what it points to.
func infer(t reflect.Type) (*jsonschema.Schema, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return jsonschema.ForType(t, &jsonschema.ForOptions{})
}

// parse returns a schema that an author gave in any of the forms that mcp.Tool
// takes.
func parse(given any) (*jsonschema.Schema, error) {
	if s, ok := given.(*jsonschema.Schema); ok && s != nil {
		return s, nil
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	s := new(jsonschema.Schema)
	return s, json.Unmarshal(raw, s)
}

// read checks the arguments of a call, fills in the schema's defaults and
// decodes the arguments into args, a pointer.
func (in *input) read(sent json.RawMessage, args any) *recourse.Error {
	switch string(bytes.TrimSpace(sent)) {
	case "", "null", `""`:
		sent = json.RawMessage("{}")
	}
	// Without defaults the text is taken as it was sent: numbers beyond 2^53
	// survive.
	if in.defaults {
		full, err := withDefaults(in.resolved, sent)
		if err != nil {
			return &recourse.Error{Code: recourse.InternalError, Err: err}
		}
		sent = full
	}
	if e := in.check(sent); e != nil {
		return e
	}
	if decode(sent, args) == nil {
		return nil
	}
	// To a schema 5.0 and 5e0 are whole numbers, to a Go integer only 5 is.
	reflect.ValueOf(args).Elem().SetZero()
	plain := digits(sent)
	if err := decode(plain, args); err != nil {
		return misfit(sent, plain, args, err)
	}
	return nil
}

// check returns all faults of arguments that the SDK would refuse too. It asks the
// SDK first: where two validators differ, as in formats and patterns, a call that
// works without us has to work with us.
func (in *input) check(sent json.RawMessage) *recourse.Error {
	var v map[string]any
	err := json.Unmarshal(sent, &v)
	read := err == nil
	if read {
		if err = in.resolved.Validate(&v); err == nil {
			return nil
		}
	}
	if in.faults != nil {
		if e := in.faults.Check(sent); e != nil || !read { // 1e400 is JSON, but no float64
			return e
		}
	}
	if !read {
		return &recourse.Error{Code: recourse.MalformedRequest, Err: err}
	}
	return &recourse.Error{Code: recourse.InvalidArgument, Err: err}
}

// decode differs from encoding/json as go-sdk does: it takes no "City" for
// "city".
func decode(text []byte, v any) error {
	_, err := strict.Parse(text, v, strict.DontMatchCaseInsensitiveStructFields)
	return err
}

// withDefaults adds a schema's defaults to a value. Unlike go-sdk it leaves
// numbers as they were written.
func withDefaults(s *jsonschema.Resolved, text []byte) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if v == nil && s.Schema().Type == "object" {
		v = map[string]any{}
	}
	if _, ok := v.(map[string]any); !ok {
		return text, nil
	}
	if err := s.ApplyDefaults(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}
