package schema

import (
	"maps"
	"slices"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// A vocabulary holds the members that a schema speaks of, in any of the places
// where it may do so.
type vocabulary struct {
	schemas map[string]*draft.Schema
	names   []string // in the order of the alphabet
}

var silent = &vocabulary{}

// vocabulary returns that of s; an empty one if c has no steps left to collect it.
func (c *check) vocabulary(s *draft.Schema) *vocabulary {
	if s == nil {
		return silent
	}
	if all := c.spoken[s]; all != nil {
		return all
	}
	all := &vocabulary{schemas: map[string]*draft.Schema{}}
	visited := map[*draft.Schema]bool{}
	var walk func(s *draft.Schema)
	walk = func(s *draft.Schema) {
		if s == nil || visited[s] || len(visited) > 100 || c.spent(1+len(s.Properties)+len(s.DependentSchemas)) {
			return
		}
		visited[s] = true
		for name, sub := range s.Properties {
			if _, ok := all.schemas[name]; !ok && (sub.Bool == nil || *sub.Bool) {
				all.schemas[name] = sub
			}
		}
		for _, sub := range slices.Concat([]*draft.Schema{s.Ref, s.If, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf) {
			walk(sub)
		}
		for _, name := range slices.Sorted(maps.Keys(s.DependentSchemas)) {
			walk(s.DependentSchemas[name])
		}
	}
	walk(s)
	if c.out {
		return silent
	}
	all.names = slices.Sorted(maps.Keys(all.schemas))
	if c.spoken == nil {
		c.spoken = map[*draft.Schema]*vocabulary{}
	}
	c.spoken[s] = all
	return all
}

func (c *check) properties(s *draft.Schema) map[string]*draft.Schema {
	return c.vocabulary(s).schemas
}

func (c *check) known(s *draft.Schema) []string { return c.vocabulary(s).names }

// property returns the schema of the member at a place, nil if it has none. A
// subschema that requires a member often leaves it to another to describe it: then
// the way there is gone from the root.
func (c *check) property(s *draft.Schema, at *path) *draft.Schema {
	if sub := c.properties(s)[at.key]; sub != nil {
		return sub
	}
	sub := c.schema.root
	for _, step := range at.steps() {
		if sub == nil {
			return nil
		}
		if step.index < 0 {
			sub = c.properties(sub)[step.key]
			continue
		}
		for range maxWords {
			if sub.Ref != nil {
				sub = sub.Ref
			}
		}
		prefix, rest := sub.PrefixItems, sub.Items
		if sub = rest; step.index < len(prefix) {
			sub = prefix[step.index]
		}
	}
	return sub
}

// nearest is Nearest, as long as there are steps for it.
func (c *check) nearest(name string, names []string) []string {
	if c.spent(15 * min(len(names), 1000)) {
		return nil
	}
	return Nearest(name, names)
}
