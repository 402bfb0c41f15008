package schema

import (
	"encoding/json"
	"strings"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// conversion advises on values that only have to be written otherwise: as Repair
// would, were all else right.
func (c *check) conversion(f fault, name string) string {
	switch f.kind {
	case isWrongType, isWrongValue, isNoneOf, isFormat, isMismatch:
	default:
		return ""
	}
	if f.value == nil && c.optional(f.at) {
		return "Leave " + name + " out, or set it to " + value(f.schema) + "."
	}
	if brief(f.value) {
		n := c.nodeOf(f.value)
		for g := Types; g <= Guess && !c.out && (g == Types || !secret(f.at)); g++ {
			if to, sure := c.converted(f, n, g); to != nil && sure {
				if s := c.advice(f, name, n, to); s != "" {
					return s
				}
			}
		}
	}
	if f.kind == isWrongType || f.kind == isNoneOf {
		return c.otherwise(f, name)
	}
	return ""
}

// maxAdvised is how large a value may be that is converted only to say how, in
// values or bytes of a text.
const maxAdvised = 1 << 14

func brief(v any) bool {
	switch v := v.(type) {
	case string:
		return len(v) <= maxAdvised
	case []any:
		return len(v) <= maxAdvised/16
	case map[string]any:
		return len(v) <= maxAdvised/16
	}
	return true
}

// advice says how to get from what was sent to what was meant.
func (c *check) advice(f fault, name string, from, to *node) string {
	text, _ := from.text()
	held := c.held(strings.TrimSpace(text)) != nil
	switch {
	case to.shape == isList && held:
		return "Send " + name + " as a list itself, not as a text that holds one."
	case to.shape == isObject && held:
		return "Send " + name + " as an object itself, not as a text that holds one."
	case to.shape == isList:
		return enlisted(f, name, to)
	case from.shape == isList:
		return "Send the item of " + name + " by itself, not in a list."
	case to.shape == isObject:
		return "Send " + name + " as an object such as " + c.template(f.schema) + "."
	case from.shape == isObject:
		if written, ok := to.text(); ok && json.Valid([]byte(written)) {
			return "Send " + name + " as a text, with the JSON of the object in it."
		}
		return "Send the value of " + name + " by itself, not in an object."
	}
	return rewritten(f, name, from, to)
}

// enlisted shows a short list.
func enlisted(f fault, name string, to *node) string {
	plain := true
	for _, item := range to.items {
		plain = plain && item.shape == isScalar
	}
	if b := to.append(nil); plain && len(b) <= 60 && !secret(f.at) {
		return "Send " + name + " as a list: " + string(b) + "."
	}
	if len(to.items) == 1 {
		return "Send " + name + " as a list with this as its only item."
	}
	return "Send " + name + " as a list of its items."
}

// rewritten is the advice on a scalar that should be another one.
func rewritten(f fault, name string, from, to *node) string {
	text, wasText := from.text()
	switch v := to.scalar.(type) {
	case json.Number:
		switch {
		case secret(f.at):
			return "Send " + name + " as a number, without quotes."
		case decimal(strings.TrimSpace(text)) && string(v) != strings.TrimSpace(text):
			return "Set " + name + " to " + value(f.schema) + ", as a number without quotes."
		case decimal(strings.TrimSpace(text)):
			return "Send " + name + " as the number " + written(v) + `, not as the text "` + clip(strings.TrimSpace(text), 60) + `".`
		}
		return "Set " + name + " to " + written(v) + ", in plain digits, without a unit or other words."
	case bool:
		if wasText {
			return "Send " + name + " as " + written(v) + ", without quotes."
		}
	case string:
		switch {
		case secret(f.at):
			return "Send " + name + " as a text, in quotes."
		case !wasText && v == written(from.scalar):
			return "Send " + name + ` as the text "` + v + `", in quotes.`
		case f.kind == isWrongValue || f.schema.Enum != nil:
			return "Set " + name + " to " + written(v) + ", or another of its values if that is not meant."
		case wasText:
			return "Set " + name + " to " + written(v) + " if that is meant; it must be " + value(f.schema) + "."
		}
	}
	return ""
}

// otherwise advises on a value that can't be converted.
func (c *check) otherwise(f fault, name string) string {
	wanted := accepted(f.schema, maxWords)
	switch v := f.value.(type) {
	case string:
		return c.notText(f, name, strings.TrimSpace(v), wanted)
	case []any:
		if wanted&arrayType == 0 && len(v) > 1 && admits(wanted, v[0]) {
			return "Send one value for " + name + ", not a list; make one call for each."
		}
	case json.Number, bool:
		if f.schema.Enum == nil && wanted&objectType != 0 {
			return "Send " + name + " as an object such as " + c.template(f.schema) + "."
		}
	}
	return ""
}

func (c *check) notText(f fault, name, text string, wanted draft.Types) string {
	switch {
	case none[strings.ToLower(text)] && c.optional(f.at):
		return "Leave " + name + " out, or set it to " + value(f.schema) + "."
	case wanted&(numberType|integerType) != 0 && strings.ContainsAny(text, "0123456789"):
		return "Set " + name + " to " + value(f.schema) + " in plain digits, without a unit or other words."
	case wanted&arrayType != 0 && strings.HasPrefix(text, "["):
		return "Send " + name + " as a list itself, not as a text."
	case wanted&objectType != 0 && strings.Contains(text, "{"):
		return "Send " + name + " as an object itself, not as a text."
	case wanted&objectType != 0:
		return "Send " + name + " as an object such as " + c.template(f.schema) + "."
	case wanted&arrayType != 0 && text != "":
		return "Send " + name + " as a list with an item for each."
	}
	return ""
}
