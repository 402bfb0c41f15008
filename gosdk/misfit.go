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
// does not always say where it was, so each argument is decoded by itself.
func misfit(sent json.RawMessage, args any, err error) *recourse.Error {
	e := &recourse.Error{Code: recourse.InvalidArgument, Err: err}
	var members map[string]json.RawMessage
	if json.Unmarshal(sent, &members) != nil {
		return e
	}
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
		want := constraint(err)
		e.Violations = append(e.Violations, recourse.Violation{
			Field:      pointer(name),
			Value:      members[name],
			Constraint: want,
			Suggestion: "Set " + name + " to " + want + ".",
		})
	}
	switch len(e.Violations) {
	case 0:
	case 1:
		v := e.Violations[0]
		e.Violations = nil
		e.Field, e.Value, e.Constraint, e.Suggestion = v.Field, v.Value, v.Constraint, v.Suggestion
		e.Message = "The argument " + strings.TrimPrefix(v.Field, "/") + " can't be read."
	default:
		e.Message = "Several arguments can't be read."
		e.Suggestion = "Correct all of what violations lists, and call again."
	}
	return e
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
