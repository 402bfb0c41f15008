package recourse

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/internal/redact"
)

// maxValue is how many characters of a value are shown: enough to recognise
// what was sent, which the model still has in full.
const maxValue = 200

// redactor hides what looks like a secret, and the values of those variables of
// the environment that are secrets by their names.
var redactor = redact.Redactor{Secrets: redact.Environ(os.Environ())}

// shown returns the JSON of a value that was sent as field, without its secrets
// and cut; nil if there is nothing to show. A secret hides under the name of
// any field on the way to it.
func shown(field string, v any) []byte {
	raw := plain(v)
	if raw == nil {
		return nil
	}
	for _, name := range slices.Backward(strings.Split(strings.TrimPrefix(field, "/"), "/")) {
		if strings.Contains(name, "~") {
			name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		}
		raw = hide(name, raw).raw
	}
	if len(raw) <= maxValue {
		return raw
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = string(raw)
	}
	if utf8.RuneCountInString(s) <= maxValue {
		return raw
	}
	return encode(cut(s, maxValue))
}

// hide returns a member without the secrets in its key and its value.
func hide(key string, raw []byte) member {
	if raw != nil {
		open := object{{key, raw}}.append(make([]byte, 0, 2*(len(key)+len(raw)+len(`{"":}`))))
		both, _ := redactor.AppendJSON(open, open)
		whole := both[len(open):]
		if bytes.Equal(whole, open) {
			return member{key, raw}
		}
		var o map[string]json.RawMessage
		_ = json.Unmarshal(whole, &o) // fails for what is nested too deep to be searched
		for key, raw := range o {
			return member{key, raw}
		}
	}
	return member{}
}

// plain returns v as JSON whose strings are valid UTF-8, also where v brings
// its own JSON. It returns nil for null and for what JSON can't hold: an error
// has to arrive even if a detail of it can't. Of a v that is an error, it
// returns the public text.
func plain(v any) []byte {
	if err, ok := v.(error); ok {
		v = classify(err).Error()
	}
	switch s := v.(type) {
	case nil:
		return nil
	case string:
		if simple(s) {
			return quoted(s)
		}
	case bool, int, int64, float64:
		return encode(v) // these are what they seem
	}
	d := json.NewDecoder(bytes.NewReader(encode(v)))
	d.UseNumber()
	var x any
	if d.Decode(&x) != nil || x == nil {
		return nil
	}
	return encode(x)
}

// cut returns at most n characters of s, the last of them an ellipsis if some
// are missing.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
