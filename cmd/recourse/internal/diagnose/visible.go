package diagnose

import (
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// visible reports whether the text of a string literal has anything to see in it.
// An API refuses the whole conversation for a text of white space only.
func visible(lit []byte) bool {
	for text := lit[1 : len(lit)-1]; len(text) > 0; {
		r, n := char(text)
		if ' ' < r && r < utf8.RuneSelf && r != 0x7f || r >= utf8.RuneSelf && !unseen(r) {
			return true
		}
		text = text[n:]
	}
	return false
}

// unseen reports characters that leave no ink: spaces, controls, and what Unicode
// calls default ignorable, which includes the fillers of Hangul among letters. A
// few format characters are drawn around the digits that follow.
func unseen(r rune) bool {
	const brailleBlank = 0x2800
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r == brailleBlank
}

// char returns the first character of text, the inside of a string literal, and
// how many bytes it takes: both escapes of a surrogate pair. Half a pair is
// U+FFFD.
func char(text []byte) (rune, int) {
	switch c := text[0]; {
	case c >= utf8.RuneSelf:
		return utf8.DecodeRune(text)
	case c != '\\' || len(text) == 1:
		return rune(c), 1
	}
	switch text[1] {
	case 'u':
		r := unit(text)
		if !utf16.IsSurrogate(r) {
			return r, min(6, len(text))
		}
		if pair := utf16.DecodeRune(r, unit(text[6:])); pair != utf8.RuneError {
			return pair, 12
		}
		return utf8.RuneError, 6
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	return rune(text[1]), 2
}

// unit returns the UTF-16 unit of the escape that text begins with, U+FFFD if it
// begins with none.
func unit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return utf8.RuneError
	}
	n, _ := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n)
}
