package dump

import (
	"slices"
	"strconv"
	"strings"
)

// settle finds the places that complaints speak of, and leaves out what is not
// about the arguments: if one of them can't be, the dump is of other data.
func (d *reader) settle(found []complaint) (list []complaint) {
	found = found[:min(len(found), 10*maxViolations)]
	if slices.ContainsFunc(found, func(c complaint) bool { return len(c.path) > 0 }) {
		// That the whole fits no form is no news then.
		found = slices.DeleteFunc(found, func(c complaint) bool { return c.union && len(c.path) == 0 })
	}
	for _, c := range found {
		names := c.names
		if len(names) == 0 {
			names = []string{""}
		}
		for _, name := range names {
			one := c
			one.path = slices.Clone(c.path)
			if name != "" {
				one.path = append(one.path, splitPath(name)...)
			}
			one, ok := d.placed(one)
			if ok {
				list = append(list, one)
			} else if one.sure && !d.vouched && one.fault != argUnknown {
				return nil
			}
		}
	}
	return list
}

// placed resolves a path in the arguments: other spellings, prefixes of the SDK,
// labels of the branches of a union. It reports false if the complaint can't be
// about the arguments.
func (d *reader) placed(c complaint) (complaint, bool) {
	c.path = d.unprefixed(c.path)
	for i := range c.path {
		if c.labels && d.strayed(c.path, i) {
			c.branch, c.base = c.path[i], i
			break
		}
	}
	if d.args == nil {
		return d.unchecked(c)
	}
	if len(c.path) == 0 && (c.sent != "" || c.kind != "") {
		path, ok := d.locate(d.args, c)
		if !ok {
			return d.shape(c), d.vouched
		}
		c.path = path
	}
	if n := len(c.path); n > 1 && c.limit.set() && (c.path[n-1] == "length" || c.path[n-1] == "size") && !d.holds(c.path) {
		c.path, c.limit.of = c.path[:n-1], "size"
	}
	at, rest, way := d.walk(c.path, c)
	if len(rest) > 0 {
		c.path = slices.Concat(way, rest)
		return d.absent(c, at, rest)
	}
	if renamed, ok := c.respelt(at, way); ok {
		return renamed, true
	}
	c.path = way
	if inner, ok := d.locate(at, c); ok && c.kind != "" && c.kind != kindOf(at) {
		c.path = append(c.path, inner...) // the text names only the list
		at, _, _ = (&reader{args: at}).walk(inner, c)
	}
	c.value, c.there = at, len(c.path) > 0
	if c.fault == argMissing && !hollowArg(at) && !d.vouched && !c.sure {
		return c, false
	}
	return d.shape(c), len(c.path) > 0 || c.sure || d.vouched
}

// unchecked is placed where the arguments are not known.
func (d *reader) unchecked(c complaint) (complaint, bool) {
	at := c.path
	c.path = nil
	for i := range at {
		if !(c.labels && isBranch(at, i)) && at[i] != anyItem {
			c.path = append(c.path, at[i])
		}
	}
	if len(c.path) > 0 && isIndex(c.path[0]) {
		return c, false
	}
	return d.shape(c), len(c.path) > 0 || c.sure || d.vouched
}

// absent is placed for what the arguments don't have: rest is missing in at.
func (d *reader) absent(c complaint, at any, rest []string) (complaint, bool) {
	o, object := at.(map[string]any)
	switch {
	case c.fault == argMissing && len(rest) == 1:
		if object && c.echo != "" && !d.vouched && o[c.echo] == nil {
			return c, false // the object that the text quotes is another one
		}
		for _, key := range sortedKeys(o) {
			if fold(key) == fold(rest[0]) {
				c.known = append(c.known, key)
				break
			}
		}
		return c, object || d.vouched
	case len(rest) == 1 && c.fault != argUnknown && c.sure && !c.received && object:
		c.fault = argMissing // what isn't there can't be of the right type
		return c, true
	}
	return c, d.vouched
}

// respelt makes a complaint that something is missing one of its spelling, if it
// is there but for case and separators.
func (c complaint) respelt(at any, way []string) (complaint, bool) {
	n, m := len(c.path), len(way)
	if c.fault != argMissing || n == 0 || m == 0 || hollowArg(at) || way[m-1] == c.path[n-1] || fold(way[m-1]) != fold(c.path[n-1]) {
		return c, false
	}
	c.known = way[m-1:]
	c.path = append(slices.Clone(way[:m-1]), c.path[n-1])
	return c, true
}

// strayed reports whether a step is a label and no member of the arguments.
func (d *reader) strayed(path []string, i int) bool {
	if !isBranch(path, i) || d.args == nil {
		return isBranch(path, i)
	}
	at, rest, _ := d.walk(path[:i], complaint{labels: true})
	_, _, ok := child(at, path[i])
	return len(rest) == 0 && !ok
}

// shape makes a complaint about the arguments as a whole what it is.
func (d *reader) shape(c complaint) complaint {
	if len(c.path) == 0 && c.fault == argWrong && c.want == "an object" && kindOf(d.args) != "object" {
		c.fault = argShape
	}
	return c
}

func isIndex(name string) bool { _, err := strconv.Atoi(name); return err == nil }

// What stands for the arguments as a whole, and what they may be inside of.
var (
	roots    = set("(root) <root> root $ # instance")
	wrappers = set("arguments args params parameters body data input inputs payload json request kwargs")
)

// unprefixed takes away what SDKs and frameworks put before the arguments, such
// as the name of the method in Java.
func (d *reader) unprefixed(path []string) []string {
	for len(path) > 0 {
		if _, _, ok := child(d.args, path[0]); ok {
			return path
		}
		first := strings.ToLower(path[0])
		if first != "" && !roots[first] && (!wrappers[first] || len(path) == 1) {
			break
		}
		path = path[1:]
	}
	if len(path) == 2 && d.args != nil && !isIndex(path[0]) && !answers[strings.ToLower(path[0])] {
		if _, _, ok := child(d.args, path[1]); ok {
			return path[1:]
		}
	}
	return path
}

// answers are what an API's reply is called: it may have members of an argument's
// name.
var answers = set("result results response data items output user error errors 0 1")

// walk follows a path as far as the arguments have it, and returns what is there,
// what is left, and the way in the arguments' own spelling.
func (d *reader) walk(path []string, c complaint) (at any, rest, way []string) {
	at = d.args
	for i, name := range path {
		if list, ok := at.([]any); ok && name == anyItem {
			j := d.item(list, path[i+1:], c)
			if j < 0 {
				return at, nil, way
			}
			at, way = list[j], append(way, strconv.Itoa(j))
			continue
		}
		next, key, ok := child(at, name)
		switch {
		case ok:
			at, way = next, append(way, key)
		case c.labels && isBranch(path, i):
		default:
			return at, path[i:], way
		}
	}
	return at, nil, way
}

// isBranch reports whether a step of a path that leads nowhere is the label of a
// form of a union.
func isBranch(path []string, i int) bool { return i > 0 && (isLabel(path[i]) || isModel(path[i])) }

// item returns the first item that has, where the rest of a path leads to, what
// the text quotes; or that has nothing there, if it quotes nothing. It returns -1 if
// there is none.
func (d *reader) item(list []any, rest []string, c complaint) int {
	for i, v := range list[:min(len(list), maxNodes)] {
		inner := &reader{args: v}
		at, left, _ := inner.walk(rest, c)
		if len(left) == 0 && c.sent != "" && spells(at, c.sent) || len(left) == 1 && c.sent == "" && kindOf(at) == "object" {
			return i
		}
	}
	return -1
}

// child returns a member or item, by whatever spelling.
func child(of any, name string) (v any, key string, ok bool) {
	switch of := of.(type) {
	case map[string]any:
		if v, ok := of[name]; ok {
			return v, name, true
		}
		for _, key := range sortedKeys(of) {
			if fold(key) == fold(name) && fold(name) != "" {
				return of[key], key, true
			}
		}
	case []any:
		if i, err := strconv.Atoi(name); err == nil && 0 <= i && i < len(of) {
			return of[i], strconv.Itoa(i), true
		}
	}
	return nil, "", false
}

func sortedKeys(o map[string]any) []string {
	keys := make([]string, 0, len(o))
	for key := range o {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

var unionLabel = lazily(`^(?:str|int|float|bool|bytes|none|decimal|date|datetime|time|timedelta|uuid|url|dict|list|set|tuple|frozenset|constrained-\w+|(?:list|dict|set|tuple|frozenset|literal|nullable|is-instance|is-subclass|function-\w+|lax-or-strict|json-or-python|tagged-union|union|model|enum|generator|definition-ref|chain|default|json)\[.*|function-\w+\(.*|\w+\[.*\])$`)

// isLabel reports names by which pydantic tells the branches of a union.
func isLabel(name string) bool { return unionLabel().MatchString(name) }

// isModel reports names as classes have them.
func isModel(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// fold returns a name as it compares with others: without case and separators.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-./: ", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
