// Package dump reads what validators write of a tool's arguments: the dumps of their
// libraries and the sentences that servers make of them.
package dump

import (
	"slices"
	"strings"
)

// A reader is a text in which a validator's complaints are sought.
type reader struct {
	args    any  // what was sent, nil if it is not known
	tried   int  // sentences that were looked at
	vouched bool // the text itself says that it is about the arguments
}

var (
	// Other data than the arguments: what the tool answered, what the server was
	// configured with.
	otherData = onFirstUse(`\boutput validation|syntax ?error|\w (?:files?|documents?|images?|videos?|archives?|attachments?) (?:is|are)(?: not|n't) supported|structured ?content|output ?schema|validating tool output|(?:invalid|unexpected|malformed) (?:response|result|output|reply)\b|\bresponse validation|validation errors? for \w*(?:Output|Response|Result|Settings|Config|Configuration|Reply)\b|failed to (?:parse|decode|validate) (?:the )?(?:response|result|output)`)
	vouching  = onFirstUse(`validation errors? for (?:call\[|\w*(?:Arguments|Args|Input|Params|Request)\b)|(?:invalid|bad|wrong|malformed) (?:tool )?(?:arguments?|parameters?|params|input)\b|\b(?:input|arguments?|parameters?)(?: schema)? validation|validating .?arguments|-32602|(?:bind|unmarshal\w*|deserialize|parse|decode|validate)(?: \w+)? (?:arguments|params|parameters|input)\b|arguments failed|arguments dictionary`)
)

// stems are parts of words of which each complaint has one.
var stems = []string{"requir", "missing", "must", "should", "expect", "invalid", "valid", "unknown", "unrecogni", "unsupported", "support", "allowed", "permitted", "not of", "is not", "is no ", "has less", "has more", "does not", "unmarshal", "deserializ", "too ", "empty", "blank", "null", "between", "shorter than", "could not", "construct", "at least", "at most", "min", "max", "exceed", "longer than", "cannot", "can't", "could not be converted", "provide", "need", "specif", "argument", "parameter", "field", "unspecified", "wrong", "more than", "less than", "greater than", "forbidden", "conform", "unallowed", "match", " most ", "not allowed", "extra", "actual", "of type", "bad"}

func mayComplain(text string) bool {
	low := strings.ToLower(text)
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.Contains(low, stem) }) && !otherData().MatchString(text[:min(len(text), 400)])
}

// Vouches reports whether a text says itself that a validator of arguments wrote it.
func Vouches(text string) bool { return vouching().MatchString(text[:min(len(text), 400)]) }

// read returns the complaints of a text in whatever form it has.
func (d *reader) read(text string) []complaint {
	for _, form := range []func(string) []complaint{d.pydantic, d.object, d.onInstance, d.tree, d.lines} {
		if found := form(text); len(found) > 0 {
			return found
		}
	}
	return nil
}

// onInstance reads jsonschema's long form, which ends with the place.
func (d *reader) onInstance(text string) []complaint {
	_, where, ok := strings.Cut(text, "\nOn instance")
	if !ok {
		return nil
	}
	where, _, _ = strings.Cut(where, ":\n")
	message, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for m := range unheaded(message) {
		if c, ok := demanded(withoutValue(m)); ok {
			c.path, c.sure = splitPath(where), true
			return []complaint{c}
		}
	}
	return nil
}

// tree reads Effect's form: an indented tree whose branches are the members.
func (d *reader) tree(text string) (found []complaint) {
	if !strings.Contains(text, "└─ ") {
		return nil
	}
	type branch struct {
		depth int
		name  string
	}
	var way []branch
	for line := range strings.Lines(text) {
		lead, content, ok := strings.Cut(line, "─ ")
		if !ok {
			continue
		}
		depth := len([]rune(lead))
		for len(way) > 0 && way[len(way)-1].depth >= depth {
			way = way[:len(way)-1]
		}
		content = strings.TrimSpace(content)
		if len(content) > 2 && content[0] == '[' && content[len(content)-1] == ']' && len(way) < maxDepth {
			way = append(way, branch{depth, strings.Trim(content[1:len(content)-1], `"`)})
			continue
		}
		c, ok := demanded(content)
		if !ok || c.union || len(found) >= 10*maxViolations {
			continue
		}
		for _, b := range way {
			c.path = append(c.path, b.name)
		}
		c.sure = true
		found = append(found, c)
	}
	return found
}

// unwrapped notices arguments that were all put into one object.
func (d *reader) unwrapped(found []complaint) []complaint {
	o, _ := d.args.(map[string]any)
	if len(o) != 1 || len(found) == 0 {
		return found
	}
	for outer, v := range o {
		inner, _ := v.(map[string]any)
		var names []string
		for _, c := range found {
			strange := c.fault == argUnknown && len(c.path) == 1 && c.path[0] == outer
			if !strange && (c.fault != argMissing || len(c.path) != 1) {
				return found
			}
			if _, ok := inner[c.path[0]]; ok && !strange {
				names = append(names, c.path[0])
			} else if !strange {
				return found
			}
		}
		if len(names) > 0 {
			return []complaint{{fault: argWrapped, path: []string{outer}, known: names}}
		}
	}
	return found
}
