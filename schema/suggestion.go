package schema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/internal/redact"
	"github.com/recourse-dev/recourse/schema/internal/draft"
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
			return strings.TrimSuffix("Add "+name+": "+lower(d), "…") + "." + f.beside()
		}
		return "Add " + name + " and set it to " + value(f.member) + "." + f.beside()
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

// beside tells which names were sent that mean nothing: one of them may stand for what
// is missing.
func (f fault) beside() string {
	switch {
	case f.kind != isMissing || len(f.names) == 0:
		return ""
	case len(f.names) == 1:
		return " " + quoted(f.names[0]) + ", which was sent, is not in the schema."
	}
	return " " + and(f.names) + ", which were sent, are not in the schema."
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
		words := "Send " + quoted(f.inner) + " inside " + f.holder() + " " + f.at.up.member(f.names[0]).name()
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
func value(s *draft.Schema) string {
	if s == nil {
		return "any value"
	}
	return strings.Replace(clip(expected(s), 300), "exactly ", "", 1)
}

// allowed returns the values that a schema lists.
func allowed(s *draft.Schema) []any {
	if s.Const != nil {
		return []any{*s.Const}
	}
	if s.Enum != nil {
		return s.Enum.Values
	}
	return nil
}

// accepted returns the types that a schema takes.
func accepted(s *draft.Schema, depth int) (types draft.Types) {
	if s == nil || depth == 0 {
		return 0
	}
	for _, name := range typesIn(s) {
		types |= typesOf(name)
	}
	if types != 0 {
		return types
	}
	subs := slices.Concat([]*draft.Schema{s.Ref}, s.AllOf, s.AnyOf, s.OneOf)
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
func (c *check) template(s *draft.Schema) string {
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
