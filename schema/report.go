package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxViolations is how many faults are listed: an envelope has room for fewer.
const maxViolations = 20

// maxAdvice is how long the suggestions of several faults may be in one, in
// bytes.
const maxAdvice = 400

// report makes one Error of what was found.
func (c *check) report(found []fault) *recourse.Error {
	found = c.sort(found)
	shown := found[:min(len(found), maxViolations)]
	for i, f := range shown {
		if f.kind == isMissing || f.kind == isDependent {
			shown[i].member = c.property(f.schema, f.at)
		}
	}
	if len(found) == 1 {
		f := found[0]
		e := &recourse.Error{
			Code: f.code(), Message: f.message(), Field: f.at.pointer(), Value: f.sent(),
			Constraint: f.constraint(), Suggestion: c.suggestion(f),
		}
		if f.kind == isUnknown && len(f.names) > 0 || f.kind == isRenamed && f.inner == "" {
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

// sent returns what the model sent there, if that tells it anything: of what is
// missing there is nothing to show.
func (f fault) sent() any {
	if f.kind == isMissing || f.kind == isDependent || f.kind == isOneMissing {
		return nil
	}
	return prune(f.value, maxNode)
}

// How much of a value is kept. An envelope shows 200 characters, but looks for
// secrets before it cuts.
const (
	maxNode = 20   // members of an object, items of a list, levels
	maxSent = 4000 // characters of a text
)

// prune returns what is at the beginning of v: all of it if it is small.
func prune(v any, depth int) any {
	switch v := v.(type) {
	case string:
		return clip(v, maxSent)
	case json.Number:
		return v[:min(len(v), maxSent)]
	case []any:
		if depth == 0 {
			return nil
		}
		items := make([]any, min(len(v), maxNode))
		for i := range items {
			items[i] = prune(v[i], depth/2)
		}
		return items
	case map[string]any:
		if depth == 0 {
			return nil
		}
		o := map[string]any{}
		names := slices.Sorted(maps.Keys(v))
		for _, name := range names[:min(len(names), maxNode)] {
			o[clip(name, maxSent)] = prune(v[name], depth/2)
		}
		return o
	}
	return v
}

// sort puts the faults into the order of the schema and leaves one for each
// value: the most telling. More than one would contradict or repeat each other.
func (c *check) sort(found []fault) []fault {
	slices.SortStableFunc(found, func(a, b fault) int {
		return cmp.Or(c.order(a.place(), b.place()), c.order(a.at, b.at), cmp.Compare(a.weight(), b.weight()), cmp.Compare(a.kind, b.kind), cmp.Compare(a.schema.Location, b.schema.Location))
	})
	return slices.CompactFunc(found, func(a, b fault) bool { return c.order(a.at, b.at) == 0 })
}

// place is where the fault belongs in the order: that of the argument meant.
func (f fault) place() *path {
	if f.kind == isRenamed {
		return f.at.up.member(f.names[0])
	}
	return f.at
}

// weight is lower for what has to be put right first.
func (f fault) weight() int {
	i := slices.Index([]kind{
		isWrapper, isRenamed, isWrongType, isWrongValue, isMissing, isOneMissing, isDependent, isNoneOf, isSeveralOf,
		isFormat, isTooSmall, isTooLarge, isTooShort, isTooLong, isTooFew, isTooMany, isMismatch, isUneven,
	}, f.kind)
	if i < 0 {
		return 100 // the rest comes last
	}
	return i
}

// order compares places: by the schema's order of names, by index in a list.
func (c *check) order(a, b *path) int {
	x, y := a.steps(), b.steps()
	return slices.CompareFunc(x, y, func(x, y *path) int {
		if x.index >= 0 || y.index >= 0 {
			return cmp.Compare(x.index, y.index)
		}
		return cmp.Or(cmp.Compare(c.rank(x.key), c.rank(y.key)), cmp.Compare(x.key, y.key))
	})
}

func (c *check) rank(name string) int {
	if rank, ok := c.schema.rank[name]; ok {
		return rank
	}
	return len(c.schema.rank)
}

// steps returns the way from the root.
func (p *path) steps() []*path {
	var all []*path
	for ; p != nil; p = p.up {
		all = append(all, p)
	}
	slices.Reverse(all)
	return all
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns a JSON Pointer.
func (p *path) pointer() string {
	var b strings.Builder
	for _, step := range p.steps() {
		b.WriteByte('/')
		if step.index >= 0 {
			b.WriteString(strconv.Itoa(step.index))
		} else {
			b.WriteString(escape.Replace(step.key))
		}
	}
	return b.String()
}

// name returns the place as people write it: people[1].role.
func (p *path) name() string {
	if p == nil {
		return "the arguments"
	}
	var b strings.Builder
	for _, step := range p.steps() {
		if step.index >= 0 {
			b.WriteString("[" + strconv.Itoa(step.index) + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(quoted(step.key))
	}
	return clip(b.String(), 120)
}

// quoted returns a name with quotes if it doesn't look like one.
func quoted(name string) string {
	for _, r := range name {
		if r <= ' ' || r == '"' || !printable(r) {
			return strconv.Quote(clip(name, 60))
		}
	}
	if name == "" {
		return `""`
	}
	return clip(name, 60)
}

func (f fault) message() string {
	name := f.at.name()
	switch f.kind {
	case isMissing:
		return "The argument " + name + " is missing."
	case isDependent:
		return "The argument " + name + " is missing: " + f.constraint() + "."
	case isOneMissing:
		return "One of these arguments is missing: " + strings.Join(f.names, ", ") + "."
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
		return "one of " + strings.Join(f.names, ", ") + " is required"
	case isRenamed:
		return f.want
	case isUnknown:
		if known := known(f.schema); len(known) > 0 {
			return "no such argument; known are " + and(known)
		}
		return "no such argument"
	case isForbidden:
		return "left out"
	case isWrapper:
		return "arguments at the top level"
	case isName:
		return "a name that is " + f.want
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
		return strings.Join(f.names, ", ")
	}
	words := make([]string, 0, len(f.schema.OneOf))
	for _, sub := range f.schema.OneOf {
		words = append(words, expected(sub))
	}
	return strings.Join(slices.Compact(words), "; ")
}

// label adds to the words for a schema what its author says of it.
func label(prefix string, s *jsonschema.Schema) string {
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
