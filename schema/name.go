package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// known returns the names that a schema has properties for, in any of the
// places where it may have them.
func known(s *jsonschema.Schema) []string {
	return slices.Sorted(maps.Keys(properties(s)))
}

// property returns the schema of the member at a place, nil if it has none. A
// subschema that requires a member often leaves it to another to describe it: then
// the way there is gone from the root.
func (c *check) property(s *jsonschema.Schema, at *path) *jsonschema.Schema {
	if sub := properties(s)[at.key]; sub != nil {
		return sub
	}
	sub := c.schema.root
	for _, step := range at.steps() {
		if sub == nil {
			return nil
		}
		if step.index < 0 {
			sub = properties(sub)[step.key]
			continue
		}
		for range maxWords {
			if sub.Ref != nil {
				sub = sub.Ref
			}
		}
		prefix, rest := layout(sub)
		if sub = rest; step.index < len(prefix) {
			sub = prefix[step.index]
		}
	}
	return sub
}

// properties collects the members that s speaks of.
func properties(s *jsonschema.Schema) map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	visited := map[*jsonschema.Schema]bool{}
	var walk func(s *jsonschema.Schema)
	walk = func(s *jsonschema.Schema) {
		if s == nil || visited[s] || len(visited) > 100 {
			return
		}
		visited[s] = true
		for name, sub := range s.Properties {
			if _, ok := all[name]; !ok && (sub.Bool == nil || *sub.Bool) {
				all[name] = sub
			}
		}
		for _, sub := range slices.Concat([]*jsonschema.Schema{s.Ref, s.If, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf) {
			walk(sub)
		}
		for _, name := range slices.Sorted(maps.Keys(s.DependentSchemas)) {
			walk(s.DependentSchemas[name])
		}
	}
	walk(s)
	return all
}

// rename finds unknown names that are most likely misspelt ones, and makes one
// fault of both. Where a schema allows any name, a name counts as misspelt only
// if it resembles one that is required and missing.
func (c *check) rename(found []fault) []fault {
	type object struct {
		missing []string
		unknown []int
		schema  *jsonschema.Schema
	}
	objects := map[string]*object{}
	var places []string
	for i, f := range found {
		if f.kind != isMissing && f.kind != isUnknown {
			continue
		}
		at := f.at.up.pointer()
		if objects[at] == nil {
			objects[at] = &object{schema: f.schema}
			places = append(places, at)
		}
		o := objects[at]
		if f.kind == isMissing {
			o.missing = append(o.missing, f.at.key)
		} else {
			o.unknown = append(o.unknown, i)
			o.schema = f.schema
		}
	}
	done := map[string]bool{} // pointers of missing arguments that are there under another name
	for _, at := range places {
		o := objects[at]
		slices.SortFunc(o.unknown, func(i, j int) int { return strings.Compare(found[i].at.key, found[j].at.key) })
		here, _ := c.at(at).(map[string]any)
		if len(o.unknown) == 0 {
			found = append(found, strays(found, at, o.missing, o.schema, here)...)
			for i := range found {
				if found[i].kind == isUnknown && found[i].at.up.pointer() == at {
					o.unknown = append(o.unknown, i)
				}
			}
		}
		for _, i := range o.unknown[:min(len(o.unknown), maxViolations)] {
			f := &found[i]
			claimed := func(name string) bool { return done[at+"/"+escape.Replace(name)] }
			if name := c.meant(f, o.missing, here, claimed); name != "" {
				done[at+"/"+escape.Replace(name)] = true
				f.amiss = f.member != nil && len(c.eval(f.member, f.value, f.at, nil)) > 0
			}
		}
	}
	return slices.DeleteFunc(found, func(f fault) bool {
		return f.kind == isMissing && done[f.at.pointer()] || f.kind == isUnknown && f.want == stray
	})
}

// stray marks a fault that is one only if it turns out to be a misspelling.
const stray = "stray"

// strays returns the members of an open object that have no schema, as faults
// for rename to judge.
func strays(found []fault, at string, missing []string, s *jsonschema.Schema, here map[string]any) (extra []fault) {
	if len(missing) == 0 || len(here) > 1000 {
		return nil
	}
	var up *path
	for _, f := range found {
		if f.kind == isMissing && f.at.up.pointer() == at {
			up = f.at.up
			break
		}
	}
	declared := properties(s)
	for _, name := range slices.Sorted(maps.Keys(here)) {
		if _, ok := declared[name]; !ok {
			extra = append(extra, fault{kind: isUnknown, at: up.member(name), schema: s, value: here[name], want: stray})
		}
	}
	return extra
}

// meant looks for the argument that was meant by an unknown name, makes f say so
// and returns it; "" if there is none.
func (c *check) meant(f *fault, missing []string, here map[string]any, claimed func(string) bool) string {
	sent := f.at.key
	var lacking, absent, present []string
	for _, name := range missing {
		if !claimed(name) {
			lacking = append(lacking, name)
		}
	}
	all := properties(f.schema)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if _, ok := here[name]; ok {
			present = append(present, name)
		} else if !claimed(name) {
			absent = append(absent, name)
		}
	}
	if parent, rest, ok := strings.Cut(sent, "."); ok && slices.Contains(absent, parent) && rest != "" {
		return f.within(parent, rest)
	}
	if f.want == stray {
		absent = nil
	}
	for _, names := range [][]string{lacking, absent} {
		if near := Nearest(sent, names); len(near) > 0 {
			return c.instead(f, near, slices.Contains(lacking, near[0]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if f.want == stray && !slices.Contains(missing, name) {
			continue
		}
		if sub := properties(all[name])[sent]; sub != nil {
			return f.within(name, sent)
		}
	}
	for _, names := range [][]string{lacking, absent} {
		if i := slices.IndexFunc(names, func(name string) bool { return akin(sent, name) }); i >= 0 {
			return c.instead(f, names[i:i+1], slices.Contains(lacking, names[i]))
		}
	}
	if near := Nearest(sent, present); len(near) > 0 && f.want != stray {
		f.kind, f.names = isRenamed, near[:1]
		f.want = "no such argument; " + near[0] + " is already set"
	}
	return ""
}

// within makes f say that it belongs into an object.
func (f *fault) within(parent, name string) string {
	f.kind, f.names, f.inner = isRenamed, []string{parent}, name
	f.want = "no such argument; " + quoted(name) + " belongs into the object " + quoted(parent)
	return parent
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

// at returns the value that a JSON Pointer leads to through objects and lists.
func (c *check) at(pointer string) any {
	v := c.root
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = unescape.Replace(step)
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			i := 0
			for _, r := range step {
				i = i*10 + int(r-'0')
			}
			if i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		}
	}
	return v
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")
