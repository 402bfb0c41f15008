package diagnose

import (
	"regexp"
	"strings"
	"sync"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/dump"
)

// named are the ways in which a sentence names an argument. A name in quotes
// alone may as well be a value.
var named = sync.OnceValue(func() []*regexp.Regexp {
	const (
		quoted = "[\"'`“‘]([A-Za-z_][A-Za-z0-9_.-]{0,63})[\"'`”’]"
		noun   = `(?:argument|parameter|param|field|property|option|keyword|key)s?`
	)
	var list []*regexp.Regexp
	for _, form := range []string{
		`(?i)\b` + noun + `(?: named| called|:)? ` + quoted,
		`(?i)` + quoted + ` ` + noun + `\b`,
		`(?i)\b(?:value for|missing|requires?|required:?|unknown|unexpected) ` + quoted,
		`(?i)` + quoted + `:? (?:is (?:a )?(?:required|missing|mandatory|not allowed|empty)|was unexpected|must (?:not )?be|should be|has to be|can(?:'|no)t be)`,
		`(?i)\b(?:required|missing|unknown|unexpected) (?:positional )?` + noun + `: [\["'` + "`" + `]*([A-Za-z_][A-Za-z0-9_.-]{0,63})`,
		`^[Ii]nvalid ([a-z]+(?:[A-Z][a-z0-9]*|_[a-z0-9]+)+): `,
		`^([a-z][a-z0-9]*(?:_[a-z0-9]+)*):? (?:is required|is missing|must be|must not|cannot be|can't be)`,
	} {
		list = append(list, regexp.MustCompile(form))
	}
	return list
})

// fieldIn returns the argument that a text names, as a JSON Pointer, "" if it
// names none or not clearly.
func fieldIn(text string) string {
	text = text[:min(len(text), 1<<10)]
	for _, form := range named() {
		if m := form.FindStringSubmatch(text); m != nil {
			return dump.Pointer(strings.Split(m[1], "."))
		}
	}
	return ""
}
