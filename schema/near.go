package schema

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// Nearest returns up to three of names that resemble name, the best first.
//
// Names are compared without case and separators, by Dice's coefficient over
// their pairs of letters and over their words: unlike an edit distance it forgives
// words in another order, and words too many. In a short name one wrong letter
// spoils most pairs, so one letter off counts as near. Only the first 1000 names
// and 64 bytes of a name are looked at.
func Nearest(name string, names []string) []string {
	type scored struct {
		name  string
		score float64
	}
	var found []scored
	for _, n := range names[:min(len(names), 1000)] {
		if s := resemblance(name, n); s >= 0.5 {
			found = append(found, scored{n, s})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var near []string
	for _, f := range found[:min(3, len(found))] {
		near = append(near, f.name)
	}
	return near
}

// resemblance is between 0 and 1.
func resemblance(a, b string) float64 {
	as, bs := tokens(a), tokens(b)
	x, y := strings.Join(as, ""), strings.Join(bs, "")
	if x == "" || y == "" {
		return 0
	}
	return max(pairs(x, y), typo(x, y), shared(as, bs), short(as, bs))
}

// short returns 0.5 if one word is the beginning of the other: lat, latitude.
func short(a, b []string) float64 {
	if len(a) != 1 || len(b) != 1 || min(len(a[0]), len(b[0])) < 3 {
		return 0
	}
	if strings.HasPrefix(a[0], b[0]) || strings.HasPrefix(b[0], a[0]) {
		return 0.5
	}
	return 0
}

// tokens splits a name into its words in lower case, without their plural.
func tokens(name string) []string {
	if len(name) > 64 {
		name = name[:64]
	}
	var b strings.Builder
	previous := rune(0)
	for _, r := range name {
		if unicode.IsUpper(r) && (unicode.IsLower(previous) || unicode.IsDigit(previous)) {
			b.WriteByte(' ')
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			b.WriteByte(' ')
		} else {
			b.WriteRune(unicode.ToLower(r))
		}
		previous = r
	}
	return strings.Fields(b.String())
}

// shared is Dice's coefficient over words. One word out of many is too little.
func shared(a, b []string) float64 {
	n := 0
	for _, word := range a {
		if utf8.RuneCountInString(word) > 1 && slices.ContainsFunc(b, func(w string) bool { return singular(w) == singular(word) }) {
			n++
		}
	}
	return 2 * float64(n) / float64(len(a)+len(b))
}

func singular(word string) string {
	if len(word) > 3 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// pairs is Dice's coefficient over pairs of neighbouring letters.
func pairs(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) < 2 || len(b) < 2 {
		return 0
	}
	have := map[string]int{}
	for i := range len(a) - 1 {
		have[a[i:i+2]]++
	}
	n := 0
	for i := range len(b) - 1 {
		if pair := b[i : i+2]; have[pair] > 0 {
			have[pair]--
			n++
		}
	}
	return 2 * float64(n) / float64(len(a)+len(b)-2)
}

// typo returns 0.6 if a and b differ in one letter: another, missing, too many,
// or swapped with its neighbour.
func typo(a, b string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch rest, other := a[i:], b[i:]; {
	case len(a) < 3 || other == "":
		return 0
	case rest == other[1:], rest != "" && rest[1:] == other[1:],
		len(rest) > 1 && len(other) > 1 && rest[0] == other[1] && rest[1] == other[0] && rest[2:] == other[2:]:
		return 0.6
	}
	return 0
}

// synonyms are names that models use for one another; each line is a meaning.
var synonyms = [][]string{
	{"query", "q", "search", "phrase", "term", "keyword", "keywords", "text", "searchterm", "searchquery", "searchtext"},
	{"limit", "top", "count", "max", "rows", "size", "n", "num", "maxresults", "pagesize", "perpage", "topk", "k", "take"},
	{"url", "uri", "address", "link", "href", "page", "website"},
	{"path", "file", "filename", "filepath", "location", "uri"},
	{"title", "name", "subject", "heading", "summary", "label"},
	{"text", "body", "content", "contents", "message", "description", "note", "markdown", "value"},
	{"city", "location", "place", "town"},
	{"id", "key", "identifier", "uuid", "ref"},
	{"sql", "query", "statement", "command", "cmd", "script", "code"},
	{"cursor", "page", "offset", "pagetoken", "start", "skip", "after"},
	{"start", "starts", "from", "begin", "since", "startdate", "starttime", "startsat", "startat", "after"},
	{"end", "ends", "to", "until", "enddate", "endtime", "endsat", "endat", "before"},
	{"to", "recipient", "recipients", "email", "destination", "target"},
	{"user", "username", "login", "account", "owner", "assignee", "author"},
	{"tags", "labels", "categories", "kinds", "types"},
	{"type", "kind", "category"},
	{"state", "status"},
	{"folder", "directory", "dir"},
	{"colour", "color"},
	{"lang", "language", "locale"},
	{"seconds", "duration", "timeout", "secs"},
}

// tells reports whether a description speaks of what a name says: of an argument
// that is required anywhere in its first sentence, else at its beginning.
func tells(s *draft.Schema, name string, required bool) bool {
	words := tokens(name)
	if len(words) == 0 || len(strings.Join(words, "")) < 4 {
		return false
	}
	says := tokens(described(s))
	if !required {
		says = says[:min(len(says), 3)]
	}
	return !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(says, func(w string) bool { return stem(w) == stem(word) })
	})
}

// akin reports whether two names mean the same according to the table.
func akin(a, b string) bool {
	x, y := strings.Join(tokens(a), ""), strings.Join(tokens(b), "")
	return slices.ContainsFunc(synonyms, func(words []string) bool {
		return slices.Contains(words, x) && slices.Contains(words, y)
	})
}
