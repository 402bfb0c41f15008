package diagnose

import (
	"slices"
	"strconv"
	"strings"
)

// A token is a word of a text as the rules see it: in small letters, cut out of
// snake_case and camelCase, without an apostrophe. NoSuchKey, no_such_key and
// "no such key" are the same three.
type token struct {
	word       int  // in the vocabulary; 0: no rule has it
	stop       bool // a sentence ends here
	env        bool // the last part of a name such as API_KEY
	number     int  // -1: it is none
	start, end int  // in the text
}

// A vocabulary numbers the words of all rules by their hash: a collision in 64
// bits would cost a wrong code in a message, and nothing else.
type vocabulary map[uint64]int

// learn returns the number of a word, which must be one token.
func (v vocabulary) learn(word string) int {
	h := uint64(offset64)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * prime64
	}
	if n, ok := v[h]; ok {
		return n
	}
	v[h] = len(v) + 1
	return v[h]
}

// Of FNV-1a.
const (
	offset64 = 14695981039346656037
	prime64  = 1099511628211
)

// The classes of bytes that a text is cut by.
const (
	between = iota // between words
	small
	capital
	figure
	prime // an apostrophe in a word is skipped
)

var classes = func() (c [256]uint8) {
	for b := range 256 {
		switch {
		case 'a' <= b && b <= 'z', b >= 0x80:
			c[b] = small
		case 'A' <= b && b <= 'Z':
			c[b] = capital
		case '0' <= b && b <= '9':
			c[b] = figure
		case b == '\'':
			c[b] = prime
		}
	}
	return c
}()

// tokens appends those of a text to list.
func (t *table) tokens(list []token, text string) []token {
	for i := 0; i < len(text); {
		switch c := classes[text[i]]; c {
		case small, capital:
			if apostrophe(text, i) {
				i += len(curly)
				continue
			}
			if kind, width := foreignAt(text, i); kind != letter {
				list, i = t.sign(list, text, i, kind, width)
				continue
			}
			list, i = t.word(list, text, i)
		case figure:
			list, i = t.number(list, text, i)
		default:
			if n := len(list); n > 0 && !list[n-1].stop && stops(text, i) {
				list = append(list, token{stop: true, number: -1, start: i, end: i + 1})
			}
			if text[i] == '\\' && i+1 < len(text) { // \n in a text that was quoted
				i++
			}
			i++
		}
	}
	return list
}

const curly = "’"

func apostrophe(text string, i int) bool {
	return text[i] == curly[0] && len(text)-i >= len(curly) && text[i:i+len(curly)] == curly
}

// sign reads a character that is no letter of a word.
func (t *table) sign(list []token, text string, i, kind, width int) ([]token, int) {
	switch n := len(list); {
	case kind == glyph:
		h := uint64(offset64)
		for j := i; j < i+width; j++ {
			h = (h ^ uint64(text[j])) * prime64
		}
		list = append(list, token{word: t.words[h], number: -1, start: i, end: i + width})
	case kind == stopper && n > 0 && !list[n-1].stop:
		list = append(list, token{stop: true, number: -1, start: i, end: i + width})
	}
	return list, i + width
}

// word reads one word that starts at i. A new one begins at a capital after a
// small letter, and at the last of several capitals: JSONDecode.
func (t *table) word(list []token, text string, i int) ([]token, int) {
	h, start := uint64(offset64), i
	last, capitals := uint8(between), true
	for i < len(text) {
		b := text[i]
		c := classes[b]
		switch {
		case c == prime && i+1 < len(text) && classes[text[i+1]] == small && last == small:
			i++
			continue
		case c == small && apostrophe(text, i):
			if i += len(curly); i < len(text) && classes[text[i]] == small {
				continue
			}
			return append(list, token{word: t.words[h], number: -1, start: start, end: i}), i
		case c == capital && i > start && (last == small || last == capital && i+1 < len(text) && classes[text[i+1]] == small && !plural(text, i+1)):
			c = between
		case c == prime:
			c = between
		case c == figure && start > 0 && classes[text[start-1]] == figure: // 1m30s
			c = between
		case c == capital:
			b += 'a' - 'A'
		case b >= 0x80:
			if kind, _ := foreignAt(text, i); kind != letter {
				c = between
			}
			b = smallByte(text, i)
		}
		if c == between {
			break
		}
		h = (h ^ uint64(b)) * prime64
		last = c
		capitals = capitals && c != small
		i++
	}
	env := capitals && start > 0 && text[start-1] == '_' && (i == len(text) || text[i] != '_')
	return append(list, token{word: t.words[h], env: env, number: -1, start: start, end: i}), i
}

// plural reports that the small letter at i is the s of URLs.
func plural(text string, i int) bool {
	return text[i] == 's' && (i+1 == len(text) || classes[text[i+1]] == between)
}

// number reads one that starts at i: 1,000 and 1.5, but not 10.0.0.1.
func (t *table) number(list []token, text string, i int) ([]token, int) {
	h, start, n, dots := uint64(offset64), i, 0, 0
	for i < len(text) {
		b := text[i]
		if classes[b] != figure {
			inside := i+1 < len(text) && classes[text[i+1]] == figure
			if b == '.' && inside {
				dots++
			} else if b != ',' || !inside || dots > 0 || !thousands(text[i+1:]) {
				break
			}
			i++
			continue
		}
		if dots == 0 {
			n = min(n*10+int(b-'0'), 1<<30)
		}
		h = (h ^ uint64(b)) * prime64
		i++
	}
	k := token{word: t.words[h], number: n, start: start, end: i}
	if dots > 1 {
		k.word, k.number = 0, -1
	}
	return append(list, k), i
}

func thousands(s string) bool {
	n := 0
	for n < len(s) && classes[s[n]] == figure {
		n++
	}
	return n == 3
}

// stops reports whether a sentence ends with the sign at i. A full stop behind a
// single letter is an abbreviation's.
func stops(text string, i int) bool {
	next := byte(' ')
	if i+1 < len(text) {
		next = text[i+1]
	}
	switch text[i] {
	case '\n':
		return true
	case '\\':
		return next == 'n'
	case ':':
		return className(text[:i])
	case '.', '!', '?', ';':
		abbreviated := i > 1 && text[i] == '.' && classes[text[i-1]] == small && (classes[text[i-2]] == between)
		return !abbreviated && (next <= ' ' || next == '"' || next == '\'' || next == ')' || next == '\\' || next == '<')
	}
	return false
}

// sentences splits tokens where they stop.
func sentences(list []token, yield func([]token) bool) {
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(k token) bool { return k.stop })
		if n < 0 {
			n = len(list)
		}
		if n > 0 && !yield(list[:n]) {
			return
		}
		list = list[min(n+1, len(list)):]
	}
}

// decimal returns a number token's value.
func (k token) decimal(text string) float64 {
	b := make([]byte, 0, 24)
	for _, c := range []byte(text[k.start:k.end]) {
		if c != ',' && len(b) < cap(b) {
			b = append(b, c)
		}
	}
	n, _ := strconv.ParseFloat(string(b), 64)
	return n
}

// className reports that what ends here is the name of an exception, such as
// KeyError: it is a sentence of its own.
func className(text string) bool {
	for _, end := range []string{"Error", "Exception"} {
		if name, ok := strings.CutSuffix(text, end); ok {
			return name != "" && (classes[name[len(name)-1]] == small || classes[name[len(name)-1]] == capital)
		}
	}
	return false
}
