package dump

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema"
)

// How much of a dump is read and told.
const (
	maxDump       = 64 << 10 // bytes of its text
	maxViolations = 20
	maxAdvice     = 400 // bytes of the suggestions of several, as one
)

// Violations reads what a validator found wrong with the arguments of a call from
// the text of the error that its server made of it: the dump of a library (zod,
// pydantic, ajv and their like), or a sentence of the server's own. It returns nil
// if the text is none of that, or speaks of other data than the arguments.
//
// Args are the arguments as they were sent, nil if they are not known. They tell
// what is an argument's name, and where a value stands that the text only quotes.
// At most 64 KiB of text are read and 20 violations returned.
func Violations(text string, args []byte) []recourse.Violation {
	found := complaints(text, args)
	list := make([]recourse.Violation, 0, len(found))
	for _, c := range found {
		list = append(list, c.violation())
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// Read makes one Error of what Violations reads, nil if there is nothing. It
// has the codes and words of the same fault found by a check against a schema, and
// no sentence of the server's but what a rule of its own demands: that is in
// Constraint.
func Read(text string, args []byte) *recourse.Error {
	found := complaints(text, args)
	if len(found) == 0 {
		return nil
	}
	if len(found) == 1 {
		c := found[0]
		v := c.violation()
		return &recourse.Error{
			Code: c.code(), Message: c.message(), Field: v.Field, Value: v.Value,
			Constraint: v.Constraint, Suggestion: v.Suggestion,
		}
	}
	e := &recourse.Error{Code: shared(found)}
	names, advice := make([]string, 0, len(found)), make([]string, 0, len(found))
	missing := true
	for _, c := range found {
		v := c.violation()
		e.Violations = append(e.Violations, v)
		names, advice = append(names, c.name()), append(advice, v.Suggestion)
		missing = missing && c.fault == argMissing
	}
	what := "wrong"
	if missing {
		what = "missing"
	}
	e.Message = fmt.Sprintf("%d arguments are %s: %s.", len(found), what, clipped(strings.Join(names, ", "), 300))
	e.Suggestion = strings.Join(advice, " ")
	if len(e.Suggestion) > maxAdvice {
		e.Suggestion = "Correct each argument as violations says, and call again."
	}
	return e
}

// A fault says in what way an argument is wrong.
type argFault int

const (
	argWrong   argFault = iota // type, format, choice, or a rule of the server's own
	argMissing                 // required and not there, or empty
	argUnknown                 // no such name
	argBeyond                  // past a limit of value, length or count
	argWrapped                 // all arguments are inside this one
	argShape                   // the arguments are no object
)

// A complaint is what a validator says of one place in the arguments.
type complaint struct {
	fault    argFault
	path     []string // from the arguments down; anyItem for one that the text doesn't number
	sent     string   // how the text writes the value, if it doesn't say where it stands
	kind     string   // of that value, in JSON's words, if the text tells only that
	labels   bool     // path may have labels of the forms of unions in it
	branch   string   // which form of a union the text is about
	base     int      // how much of path leads to the union
	names    []string // of members of path that the fault is about
	known    []string // names that would do, or one that was meant
	want     string   // what is expected, as a noun; "" if the text doesn't say
	choices  []string // the values that want lists
	limit    limit
	rule     string // a demand in the server's own words
	union    bool   // says only that none of several forms fits
	echo     string // a member of the object in which one is missing, as the text quotes it
	received bool   // the text tells what was there
	sure     bool   // the text leaves no doubt that it speaks of a place in data

	value any // what was sent there
	there bool
}

// anyItem stands in a path for the index of an item.
const anyItem = "*"

func (c complaint) code() recourse.Code {
	switch c.fault {
	case argMissing:
		return recourse.MissingArgument
	case argUnknown:
		return recourse.UnknownArgument
	case argBeyond:
		return recourse.OutOfRange
	case argWrapped, argShape:
		return recourse.MalformedRequest
	}
	return recourse.InvalidArgument
}

// shared returns the code that says most about all of the faults.
func shared(found []complaint) recourse.Code {
	codes := map[recourse.Code]bool{}
	for _, c := range found {
		codes[c.code()] = true
	}
	switch {
	case codes[recourse.MalformedRequest]:
		return recourse.MalformedRequest
	case len(codes) == 1:
		return found[0].code()
	case len(codes) == 2 && codes[recourse.MissingArgument] && codes[recourse.UnknownArgument]:
		return recourse.MissingArgument // adding what is missing makes the call possible
	}
	return recourse.InvalidArgument
}

// complaints reads a text, finds the places it speaks of, and makes one complaint
// of all that concern the same.
func complaints(text string, args []byte) []complaint {
	text = strings.ToValidUTF8(text[:min(len(text), maxDump)], "")
	if !mayComplain(text) {
		return nil
	}
	d := &reader{args: decodeArgs(args), vouched: Vouches(text)}
	found := d.read(text)
	found = slices.DeleteFunc(fitting(d.settle(found)), d.whole)
	found = merged(found)
	for i, c := range found {
		found[i].want = c.noun()
		if c.fault == argWrong && c.limit.set() && isNumberValue(c.value) && strings.HasSuffix(c.want, "number") {
			found[i].fault = argBeyond
		}
	}
	found = renamed(d.unwrapped(found))
	return found[:min(len(found), maxViolations)]
}

// whole reports a complaint about all that was sent, and none about an argument.
func (d *reader) whole(c complaint) bool {
	return len(c.path) == 1 && (c.path[0] == "arguments" || c.path[0] == "params") && !d.holds(c.path)
}

// merged joins complaints about the same place: a union has one for each form.
func merged(found []complaint) []complaint {
	at := map[string]int{}
	var list []complaint
	for _, c := range found {
		key := strings.Join(c.path, "\x00")
		i, ok := at[key]
		if !ok {
			if len(list) == 2*maxViolations {
				continue
			}
			at[key] = len(list)
			list = append(list, c)
			continue
		}
		list[i] = list[i].with(c)
	}
	return list
}

// with returns what two complaints about one place say together. One that is
// missing is of the wrong type too, which need not be told.
func (c complaint) with(other complaint) complaint {
	switch {
	case c.fault == argMissing || c.fault == argUnknown:
		if c.want == "" && other.fault == argWrong {
			c.want, c.choices = other.want, other.choices
		}
		return c
	case other.fault == argMissing || other.fault == argUnknown:
		return other.with(c)
	case c.union:
		other.union = true
		return other
	case other.union:
		c.union = true
		return c
	}
	c.rule = cmp.Or(c.rule, other.rule)
	switch {
	case c.limit.set() && other.limit.set():
		c.limit = c.limit.join(other.limit)
	case c.limit.set() || other.limit.set():
		c.limit, c.want = c.limit.join(other.limit), cmp.Or(c.want, other.want)
	case len(c.choices) > 0 && len(other.choices) > 0:
		c.choices = append(slices.Clip(c.choices), other.choices...)
		c.want = oneOf(c.choices)
	case c.want == "" || other.want == "":
		c.want, c.choices = cmp.Or(c.want, other.want), append(c.choices, other.choices...)
	default:
		c.want = eitherOf(c.want, other.want)
	}
	c.fault = min(c.fault, other.fault)
	return c
}

// fitting leaves of the forms of a union those that are wrong as a whole, which
// merged joins, or, if there are others, the one that has least wrong with it.
func fitting(found []complaint) []complaint {
	count := map[string]map[string]int{}
	for _, c := range found {
		if c.branch != "" && len(c.path) > c.base {
			at := strings.Join(c.path[:c.base], "\x00")
			if count[at] == nil {
				count[at] = map[string]int{}
			}
			count[at][c.branch]++
		}
	}
	return slices.DeleteFunc(found, func(c complaint) bool {
		if c.branch == "" || c.base > len(c.path) {
			return false
		}
		forms := count[strings.Join(c.path[:c.base], "\x00")]
		if len(forms) == 0 {
			return false
		}
		best := slices.MinFunc(slices.Sorted(maps.Keys(forms)), func(a, b string) int { return cmp.Compare(forms[a], forms[b]) })
		return c.branch != best
	})
}

// renamed makes one complaint of a name that is unknown and one that is missing,
// if they resemble each other.
func renamed(found []complaint) []complaint {
	taken := map[int]bool{}
	for i := range found {
		if found[i].fault != argUnknown || len(found[i].path) == 0 {
			continue
		}
		for j, c := range found {
			if c.fault != argMissing || taken[j] || len(c.path) == 0 || !slices.Equal(c.path[:len(c.path)-1], found[i].path[:len(found[i].path)-1]) {
				continue
			}
			if meant := c.path[len(c.path)-1]; len(schema.Nearest(found[i].path[len(found[i].path)-1], []string{meant})) > 0 {
				found[i].known, found[i].want, found[i].choices = []string{meant}, c.want, c.choices
				taken[j] = true
				break
			}
		}
	}
	var list []complaint
	for i, c := range found {
		if !taken[i] {
			list = append(list, c)
		}
	}
	return list
}

// noun returns what is expected, its limits included.
func (c complaint) noun() string {
	switch {
	case c.limit.set():
		l := c.limit
		switch c.want {
		case "a whole number":
			l.whole, l.of = true, ""
		case "a number":
			l.of = ""
		case "a text":
			l.of = cmp.Or(l.of, "size")
		case "a list":
			l.of = "item"
		}
		return l.noun(c.value)
	case c.want != "more" && c.want != "less":
		return c.want
	}
	more := c.want == "more"
	switch c.value.(type) {
	case string:
		return map[bool]string{true: "a longer text", false: "a shorter text"}[more]
	case []any:
		return map[bool]string{true: "a list with more items", false: "a list with fewer items"}[more]
	}
	return map[bool]string{true: "a larger value", false: "a smaller value"}[more]
}
