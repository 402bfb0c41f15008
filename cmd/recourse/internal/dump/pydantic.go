package dump

import (
	"strings"
)

var (
	pydanticHead = lazily(`\d+ validation errors? for [^\n]+`)
	pydanticV2   = lazily(`(?s)^(.*?)\s*\[type=([\w.-]+)(?:, input_value=(.*?))?(?:, input_type=[\w.]+)?\]$`)
	pydanticV1   = lazily(`(?s)^(.*?)\s*\(type=([\w.]+)(?:;.*)?\)$`)
	// A dump whose lines a server has joined.
	pydanticFlat = lazily(`([\w.\[\]-]+)\s+([A-Z][^\[\]]+?)\s+\[type=([\w.-]+)(?:, input_value=([^\n]*?))?(?:, input_type=[\w.]+)?\]`)
	firstKey     = lazily(`^\{['"]([^'"]+)['"]:`)
)

// pydantic reads the text of a ValidationError: a line for the place, and one
// or more, set off by two spaces, for what is wrong there.
func (d *reader) pydantic(text string) (found []complaint) {
	at := pydanticHead().FindStringIndex(text)
	if at == nil {
		return nil
	}
	body := text[at[1]:]
	if !strings.Contains(body, "\n") {
		body = strings.ReplaceAll(text[at[0]:], `\n`, "\n")
		_, body, _ = strings.Cut(body, "\n")
	}
	if body == "" {
		for _, m := range pydanticFlat().FindAllStringSubmatch(text[at[0]:], maxViolations) {
			found = append(found, pydanticOne(m[2], m[3], m[4], pydanticLoc(m[1])))
		}
		return found
	}
	var loc []string
	message := ""
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case strings.TrimSpace(line) == "" || strings.Contains(line, "For further information visit"):
			continue
		case !strings.HasPrefix(line, " ") && message == "":
			loc = pydanticLoc(line)
			continue
		}
		if message = strings.TrimSpace(message + "\n" + strings.TrimSpace(line)); len(message) > 2000 {
			return found
		}
		if !strings.HasSuffix(message, "]") && !strings.HasSuffix(message, ")") {
			continue
		}
		m := pydanticV2().FindStringSubmatch(message)
		if m == nil {
			if m = pydanticV1().FindStringSubmatch(message); m == nil {
				continue
			}
			m = append(m, "")
		}
		if found = append(found, pydanticOne(m[1], m[2], m[3], loc)); len(found) == 10*maxViolations {
			return found
		}
		loc, message = nil, ""
	}
	return found
}

// pydanticLoc splits a.0.list[int].b, also a -> 0 -> b as version 1 has it.
func pydanticLoc(line string) (loc []string) {
	line = strings.TrimSpace(line)
	if strings.Contains(line, " -> ") {
		return strings.Split(line, " -> ")
	}
	if line == "__root__" {
		return nil
	}
	depth, start := 0, 0
	for i := range len(line) {
		switch line[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case '.':
			if depth == 0 {
				loc = append(loc, line[start:i])
				start = i + 1
			}
		}
	}
	return append(loc, line[start:])
}

// pydanticOne makes a complaint of a message and the type of its error.
func pydanticOne(message, kind, input string, loc []string) complaint {
	c := complaint{path: loc, sure: true, labels: true}
	rule, own := strings.CutPrefix(message, "Value error, ")
	if !own {
		rule, own = strings.CutPrefix(message, "Assertion failed, ")
	}
	switch {
	case strings.HasPrefix(kind, "missing") || strings.HasSuffix(kind, ".missing"):
		c.fault = argMissing
		if m := firstKey().FindStringSubmatch(input); m != nil {
			c.echo = m[1]
		}
		return c
	case strings.HasPrefix(kind, "extra_") || strings.HasPrefix(kind, "unexpected_") || strings.HasSuffix(kind, ".extra"):
		c.fault = argUnknown
		return c
	case own:
		c.rule = rule
		return c
	case kind == "json_invalid":
		c.want = "a text that holds JSON"
		return c
	}
	read := demanded
	if strings.HasSuffix(kind, "_type") || strings.HasSuffix(kind, "_parsing") || strings.HasPrefix(kind, "type_error") {
		read = demandedForm
	}
	if said, ok := read(message); ok {
		said.path, said.sure, said.labels = c.path, true, true
		return said
	}
	c.rule = message
	return c
}
