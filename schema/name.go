package schema

import (
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// An object is one in which names are missing or unknown.
type object struct {
	at      *path
	schema  *draft.Schema
	missing []string
	unknown []int           // indexes of faults
	found   map[string]bool // missing or absent names that are there under another one
	strays  []string        // first names that an open schema admits and that mean nothing
}

func (o *object) claimed(name string) bool { return o.found[name] }

// rename finds unknown names that are most likely misspelt ones, and makes one
// fault of both. Where a schema allows any name, a name counts as misspelt only
// if it resembles one that is required and missing. Only as many objects are
// looked at as can be shown.
func (c *check) rename(found []fault) []fault {
	found = c.sort(found)
	objects, owners := c.gather(found)
	for _, o := range objects {
		here, _ := c.at(o.at).(map[string]any)
		if len(o.unknown) == 0 {
			for _, f := range c.strays(o, here) {
				o.unknown = append(o.unknown, len(found))
				found, owners = append(found, f), append(owners, o)
			}
		}
		slices.SortFunc(o.unknown, func(i, j int) int { return strings.Compare(found[i].at.key, found[j].at.key) })
		for _, i := range o.unknown[:min(len(o.unknown), maxViolations)] {
			f := &found[i]
			if name := c.meant(f, o, here); name != "" {
				o.found[name] = true
				f.amiss = f.member != nil && len(c.eval(f.member, f.value, f.at, nil)) > 0
			} else if f.want == stray && o.schema == c.schema.root && len(o.strays) < maxStrays {
				o.strays = append(o.strays, f.at.key)
			}
		}
	}
	left := found[:0]
	for i, f := range found {
		there := f.kind == isMissing && owners[i] != nil && owners[i].claimed(f.at.key)
		if f.kind == isMissing && owners[i] != nil {
			f.names = owners[i].strays
		}
		if !there && (f.kind != isUnknown || f.want != stray) {
			left = append(left, f)
		}
	}
	return left
}

// gather returns the first objects that have names missing or unknown, and which
// one each fault belongs to.
func (c *check) gather(found []fault) (objects, owners []*object) {
	owners = make([]*object, len(found))
	at := map[int]*object{}
	for i, f := range found {
		if f.kind != isMissing && f.kind != isUnknown {
			continue
		}
		id := c.id(f.at.up)
		o := at[id]
		if o == nil {
			if len(objects) == maxViolations {
				continue
			}
			o = &object{at: f.at.up, schema: f.schema, found: map[string]bool{}}
			at[id] = o
			objects = append(objects, o)
		}
		owners[i] = o
		if f.kind == isMissing {
			o.missing = append(o.missing, f.at.key)
		} else {
			o.unknown = append(o.unknown, i)
			o.schema = f.schema
		}
	}
	return objects, owners
}

// maxStrays is how many names that mean nothing are told beside a missing argument.
const maxStrays = 3

// stray marks a fault that is one only if it turns out to be a misspelling.
const stray = "stray"

// strays returns members of an open object that have no schema, as faults for
// rename to judge.
func (c *check) strays(o *object, here map[string]any) (extra []fault) {
	if len(o.missing) == 0 || len(here) > 1000 || c.spent(len(here)) {
		return nil
	}
	declared := c.properties(o.schema)
	for _, name := range c.names(here) {
		if _, ok := declared[name]; !ok && len(extra) < maxViolations {
			extra = append(extra, fault{kind: isUnknown, at: o.at.member(name), schema: o.schema, value: here[name], want: stray})
		}
	}
	return extra
}

// meant looks for the argument that was meant by an unknown name, makes f say so
// and returns it; "" if there is none.
func (c *check) meant(f *fault, o *object, here map[string]any) string {
	sent, all := f.at.key, c.vocabulary(f.schema)
	if c.spent(5 * (len(o.missing) + len(all.names))) {
		return ""
	}
	var lacking, absent, present []string
	for _, name := range o.missing {
		if !o.claimed(name) {
			lacking = append(lacking, name)
		}
	}
	for _, name := range all.names {
		if _, ok := here[name]; ok {
			present = append(present, name)
		} else if !o.claimed(name) {
			absent = append(absent, name)
		}
	}
	if parent, rest, ok := dotted(sent); ok && all.schemas[parent] != nil {
		if _, isObject := here[parent].(map[string]any); isObject || here[parent] == nil {
			return f.within(parent, rest)
		}
	}
	parents := all.names
	if f.want == stray {
		absent = nil
		parents = slices.DeleteFunc(slices.Sorted(slices.Values(o.missing)), func(name string) bool { return all.schemas[name] == nil })
	}
	if name := c.likeliest(f, all, parents, lacking, absent); name != "" {
		return name
	}
	if f.want == stray {
		return ""
	}
	if near := c.nearest(sent, present); len(near) > 0 {
		f.kind, f.names = isRenamed, near[:1]
		f.want = "no such argument; " + near[0] + " is already set"
	}
	return ""
}

// likeliest looks for a name among those that are missing, then among the others:
// one that resembles the name sent, then one that means the same. Before the
// latter comes an object that has a member called so.
func (c *check) likeliest(f *fault, all *vocabulary, parents, lacking, absent []string) string {
	sent, parent, list := f.at.key, "", false
	for _, name := range parents {
		if parent != "" {
			break
		}
		o, items := held(all.schemas[name])
		if c.properties(o)[sent] != nil {
			parent, list = name, items
		}
	}
	for _, names := range [][]string{lacking, absent} {
		if near := c.nearest(sent, names); len(near) > 0 && (parent == "" || variant(sent, near[0])) {
			return c.instead(f, near, slices.Contains(lacking, near[0]))
		}
	}
	if parent != "" {
		f.list = list
		return f.within(parent, sent)
	}
	for i, names := range [][]string{lacking, absent} {
		for _, related := range []func(name string) bool{
			func(name string) bool { return akin(sent, name) },
			func(name string) bool { return tells(all.schemas[name], sent, i == 0) },
		} {
			if i := slices.IndexFunc(names, related); i >= 0 {
				return c.instead(f, names[i:i+1], slices.Contains(lacking, names[i]))
			}
		}
	}
	return ""
}

// dotted splits a.b and a[b], by which some mean b inside a.
func dotted(name string) (parent, rest string, ok bool) {
	if inner, closed := strings.CutSuffix(name, "]"); closed {
		parent, rest, ok = strings.Cut(inner, "[")
		rest = strings.ReplaceAll(rest, "][", ".")
	} else {
		parent, rest, ok = strings.Cut(name, ".")
	}
	return parent, rest, ok && rest != ""
}

// within makes f say that it belongs into an object.
func (f *fault) within(parent, name string) string {
	f.kind, f.names, f.inner = isRenamed, []string{parent}, name
	f.want = "no such argument; " + quoted(name) + " belongs into " + f.holder() + " " + quoted(parent)
	return parent
}

// holder says what an argument belongs into.
func (f *fault) holder() string {
	if f.list {
		return "an object of the list"
	}
	return "the object"
}

// held returns the schema of the objects that a value holds: the value itself, or the
// items of a list.
func held(s *draft.Schema) (o *draft.Schema, list bool) {
	for range maxWords {
		if s == nil || s.Ref == nil || s.Items != nil {
			break
		}
		s = s.Ref
	}
	if s != nil && s.Items != nil && accepted(s, maxWords)&objectType == 0 {
		return s.Items, true
	}
	return s, false
}

// instead makes f say which name to use.
func (c *check) instead(f *fault, near []string, required bool) string {
	f.kind, f.names = isRenamed, near
	f.member = c.property(f.schema, f.at.up.member(near[0]))
	f.want = "no such argument; did you mean " + quoted(near[0]) + "?"
	if required {
		f.want += " It is " + label("required: ", f.member)
	}
	return near[0]
}
