package dump

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// object reads a dump that is JSON, or how Python prints a dict, wherever in the
// text it begins.
func (d *reader) object(text string) []complaint {
	v := valueIn(text)
	if v == nil {
		return nil
	}
	if found := d.value(v, 0); len(found) > 0 {
		return found
	}
	if o, ok := v.(map[string]any); ok && listsOnly(o, 0) {
		return d.fields(nil, o, d.vouched, 0)
	}
	return nil
}

// valueIn returns the first array or object that a text holds.
func valueIn(text string) (v any) {
	const most = 6 // beginnings that are tried
	from := 0
	for range most {
		i := strings.IndexAny(text[from:], "[{")
		if i < 0 {
			return nil
		}
		from += i
		for _, t := range []string{text[from:], fromPython(text[from:])} {
			dec := json.NewDecoder(strings.NewReader(t))
			dec.UseNumber()
			if dec.Decode(&v) == nil {
				if o, ok := v.(map[string]any); ok && len(o) > 0 {
					return v
				}
				if list, ok := v.([]any); ok && len(list) > 0 && kindOf(list[0]) == "object" {
					return v
				}
			}
		}
		from++
	}
	return nil
}

// fromPython makes JSON of a dict as Python prints it, "" if it is none.
func fromPython(text string) string {
	if !strings.HasPrefix(text, "{'") && !strings.HasPrefix(text, "[{'") || len(text) > 16<<10 {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\'' && c != '"' {
			b.WriteByte(c)
			continue
		}
		start := i + 1
		for i = start; i < len(text) && text[i] != c; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		inner := strings.ReplaceAll(text[start:min(i, len(text))], `\'`, "'")
		quoted, _ := json.Marshal(inner)
		b.Write(quoted)
	}
	whole := numberKey().ReplaceAllString(b.String(), `$1"$2":`)
	return strings.NewReplacer(": None", ": null", ": True", ": true", ": False", ": false").Replace(whole)
}

var numberKey = lazily(`([{,]\s*)(\d+):`)

// Members under which complaints are found.
var containers = []string{"issues", "errors", "fields", "detail", "details", "error", "fieldErrors", "formErrors", "nested", "violations", "fieldViolations", "field_violations",
	"invalid_params", "invalid-params", "invalidParams", "validation_errors", "validationErrors", "errorMessages", "messages", "message", "reason", "error_message", "errorMessage", "response_metadata", "response", "data", "body", "cause"}

func (d *reader) value(v any, depth int) (found []complaint) {
	if depth > maxDepth/4 {
		return nil
	}
	switch v := v.(type) {
	case string:
		if inner := valueIn(v); inner != nil {
			if found := d.value(inner, depth+1); len(found) > 0 {
				return found
			}
		}
		return d.lines(v)
	case []any:
		for _, item := range v[:min(len(v), 10*maxViolations)] {
			found = append(found, d.value(item, depth+1)...)
		}
		return found
	case map[string]any:
		if c, ok := d.entry(v, depth); ok {
			return c
		}
		if tree, ok := v["properties"].(map[string]any); ok && v["errors"] != nil {
			return d.fields(nil, map[string]any{"properties": tree, "errors": v["errors"]}, true, depth)
		}
		for _, name := range containers {
			inner, ok := v[name]
			if !ok {
				continue
			}
			o, object := inner.(map[string]any)
			explicit := name == "errors" || name == "fieldErrors" || name == "nested" || strings.HasPrefix(name, "validation")
			if object && (explicit || name == "fields" || name == "detail" || name == "details" || name == "messages") {
				found = append(found, d.fields(nil, o, explicit, depth+1)...)
			}
			if !object || len(found) == 0 {
				found = append(found, d.value(inner, depth+1)...)
			}
		}
	}
	return found
}

// listsOnly reports an object whose values are lists of texts, at any depth: a
// whole answer that is one is a map of errors by field.
func listsOnly(o map[string]any, depth int) bool {
	for _, v := range o {
		switch v := v.(type) {
		case map[string]any:
			if depth > 4 || !listsOnly(v, depth+1) {
				return false
			}
		case []any:
			for _, item := range v {
				inner, ok := item.(map[string]any)
				if kindOf(item) != "string" && (!ok || depth > 4 || !listsOnly(inner, depth+1)) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

var sameLevel = set("_errors _schema non_field_errors nonfielderrors __all__ formerrors base _form root __root__")

// fields reads a map from fields to what is wrong with them. What is explicit
// needs no known words.
func (d *reader) fields(path []string, o map[string]any, explicit bool, depth int) (found []complaint) {
	if depth > maxDepth/2 {
		return nil
	}
	_, hasErrors := o["errors"].([]any)
	for _, key := range sortedKeys(o) {
		at := append(slices.Clone(path), splitPath(key)...)
		tree := hasErrors && (key == "properties" || key == "items")
		if sameLevel[strings.ToLower(key)] || hasErrors && key == "errors" || tree || key == "fieldErrors" {
			at = path
		}
		switch v := o[key].(type) {
		case string:
			found = append(found, d.told(at, v, explicit)...)
		case map[string]any:
			if message, ok := v["message"].(string); ok {
				found = append(found, d.told(at, message, explicit)...)
				continue
			}
			found = append(found, d.fields(at, v, explicit, depth+1)...)
		case []any:
			for i, item := range v[:min(len(v), 10*maxViolations)] {
				switch item := item.(type) {
				case string:
					found = append(found, d.told(at, item, explicit)...)
				case map[string]any:
					if message, ok := item["message"].(string); ok {
						found = append(found, d.told(at, message, explicit)...)
						continue
					}
					below := at
					if tree {
						below = append(slices.Clone(at), strconv.Itoa(i))
					}
					found = append(found, d.fields(below, item, explicit, depth+1)...)
				}
			}
		}
	}
	return found
}

// otherTrouble is what a rule can't be about: such texts have codes of their own.
var otherTrouble = onFirstUse(`\balready\b|\btaken\b|\bexists?\b|duplicate|not found|could not be found|permission|forbidden|denied|unauthori|authenticat|credential|rate limit|quota|time[d -]?out|expired|conflict|locked|refused|unavailable|parse error|syntax|could not be (?:reached|loaded)`)

var isRequired = onFirstUse(`\b(?:is|are) (?:required|mandatory|missing|empty)\.?$`)

// told makes a complaint of a message about a place.
func (d *reader) told(path []string, message string, explicit bool) []complaint {
	c, ok := demanded(message)
	if !ok {
		// The message may name the place again: "The rows field must be an integer."
		if said := d.segment(message); len(said) == 1 && len(said[0].path)+len(said[0].names) <= 1 && said[0].rule == "" {
			c, ok = said[0], true
			c.names = nil
		}
	}
	if !ok && isRequired().MatchString(message) {
		c, ok = complaint{fault: argMissing}, true
	}
	if !ok && (!explicit || otherTrouble().MatchString(message) || len(path) == 0) {
		return nil
	}
	if !ok {
		c.rule = message
	}
	c.path, c.sure, c.names = path, true, namedApart(c.names, path)
	c.received = c.sent != "" || c.kind != ""
	return []complaint{c}
}
