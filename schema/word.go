package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// How much of a schema is put into words.
const (
	maxChoices     = 12 // values or alternatives
	maxDescription = 80 // characters
	maxWords       = 4  // levels of reference, alternative and item
)

// unnamed stands for what can't be put into a few words.
const unnamed = "another value"

// expected says what a value must be, as a noun: "a whole number between 1 and 16".
func expected(s *draft.Schema) string { return noun(s, maxWords) }

func noun(s *draft.Schema, depth int) string {
	if s == nil || depth == 0 {
		return unnamed
	}
	if s.Bool != nil {
		if *s.Bool {
			return "any value"
		}
		return "left out"
	}
	switch {
	case s.Const != nil:
		return "exactly " + written(*s.Const)
	case s.Enum != nil:
		return choice(s.Enum.Values)
	}
	types := typesIn(s)
	if len(types) == 0 {
		return indirect(s, depth)
	}
	words := make([]string, 0, len(types))
	for _, t := range types {
		words = append(words, typed(s, t, depth))
	}
	return either(words)
}

// indirect words a schema that leaves the type to others.
func indirect(s *draft.Schema, depth int) string {
	for _, sub := range []*draft.Schema{s.Ref, s.RecursiveRef} {
		if sub != nil {
			return noun(sub, depth-1)
		}
	}
	if s.DynamicRef != nil {
		return noun(s.DynamicRef.Ref, depth-1)
	}
	if len(s.AllOf) > 0 {
		return noun(s.AllOf[0], depth-1)
	}
	var words []string
	subs := slices.Concat(s.AnyOf, s.OneOf)
	for _, sub := range subs[:min(len(subs), 2*maxChoices)] {
		if word := noun(sub, depth-1); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if len(words) > 0 && len(subs) > 2*maxChoices {
		words = append(words, "…")
	}
	switch {
	case len(words) > 0:
		return either(words)
	case s.Not != nil:
		return "something other than " + noun(s.Not, depth-1)
	}
	return unnamed
}

// typesIn returns the types a schema names, or those its keywords speak of.
func typesIn(s *draft.Schema) []string {
	if s.Types != nil {
		types := s.Types.ToStrings()
		if slices.Contains(types, "number") {
			types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
		}
		// What else there is comes before null.
		if len(types) > 1 && types[0] == "null" {
			types = append(types[1:], "null")
		}
		return types
	}
	switch {
	case s.Properties != nil || s.Required != nil || s.AdditionalProperties != nil || s.MinProperties != nil || s.MaxProperties != nil || s.PropertyNames != nil:
		return []string{"object"}
	case s.Items != nil || s.PrefixItems != nil || s.MinItems != nil || s.MaxItems != nil || s.UniqueItems || s.Contains != nil:
		return []string{"array"}
	case s.Pattern != nil || s.Format != nil || s.MinLength != nil || s.MaxLength != nil:
		return []string{"string"}
	case s.Minimum != nil || s.Maximum != nil || s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil || s.MultipleOf != nil:
		return []string{"number"}
	}
	return nil
}

func typed(s *draft.Schema, name string, depth int) string {
	switch name {
	case "integer":
		return "a whole number" + limits(s)
	case "number":
		return "a number" + limits(s)
	case "string":
		return text(s)
	case "boolean":
		return "true or false"
	case "array":
		return list(s, depth)
	case "object":
		words := "an object"
		if len(s.Required) > 0 {
			words += " with " + and(s.Required)
		} else if n := count(s.MinProperties, s.MaxProperties, "field"); n != "" {
			words += " with " + n
		}
		return words
	}
	return name
}

// safe is the largest whole number that JavaScript counts by. zod names it as the
// limit of every whole number, which helps nobody.
var safe = big.NewRat(1<<53-1, 1)

// limits returns the range of a number, with a space before it.
func limits(s *draft.Schema) string {
	low, lowWord, high, highWord := s.Minimum, "at least ", s.Maximum, "at most "
	if x := s.ExclusiveMinimum; x != nil && (low == nil || x.Cmp(low) >= 0) {
		low, lowWord = x, "more than "
	}
	if x := s.ExclusiveMaximum; x != nil && (high == nil || x.Cmp(high) <= 0) {
		high, highWord = x, "less than "
	}
	if high != nil && high.Cmp(safe) == 0 {
		high = nil
	}
	if low != nil && low.Cmp(new(big.Rat).Neg(safe)) == 0 {
		low = nil
	}
	words := ""
	switch {
	case low != nil && high != nil && lowWord == "at least " && highWord == "at most ":
		words = " between " + plain(low) + " and " + plain(high)
	case low != nil && high != nil:
		words = " " + lowWord + plain(low) + " and " + highWord + plain(high)
	case low != nil:
		words = " of " + lowWord + plain(low)
	case high != nil:
		words = " of " + highWord + plain(high)
	}
	if s.MultipleOf != nil && s.MultipleOf.Cmp(big.NewRat(1, 1)) != 0 {
		words += ", a multiple of " + plain(s.MultipleOf)
	}
	return words
}

func text(s *draft.Schema) string {
	words := "a text"
	if s.Format != nil && formats[s.Format.Name].words != "" {
		words = formats[s.Format.Name].words
	} else if p, ok := s.Pattern.(*pattern); ok {
		if p.example != "" {
			words += " such as " + p.example
		}
		words += " that matches " + clip(p.source, 100)
	}
	if n := count(s.MinLength, s.MaxLength, "character"); n != "" {
		words += " of " + n
	}
	return words
}

func list(s *draft.Schema, depth int) string {
	words := "a list"
	if s.UniqueItems {
		words += " without repetition"
	}
	prefix, rest := s.PrefixItems, s.Items
	most := s.MaxItems
	if n := len(prefix); n > 0 && (closedBy(rest) || closedBy(s.UnevaluatedItems)) && (most == nil || *most > n) {
		most = &n
	}
	if n := count(s.MinItems, most, "item"); n != "" {
		words += " of " + n
	}
	switch {
	case len(prefix) > 0:
		items := make([]string, 0, len(prefix))
		for _, sub := range prefix[:min(len(prefix), maxChoices)] {
			items = append(items, noun(sub, depth-1))
		}
		words += ": " + strings.Join(items, ", then ")
	case rest != nil && rest.Bool == nil && depth > 1:
		if item := noun(rest, depth-1); item != unnamed {
			words += ", each item " + item
		}
	case s.Contains != nil && depth > 1:
		words += " with an item that is " + noun(s.Contains, depth-1)
	}
	return words
}

// closedBy reports whether a schema lets nothing pass.
func closedBy(s *draft.Schema) bool { return s != nil && s.Bool != nil && !*s.Bool }

// containing says what a list must have in it.
func containing(s *draft.Schema) string {
	least, link := 1, " that is "
	if s.MinContains != nil {
		least = *s.MinContains
	}
	if least > 1 || s.MaxContains != nil && *s.MaxContains > 1 {
		link = " that are each "
	}
	return "a list with " + count(&least, s.MaxContains, "item") + link + expected(s.Contains)
}

// count says "at least 1 item", "2 to 120 characters", "exactly 3 fields".
func count(least, most *int, what string) string {
	several := func(n int) string {
		if n == 1 {
			return fmt.Sprintf("1 %s", what)
		}
		return fmt.Sprintf("%d %ss", n, what)
	}
	switch {
	case most != nil && least != nil && *least == *most:
		return "exactly " + several(*most)
	case most != nil && least != nil && *least > 0:
		return fmt.Sprintf("%d to %s", *least, several(*most))
	case most != nil:
		return "at most " + several(*most)
	case least != nil && *least > 0:
		return "at least " + several(*least)
	}
	return ""
}

// choice says "one of: celsius, fahrenheit".
func choice(values []any) string {
	words := make([]string, 0, maxChoices)
	for _, v := range values[:min(len(values), maxChoices)] {
		words = append(words, written(v))
	}
	switch {
	case len(values) == 1:
		return "exactly " + words[0]
	case len(values) > maxChoices:
		return fmt.Sprintf("one of %d values: %s, …", len(values), strings.Join(words, ", "))
	}
	return "one of: " + strings.Join(words, ", ")
}

// written returns a text without quotes if that is clear, else as JSON.
func written(v any) string {
	if s, ok := v.(string); ok {
		v = head(s, 60)
	}
	if s, ok := v.(string); ok && s != "" && strings.TrimFunc(s, printable) == "" && !ambiguous(s) {
		return clip(s, 60)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return unnamed
	}
	return clip(string(b), 60)
}

// ambiguous reports whether a text without quotes would pass for something else.
func ambiguous(s string) bool {
	return json.Valid([]byte(s)) || strings.TrimSpace(s) != s || strings.ContainsAny(s, `,"`)
}

func printable(r rune) bool { return unicode.IsPrint(r) }

func either(words []string) string {
	if len(words) > 1 { // nobody is helped by "a text or another value"
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == unnamed })
	}
	if len(words) == 0 {
		return unnamed
	}
	if len(words) > maxChoices {
		words = append(words[:maxChoices:maxChoices], "…")
	}
	return strings.Join(words, " or ")
}

func and(words []string) string {
	switch n := len(words); {
	case n > maxChoices:
		return listed(words)
	case n > 1:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// described returns the first sentence of a schema's description, on one line.
func described(s *draft.Schema) string {
	for range maxWords {
		if s == nil {
			return ""
		}
		if s.Description != "" {
			break
		}
		s = s.Ref
	}
	if s == nil {
		return ""
	}
	words := strings.Join(strings.Fields(strings.ToValidUTF8(head(s.Description, 5*maxDescription), "")), " ")
	words, _, _ = strings.Cut(words, ". ")
	words = strings.TrimSuffix(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, words), ".")
	return clip(words, maxDescription)
}

// clip returns at most n characters of s, the last of them an ellipsis if some
// are missing.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(head(s, n))
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// head returns a beginning of s that has more than n characters, if s has: it is
// going to be cut, and need not be looked at as a whole.
func head(s string, n int) string { return s[:min(len(s), (n+1)*utf8.UTFMax)] }

// listed names at most maxChoices.
func listed(names []string) string {
	if len(names) > maxChoices {
		return strings.Join(names[:maxChoices], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
