package schema

import (
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// scopes knows the dynamic anchors of each resource, and which subschemas belong
// to it. The compiler knows too, but keeps it to itself.
type scopes struct {
	roots   map[string][]string                                  // of a document: the pointers to its embedded resources
	anchors map[*jsonschema.Schema]map[string]*jsonschema.Schema // of the resource that a subschema belongs to, by name
}

// survey walks over all that can be reached from the root.
func (s *Schema) survey(c *jsonschema.Compiler, doc any) {
	all := map[*jsonschema.Schema]bool{}
	if s.visit(all, s.root) {
		s.scopes = &scopes{roots: map[string][]string{}, anchors: map[*jsonschema.Schema]map[string]*jsonschema.Schema{}}
		s.scopes.find(doc, "", func(at string) {
			if sub, err := c.Compile(base + "#" + at); err == nil {
				s.visit(all, sub)
			}
		})
		resources := map[string]map[string]*jsonschema.Schema{}
		for sub := range all {
			resource := s.scopes.resource(sub)
			if resources[resource] == nil {
				resources[resource] = map[string]*jsonschema.Schema{}
			}
			s.scopes.anchors[sub] = resources[resource]
			if sub.DynamicAnchor != "" {
				resources[resource][sub.DynamicAnchor] = sub
			}
		}
	}
	illustrate(all)
}

// visit adds to all what can be reached from sub, and reports whether a dynamic
// reference is among it.
func (s *Schema) visit(all map[*jsonschema.Schema]bool, sub *jsonschema.Schema) (dynamic bool) {
	pending := []*jsonschema.Schema{sub}
	for len(pending) > 0 {
		sub := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if sub == nil || all[sub] {
			continue
		}
		all[sub] = true
		s.traced = s.traced || sub.UnevaluatedItems != nil || sub.UnevaluatedProperties != nil
		dynamic = dynamic || sub.DynamicRef != nil || sub.RecursiveRef != nil
		pending = append(pending, children(sub)...)
	}
	return dynamic
}

// find notes the embedded resources of the document and reports where it has
// dynamic anchors: nothing else may lead there.
func (sc *scopes) find(v any, at string, anchored func(at string)) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			sc.find(item, at+"/"+strconv.Itoa(i), anchored)
		}
	case map[string]any:
		if id, ok := v["$id"].(string); ok && at != "" && !strings.HasPrefix(id, "#") {
			sc.roots[base] = append(sc.roots[base], at)
		}
		if _, ok := v["$dynamicAnchor"].(string); ok {
			anchored(at)
		}
		for key, member := range v {
			sc.find(member, at+"/"+escape.Replace(key), anchored)
		}
	}
}

// resource returns the name of the resource that sub belongs to.
func (sc *scopes) resource(sub *jsonschema.Schema) string {
	doc, at, _ := strings.Cut(sub.Location, "#")
	longest := ""
	for _, root := range sc.roots[doc] {
		if len(root) > len(longest) && (at == root || strings.HasPrefix(at, root+"/")) {
			longest = root
		}
	}
	return doc + "#" + longest
}

// target returns where a dynamic reference leads: to the outermost resource on
// the way here that has the anchor.
func (c *check) target(s *jsonschema.Schema) *jsonschema.Schema {
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
		if sub := c.schema.scopes.anchors[scope][ref.Anchor]; sub != nil {
			return sub
		}
	}
	return ref.Ref
}

// children returns the subschemas of s that Check can come to; some may be nil.
func children(s *jsonschema.Schema) []*jsonschema.Schema {
	all := []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems,
	}
	if s.DynamicRef != nil {
		all = append(all, s.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		all = append(all, list...)
	}
	for _, table := range []map[string]*jsonschema.Schema{s.Properties, s.DependentSchemas} {
		for _, sub := range table {
			all = append(all, sub)
		}
	}
	for _, sub := range s.PatternProperties {
		all = append(all, sub)
	}
	for _, sub := range s.Dependencies {
		if sub, ok := sub.(*jsonschema.Schema); ok {
			all = append(all, sub)
		}
	}
	for _, sub := range []any{s.AdditionalProperties, s.AdditionalItems, s.Items} {
		switch sub := sub.(type) {
		case *jsonschema.Schema:
			all = append(all, sub)
		case []*jsonschema.Schema:
			all = append(all, sub...)
		}
	}
	return all
}
