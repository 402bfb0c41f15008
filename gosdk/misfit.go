package gosdk

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
)

// misfit makes an error of arguments that suit the schema but not the Go
// type, such as a text that is no time. A decoder stops at the first of them and
// does not always say where it was, so each argument is decoded by itself, from
// the arguments as the decoder wants them.
func misfit(sent, plain json.RawMessage, args any, err error) *recourse.Error {
	e := &recourse.Error{Code: recourse.InvalidArgument, Err: err}
	var members, values map[string]json.RawMessage
	if json.Unmarshal(plain, &members) != nil || json.Unmarshal(sent, &values) != nil {
		return e
	}
	var found []*recourse.Error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		one, _ := json.Marshal(map[string]json.RawMessage{name: members[name]})
		err := decode(one, reflect.New(reflect.TypeOf(args).Elem()).Interface())
		if err == nil {
			continue
		}
		var said *recourse.Error // by the type's UnmarshalJSON
		if errors.As(err, &said) && said != nil {
			own := *said
			if own.Field == "" {
				own.Field = pointer(name)
			}
			return &own
		}
		found = append(found, fault(sent, name, values[name], err))
	}
	switch len(found) {
	case 0:
		return e
	case 1:
		return found[0]
	}
	e.Code = found[0].Code
	for _, f := range found {
		if f.Code != e.Code {
			e.Code = recourse.InvalidArgument
		}
		e.Violations = append(e.Violations, recourse.Violation{
			Field:      f.Field,
			Value:      f.Value,
			Constraint: f.Constraint,
			Suggestion: f.Suggestion,
		})
	}
	e.Message = "Several arguments can't be read."
	e.Suggestion = "Correct all of what violations lists, and call again."
	return e
}

// fault returns the error of one argument that a type refused.
func fault(sent json.RawMessage, name string, value any, err error) *recourse.Error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		if e := excess(sent, mismatch); e != nil {
			return e
		}
	}
	want := constraint(err)
	return &recourse.Error{
		Code:       recourse.InvalidArgument,
		Message:    "The argument " + name + " can't be read.",
		Suggestion: "Set " + name + " to " + want + ".",
		Field:      pointer(name),
		Value:      value,
		Constraint: want,
		Err:        err,
	}
}

// pointer returns the JSON Pointer (RFC 6901) to a member of the arguments.
func pointer(name string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// constraint says what the type wanted, as far as its error tells. The error's
// own text stays in the log: it speaks of Go.
func constraint(err error) string {
	var mismatch *json.UnmarshalTypeError
	var parse *time.ParseError
	if errors.As(err, &mismatch) && mismatch.Type == reflect.TypeFor[time.Time]() || errors.As(err, &parse) {
		return "a date and time such as 2026-11-30T12:00:00Z"
	}
	return "a value of the form that the tool's description asks for"
}
