package draft

import (
	"math/big"
	"strings"
)

// A Schema is a compiled schema or subschema. What its draft lacks, and what it
// must ignore beside $ref, is absent. Keywords are written as in draft 2020-12,
// whatever the draft: what were Items in a list are PrefixItems, additionalItems
// are Items, and dependencies are split.
type Schema struct {
	Version Version
	Bool    *bool // of a boolean schema, and true for {}

	Ref             *Schema
	RecursiveRef    *Schema
	RecursiveAnchor bool
	DynamicRef      *DynamicRef
	DynamicAnchor   string
	DynamicAnchors  map[string]*Schema // of the resource that it belongs to, by name

	Types *Types
	Enum  *Enum
	Const *any

	AllOf, AnyOf, OneOf []*Schema
	Not                 *Schema
	If, Then, Else      *Schema // Then and Else only with If

	MinProperties, MaxProperties *int
	Required                     []string
	PropertyNames                *Schema
	Properties                   map[string]*Schema
	PatternProperties            map[Regexp]*Schema
	AdditionalProperties         *Schema
	DependentRequired            map[string][]string
	DependentSchemas             map[string]*Schema
	UnevaluatedProperties        *Schema

	MinItems, MaxItems       *int
	UniqueItems              bool
	Contains                 *Schema
	MinContains, MaxContains *int // only with Contains
	PrefixItems              []*Schema
	Items                    *Schema // of those after PrefixItems
	UnevaluatedItems         *Schema

	MinLength, MaxLength *int
	Pattern              Regexp
	Format               *Format // nil if it is none that the drafts have

	Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum *big.Rat
	MultipleOf                                           *big.Rat

	Title, Description string
	Default            *any
	Examples           []any

	place *place
}

// Location returns the address of the schema, with a JSON Pointer as its fragment.
func (s *Schema) Location() string {
	if s.place == nil {
		return ""
	}
	return s.place.root().token + "#" + s.place.pointer()
}

// A DynamicRef is a reference that may lead to another resource's anchor of the
// same name.
type DynamicRef struct {
	Ref    *Schema
	Anchor string // "" if it does not name one
}

// An Enum holds the values of which an instance must be one.
type Enum struct {
	Values []any
}

// A Regexp is a compiled pattern.
type Regexp interface {
	MatchString(string) bool
}

// A RegexpEngine compiles a pattern.
type RegexpEngine func(string) (Regexp, error)

// Types is a set of types.
type Types int

var typeNames = [...]string{"null", "boolean", "number", "integer", "string", "array", "object"}

// Add adds a type by its name. Other names are ignored.
func (t *Types) Add(name string) {
	for i, n := range typeNames {
		if n == name {
			*t |= 1 << i
		}
	}
}

// ToStrings returns the names of the types.
func (t Types) ToStrings() (names []string) {
	for i, n := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

func (t Types) String() string { return "[" + strings.Join(t.ToStrings(), ",") + "]" }
