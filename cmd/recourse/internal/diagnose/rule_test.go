package diagnose

import (
	"strings"
	"testing"

	"github.com/recourse-dev/recourse"
)

// Every rule has two texts that it must read right, and two that it must not take
// for its own, each read by the whole table.
func TestRules(t *testing.T) {
	table := rules()
	names := map[string]bool{}
	for _, r := range table.rules {
		if names[r.name] {
			t.Errorf("two rules are called %s", r.name)
		}
		names[r.name] = true
		if len(r.examples) < 2 || len(r.others) < 2 {
			t.Errorf("%s has %d and %d examples", r.name, len(r.examples), len(r.others))
		}
		for _, text := range r.examples {
			if got := Read(lineBreaks(text)); !r.meant(got) {
				t.Errorf("%s: %q is %s by %s", r.name, text, got.Code, got.Reason)
			}
		}
		for _, text := range r.others {
			if got := Read(lineBreaks(text)); r.meant(got) && got.Reason != "" {
				t.Errorf("%s: %q is %s by %s, too", r.name, text, got.Code, got.Reason)
			}
		}
	}
}

// meant reports whether a reading is what a rule says.
func (r rule) meant(got Reading) bool {
	switch {
	case r.status:
		return got.Reason == "status"
	case r.code != "":
		return got.Code == r.code
	case r.final:
		return !got.Retryable
	case r.again:
		return got.Retryable
	}
	return got.RetryAfter > 0
}

func lineBreaks(s string) string { return strings.ReplaceAll(s, `\n`, "\n") }

func TestRuleCodes(t *testing.T) {
	for _, r := range rules().rules {
		e := recourse.Error{Code: r.code}
		if r.code != "" && e.Error() == (&recourse.Error{Code: recourse.UnknownError}).Error() {
			t.Errorf("%s has no code of the list: %q", r.name, r.code)
		}
	}
}

func TestRulesRefused(t *testing.T) {
	for _, text := range []string{
		"rule a NOT_FOUND\n= .. x",
		"rule a NOT_FOUND\n= (x|) (y|)",
		"rule a NOT_FOUND\n= (x",
		"rule a NOT_FOUND\n= {nothing}",
		"rule a NOT_FOUND\n= ~",
		"rule a NOT_FOUND\n? x",
		"section hint",
	} {
		if _, err := parseRules("let advice = please\nsection code\n" + text); err == nil {
			t.Errorf("%q is a table", text)
		}
	}
}

func TestWordings(t *testing.T) {
	for _, c := range []struct {
		wording, text string
		want          bool
	}{
		{"no such key", "NoSuchKey", true},
		{"no such key", "no_such_key!", true},
		{"no such key", "no such: key", true},
		{"no such key", "no such keys", false},
		{"no such key", "No such. Key", false},
		{"cant", "can't", true},
		{"cant", "can’t", true},
		{"json decode", "JSONDecode", true},
		{"urls", "URLs", true},
		{"exceed~", "exceeding", true},
		{"retry~", "retried", true},
		{"a .. b", "a 1 2 3 4 5 b", true},
		{"a .. b", "a 1 2 3 4 5 6 b", false},
		{"a ... b", "a 1 2 3 4 5 6 b", true},
		{"a (b|c d|) e", "a c d e", true},
		{"a (b|c d|) e", "a e", true},
		{"a (b|c d|) e", "a c e", false},
		{"a <n>", "a 1,000", true},
		{"a <n>", "a 10.0.0.1", false},
		{"a <status>", "a 404", true},
		{"a <status>", "a 0404", false},
		{"a <status>", "a 600", false},
		{"<env> is", "API_KEY is", true},
		{"<env> is", "api_key is", false},
		{"<env> is", "KEY is", false},
		{"^ a", "b. a", true},
		{"^ a", "b a", false},
		{"a $", "a b", false},
		{"a $", "a. b", true},
		{"a _ b", "a x b", true},
		{"a _ b", "a b", false},
	} {
		table, err := parseRules("let advice = please\nsection code\nrule x NOT_FOUND\n= " + c.wording)
		if err != nil {
			t.Errorf("%s: %v", c.wording, err)
			continue
		}
		if got := table.scan(c.text).first[inCode] == 0; got != c.want {
			t.Errorf("%q in %q: %v", c.wording, c.text, got)
		}
	}
}
