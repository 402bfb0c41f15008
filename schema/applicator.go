package schema

import (
	"maps"
	"slices"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// inPlace checks v itself with the subschemas that concern it as a whole.
func (c *check) inPlace(s *draft.Schema, v any, at *path, own *seen) (found []fault) {
	if s.Ref != nil {
		found = join(found, c.eval(s.Ref, v, at, own))
	}
	if s.RecursiveRef != nil || s.DynamicRef != nil {
		found = join(found, c.eval(c.target(s), v, at, own))
	}
	for _, sub := range s.AllOf {
		found = join(found, c.eval(sub, v, at, own))
	}
	if s.AnyOf != nil {
		found = join(found, c.anyOf(s, v, at, own))
	}
	if s.OneOf != nil {
		found = join(found, c.oneOf(s, v, at, own))
	}
	if s.Not != nil && len(c.asks(s.Not, v, at, nil)) == 0 {
		found = append(found, fault{kind: isNegated, at: at, schema: s, value: v})
	}
	if s.If != nil {
		branch := s.Else
		if len(c.asks(s.If, v, at, own)) == 0 {
			branch = s.Then
		}
		if branch != nil {
			wrong := c.eval(branch, v, at, own)
			if branch == s.Then {
				wrong = conditional(wrong, s.If)
			}
			found = join(found, wrong)
		}
	}
	o, ok := v.(map[string]any)
	if !ok {
		return found
	}
	c.spent(len(s.DependentSchemas) / 16)
	for name, sub := range s.DependentSchemas {
		if _, ok := o[name]; ok {
			found = join(found, c.eval(sub, v, at, own))
		}
	}
	return found
}

// dependent checks which members must come with which.
func (c *check) dependent(s *draft.Schema, o map[string]any, at *path) (found []fault) {
	c.spent(len(s.DependentRequired) / 16)
	for name, others := range s.DependentRequired {
		if _, ok := o[name]; !ok {
			continue
		}
		for _, other := range others {
			if _, ok := o[other]; !ok && !c.spent(1) && !c.fills(s.Properties[other]) {
				found = append(found, fault{kind: isDependent, at: at.member(other), schema: s, names: []string{name}})
			}
		}
	}
	return found
}

func (c *check) anyOf(s *draft.Schema, v any, at *path, own *seen) []fault {
	branches := make([][]fault, 0, len(s.AnyOf))
	matched := false
	for _, sub := range s.AnyOf {
		wrong := c.eval(sub, v, at, own)
		if len(wrong) == 0 {
			if own == nil {
				return nil
			}
			matched = true
		}
		branches = append(branches, wrong)
	}
	if matched {
		return nil
	}
	return closest(s, s.AnyOf, branches, v, at)
}

func (c *check) oneOf(s *draft.Schema, v any, at *path, own *seen) []fault {
	branches := make([][]fault, 0, len(s.OneOf))
	var matched []*draft.Schema
	filled := false // one fits if the tool fills in what is missing
	for _, sub := range s.OneOf {
		wrong := c.asks(sub, v, at, own)
		if len(wrong) == 0 {
			matched = append(matched, sub)
		} else if c.strict == 0 && onlyMissing(wrong) {
			// It can't make two of one, but it may be the one.
			wrong = c.eval(sub, v, at, own)
			filled = filled || len(wrong) == 0
		}
		branches = append(branches, wrong)
	}
	switch {
	case len(matched) == 1 || len(matched) == 0 && filled:
		return nil
	case len(matched) == 0:
		return closest(s, s.OneOf, branches, v, at)
	}
	several := fault{kind: isSeveralOf, at: at, schema: s, value: v}
	for _, sub := range matched {
		if len(several.names) > maxChoices { // more are not shown
			break
		}
		several.names = append(several.names, sub.Required...)
	}
	return []fault{several}
}

func onlyMissing(found []fault) bool {
	return !slices.ContainsFunc(found, func(f fault) bool { return f.kind != isMissing && f.kind != isDependent })
}

// closest returns what is wrong with the alternative that was probably meant:
// the one of the right type whose fixed values fit and that has fewest faults.
// If none stands out, all are named.
func closest(s *draft.Schema, subs []*draft.Schema, branches [][]fault, v any, at *path) []fault {
	none := []fault{{kind: isNoneOf, at: at, schema: s, value: v}}
	var near []int
	some := -1 // the only alternative that is not just null
	for i, wrong := range branches {
		if !slices.ContainsFunc(wrong, func(f fault) bool { return f.at == at && !inside(f.kind) }) {
			near = append(near, i)
		}
		if sub := subs[i]; sub.Types == nil || *sub.Types != nullType {
			if some >= 0 {
				some = len(branches)
			} else {
				some = i
			}
		}
	}
	if len(near) == 0 {
		if some >= 0 && some < len(branches) && v != nil {
			return branches[some]
		}
		return none
	}
	if names, ok := oneMissing(branches, near, at); ok && len(near) > 1 {
		return []fault{{kind: isOneMissing, at: at, schema: s, value: v, names: names}}
	}
	best, least := near[0], 1<<30
	var tags []fault
	for _, i := range near {
		n := len(branches[i])
		if f, ok := tag(branches[i], at); ok {
			n += maxFaults
			tags = append(tags, f)
		}
		if n < least {
			best, least = i, n
		}
	}
	if wrong, ok := merge(tags); ok && len(tags) == len(near) {
		return []fault{wrong}
	}
	return branches[best]
}

// tag returns the fault of a member that has one fixed value: it tells which
// alternative was meant.
func tag(found []fault, at *path) (fault, bool) {
	i := slices.IndexFunc(found, func(f fault) bool {
		return f.kind == isWrongValue && f.schema.Const != nil && f.at != nil && f.at.up == at
	})
	if i < 0 {
		return fault{}, false
	}
	return found[i], true
}

// merge makes one fault of those of the same member in several alternatives.
func merge(tags []fault) (fault, bool) {
	if len(tags) < 2 {
		return fault{}, false
	}
	var values []any
	for _, f := range tags {
		if f.at.key != tags[0].at.key {
			return fault{}, false
		}
		values = append(values, *f.schema.Const)
	}
	wrong := tags[0]
	wrong.schema = &draft.Schema{Enum: &draft.Enum{Values: values}}
	return wrong, true
}

// inside reports whether a fault of a value lies in what it holds rather than in
// what it is.
func inside(k kind) bool {
	switch k {
	case isWrongType, isWrongValue, isForbidden, isNoneOf, isNegated:
		return false
	}
	return true
}

// oneMissing returns the arguments one of which would do: each alternative lacks
// just one or more of them.
func oneMissing(branches [][]fault, near []int, at *path) (names []string, ok bool) {
	have := map[string]bool{}
	for _, i := range near {
		for _, f := range branches[i] {
			if f.kind != isMissing || f.at.up != at {
				return nil, false
			}
			if !have[f.at.key] {
				have[f.at.key] = true
				names = append(names, f.at.key)
			}
		}
	}
	return names, true
}

// conditional notes on faults found under then when that applies.
func conditional(found []fault, when *draft.Schema) []fault {
	missing := slices.ContainsFunc(found, func(f fault) bool { return f.kind == isMissing })
	if !missing || len(when.Required) == 0 && len(when.Properties) == 0 {
		return found
	}
	names := slices.Sorted(maps.Keys(when.Properties))
	if len(names) == 0 {
		names = when.Required
	}
	want := ""
	if sub := when.Properties[names[0]]; len(names) == 1 && sub != nil {
		want = expected(sub)
	}
	for i, f := range found {
		if f.kind == isMissing {
			found[i].kind, found[i].names, found[i].want = isDependent, names, want
		}
	}
	return found
}
