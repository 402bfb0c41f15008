package draft

import (
	"encoding/json"
	"math/big"
	"strings"
)

// A shape is what a draft's own schema lets stand at a keyword. That schema says it
// too, but to evaluate it takes a hundred times as long as to compile the rest. Left
// out is what its formats say, that enum has no equal values, and that draft 4's
// exclusive limits come in pairs: no reason to do without the schema.
type shape int

const (
	unknown shape = iota // a word that is no keyword, or may have any value
	text
	anchor
	identifier
	flag
	number
	positive
	count
	list
	names
	someNames
	kinds
	nameTable
	flagTable
	subschema
	subschemas
	subschemaTable
	items
	additional
	dependencies
)

// shapeOf returns what a keyword has in a draft.
func shapeOf(keyword string, v Version) shape {
	switch keyword {
	case "$ref", "$schema", "title", "description", "format", "pattern":
		return text
	case "multipleOf":
		return positive
	case "maximum", "minimum":
		return number
	case "exclusiveMaximum", "exclusiveMinimum":
		return from(V6, v, number, flag)
	case "maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties":
		return count
	case "uniqueItems":
		return flag
	case "required":
		return from(V6, v, names, someNames)
	case "enum":
		return list
	case "type":
		return kinds
	case "allOf", "anyOf", "oneOf":
		return subschemas
	case "not":
		return subschema
	case "items":
		return from(V2020, v, subschema, items)
	case "additionalItems":
		return from(V2020, v, unknown, from(V6, v, subschema, additional))
	case "additionalProperties":
		return from(V6, v, subschema, additional)
	case "definitions", "properties", "patternProperties":
		return subschemaTable
	case "dependencies":
		return dependencies
	case "id":
		return from(V6, v, unknown, text)
	}
	return shapeOfLater(keyword, v)
}

// shapeOfLater is shapeOf for the keywords that draft 4 lacks.
func shapeOfLater(keyword string, v Version) shape {
	switch keyword {
	case "$id":
		return from(V2019, v, identifier, from(V6, v, text, unknown))
	case "contains", "propertyNames":
		return from(V6, v, subschema, unknown)
	case "examples": // in draft 6 too, but its schema first forgot it
		return from(V7, v, list, unknown)
	case "if", "then", "else":
		return from(V7, v, subschema, unknown)
	case "$comment", "contentEncoding", "contentMediaType":
		return from(V7, v, text, unknown)
	case "readOnly", "writeOnly":
		return from(V7, v, flag, unknown)
	case "$anchor":
		return from(V2019, v, anchor, unknown)
	case "$recursiveRef":
		return from(V2019, v, text, unknown)
	case "$recursiveAnchor":
		return from(V2020, v, anchor, from(V2019, v, flag, unknown))
	case "deprecated":
		return from(V2019, v, flag, unknown)
	case "$vocabulary":
		return from(V2019, v, flagTable, unknown)
	case "$defs", "dependentSchemas":
		return from(V2019, v, subschemaTable, unknown)
	case "dependentRequired":
		return from(V2019, v, nameTable, unknown)
	case "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return from(V2019, v, subschema, unknown)
	case "minContains", "maxContains":
		return from(V2019, v, count, unknown)
	case "$dynamicRef":
		return from(V2020, v, text, unknown)
	case "$dynamicAnchor":
		return from(V2020, v, anchor, unknown)
	case "prefixItems":
		return from(V2020, v, subschemas, unknown)
	}
	return unknown
}

// from returns now if v is since or later, and before if it is not.
func from(since, v Version, now, before shape) shape {
	if v >= since {
		return now
	}
	return before
}

// words says what has a shape.
func (sh shape) words(v Version) string {
	schema := "an object or true or false"
	if v == V4 {
		schema = "an object"
	}
	switch sh {
	case text:
		return "a text"
	case anchor:
		return "a name of letters, digits and _.-"
	case identifier:
		return "an address without a fragment"
	case flag:
		return "true or false"
	case number:
		return "a number"
	case positive:
		return "a number of more than 0"
	case count:
		return "a whole number of at least 0"
	case list:
		return "a list"
	case names:
		return "a list of different texts"
	case someNames:
		return "a list of at least one text, all different"
	case kinds:
		return "one of: " + strings.Join(typeNames[:], ", ") + ", or a list of some of them, all different"
	case nameTable:
		return "an object whose members are lists of different texts"
	case flagTable:
		return "an object whose members are true or false"
	case subschemas:
		return "a list of at least one item, each " + schema
	case subschemaTable, dependencies:
		return "an object"
	case items:
		return schema + ", or a list of at least one of these"
	}
	return schema
}

// admits reports whether a value has a shape other than those of subschemas.
func (sh shape) admits(v any, version Version) bool {
	switch v := v.(type) {
	case string:
		switch sh {
		case identifier:
			_, fragment, _ := strings.Cut(v, "#")
			return fragment == ""
		case anchor:
			return isAnchor(v, version)
		case kinds:
			return isType(v)
		}
		return sh == text
	case bool:
		return sh == flag
	case json.Number:
		r := rational(v)
		return sh == number || r != nil && (sh == positive && r.Sign() > 0 || sh == count && r.Sign() >= 0 && r.IsInt())
	case []any:
		switch sh {
		case list:
			return true
		case names, someNames, kinds:
			return areNames(v) && (sh == names || len(v) > 0) && (sh != kinds || areTypes(v))
		}
	case map[string]any:
		return sh == flagTable && all(v, flag, version) || sh == nameTable && all(v, names, version)
	}
	return false
}

func all(table map[string]any, sh shape, version Version) bool {
	for _, v := range table {
		if !sh.admits(v, version) {
			return false
		}
	}
	return true
}

// isAnchor reports whether a text is the plain name of a place.
func isAnchor(s string, v Version) bool {
	more := "-._"
	if v < V2020 {
		more = "-.:_"
	}
	for i, ch := range []byte(s) {
		letter := ch|0x20 >= 'a' && ch|0x20 <= 'z' || i == 0 && ch == '_' && v >= V2020
		if !letter && (i == 0 || (ch < '0' || ch > '9') && strings.IndexByte(more, ch) < 0) {
			return false
		}
	}
	return s != ""
}

func isType(s string) bool {
	var t Types
	t.Add(s)
	return t != 0
}

func areTypes(list []any) bool {
	for _, item := range list {
		if s, _ := item.(string); !isType(s) {
			return false
		}
	}
	return true
}

// areNames reports whether all items are texts, no two of them equal.
func areNames(list []any) bool {
	have := make(map[string]bool, len(list))
	for _, item := range list {
		s, ok := item.(string)
		if !ok || have[s] {
			return false
		}
		have[s] = true
	}
	return true
}

// rational returns the value of a number, nil if it is out of all proportion.
func rational(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return r
}
