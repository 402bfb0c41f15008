package diagnose

import (
	"bytes"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed heads.txt
var headsText string

// A head is one rule of heads.txt: how the first line of an error begins.
type head struct {
	name       string
	sure, weak bool
	words      []string
	is, not    []string
	good, bad  []string // its examples
	compiled   func() (is, not []*regexp.Regexp)
}

// matches reports whether a line begins so. Raw is the line with its signs.
func (h *head) matches(line, raw string) bool {
	is, not := h.compiled()
	if h.words[0] == "*mark" {
		line = raw
	}
	matches := func(re *regexp.Regexp) bool { return re.MatchString(line) }
	return slices.ContainsFunc(is, matches) && !slices.ContainsFunc(not, matches)
}

// A mark is a set of heads, by their place in the table.
type mark [2]uint64

func (m *mark) add(other mark) { m[0] |= other[0]; m[1] |= other[1] }
func (m mark) none() bool      { return m == mark{} }
func (m mark) has(n int) bool  { return m[n/64]>>(n%64)&1 == 1 }

type headTable struct {
	heads                       []*head
	words                       map[string]mark
	begins                      [256]uint64 // of words: the lengths of those that begin with a byte
	error, errno, status, signs mark        // of the words that begin with a star
}

// heads is the table. A rule's patterns are compiled when one of its words is
// first seen: most proxies never see most of them.
var heads = sync.OnceValue(func() *headTable {
	t := &headTable{words: map[string]mark{}}
	var h *head
	for line := range strings.Lines(headsText) {
		line = strings.TrimRight(line, "\n")
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "head":
			h = newHead(rest)
			t.heads = append(t.heads, h)
		case "=":
			h.is = append(h.is, rest)
		case "!":
			h.not = append(h.not, rest)
		case "+":
			h.good = append(h.good, rest)
		case "-":
			h.bad = append(h.bad, rest)
		}
	}
	for n, h := range t.heads {
		var bit mark
		bit[n/64] = 1 << (n % 64)
		for _, w := range h.words {
			m := t.words[w]
			m.add(bit)
			t.words[w] = m
		}
	}
	for w := range t.words {
		t.begins[w[0]] |= 1 << min(len(w), 63)
	}
	t.error, t.errno, t.status, t.signs = t.words["*error"], t.words["*errno"], t.words["*status"], t.words["*mark"]
	return t
})

func newHead(line string) *head {
	title, on, _ := strings.Cut(line, " on ")
	name, class, _ := strings.Cut(title, " ")
	h := &head{name: name, sure: class == "sure", weak: class == "weak", words: strings.Fields(on)}
	h.compiled = sync.OnceValues(func() (is, not []*regexp.Regexp) {
		for _, p := range h.is {
			is = append(is, regexp.MustCompile("(?i)"+p))
		}
		for _, p := range h.not {
			not = append(not, regexp.MustCompile("(?i)"+p))
		}
		return is, not
	})
	return h
}

// maxWords is how much of a first line is searched for the words of heads, to the end
// of its first sentence: all of them stand near the beginning.
const maxWords = 200

// mark returns the heads that a text may have. Lit is the inside of a JSON string:
// most texts are done with here, before anything is decoded.
func (t *headTable) mark(lit []byte) (found mark) {
	lit = lit[:min(len(lit), maxWords)]
	if len(lit) > 0 && (lit[0] >= 0x80 || lit[0] == '\\' || lit[0] == '(' || lit[0] == '[') {
		found.add(t.signs)
		found.add(t.status) // ("1064", …
	}
	for i := 0; i < len(lit); {
		begin := i
		for i < len(lit) && wordly(lit[i]) {
			i++
		}
		n := i - begin
		if n > 1 && n <= longestName {
			leads := begin == 0 || strings.IndexByte(".([:$", lit[begin-1]) >= 0
			found.add(t.of(lit[begin:i], leads && (i == len(lit) || lit[i] != ' ')))
		}
		if i+1 < len(lit) && lit[i] == '.' && lit[i+1] == ' ' && n > 2 {
			return found
		}
		if i+1 < len(lit) && lit[i] == '\\' {
			if lit[i+1] == 'n' || lit[i+1] == 'r' {
				return found
			}
			i++
		}
		i++
	}
	return found
}

func wordly(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// of returns the heads of one word. Named says that it stands where names of exceptions
// do: first, or behind a point or a bracket, and no other word follows.
func (t *headTable) of(word []byte, named bool) (m mark) {
	begins := t.begins[lowerByte(word[0])]>>len(word)&1 == 1
	ends := len(word) > 4 && endings[lowerByte(word[len(word)-1])]
	if !begins && !ends && word[0] >= 'a' && bytes.IndexByte(word, '_') < 0 {
		return m
	}
	var room [longestName]byte
	lower, upper, camel := room[:len(word)], true, false
	for i, c := range word {
		upper = upper && (c < 'a' || c > 'z')
		camel = camel || i > 1 && 'A' <= c && c <= 'Z' && 'a' <= word[i-1] && word[i-1] <= 'z'
		lower[i] = lowerByte(c)
	}
	if begins {
		m = t.words[string(lower)]
	}
	switch {
	case isStatus(word):
		m.add(t.status)
	case upper && len(word) > 3 && word[0] == 'E', bytes.IndexByte(word, '_') > 0, string(lower) == "errno":
		m.add(t.errno)
	case camel && named && word[0] < 'a' && len(word) >= 8: // NoSuchBucket
		m.add(t.error)
	}
	if ends && slices.ContainsFunc(suffixes[:], func(end string) bool {
		return len(lower) > len(end) && string(lower[len(lower)-len(end):]) == end
	}) {
		m.add(t.error)
	}
	return m
}

// isStatus tells the numbers that HTTP (404) and JSON-RPC (-32601, without its sign)
// have for errors.
func isStatus(word []byte) bool {
	return len(word) == 3 && word[1] <= '9' && (word[0] == '4' || word[0] == '5') ||
		len(word) == 5 && word[0] == '3' && word[1] == '2'
}

// suffixes are what the names of errors end in.
var suffixes = [...]string{"error", "exception", "failure", "fault", "timeout", "refused", "denied", "found", "interrupt", "exit", "unavailable", "violation"}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	return c
}

// endings are the last bytes of suffixes.
var endings = func() (ends [256]bool) {
	for _, s := range suffixes {
		ends[s[len(s)-1]] = true
	}
	return ends
}()

// longestName is longer than any name of an error: what is longer is data.
const longestName = 60

// find returns the first head in found that the line has, nil if there is none.
func (t *headTable) find(found mark, line, raw string) *head {
	for n, h := range t.heads {
		if found.has(n) && h.matches(line, raw) {
			return h
		}
	}
	return nil
}
