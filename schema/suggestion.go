package schema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/internal/redact"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// suggestion says what to do about a fault.
func (c *check) suggestion(f fault) string {
	name := f.at.name()
	if f.excluded() {
		if f.at == nil {
			return "Leave all arguments out."
		}
		return "Leave " + name + " out."
	}
	switch f.kind {
	case isMissing, isDependent:
		if d := described(f.member); d != "" && f.member.Enum == nil && f.member.Const == nil {
			return strings.TrimSuffix("Add "+name+": "+lower(d), "…") + "."
		}
		return "Add " + name + " and set it to " + value(f.member) + "."
	case isOneMissing:
		return "Add one of " + listed(f.names) + into(" to ", f.at) + "."
	case isUnknown:
		if len(f.names) > 0 {
			return "Leave " + name + " out; use only " + and(f.names) + "."
		}
		return "Leave " + name + " out."
	case isRenamed:
		return f.renaming(name)
	case isWrapper:
		if f.want != "" {
			return "Send " + and(f.names) + " at the top level of an object, not as text inside " + name + "."
		}
		return "Send " + and(f.names) + " at the top level, not inside " + name + "."
	case isSeveralOf:
		if len(f.names) > 0 {
			return "Send only one of " + listed(f.names) + into(" in ", f.at) + "."
		}
		return "Change " + name + " so that it is only one of: " + alternatives(f) + "."
	case isName:
		return "Rename " + name + " to " + expected(f.member) + "."
	case isRepeated:
		if secret(f.at) {
			return "Send each item of " + name + " once."
		}
		return "Send each item of " + name + " once; " + written(f.item) + " is there twice."
	case isNegated:
		if names := f.schema.Not.Required; len(names) == 1 {
			return "Leave " + f.at.member(names[0]).name() + " out."
		} else if len(names) > 1 {
			return "Send only some of " + and(names) + ", not all together."
		}
		return "Change " + name + " to " + f.constraint() + "."
	case isContains:
		return "Change " + name + " to " + f.constraint() + "."
	case isTooFew, isTooMany:
		return "Change " + name + " to " + value(f.schema) + "."
	}
	if s := c.conversion(f, name); s != "" {
		return s
	}
	return "Set " + name + " to " + value(f.schema) + c.orOmit(f) + "."
}

// into names the object at a place; the arguments as a whole go without saying.
func into(word string, at *path) string {
	if at == nil {
		return ""
	}
	return word + at.name()
}

// excluded reports whether no value at all would do.
func (f fault) excluded() bool {
	switch f.kind {
	case isForbidden:
		return true
	case isName:
		return closedBy(f.member)
	case isWrongValue:
		return f.schema.Const == nil && len(allowed(f.schema)) == 0
	}
	return false
}

func (f fault) renaming(name string) string {
	if f.inner != "" {
		words := "Send " + quoted(f.inner) + " inside the object " + f.at.up.member(f.names[0]).name()
		if f.inner != f.at.key {
			words += ", not as " + name
		}
		return words + "."
	}
	if strings.HasSuffix(f.want, "is already set") {
		return "Leave " + name + " out; " + f.names[0] + " is already set."
	}
	words := "Use " + f.at.up.member(f.names[0]).name() + " instead of " + name
	if f.amiss {
		words += ", and set it to " + value(f.member)
	}
	return words + "."
}

// value names what a schema accepts, as the object of "set to".
func value(s *jsonschema.Schema) string {
	if s == nil {
		return "any value"
	}
	return strings.Replace(clip(expected(s), 300), "exactly ", "", 1)
}

// conversion advises on values that only have to be written otherwise.
func (c *check) conversion(f fault, name string) string {
	if f.kind != isWrongType && f.kind != isWrongValue && f.kind != isNoneOf {
		return ""
	}
	wanted := accepted(f.schema, maxWords)
	switch v := f.value.(type) {
	case nil:
		if c.optional(f.at) {
			return "Leave " + name + " out, or set it to " + value(f.schema) + "."
		}
	case string:
		return c.fromText(f, name, v, wanted)
	case json.Number, bool:
		return c.fromScalar(f, name, wanted)
	case []any:
		return fromList(name, v, wanted)
	case map[string]any:
		return c.fromObject(f, name, v, wanted)
	}
	return ""
}

func (c *check) fromText(f fault, name, text string, wanted jsonschema.Types) string {
	if f.kind == isWrongValue {
		return c.fromChoice(f, name, text)
	}
	trimmed := strings.TrimSpace(text)
	inner, err := c.decode([]byte(trimmed))
	switch inner := inner.(type) {
	case []any:
		if wanted&arrayType != 0 {
			return "Send " + name + " as a list itself, not as a text that holds one."
		}
	case map[string]any:
		if wanted&objectType != 0 {
			return "Send " + name + " as an object itself, not as a text that holds one."
		}
	case json.Number:
		if err == nil && c.fits(f, inner) {
			if secret(f.at) {
				return "Send " + name + " as a number, without quotes."
			}
			return "Send " + name + " as the number " + written(inner) + `, not as the text "` + clip(trimmed, 60) + `".`
		}
	}
	if wanted&booleanType != 0 {
		if b, ok := yes[strings.ToLower(trimmed)]; ok {
			return "Send " + name + " as " + b + ", without quotes."
		}
	}
	if none[strings.ToLower(trimmed)] && c.optional(f.at) {
		return "Leave " + name + " out, or set it to " + value(f.schema) + "."
	}
	if wanted&(numberType|integerType) != 0 && strings.ContainsAny(trimmed, "0123456789") {
		return "Set " + name + " to " + value(f.schema) + " in plain digits, without a unit or other words."
	}
	if wanted&arrayType != 0 {
		if strings.HasPrefix(trimmed, "[") {
			return "Send " + name + " as a list itself, not as a text."
		}
		return c.enlist(f, name, text)
	}
	if wanted&objectType != 0 {
		if strings.Contains(trimmed, "{") {
			return "Send " + name + " as an object itself, not as a text."
		}
		return "Send " + name + " as an object such as " + c.template(f.schema) + "."
	}
	return ""
}

// yes holds what models write for true and false.
var yes = map[string]string{
	"true": "true", "yes": "true", "on": "true", "1": "true", "y": "true", "enabled": "true",
	"false": "false", "no": "false", "off": "false", "0": "false", "n": "false", "disabled": "false",
}

// none holds what models write for an argument they don't want to give.
var none = map[string]bool{"": true, "none": true, "null": true, "nil": true, "undefined": true, "n/a": true, "all": true, "any": true, "*": true, "default": true}

// fromChoice advises on a text that is not among the values allowed.
func (c *check) fromChoice(f fault, name, text string) string {
	var choices []string
	for _, v := range allowed(f.schema) {
		if s, ok := v.(string); ok {
			choices = append(choices, s)
		}
	}
	if near := c.nearest(text, choices); len(near) > 0 && near[0] != text {
		return "Set " + name + " to " + written(near[0]) + ", or another of its values if that is not meant."
	}
	return ""
}

// allowed returns the values that a schema lists.
func allowed(s *jsonschema.Schema) []any {
	if s.Const != nil {
		return []any{*s.Const}
	}
	if s.Enum != nil {
		return s.Enum.Values
	}
	return nil
}

func (c *check) fromScalar(f fault, name string, wanted jsonschema.Types) string {
	if f.kind == isWrongValue {
		return ""
	}
	switch {
	case f.schema.Enum != nil:
		return "Set " + name + " to " + value(f.schema) + "."
	case wanted&stringType != 0 && c.fits(f, written(f.value)):
		if secret(f.at) {
			return "Send " + name + " as a text, in quotes."
		}
		return "Send " + name + ` as the text "` + written(f.value) + `", in quotes.`
	case wanted&arrayType != 0:
		return c.enlist(f, name, f.value)
	case wanted&objectType != 0:
		return "Send " + name + " as an object such as " + c.template(f.schema) + "."
	}
	return ""
}

// fits reports whether the value would be right if it were v.
func (c *check) fits(f fault, v any) bool { return len(c.eval(f.schema, v, f.at, nil)) == 0 && !c.out }

// enlist advises to send one value as a list of one, if the list could hold it.
func (c *check) enlist(f fault, name string, v any) string {
	if _, rest := layout(f.schema); rest == nil || len(c.eval(rest, v, f.at, nil)) == 0 && !c.out {
		if !isText(v) && !isNumber(v) || secret(f.at) {
			return "Send " + name + " as a list with this as its only item."
		}
		b, _ := json.Marshal([]any{v})
		if len(b) <= 60 {
			return "Send " + name + " as a list: " + string(b) + "."
		}
		return "Send " + name + " as a list with this as its only item."
	}
	return ""
}

func fromList(name string, items []any, wanted jsonschema.Types) string {
	switch {
	case wanted&arrayType != 0 || len(items) == 0:
		return ""
	case len(items) == 1 && admits(wanted, items[0]):
		return "Send the item of " + name + " by itself, not in a list."
	case len(items) > 1 && admits(wanted, items[0]):
		return "Send one value for " + name + ", not a list; make one call for each."
	}
	return ""
}

func (c *check) fromObject(f fault, name string, o map[string]any, wanted jsonschema.Types) string {
	if wanted&objectType != 0 {
		return ""
	}
	if wanted&arrayType != 0 {
		return c.enlist(f, name, o)
	}
	fits := func(v any) bool { return v != nil && admits(wanted, v) }
	var only any
	if len(o) == 1 {
		for _, only = range o {
			break
		}
	}
	if fits(o["value"]) || fits(only) {
		return "Send the value of " + name + " by itself, not in an object."
	}
	return ""
}

// accepted returns the types that a schema takes.
func accepted(s *jsonschema.Schema, depth int) (types jsonschema.Types) {
	if s == nil || depth == 0 {
		return 0
	}
	for _, name := range typesIn(s) {
		types |= typesOf(name)
	}
	if types != 0 {
		return types
	}
	subs := slices.Concat([]*jsonschema.Schema{s.Ref}, s.AllOf, s.AnyOf, s.OneOf)
	for _, sub := range subs[:min(len(subs), 2*maxChoices)] {
		types |= accepted(sub, depth-1)
	}
	return types
}

// optional reports whether the argument at a place may be left out.
func (c *check) optional(at *path) bool {
	if at == nil || at.up != nil || at.index >= 0 {
		return false
	}
	return c.properties(c.schema.root)[at.key] != nil && !slices.Contains(c.schema.root.Required, at.key)
}

func (c *check) orOmit(f fault) string {
	if text, ok := f.value.(string); ok && c.optional(f.at) && (none[strings.ToLower(text)] || f.kind == isWrongValue) {
		return ", or leave it out"
	}
	return ""
}

// secret reports whether the value at a place must not be repeated in words.
func secret(at *path) bool {
	for ; at != nil; at = at.up {
		if redact.SecretName(at.key) {
			return true
		}
	}
	return false
}

func lower(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// template shows an object with its required arguments.
func (c *check) template(s *jsonschema.Schema) string {
	var required []string
	for range maxWords {
		if required = s.Required; len(required) > 0 || s.Ref == nil {
			break
		}
		s = s.Ref
	}
	if len(required) == 0 {
		required = c.known(s)
		required = required[:min(1, len(required))]
	}
	words := make([]string, 0, maxWords)
	for _, name := range required[:min(len(required), maxWords)] {
		b, _ := json.Marshal(clip(name, 60))
		words = append(words, string(b)+": …")
	}
	if len(required) > maxWords {
		words = append(words, "…")
	}
	return "{" + strings.Join(words, ", ") + "}"
}
