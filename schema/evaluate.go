package schema

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// eval returns what s finds wrong with v. What s has evaluated of v it adds to
// up, unless that is nil or something is wrong.
func (c *check) eval(s *draft.Schema, v any, at *path, up *seen) []fault {
	c.depth++
	defer func() { c.depth-- }()
	if c.out = c.out || c.depth > maxDepth; c.spent(1) {
		return nil
	}
	if s.Bool != nil {
		if *s.Bool {
			return nil
		}
		return []fault{{kind: isForbidden, at: at, schema: s, value: v}}
	}
	if s.Ref != nil && s.Version < draft.V2019 {
		return c.eval(s.Ref, v, at, up) // what else is there doesn't count
	}
	if c.schema.dynamic {
		c.trail = append(c.trail, s)
		defer func() { c.trail = c.trail[:len(c.trail)-1] }()
	}
	var own *seen
	if c.schema.traced {
		own = &seen{}
	}
	found := c.general(s, v, at)
	if len(found) > 0 {
		return found // the rest would only say in other words that it is something else
	}
	found = c.inPlace(s, v, at, own)
	switch v := v.(type) {
	case json.Number:
		found = join(found, c.number(s, v, at))
	case string:
		found = join(found, c.text(s, v, at))
	case []any:
		found = join(found, c.array(s, v, at, own))
	case map[string]any:
		found = join(found, c.object(s, v, at, own))
	}
	if len(found) == 0 {
		if own != nil && up != nil {
			c.spent((len(own.members) + len(own.items)) / 4)
		}
		up.merge(own)
	}
	found = found[:min(len(found), maxFaults)]
	c.spent(len(found) / 16) // they may be copied
	return found
}

// general checks the keywords that concern a value of any type.
func (c *check) general(s *draft.Schema, v any, at *path) []fault {
	if s.Types != nil && *s.Types != 0 && !admits(*s.Types, v) {
		return []fault{{kind: isWrongType, at: at, schema: s, value: v}}
	}
	if s.Const != nil && !c.equal(v, *s.Const) {
		return []fault{{kind: isWrongValue, at: at, schema: s, value: v}}
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum.Values, func(e any) bool { return c.equal(v, e) }) {
		return []fault{{kind: isWrongValue, at: at, schema: s, value: v}}
	}
	return nil
}

// The types as the compiler codes them.
var (
	nullType    = typesOf("null")
	booleanType = typesOf("boolean")
	numberType  = typesOf("number")
	integerType = typesOf("integer")
	stringType  = typesOf("string")
	arrayType   = typesOf("array")
	objectType  = typesOf("object")
)

func typesOf(name string) (t draft.Types) {
	t.Add(name)
	return t
}

func admits(types draft.Types, v any) bool {
	switch v := v.(type) {
	case nil:
		return types&nullType != 0
	case bool:
		return types&booleanType != 0
	case json.Number:
		return types&numberType != 0 || types&integerType != 0 && whole(v)
	case string:
		return types&stringType != 0
	case []any:
		return types&arrayType != 0
	default:
		return types&objectType != 0
	}
}

func (c *check) number(s *draft.Schema, n json.Number, at *path) (found []fault) {
	c.spent(len(n) / 64)
	add := func(k kind) { found = append(found, fault{kind: k, at: at, schema: s, value: n}) }
	if s.Minimum != nil && c.compare(n, s.Minimum) < 0 || s.ExclusiveMinimum != nil && c.compare(n, s.ExclusiveMinimum) <= 0 {
		add(isTooSmall)
	}
	if s.Maximum != nil && c.compare(n, s.Maximum) > 0 || s.ExclusiveMaximum != nil && c.compare(n, s.ExclusiveMaximum) >= 0 {
		add(isTooLarge)
	}
	if s.MultipleOf != nil && !c.multiple(n, s.MultipleOf) {
		add(isUneven)
	}
	return found
}

func (c *check) text(s *draft.Schema, text string, at *path) (found []fault) {
	add := func(k kind) { found = append(found, fault{kind: k, at: at, schema: s, value: text}) }
	if s.MinLength != nil || s.MaxLength != nil {
		c.spent(len(text) / 256)
		n := utf8.RuneCountInString(text)
		if s.MinLength != nil && n < *s.MinLength {
			add(isTooShort)
		}
		if s.MaxLength != nil && n > *s.MaxLength {
			add(isTooLong)
		}
	}
	if s.Format != nil && c.schema.StrictFormats && !c.spent(len(text)/64) && !formed(s.Format, text) {
		add(isFormat)
	} else if s.Pattern != nil && !c.matches(s.Pattern, text) {
		add(isMismatch)
	}
	return found
}

func (c *check) array(s *draft.Schema, items []any, at *path, own *seen) (found []fault) {
	add := func(k kind) { found = append(found, fault{kind: k, at: at, schema: s, value: items}) }
	if s.MinItems != nil && len(items) < *s.MinItems {
		add(isTooFew)
	}
	if s.MaxItems != nil && len(items) > *s.MaxItems {
		add(isTooMany)
	}
	if s.UniqueItems {
		if twice, ok := c.unique(items); !ok {
			found = append(found, fault{kind: isRepeated, at: at, schema: s, value: items, item: twice})
		}
	}
	prefix, rest := s.PrefixItems, s.Items
	for i, item := range items {
		switch {
		case i < len(prefix):
			found = join(found, c.eval(prefix[i], item, at.item(i), nil))
			own.item(i)
		case rest == nil:
		case rest.Bool != nil && !*rest.Bool:
			found = append(found, fault{kind: isTooMany, at: at, schema: s, value: items})
			return append(found, c.contains(s, items, at, own)...)
		default:
			found = join(found, c.eval(rest, item, at.item(i), nil))
		}
		if c.out || len(found) > maxFaults {
			return found
		}
	}
	if rest != nil && own != nil {
		own.allItems = true
	}
	found = join(found, c.contains(s, items, at, own))
	if s.UnevaluatedItems != nil && len(found) == 0 && !own.allItems {
		for i, item := range items {
			if !own.items[i] && closedBy(s.UnevaluatedItems) {
				return []fault{{kind: isTooMany, at: at, schema: s, value: items}}
			}
			if !own.items[i] {
				found = join(found, c.eval(s.UnevaluatedItems, item, at.item(i), nil))
			}
		}
		own.allItems = true
	}
	return found
}

func (c *check) contains(s *draft.Schema, items []any, at *path, own *seen) []fault {
	if s.Contains == nil {
		return nil
	}
	n, filled := 0, 0 // the latter if the tool fills in what is missing
	for i, item := range items {
		wrong := c.asks(s.Contains, item, at.item(i), nil)
		if len(wrong) > 0 && c.strict == 0 && onlyMissing(wrong) && len(c.eval(s.Contains, item, at.item(i), nil)) == 0 {
			filled++
		}
		if len(wrong) == 0 {
			n++
			if s.Version >= draft.V2020 {
				own.item(i)
			}
		}
	}
	least := 1
	if s.MinContains != nil {
		least = *s.MinContains
	}
	if n+filled < least || s.MaxContains != nil && n > *s.MaxContains {
		return []fault{{kind: isContains, at: at, schema: s, value: items}}
	}
	return nil
}

func (c *check) object(s *draft.Schema, o map[string]any, at *path, own *seen) (found []fault) {
	if s.MinProperties != nil && len(o) < *s.MinProperties {
		found = append(found, fault{kind: isTooFew, at: at, schema: s, value: o})
	}
	if s.MaxProperties != nil && len(o) > *s.MaxProperties {
		found = append(found, fault{kind: isTooMany, at: at, schema: s, value: o})
	}
	c.spent(len(s.Required) / 16)
	for _, name := range s.Required {
		if _, ok := o[name]; !ok && !c.spent(1) && !c.fills(s.Properties[name]) {
			found = append(found, fault{kind: isMissing, at: at.member(name), schema: s})
		}
	}
	found = join(found, c.dependent(s, o, at))
	if s.PropertyNames != nil {
		for _, name := range c.names(o) {
			if wrong := c.eval(s.PropertyNames, name, at.member(name), nil); len(wrong) > 0 {
				found = append(found, fault{kind: isName, at: at.member(name), schema: s, value: name, member: wrong[0].schema})
			}
			if c.out || len(found) > maxFaults {
				return found
			}
		}
	}
	if len(s.Properties) > 0 || len(s.PatternProperties) > 0 || s.AdditionalProperties != nil {
		found = join(found, c.members(s, o, at, own))
	}
	if s.UnevaluatedProperties != nil && len(found) == 0 && !own.allMembers {
		for _, name := range c.names(o) {
			if !own.members[name] {
				found = join(found, c.extra(s, s.UnevaluatedProperties, name, o[name], at))
			}
		}
		own.allMembers = true
	}
	return found
}

// fills reports whether the tool itself fills in a missing argument.
func (c *check) fills(s *draft.Schema) bool {
	for range maxWords {
		if s == nil || s.Default != nil {
			break
		}
		s = s.Ref
	}
	return c.strict == 0 && s != nil && s.Default != nil
}

// asks is eval to the letter. Where the answer may
// be held against the arguments, leniency would turn into its opposite.
func (c *check) asks(s *draft.Schema, v any, at *path, own *seen) []fault {
	c.strict++
	defer func() { c.strict-- }()
	return c.eval(s, v, at, own)
}

// names returns the names of the members in a fixed order: which faults are found
// before there are too many must not depend on chance.
func (c *check) names(o map[string]any) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	if len(names) > 16 {
		c.spent(len(names))
	}
	slices.Sort(names)
	return names
}

// members checks each member with the schemas that are there for it.
func (c *check) members(s *draft.Schema, o map[string]any, at *path, own *seen) (found []fault) {
	rest := s.AdditionalProperties
	for _, name := range c.names(o) {
		if c.spent(1+len(name)/256) || len(found) > maxFaults {
			return found
		}
		member := o[name]
		known := false
		if sub, ok := s.Properties[name]; ok {
			known = true
			found = join(found, c.eval(sub, member, at.member(name), nil))
		}
		for re, sub := range s.PatternProperties {
			if c.matches(re, name) {
				known = true
				found = join(found, c.eval(sub, member, at.member(name), nil))
			}
		}
		if !known && rest != nil {
			found = join(found, c.extra(s, rest, name, member, at))
		}
		if known || rest != nil {
			own.member(name)
		}
	}
	return found
}

// extra checks a member that has no schema of its own.
func (c *check) extra(s, rest *draft.Schema, name string, member any, at *path) []fault {
	if rest.Bool != nil && !*rest.Bool {
		return []fault{{kind: isUnknown, at: at.member(name), schema: s, value: member}}
	}
	return c.eval(rest, member, at.member(name), nil)
}
