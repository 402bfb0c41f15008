package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Check says what happens to a call whose arguments do not fit the tool's schema,
// and can't be repaired.
type Check string

// The values of a Check, but for [Off].
const (
	// Auto forwards the call, since real servers take what their schemas forbid,
	// until this server has refused such a call itself, or died of it: what breaks
	// the same rule of the same tool from then on is rejected. The zero value.
	Auto    Check = "auto"
	Enforce Check = "enforce" // reject it; the server never sees it
	Explain Check = "explain" // forward it; if it fails, say what was wrong with it
)

// Repair says whether arguments are sent in another form than they came in, where
// the schema proves what was meant.
type Repair string

// Safe repairs what loses nothing and can mean but one thing. The zero value.
const Safe Repair = "safe"

// Disguise says how sure it has to be that a result which calls itself a success is
// an error, for it to be marked as one.
type Disguise string

// The values of a Disguise, but for [Off].
const (
	T1 Disguise = "t1" // the result's structure says so
	T2 Disguise = "t2" // so does the first line of a short text; the zero value
)

// Off switches a Check, a Repair or a Disguise off.
const Off = "off"

// A Choice is one for all tools, and others for some. The zero value chooses
// nothing.
type Choice[T ~string] struct {
	all  T
	some map[string]T
}

// Set reads what a user wrote: each a word for all tools, or TOOL=WORD for one. Of
// two for the same, the later counts. The first of words is that of the zero value.
func (c *Choice[T]) Set(texts []string, words ...T) error {
	for _, text := range texts {
		at := strings.LastIndexByte(text, '=') // the name of a tool may have one
		word := T(text[at+1:])
		if !slices.Contains(words, word) || at == 0 {
			return fmt.Errorf("%q: write %s; for one tool, name it as in TOOL=%s", text, oneOf(words), words[len(words)-1])
		}
		switch {
		case at < 0:
			c.all = word
		case c.some == nil:
			c.some = map[string]T{text[:at]: word}
		default:
			c.some[text[:at]] = word
		}
	}
	return nil
}

// oneOf lists words: auto, enforce or off.
func oneOf[T ~string](words []T) string {
	var list strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			list.WriteString(" or ")
		case i > 0:
			list.WriteString(", ")
		}
		list.WriteString(string(w))
	}
	return list.String()
}

// For returns what was chosen for a tool, or auto.
func (c *Choice[T]) For(tool string, auto T) T {
	if word, ok := c.some[tool]; ok {
		return word
	}
	if c.all != "" {
		return c.all
	}
	return auto
}

// Named returns the names of the tools that some rule is for, in order.
func (r *Rules) Named() []string {
	named := slices.Concat(slices.Collect(maps.Keys(r.Check.some)), slices.Collect(maps.Keys(r.Repair.some)), slices.Collect(maps.Keys(r.Disguise.some)))
	slices.Sort(named)
	return slices.Compact(named)
}
