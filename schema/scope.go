package schema

import "github.com/recourse-dev/recourse/schema/internal/draft"

// survey walks over all that can be reached from the root.
func (s *Schema) survey() {
	all := map[*draft.Schema]bool{}
	pending := []*draft.Schema{s.root}
	for len(pending) > 0 {
		sub := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if sub == nil || all[sub] {
			continue
		}
		all[sub] = true
		s.traced = s.traced || sub.UnevaluatedItems != nil || sub.UnevaluatedProperties != nil
		s.dynamic = s.dynamic || sub.DynamicRef != nil || sub.RecursiveRef != nil
		pending = appendChildren(pending, sub)
	}
	illustrate(all)
}

// target returns where a dynamic reference leads: to the outermost resource on
// the way here that has the anchor.
func (c *check) target(s *draft.Schema) *draft.Schema {
	c.spent(len(c.trail) / 8)
	if sub := s.RecursiveRef; sub != nil {
		for _, scope := range c.trail {
			if sub.RecursiveAnchor && scope.RecursiveAnchor {
				return scope
			}
		}
		return sub
	}
	ref := s.DynamicRef
	if ref.Anchor == "" || ref.Ref.DynamicAnchor != ref.Anchor {
		return ref.Ref
	}
	for _, scope := range c.trail {
		if sub := scope.DynamicAnchors[ref.Anchor]; sub != nil {
			return sub
		}
	}
	return ref.Ref
}

// appendChildren appends the subschemas of s that Check can come to; some may be
// nil.
func appendChildren(all []*draft.Schema, s *draft.Schema) []*draft.Schema {
	all = append(all,
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.AdditionalProperties, s.UnevaluatedProperties,
		s.Contains, s.Items, s.UnevaluatedItems,
	)
	if s.DynamicRef != nil {
		all = append(all, s.DynamicRef.Ref)
	}
	for _, list := range [][]*draft.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		all = append(all, list...)
	}
	for _, table := range []map[string]*draft.Schema{s.Properties, s.DependentSchemas, s.DynamicAnchors} {
		for _, sub := range table {
			all = append(all, sub)
		}
	}
	for _, sub := range s.PatternProperties {
		all = append(all, sub)
	}
	return all
}
