package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
)

// wrappers are names under which models send all arguments once more.
var wrappers = []string{"arguments", "args", "input", "inputs", "params", "parameters", "kwargs", "data", "body", "payload", "request", "properties", "tool_input"}

// unwrap recognises arguments that were put into one more object, such as
// {"input":{…}}, and returns that as a fault, with those of the arguments inside.
// It returns nil if it is something else.
func (c *check) unwrap(root map[string]any) []fault {
	if len(root) > 3 {
		return nil
	}
	declared := c.properties(c.schema.root)
	name := ""
	for _, key := range slices.Sorted(maps.Keys(root)) {
		if _, ok := declared[key]; ok {
			return nil
		}
		// {"name":"get_forecast","arguments":{…}} is a whole call.
		if len(root) == 1 || slices.Contains(wrappers, strings.ToLower(key)) {
			name = key
		}
	}
	v, at := root[name], (*path)(nil).member(name)
	for range maxWords { // one wrapper in another
		inner, _ := v.(map[string]any)
		next := strings.Join(first(inner, 1), "")
		if len(inner) != 1 || declared[next] != nil || !slices.Contains(wrappers, strings.ToLower(next)) {
			break
		}
		v, at = inner[next], at.member(next)
	}
	f := fault{kind: isWrapper, at: at, schema: c.schema.root, value: v}
	if s, ok := v.(string); ok {
		if v, f.want = nil, "text"; len(s) > 0 {
			if held := c.held(strings.TrimSpace(s)); held != nil {
				v = held.value()
			}
		}
	}
	inner, _ := v.(map[string]any)
	if len(inner) == 0 || c.spent(len(inner)) {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(inner)) {
		if _, ok := declared[key]; ok {
			f.names = append(f.names, key)
		} else if known := c.known(c.schema.root); !c.spent(len(known)) {
			if i := slices.IndexFunc(known, func(name string) bool { return variant(key, name) }); i >= 0 {
				f.names = append(f.names, known[i])
			}
		}
	}
	if f.names == nil || len(f.names) < len(inner) && !slices.Contains(wrappers, strings.ToLower(at.key)) {
		return nil
	}
	found := append([]fault{f}, c.eval(c.schema.root, inner, at, nil)...)
	if c.out { // it is not certain what is wrong inside
		return nil
	}
	return found
}

// lift says of what is missing inside a wrapper that it is missing at the top
// level: there it has to be added.
func lift(found []fault) []fault {
	i := slices.IndexFunc(found, func(f fault) bool { return f.kind == isWrapper })
	if i < 0 {
		return found
	}
	wrapper := found[i].at
	for i, f := range found {
		if f.kind == isMissing && f.at.up == wrapper {
			found[i].at = (*path)(nil).member(f.at.key)
		}
	}
	return found
}

// misshapen is the error for arguments that are JSON, but not an object.
func (c *check) misshapen(v any) *recourse.Error {
	e := &recourse.Error{Code: recourse.MalformedRequest, Value: pruned(v), Constraint: expected(c.schema.root)}
	if !strings.HasPrefix(e.Constraint, "an object") {
		e.Constraint = "an object"
	}
	shape := c.template(c.schema.root)
	switch v := v.(type) {
	case string:
		e.Message = "The arguments are a text, not an object."
		e.Suggestion = "Send the arguments as an object such as " + shape + "."
		if inner, err := c.decode([]byte(v)); err == nil {
			if _, ok := inner.(map[string]any); ok {
				e.Message = "The arguments are a text that holds JSON, not an object."
				e.Suggestion = "Send the arguments as a JSON object itself, not as text that holds one."
			}
		}
	case []any:
		e.Message = "The arguments are a list, not an object."
		e.Suggestion = "Send the arguments by name, in an object such as " + shape + "."
	default:
		e.Message = "The arguments are " + written(v) + ", not an object."
		e.Suggestion = "Send the arguments as an object such as " + shape + "."
	}
	return e
}

// unreadable is the error for arguments that are no JSON, and says where.
func unreadable(raw []byte) *recourse.Error {
	e := &recourse.Error{Code: recourse.MalformedRequest, Constraint: "one JSON object"}
	at, early := broken(raw)
	if early {
		e.Message = "The arguments end in the middle: a quote or a bracket is not closed."
		e.Suggestion = "Send the arguments as one complete JSON object; if they are long, send less at a time."
		return e
	}
	before := string(raw[:at])
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	e.Message = fmt.Sprintf("The arguments are no valid JSON at line %d, column %d.", line, column)
	e.Suggestion = fmt.Sprintf("Correct the quotes, commas and brackets near line %d, column %d, and send one JSON object.", line, column)
	return e
}
