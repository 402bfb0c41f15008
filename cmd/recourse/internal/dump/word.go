package dump

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/redact"
	"github.com/recourse-dev/recourse/schema"
)

// How much of what others wrote goes into an error, in characters.
const (
	maxChoices   = 12 // values that are listed
	maxWord      = 60
	maxDemand    = 200
	maxSentValue = 200
)

func (c complaint) violation() recourse.Violation {
	return recourse.Violation{Field: Pointer(c.path), Value: c.shown(), Constraint: c.constraint(), Suggestion: c.suggestion()}
}

// shown returns what was sent, if that tells a model anything.
func (c complaint) shown() any {
	if !c.there || c.fault == argMissing && hollowArg(c.value) {
		return nil
	}
	if c.secret() {
		return "[redacted]"
	}
	switch v := c.value.(type) {
	case string:
		return clipped(v, maxSentValue)
	case map[string]any, []any:
		b, err := json.Marshal(v)
		if err != nil || len(b) > maxSentValue {
			return clipped(string(b), maxSentValue)
		}
	}
	return c.value
}

// secret reports whether the value must not be repeated.
func (c complaint) secret() bool { return slices.ContainsFunc(c.path, redact.SecretName) }

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer returns the JSON Pointer (RFC 6901) of a place. What lies below a name of
// more than 1000 bytes is left out.
func Pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		if len(name) > 1000 {
			break
		}
		b.WriteString("/" + pointerEscape.Replace(name))
	}
	return b.String()
}

// name returns the place as people write it: people[1].role.
func (c complaint) name() string { return placeName(c.path) }

func placeName(path []string) string {
	if len(path) == 0 {
		return "the arguments"
	}
	var b strings.Builder
	for i, name := range path {
		if _, err := strconv.Atoi(name); err == nil && i > 0 {
			b.WriteString("[" + name + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(nameWord(name))
	}
	return clipped(b.String(), 120)
}

// nameWord returns a name with quotes if it doesn't look like one.
func nameWord(name string) string {
	name = clipped(name, maxWord)
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == '"' || !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

func (c complaint) message() string {
	name := c.name()
	switch c.fault {
	case argMissing:
		if len(c.known) > 1 {
			return "One of these arguments is missing: " + listOf(c.known) + "."
		}
		return "The argument " + name + " is missing."
	case argUnknown:
		return "There is no argument " + name + "."
	case argWrapped:
		return "The arguments are inside " + name + ", not at the top level."
	case argShape:
		return "The arguments must be an object."
	}
	if len(c.path) == 0 {
		name = "One of the arguments"
	}
	switch {
	case len(c.path) == 0 && (c.rule != "" || c.want == ""):
		return "The server did not accept the arguments."
	case c.rule != "" || c.want == "":
		return "The server did not accept " + name + "."
	}
	return name + " must be " + c.want + "."
}

// constraint says what was expected. Only a server's own rule is in its words.
func (c complaint) constraint() string {
	switch c.fault {
	case argMissing:
		switch {
		case len(c.known) > 1:
			return "one of " + listOf(c.known) + " is required"
		case c.want != "":
			return "required: " + c.want
		}
		return "required"
	case argUnknown:
		return c.strangeness()
	case argWrapped:
		return "arguments at the top level"
	case argShape:
		return "an object"
	}
	switch {
	case c.rule != "" && !c.secret():
		return clipped(printed(c.rule), maxDemand)
	case c.want == "":
		return "another value"
	}
	return c.want
}

func (c complaint) strangeness() string {
	switch meant := c.meant(); {
	case meant != "" && c.want != "":
		return "no such argument; did you mean " + nameWord(meant) + "? It is required: " + c.want
	case meant != "":
		return "no such argument; did you mean " + nameWord(meant) + "?"
	case len(c.known) > 0:
		return "no such argument; known are " + andOf(c.known)
	}
	return "no such argument"
}

// meant returns the known name that an unknown one resembles.
func (c complaint) meant() string {
	if len(c.path) == 0 {
		return ""
	}
	if near := schema.Nearest(c.path[len(c.path)-1], c.known); len(near) > 0 {
		return near[0]
	}
	return ""
}

func (c complaint) suggestion() string {
	name := c.name()
	switch c.fault {
	case argMissing:
		return c.addition(name)
	case argUnknown:
		if meant := c.meant(); meant != "" {
			return "Use " + placeName(append(slices.Clone(c.path[:len(c.path)-1]), meant)) + " instead of " + name + "."
		}
		if len(c.known) > 0 {
			return "Leave " + name + " out; use only " + andOf(c.known) + "."
		}
		if len(c.path) == 0 {
			return "Leave out the argument that the tool's schema doesn't have."
		}
		return "Leave " + name + " out."
	case argWrapped:
		return "Send " + andOf(c.known) + " at the top level, not inside " + name + "."
	case argShape:
		return "Send the arguments as an object, with a member for each."
	}
	if s := c.conversion(name); s != "" {
		return s
	}
	switch {
	case len(c.path) == 0 && c.rule != "":
		return "Correct the arguments as constraint says, and call again."
	case c.rule != "" || c.want == "" && len(c.path) > 0:
		return "Change " + name + " to what constraint says, and call again."
	case c.want == "":
		return "Change the arguments to what the tool's description asks for, and call again."
	case len(c.path) == 0:
		return "Find in the tool's schema which argument must be " + c.want + ", and correct it."
	case len(c.choices) == 1:
		return "Set " + name + " to " + choiceWord(c.choices[0]) + "."
	}
	return "Set " + name + " to " + c.want + "."
}

func (c complaint) addition(name string) string {
	switch {
	case len(c.known) > 1:
		return "Add one of " + listOf(c.known) + "."
	case len(c.known) == 1: // sent under another spelling
		return "Use " + name + " instead of " + nameWord(c.known[0]) + "."
	case c.there:
		return "Set " + name + " to a value that is not empty."
	case c.want != "":
		return "Add " + name + " and set it to " + c.want + "."
	}
	return "Add " + name + "."
}

// conversion advises on values that only have to be written otherwise.
func (c complaint) conversion(name string) string {
	if !c.there || c.rule != "" {
		return ""
	}
	switch v := c.value.(type) {
	case string:
		return c.rewriting(name, strings.TrimSpace(v))
	case json.Number, bool:
		if c.want == "a text" && !c.secret() {
			return fmt.Sprintf("Send %s as the text %q, in quotes.", name, clipped(fmt.Sprint(v), maxWord))
		}
	case []any:
		if len(v) == 1 && c.fault == argWrong && c.want != "" && !strings.Contains(c.want, "list") {
			return "Send the item of " + name + " by itself, not in a list."
		}
	}
	return ""
}

func (c complaint) rewriting(name, text string) string {
	var inner any
	parsed := json.Unmarshal([]byte(text), &inner) == nil
	_, list := inner.([]any)
	_, object := inner.(map[string]any)
	number, numeric := inner.(float64)
	whole := number == float64(int64(number))
	switch {
	case strings.HasPrefix(c.want, "a list") && list:
		return "Send " + name + " as a list itself, not as a text that holds one."
	case strings.HasPrefix(c.want, "an object") && object:
		return "Send " + name + " as an object itself, not as a text that holds one."
	case c.secret():
	case parsed && numeric && (c.want == "a number" || c.want == "a whole number" && whole):
		return "Send " + name + " as the number " + clipped(text, maxWord) + ", without quotes."
	case c.want == "true or false" && (strings.EqualFold(text, "true") || strings.EqualFold(text, "false")):
		return "Send " + name + " as " + strings.ToLower(text) + ", without quotes."
	case len(c.choices) > 1:
		if near := schema.Nearest(text, c.choices); len(near) > 0 && near[0] != text {
			return "Set " + name + " to " + choiceWord(near[0]) + ", or another of its values if that is not meant."
		}
	}
	return ""
}

// oneOf says "one of: celsius, fahrenheit".
func oneOf(choices []string) string {
	words := make([]string, 0, maxChoices)
	for _, v := range choices[:min(len(choices), maxChoices)] {
		words = append(words, choiceWord(v))
	}
	switch {
	case len(choices) == 0:
		return ""
	case len(choices) == 1:
		return "exactly " + words[0]
	case len(choices) > maxChoices:
		return fmt.Sprintf("one of %d values: %s, …", len(choices), strings.Join(words, ", "))
	}
	return "one of: " + strings.Join(words, ", ")
}

// choiceWord returns a value without quotes if that is clear.
func choiceWord(v string) string {
	v = clipped(printed(v), maxWord)
	if v == "" || strings.TrimSpace(v) != v || strings.ContainsAny(v, `,"`) {
		return strconv.Quote(v)
	}
	return v
}

// eitherOf joins two nouns, each of which may be such a join.
func eitherOf(a, b string) string {
	words := strings.Split(a, " or ")
	if slices.Contains(words, b) || a == "true or false" && b == a || len(words) >= maxChoices {
		return a
	}
	return a + " or " + b
}

// listOf names at most maxChoices.
func listOf(names []string) string {
	words := make([]string, 0, maxChoices+1)
	for _, n := range names[:min(len(names), maxChoices)] {
		words = append(words, nameWord(n))
	}
	if len(names) > maxChoices {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}

func andOf(names []string) string {
	if n := len(names); n > 1 && n <= maxChoices {
		return listOf(names[:n-1]) + " and " + nameWord(names[n-1])
	}
	return listOf(names)
}

// printed returns a text on one line without what can't be seen.
func printed(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)), " ")
}

// clipped returns at most n characters of s, the last of them an ellipsis if some
// are missing.
func clipped(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(s[:min(len(s), 4*(n+1))])
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
