package dump

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Members that say where, and members that say what.
var (
	placeKeys   = []string{"instancePath", "dataPath", "loc", "path", "field", "param", "parameter", "property", "propertyPath", "pointer", "instanceLocation", "source", "argument", "attribute", "name"}
	messageKeys = []string{"message", "msg", "defaultMessage", "detail", "reason", "description", "issue", "problem", "error", "title"}
)

// entry reads one object of a list of complaints. It reports false if it is none.
func (d *reader) entry(m map[string]any, depth int) ([]complaint, bool) {
	path, placed := entryPath(m)
	message := ""
	for _, key := range messageKeys {
		if s, ok := m[key].(string); ok {
			message = s
			break
		}
	}
	code, _ := m["code"].(string)
	keyword, _ := m["keyword"].(string)
	kind, _ := m["type"].(string)
	switch {
	case placed && zodCodes[code] && kindOf(m["path"]) == "array":
		return d.zod(m, path, code, message, depth), true
	case placed && keyword != "" && m["params"] != nil:
		return []complaint{ajv(m, path, keyword, message)}, true
	case m["loc"] != nil && kind != "":
		return []complaint{pydanticOne(message, kind, echoOf(m["input"]), path)}, true
	case placed && m["constraints"] != nil:
		return d.constraints(m, path, depth), true
	case !placed || message == "" && code == "":
		return nil, false
	}
	if code == "missing_field" || code == "required" || code == "missing" && message == "" {
		return []complaint{{fault: argMissing, path: path, sure: true}}, true
	}
	found := d.told(path, message, false)
	return found, len(found) > 0
}

// echoOf writes the first member of an object as Python would.
func echoOf(v any) string {
	o, _ := v.(map[string]any)
	for key := range o {
		return "{'" + key + "':"
	}
	return ""
}

func entryPath(m map[string]any) ([]string, bool) {
	for _, key := range placeKeys {
		switch v := m[key].(type) {
		case string:
			if key == "name" && m["reason"] == nil || len(v) > 500 {
				continue
			}
			return splitPath(v), true
		case []any:
			path := []string{}
			for _, step := range v {
				if o, ok := step.(map[string]any); ok {
					step = o["key"]
				}
				path = append(path, fmt.Sprint(step))
			}
			return path, true
		case map[string]any:
			if p, ok := v["pointer"].(string); ok && key == "source" {
				return splitPath(strings.TrimPrefix(p, "/data/attributes")), true
			}
		}
	}
	return nil, false
}

var zodCodes = set(`invalid_type invalid_literal custom invalid_union invalid_union_discriminator invalid_enum_value invalid_value unrecognized_keys
	invalid_arguments invalid_return_type invalid_date invalid_string invalid_format too_small too_big invalid_intersection_types
	not_multiple_of not_finite invalid_key invalid_element`)

// zod reads one issue of version 3 or 4. Its members are trusted before its
// message, which the author of a schema may have written.
func (d *reader) zod(m map[string]any, path []string, code, message string, depth int) []complaint {
	c := complaint{path: path, sure: true}
	switch code {
	case "invalid_type":
		expected := fmt.Sprint(m["expected"])
		c.want, _ = nounOf(expected)
		received, told := m["received"].(string)
		_, rest, _ := d.walk(d.unprefixed(path), complaint{})
		if received == "undefined" || !told && (strings.HasSuffix(message, "received undefined") || message == "Required" || d.args != nil && len(rest) == 1) {
			c.fault = argMissing
		}
		c.received = c.fault != argMissing
	case "unrecognized_keys":
		c.fault, c.names = argUnknown, spelled(m["keys"])
	case "invalid_union", "invalid_key", "invalid_element":
		if found := d.branches(m, path, depth); len(found) > 0 {
			return found
		}
		if c.choices = spelled(m["options"]); len(c.choices) == 0 {
			c.union = true
		}
	case "invalid_enum_value", "invalid_union_discriminator":
		c.choices = spelled(m["options"])
	case "invalid_value":
		c.choices = spelled(m["values"])
	case "invalid_literal":
		c.choices = spelled([]any{m["expected"]})
	case "too_small", "too_big":
		c.fault, c.limit = argBeyond, zodLimit(m, code)
	case "invalid_string", "invalid_format":
		c.want = zodFormat(m)
	default:
		said, ok := demanded(message)
		if code == "custom" || !ok {
			c.rule = message
			return []complaint{c}
		}
		said.path, said.sure = path, true
		return []complaint{said}
	}
	if len(c.choices) > 0 {
		c.want = oneOf(c.choices)
	}
	return []complaint{c}
}

func spelled(v any) (words []string) {
	list, _ := v.([]any)
	for _, item := range list[:min(len(list), 200)] {
		words = append(words, clipped(fmt.Sprint(item), 200))
	}
	return words
}

func zodLimit(m map[string]any, code string) (l limit) {
	of, _ := m["type"].(string)
	if of == "" {
		of, _ = m["origin"].(string)
	}
	l.of = map[string]string{"string": "character", "array": "item", "set": "item", "file": "size"}[of]
	l.whole = of == "int" || of == "bigint"
	exact, _ := m["exact"].(bool)
	inclusive, told := m["inclusive"].(bool)
	if n, ok := m["minimum"].(json.Number); ok && (code == "too_small" || exact) {
		l.least, l.over = plainNumber(n.String()), told && !inclusive
	}
	if n, ok := m["maximum"].(json.Number); ok && (code == "too_big" || exact) {
		l.most, l.under = plainNumber(n.String()), told && !inclusive
	}
	if exact {
		if l.least == "" {
			l.least = l.most
		}
		l.most, l.over, l.under = l.least, false, false
	}
	return l
}

func zodFormat(m map[string]any) string {
	name, ok := m["format"].(string)
	if !ok {
		name, ok = m["validation"].(string)
	}
	if o, isObject := m["validation"].(map[string]any); isObject {
		for key, lead := range map[string]string{"startsWith": "a text that begins with ", "endsWith": "a text that ends with ", "includes": "a text that contains "} {
			if s, ok := o[key].(string); ok {
				return lead + choiceWord(s)
			}
		}
	}
	for key, lead := range map[string]string{"prefix": "a text that begins with ", "suffix": "a text that ends with ", "includes": "a text that contains "} {
		if s, ok := m[key].(string); ok {
			return lead + choiceWord(s)
		}
	}
	if name == "regex" {
		pattern, _ := m["pattern"].(string)
		return patternNoun(pattern)
	}
	if noun, known := nounOf(strings.ReplaceAll(name, "_", " ")); ok && known {
		return noun
	}
	return "a text of another form"
}

// branches returns the complaints of the forms of a union: all of them if they
// are about the whole value, else those of the form that fits best.
func (d *reader) branches(m map[string]any, path []string, depth int) []complaint {
	var forms [][]complaint
	read := func(issues any, base []string) {
		list, _ := issues.([]any)
		var form []complaint
		for _, item := range list[:min(len(list), maxViolations)] {
			o, _ := item.(map[string]any)
			if depth > maxDepth/4 || o == nil {
				continue
			}
			found, _ := d.entry(o, depth+1)
			for _, c := range found {
				c.path = append(slices.Clone(base), c.path...)
				form = append(form, c)
			}
		}
		forms = append(forms, form)
	}
	old, _ := m["unionErrors"].([]any)
	for _, e := range old[:min(len(old), maxViolations)] {
		if o, ok := e.(map[string]any); ok {
			read(o["issues"], nil)
		}
	}
	list, _ := m["errors"].([]any)
	for _, e := range list[:min(len(list), maxViolations)] {
		read(e, path)
	}
	if inner, ok := m["issues"].([]any); ok {
		read(inner, path)
	}
	var best, whole []complaint
	for _, form := range forms {
		deep := slices.ContainsFunc(form, func(c complaint) bool { return len(c.path)+len(c.names) > len(path) })
		if !deep {
			whole = append(whole, form...)
		} else if best == nil || len(form) < len(best) {
			best = form
		}
	}
	if best != nil {
		return best
	}
	return whole
}

// constraints reads what class-validator says of a property.
func (d *reader) constraints(m map[string]any, path []string, depth int) (found []complaint) {
	said, _ := m["constraints"].(map[string]any)
	for _, key := range sortedKeys(said) {
		if message, ok := said[key].(string); ok {
			found = append(found, d.told(path, message, true)...)
		}
	}
	children, _ := m["children"].([]any)
	for _, child := range children[:min(len(children), maxViolations)] {
		o, _ := child.(map[string]any)
		if o == nil || depth > maxDepth/4 {
			continue
		}
		inner, _ := d.entry(o, depth+1)
		for _, c := range inner {
			c.path = append(slices.Clone(path), c.path...)
			found = append(found, c)
		}
	}
	return found
}

// ajv reads one error object.
func ajv(m map[string]any, path []string, keyword, message string) complaint {
	p, _ := m["params"].(map[string]any)
	c := complaint{path: path, sure: true}
	name := func(key string) []string {
		s, _ := p[key].(string)
		return []string{s}
	}
	switch keyword {
	case "required", "dependentRequired", "dependencies":
		c.fault, c.names = argMissing, name("missingProperty")
	case "additionalProperties":
		c.fault, c.names = argUnknown, name("additionalProperty")
	case "unevaluatedProperties":
		c.fault, c.names = argUnknown, name("unevaluatedProperty")
	case "enum":
		c.choices = spelled(p["allowedValues"])
		c.want = oneOf(c.choices)
	case "const":
		c.choices = spelled([]any{p["allowedValue"]})
		c.want = oneOf(c.choices)
	case "type":
		if list, ok := p["type"].([]any); ok {
			c.want, _ = nounsOf(spelled(list))
		} else {
			c.want, _ = nounsOf(strings.Split(fmt.Sprint(p["type"]), ","))
		}
	case "anyOf", "oneOf", "if", "not", "discriminator":
		c.union = true
	default:
		if said, ok := demanded(message); ok {
			said.path, said.sure = path, true
			return said
		}
		c.rule = message
	}
	return c
}
