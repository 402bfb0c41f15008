package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// maxViolations is how many faults are listed: an envelope has room for fewer.
const maxViolations = 20

// maxAdvice is how long the suggestions of several faults may be in one, in
// bytes.
const maxAdvice = 400

// report makes one Error of what was found.
func (c *check) report(found []fault) *recourse.Error {
	found = c.single(c.sort(found))
	shown := found[:min(len(found), maxViolations)]
	for i, f := range shown {
		switch f.kind {
		case isMissing, isDependent:
			shown[i].member = c.property(f.schema, f.at)
		case isUnknown:
			shown[i].names = c.known(f.schema)
		}
	}
	if len(found) == 1 {
		f := found[0]
		e := &recourse.Error{
			Code: f.code(), Message: f.message(), Field: f.at.pointer(), Value: f.sent(),
			Constraint: f.constraint(), Suggestion: c.suggestion(f),
		}
		if f.kind == isRenamed && f.inner == "" {
			e.Related = map[string]any{"near": f.names}
		}
		return e
	}
	e := &recourse.Error{Code: common(found)}
	names, advice := make([]string, 0, len(shown)), make([]string, 0, len(shown))
	for _, f := range shown {
		v := recourse.Violation{Field: f.at.pointer(), Value: f.sent(), Constraint: f.constraint(), Suggestion: c.suggestion(f)}
		e.Violations = append(e.Violations, v)
		names, advice = append(names, f.at.name()), append(advice, v.Suggestion)
	}
	what, more := "wrong", ""
	if e.Code == recourse.MissingArgument && !slices.ContainsFunc(found, func(f fault) bool { return f.kind != isMissing }) {
		what = "missing"
	}
	switch {
	case len(found) >= maxFaults:
		more = " and many more"
	case len(found) > len(shown):
		more = fmt.Sprintf(" and %d more", len(found)-len(shown))
	}
	e.Message = fmt.Sprintf("%d arguments are %s: %s%s.", len(found), what, clip(strings.Join(names, ", "), 300), more)
	// The list of violations is the first thing to go if space is short.
	e.Suggestion = strings.Join(advice, " ")
	if len(e.Suggestion) > maxAdvice || more != "" {
		e.Suggestion = "Correct each argument as violations says, and call again."
	}
	return e
}

// common returns the code that says most about all of the faults.
func common(found []fault) recourse.Code {
	codes := map[recourse.Code]bool{}
	for _, f := range found {
		codes[f.code()] = true
	}
	names := codes[recourse.MissingArgument] && codes[recourse.UnknownArgument] && len(codes) == 2
	switch {
	case codes[recourse.MalformedRequest]:
		return recourse.MalformedRequest
	case len(codes) == 1:
		return found[0].code()
	case names: // adding what is missing is what makes the call possible
		return recourse.MissingArgument
	}
	return recourse.InvalidArgument
}

func (f fault) code() recourse.Code {
	switch f.kind {
	case isMissing, isDependent, isOneMissing:
		return recourse.MissingArgument
	case isUnknown, isForbidden, isRenamed:
		return recourse.UnknownArgument
	case isTooSmall, isTooLarge, isTooShort, isTooLong, isTooFew, isTooMany:
		return recourse.OutOfRange
	case isWrapper:
		return recourse.MalformedRequest
	}
	return recourse.InvalidArgument
}

func (f fault) message() string {
	name := f.at.name()
	switch f.kind {
	case isMissing:
		return "The argument " + name + " is missing."
	case isDependent:
		return "The argument " + name + " is missing: " + f.constraint() + "."
	case isOneMissing:
		return "One of these arguments is missing: " + listed(f.names) + "."
	case isUnknown, isRenamed:
		return "There is no argument " + name + "."
	case isForbidden:
		if f.at == nil {
			return "The tool takes no arguments at all."
		}
		return "The argument " + name + " can't be used here."
	case isWrapper:
		return "The arguments are inside " + name + ", not at the top level."
	case isSeveralOf:
		return capital(name) + " must fit only one alternative: " + f.constraint() + "."
	}
	return capital(name) + " must be " + f.constraint() + "."
}

// capital begins a sentence, but leaves the name of an argument as it is.
func capital(s string) string {
	if rest, ok := strings.CutPrefix(s, "the "); ok {
		return "The " + rest
	}
	return s
}

// constraint says what was expected.
func (f fault) constraint() string {
	if f.excluded() {
		return "left out"
	}
	sub := f.schema
	switch f.kind {
	case isMissing:
		return label("required: ", f.member)
	case isDependent:
		when := and(f.names)
		words := "required because " + when + " is there"
		if f.want != "" {
			words = "required when " + when + " is " + f.want
		}
		if f.member != nil {
			words += ", " + expected(f.member)
		}
		return words
	case isOneMissing:
		return "one of " + listed(f.names) + " is required"
	case isRenamed:
		return f.want
	case isUnknown:
		if len(f.names) > 0 {
			return "no such argument; known are " + and(f.names)
		}
		return "no such argument"
	case isWrapper:
		return "arguments at the top level"
	case isName:
		return "a name that is " + expected(f.member)
	case isNegated:
		if names := sub.Not.Required; len(names) > 0 {
			return "without " + and(names)
		}
		return "something other than " + expected(sub.Not)
	case isSeveralOf:
		if len(f.names) > 0 {
			return "only one of " + alternatives(f)
		}
		return "only one of: " + alternatives(f)
	case isContains:
		return containing(sub)
	}
	return label("", sub)
}

func alternatives(f fault) string {
	if len(f.names) > 0 {
		return listed(f.names)
	}
	words := make([]string, 0, maxChoices+1)
	for _, sub := range f.schema.OneOf[:min(len(f.schema.OneOf), maxChoices)] {
		words = append(words, expected(sub))
	}
	if len(f.schema.OneOf) > maxChoices {
		words = append(words, "…")
	}
	return strings.Join(slices.Compact(words), "; ")
}

// label adds to the words for a schema what its author says of it.
func label(prefix string, s *draft.Schema) string {
	words := prefix
	if s == nil {
		words += "any value"
	} else {
		words += expected(s)
	}
	if d := described(s); d != "" {
		words += " (" + d + ")"
	}
	return clip(words, 300)
}
