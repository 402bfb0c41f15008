package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// How much of the arguments is searched for a value.
const (
	maxArgs  = 1 << 20 // bytes
	maxNodes = 2000    // values
	maxDepth = 32
)

// decodeArgs returns the arguments, nil if they are unknown or no JSON.
func decodeArgs(args []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	if len(args) > maxArgs || d.Decode(&v) != nil {
		return nil
	}
	return v
}

// locate finds the one value inside of another that the text quotes.
func (d *reader) locate(in any, c complaint) (path []string, ok bool) {
	nodes, hits := 0, 0
	var walk func(v any, at []string)
	walk = func(v any, at []string) {
		if nodes++; nodes > maxNodes || len(at) > maxDepth || hits > 1 {
			return
		}
		if len(at) > 0 && (c.sent != "" || c.kind != "") && (c.sent == "" || spells(v, c.sent)) && (c.kind == "" || c.kind == kindOf(v)) && !c.admits(v) {
			hits++
			path = slices.Clone(at)
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for _, key := range sortedKeys(v) {
				walk(v[key], append(at, key))
			}
		case []any:
			for i, item := range v {
				walk(item, append(at, strconv.Itoa(i)))
			}
		}
	}
	walk(in, nil)
	return path, hits == 1
}

// admits reports whether a value is already what is wanted, so that it can't be
// the one complained of.
func (c complaint) admits(v any) bool {
	switch v := v.(type) {
	case string:
		return c.want == "a text" || slices.Contains(c.choices, v)
	case bool:
		return c.want == "true or false"
	case json.Number:
		return c.want == "a number" && c.fault == argWrong || c.want == "a whole number" && c.fault == argWrong && c.limit == limit{} && !strings.ContainsAny(v.String(), ".eE-")
	case []any:
		return c.want == "a list"
	case map[string]any:
		return c.want == "an object"
	}
	return false
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func isNumberValue(v any) bool { _, ok := v.(json.Number); return ok }

// spells reports whether a text is how Python, Go, JavaScript or JSON writes v.
func spells(v any, text string) bool {
	text = strings.TrimSpace(text)
	if s, ok := v.(string); ok {
		if text == s || unquotedText(text) == s {
			return true
		}
		head, more := strings.CutSuffix(unquotedText(text), "...")
		return more && len(head) > 8 && strings.HasPrefix(s, head)
	}
	switch v := v.(type) {
	case nil:
		return slices.Contains([]string{"null", "None", "nil", "<nil>", "<invalid reflect.Value>", "undefined"}, text)
	case bool:
		return strings.EqualFold(text, strconv.FormatBool(v))
	case json.Number:
		return plainNumber(text) == plainNumber(v.String())
	case []any, map[string]any:
		b, err := json.Marshal(v)
		if err != nil || len(b) > 4000 || len(text) > 8000 {
			return false
		}
		return bareText(text) == bareText(string(b)) || text == goText(v)
	}
	return false
}

func unquotedText(text string) string {
	if len(text) < 2 || !strings.ContainsRune("\"'`", rune(text[0])) || text[len(text)-1] != text[0] {
		return text
	}
	var s string
	if text[0] == '"' && json.Unmarshal([]byte(text), &s) == nil {
		return s
	}
	return strings.ReplaceAll(text[1:len(text)-1], `\'`, "'")
}

var spelling = strings.NewReplacer(" ", "", "\n", "", "'", `"`, "True", "true", "False", "false", "None", "null")

func bareText(s string) string { return spelling.Replace(s) }

// goText is what Go prints.
func goText(v any) string { return fmt.Sprint(v) }

// hollowArg reports whether a value is as good as none.
func hollowArg(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}
