package draft

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
)

// An object is a schema that is not just true or false. What it holds has been
// found to be well-formed, so that nothing is told here of what is not.
type object struct {
	c *compiler
	p *place
	o map[string]any
	s *Schema
}

// read fills in the Schema.
func (b *object) read() error {
	if err := b.references(); err != nil {
		return err
	}
	if b.s.Version < V2019 && b.s.Ref != nil {
		return nil // what else is there must be ignored
	}
	b.general()
	b.limits()
	b.applicators()
	b.layout()
	b.members()
	return b.patterns()
}

func (b *object) references() (err error) {
	s := b.s
	if s.Ref, _, err = b.reference("$ref"); err != nil || s.Version < V2019 {
		return err
	}
	if s.RecursiveRef, _, err = b.reference("$recursiveRef"); err != nil {
		return err
	}
	s.RecursiveAnchor = b.flag("$recursiveAnchor")
	if s.Version < V2020 {
		return nil
	}
	s.DynamicAnchor = b.text("$dynamicAnchor")
	to, anchor, err := b.reference("$dynamicRef")
	if to != nil {
		s.DynamicRef = &DynamicRef{Ref: to, Anchor: anchor}
	}
	return err
}

func (b *object) reference(keyword string) (*Schema, string, error) {
	to, ok := b.o[keyword].(string)
	if !ok {
		return nil, "", nil
	}
	p, anchor, err := b.c.resolve(b.p.resource, to)
	if err != nil {
		return nil, "", err
	}
	return b.c.schema(p), anchor, nil
}

// general reads what concerns values of any type, and the annotations.
func (b *object) general() {
	s := b.s
	switch t := b.o["type"].(type) {
	case string:
		s.Types = new(Types)
		s.Types.Add(t)
	case []any:
		s.Types = new(Types)
		for _, name := range b.names("type") {
			s.Types.Add(name)
		}
	}
	if values, ok := b.o["enum"].([]any); ok {
		s.Enum = &Enum{Values: values}
	}
	if v, ok := b.o["const"]; ok && s.Version >= V6 {
		s.Const = &v
	}
	s.Title, s.Description = b.text("title"), b.text("description")
	if v, ok := b.o["default"]; ok {
		s.Default = &v
	}
	if s.Version >= V7 {
		s.Examples, _ = b.o["examples"].([]any)
	}
	s.Format = formats[b.text("format")]
}

func (b *object) limits() {
	s := b.s
	s.Minimum, s.ExclusiveMinimum = b.limit("minimum", "exclusiveMinimum")
	s.Maximum, s.ExclusiveMaximum = b.limit("maximum", "exclusiveMaximum")
	s.MultipleOf = b.number("multipleOf")
	s.MinLength, s.MaxLength = b.count("minLength"), b.count("maxLength")
	s.MinItems, s.MaxItems = b.count("minItems"), b.count("maxItems")
	s.UniqueItems = b.flag("uniqueItems")
	s.MinProperties, s.MaxProperties = b.count("minProperties"), b.count("maxProperties")
}

// limit returns a limit and one that excludes itself: in draft 4 the latter says
// so of the former.
func (b *object) limit(keyword, exclusive string) (with, without *big.Rat) {
	with, without = b.number(keyword), b.number(exclusive)
	if b.flag(exclusive) {
		return nil, with
	}
	return with, without
}

func (b *object) applicators() {
	s := b.s
	s.AllOf, s.AnyOf, s.OneOf = b.list("allOf"), b.list("anyOf"), b.list("oneOf")
	s.Not = b.sub("not")
	if s.Version >= V7 {
		if s.If = b.sub("if"); s.If != nil {
			s.Then, s.Else = b.sub("then"), b.sub("else")
		}
	}
}

// layout reads what concerns the items of a list.
func (b *object) layout() {
	s := b.s
	_, isList := b.o["items"].([]any)
	switch {
	case s.Version >= V2020:
		s.PrefixItems, s.Items = b.list("prefixItems"), b.sub("items")
	case isList:
		s.PrefixItems, s.Items = b.list("items"), b.sub("additionalItems")
	default:
		s.Items = b.sub("items")
	}
	if s.Version >= V6 {
		s.Contains = b.sub("contains")
	}
	if s.Version >= V2019 {
		if s.Contains != nil {
			s.MinContains, s.MaxContains = b.count("minContains"), b.count("maxContains")
		}
		s.UnevaluatedItems = b.sub("unevaluatedItems")
	}
}

// members reads what concerns the members of an object.
func (b *object) members() {
	s := b.s
	s.Required = b.names("required")
	s.Properties = b.table("properties")
	s.AdditionalProperties = b.sub("additionalProperties")
	if s.Version >= V6 {
		s.PropertyNames = b.sub("propertyNames")
	}
	if s.Version >= V2019 {
		s.DependentSchemas = b.table("dependentSchemas")
		lists, _ := b.o["dependentRequired"].(map[string]any)
		for name, list := range lists {
			b.require(name, texts(list))
		}
		s.UnevaluatedProperties = b.sub("unevaluatedProperties")
	}
	table, _ := b.o["dependencies"].(map[string]any)
	for _, name := range sorted(table) {
		if list, ok := table[name].([]any); ok {
			b.require(name, texts(list))
			continue
		}
		if s.DependentSchemas == nil {
			s.DependentSchemas = map[string]*Schema{}
		}
		sub := b.c.schema(b.p.child("dependencies").child(name))
		if other := s.DependentSchemas[name]; other != nil {
			sub = &Schema{Version: s.Version, AllOf: []*Schema{other, sub}}
		}
		s.DependentSchemas[name] = sub
	}
}

// require notes that a member must come with others.
func (b *object) require(name string, others []string) {
	if b.s.DependentRequired == nil {
		b.s.DependentRequired = map[string][]string{}
	}
	b.s.DependentRequired[name] = append(b.s.DependentRequired[name], others...)
}

// patterns reads what its engine compiles.
func (b *object) patterns() (err error) {
	compiled := func(keyword, source string) Regexp {
		re, e := b.c.engine(source)
		if e != nil && err == nil {
			err = &PatternError{At: b.p.pointer() + "/" + keyword, Pattern: source, Err: e}
		}
		return re
	}
	if source, ok := b.o["pattern"].(string); ok {
		b.s.Pattern = compiled("pattern", source)
	}
	if table := b.table("patternProperties"); table != nil {
		b.s.PatternProperties = make(map[Regexp]*Schema, len(table))
		for _, source := range sorted(table) {
			b.s.PatternProperties[compiled("patternProperties", source)] = table[source]
		}
	}
	return err
}

// sub returns the subschema at a keyword, nil if there is none.
func (b *object) sub(keyword string) *Schema {
	if _, ok := b.o[keyword]; !ok {
		return nil
	}
	return b.c.schema(b.p.child(keyword))
}

func (b *object) list(keyword string) []*Schema {
	items, ok := b.o[keyword].([]any)
	if !ok {
		return nil
	}
	within := b.p.child(keyword)
	subs := make([]*Schema, len(items))
	for i := range items {
		subs[i] = b.c.schema(within.child(strconv.Itoa(i)))
	}
	return subs
}

func (b *object) table(keyword string) map[string]*Schema {
	members, ok := b.o[keyword].(map[string]any)
	if !ok {
		return nil
	}
	within := b.p.child(keyword)
	subs := make(map[string]*Schema, len(members))
	for _, name := range sorted(members) {
		subs[name] = b.c.schema(within.child(name))
	}
	return subs
}

func (b *object) text(keyword string) string {
	s, _ := b.o[keyword].(string)
	return s
}

func (b *object) flag(keyword string) bool {
	v, _ := b.o[keyword].(bool)
	return v
}

func (b *object) number(keyword string) *big.Rat {
	n, ok := b.o[keyword].(json.Number)
	if !ok {
		return nil
	}
	return rational(n)
}

// count returns a number of things; a larger one than there can be is the largest.
func (b *object) count(keyword string) *int {
	r := b.number(keyword)
	if r == nil {
		return nil
	}
	n := math.MaxInt
	if r.Num().IsInt64() && r.Num().Int64() < int64(n) {
		n = int(r.Num().Int64())
	}
	return &n
}

func (b *object) names(keyword string) []string { return texts(b.o[keyword]) }

func texts(v any) (all []string) {
	items, _ := v.([]any)
	for _, item := range items {
		if s, ok := item.(string); ok {
			all = append(all, s)
		}
	}
	return all
}
