package diagnose

import (
	"unicode"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// visible reports whether the text of a string literal has anything to see in it.
// An API refuses the whole conversation for a text of white space only.
func visible(lit []byte) bool {
	for text := lit[1 : len(lit)-1]; len(text) > 0; {
		r, n := wire.Char(text)
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
