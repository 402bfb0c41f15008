package diagnose

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A bearing is what the arguments of a call have to do with its answer.
type bearing struct {
	said string // the error's words
	all  string // the answer
	tool Conduct

	named   bool // the answer names a thing that was asked for
	wanted  bool // a value speaks of errors
	repeats bool // the answer is what was sent
	values  int
}

// Bounds of a call's arguments, to compare with its answer.
const (
	maxValues  = 64
	maxNesting = 4
	maxValue   = 2 << 10
	maxEnum    = 24 // bytes of a value that may be one of a list, and is no prose
)

// bearingOf compares an answer with the call's arguments.
func (a *answer) bearingOf(args []byte, s *Suspicion, tool Conduct) bearing {
	b := bearing{said: strings.TrimSpace(s.Text), tool: tool}
	if len(args) == 0 || args[0] != '{' {
		return b
	}
	b.all = b.said
	if s.Rule != "page" && s.Rule != "traceback" { // which name many things
		b.all = a.whole()
	}
	b.object("", args, 0)
	return b
}

// whole is what an answer says, as far as it is an error's size.
func (a *answer) whole() string {
	if a.data != nil {
		return string(a.data[:min(len(a.data), maxPage)])
	}
	var all strings.Builder
	for _, lit := range a.texts[:a.count] {
		if all.Len() < maxPage {
			all.WriteString(opening(lit[1:len(lit)-1], maxPage))
			all.WriteByte('\n')
		}
	}
	return all.String()
}

func (b *bearing) object(key string, value []byte, depth int) {
	if b.values > maxValues || depth > maxNesting {
		return
	}
	switch c := value[0]; {
	case c == '{':
		for k, at := range wire.Members(value) {
			var room [16]byte
			b.object(string(squeeze(room[:0], label(k.Of(value)))), at.Of(value), depth+1)
		}
	case c == '[':
		for at := range wire.Elements(value) {
			b.object(key, at.Of(value), depth+1)
		}
	case (c == '"' || '0' <= c && c <= '9') && len(value) <= maxValue:
		b.values++
		b.value(key, wire.Unquote(value), value)
	}
}

// worldly are the members that choose how a tool works, or when, or what it looks
// for: an answer with such a value in it is a hit, or a sentence with a common word.
var worldly = sync.OnceValue(func() map[string]bool {
	return setOf("q query pattern regex regexp search searchterm searchquery term terms keyword keywords needle match grep filter glob text content " +
		"contents body prompt question input message data format encoding charset mode type language lang locale level order sort method accept " +
		"mimetype contenttype since until from to after before start end date time timestamp timeout interval limit offset lines severity")
})

func (b *bearing) value(key, value string, lit []byte) {
	const chance = 8 // bytes; less may be in a value by chance
	if len(b.said) >= chance && strings.Contains(value, b.said) {
		b.repeats = true
		return
	}
	if !worldly()[key] && b.names(value, lit) {
		b.named = true
		return
	}
	if b.tool == Acts && len(value) > maxEnum {
		return // it may be what is to be written
	}
	lower := strings.ToLower(value)
	for _, w := range [...]string{"error", "fail", "exception", "invalid"} {
		b.wanted = b.wanted || strings.Contains(lower, w)
	}
}

// names reports an answer with a value in it that only who was asked for it knows: a
// path, an address, an id. A word may be there by chance if nothing marks it as a name.
func (b *bearing) names(value string, lit []byte) bool {
	value = strings.TrimSpace(value)
	for _, before := range [...]string{"file://", "./", "~/"} {
		value = strings.TrimPrefix(value, before)
	}
	if value = strings.TrimRight(value, `/\`); len(value) < 3 || strings.Contains(value, "\n") {
		return false
	}
	if !particular(value) {
		return occurs(b.said, value, marked)
	}
	return occurs(b.all, value, apart) || lit[0] == '"' && strings.Contains(value, `\`) && occurs(b.all, string(lit[1:len(lit)-1]), apart)
}

// particular reports a value that is no word of any language.
func particular(value string) bool {
	const number, words = 5, 8 // bytes; less may be a status, a port, a limit
	letters, digits, signs := 0, 0, 0
	for _, c := range value {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case strings.ContainsRune(`/\:@#.`, c):
			signs++
		case c != '-' && c != '_' && c != ' ':
			letters++
		}
	}
	switch {
	case letters == 0:
		return digits >= number
	case strings.EqualFold(value, "base64"), len(value) < words && strings.EqualFold(value[:3], "utf"):
		return false
	}
	return digits > 0 && len(value) >= number || signs > 0 || len(value) >= words && strings.Contains(value, " ")
}

// occurs reports whether a value is in a text, with what is before and behind it so.
func occurs(text, value string, so func(before, behind string) bool) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], value)
		if at < 0 {
			return false
		}
		at += from
		if from = at + len(value); so(text[:at], text[from:]) {
			return true
		}
	}
}

// apart is a value that is no part of a longer one, nor a place in a file, nor where
// a hit was found.
func apart(before, behind string) bool {
	if before == "" && strings.HasPrefix(behind, ":") {
		return false
	}
	if n := len(before); n > 0 && (wordly(before[n-1]) || before[n-1] == '-') {
		return false
	}
	behind = strings.TrimLeft(behind, `/\`)
	if behind == "" {
		return true
	}
	c := behind[0]
	if c == '.' || c == ':' {
		return len(behind) == 1 || !wordly(behind[1])
	}
	return !wordly(c) && c != '-'
}

// marked is a word in quotes, or one with which a sentence ends that said before
// what is wrong with it: Page not found: Xyzzy.
func marked(before, behind string) bool {
	l, _ := utf8.DecodeLastRuneInString(before)
	r, _ := utf8.DecodeRuneInString(behind)
	if before != "" && behind != "" && strings.ContainsRune("'\"`“‘«‹[(<", l) && strings.ContainsRune("'\"`”’»›])>", r) {
		return true
	}
	before, colon := strings.CutSuffix(before, ": ")
	return colon && strings.Contains(before, " ") && strings.TrimLeft(behind, ".!) \r\n") == ""
}
