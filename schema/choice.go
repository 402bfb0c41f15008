package schema

import (
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// choices returns the texts that a schema lists, also in its alternatives.
func (c *check) choices(s *draft.Schema) (texts []string) {
	var walk func(s *draft.Schema, depth int)
	walk = func(s *draft.Schema, depth int) {
		if s == nil || depth == 0 || c.spent(1) {
			return
		}
		for _, v := range allowed(s) {
			if text, ok := v.(string); ok && len(texts) < 1000 {
				texts = append(texts, text)
			}
		}
		walk(s.Ref, depth-1)
		for _, sub := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf) {
			walk(sub, depth-1)
		}
	}
	walk(s, maxWords)
	c.spent(len(texts))
	return texts
}

// nearChoice returns the one choice that a text means: misspelt, shortened, among
// other words, or in another word for it; "" if there is none or several.
func (c *check) nearChoice(text string, choices []string) string {
	if len(choices) == 0 || len(text) > 200 || slices.ContainsFunc(tokens(text), negates) || c.spent(15*len(choices)) {
		return ""
	}
	for _, means := range []func(text, choice string) bool{misspelt, mentions, abbreviates, equivalent} {
		var found []string
		for _, choice := range choices {
			if means(text, choice) {
				found = append(found, choice)
			}
		}
		if len(found) == 1 {
			return found[0]
		}
		if len(found) > 1 {
			return ""
		}
	}
	return ""
}

func misspelt(text, choice string) bool {
	x, y := normal(text), normal(choice)
	return stem(x) == stem(y) && x != "" || typo(x, y) > 0 && len(y) > 3 && !strings.ContainsAny(x+y, "0123456789") ||
		len(x) > 5 && pairs(x, y) >= 0.7
}

// mentions reports whether the words of a choice are among others.
func mentions(text, choice string) bool {
	all, some := tokens(text), tokens(choice)
	if len(all) <= len(some) || len(some) == 0 || len(all) > 6 {
		return false
	}
	for i := range all[:len(all)-len(some)+1] {
		if slices.Equal(all[i:i+len(some)], some) {
			return true
		}
	}
	return false
}

func negates(word string) bool {
	return slices.Contains([]string{"not", "non", "without", "except", "never", "or", "un", "than"}, word)
}

// abbreviates reports whether one begins with the other.
func abbreviates(text, choice string) bool {
	x, y := normal(text), normal(choice)
	switch {
	case x == "" || y == "" || strings.Trim(x, "0123456789") == "":
		return false
	case len(x) >= 3 && len(y) >= 3:
		return strings.HasPrefix(y, x) || strings.HasPrefix(x, y)
	}
	return len(x) == 1 && len(text) == 1 && x[0] == y[0]
}

// equivalents are words that mean the same where a choice is asked for; each line
// is a meaning.
var equivalents = [][]string{
	{"asc", "ascending", "oldest", "increasing"},
	{"desc", "descending", "newest", "decreasing", "latest"},
	{"open", "opened", "active", "unresolved", "todo"},
	{"closed", "close", "done", "resolved", "completed", "complete", "finished", "fixed"},
	{"inprogress", "doing", "started", "ongoing", "wip", "running"},
	{"low", "minor", "trivial", "lowest"},
	{"medium", "normal", "moderate", "mid", "average"},
	{"high", "major", "important"},
	{"critical", "urgent", "blocker", "highest", "severe"},
	{"celsius", "metric", "centigrade", "c"},
	{"fahrenheit", "imperial", "f"},
	{"small", "s", "little"},
	{"large", "l", "big"},
	{"jpg", "jpeg"},
	{"markdown", "md"},
	{"text", "txt", "plain", "plaintext", "textplain"},
	{"javascript", "js", "node", "nodejs"},
	{"typescript", "ts"},
	{"python", "py", "python3"},
	{"shell", "sh", "bash"},
	{"yaml", "yml"},
	{"delete", "remove", "del", "rm"},
	{"create", "add", "new", "insert"},
	{"update", "edit", "modify", "change", "patch"},
	{"error", "err", "fatal"},
	{"warning", "warn"},
	{"daily", "day", "everyday"},
	{"weekly", "week"},
	{"monthly", "month"},
	{"yearly", "year", "annually", "annual"},
	{"production", "prod", "live"},
	{"yes", "true", "on", "enabled"},
	{"no", "false", "off", "disabled"},
	{"eur", "euro", "euros"},
	{"usd", "dollar", "dollars"},
	{"gbp", "pound", "pounds"},
	{"development", "dev"},
	{"staging", "stage"},
	{"private", "hidden", "secret"},
	{"relevance", "best", "bestmatch", "relevant"},
	{"date", "time", "recent"},
}

func equivalent(text, choice string) bool {
	x, y := normal(text), normal(choice)
	return slices.ContainsFunc(equivalents, func(words []string) bool {
		return slices.Contains(words, x) && slices.Contains(words, y)
	})
}
