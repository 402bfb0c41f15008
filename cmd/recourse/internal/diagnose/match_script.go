package diagnose

// Beyond ASCII, some characters are no part of a word, and Chinese, Japanese and
// Korean don't put spaces where a rule could take hold: there, each character is
// a token, and a rule names those that follow one another.

// What a character is.
const (
	letter  = iota // of a word
	spacer         // between words: quotes, dashes, a space that doesn't break
	stopper        // ends a sentence
	glyph          // a token by itself
)

// foreignAt tells what the character is that begins at i with a byte above 0x7F,
// and how many bytes it has.
func foreignAt(text string, i int) (kind, width int) {
	if b := text[i]; b != 0xC2 && b < 0xE2 || len(text)-i < 2 {
		return letter, 1
	}
	switch b, next := text[i], text[i+1]; {
	case b == 0xC2:
		return spacer, 2
	case len(text)-i < 3:
		return letter, 1
	case b == 0xE2 && next <= 0x81, b == 0xE3 && next == 0x80, b == 0xEF && (next == 0xBC || next == 0xBD):
		switch text[i : i+3] {
		case "。", "！", "？", "；", "｡":
			return stopper, 3
		}
		return spacer, 3
	case 0xE3 <= b && b <= 0xED:
		return glyph, 3
	}
	return letter, 1
}

// smallByte returns the byte at i as that of the small letter, in the alphabets of
// western Europe and of Russian.
func smallByte(text string, i int) byte {
	b := text[i]
	if b == 0xD0 && i+1 < len(text) && text[i+1] < 0xB0 && (text[i+1] < 0x90 || 0xA0 <= text[i+1]) {
		return 0xD1
	}
	if i == 0 || b >= 0xC0 {
		return b
	}
	switch before := text[i-1]; {
	case before == 0xD0 && b < 0x90:
		return b + 0x10
	case before == 0xD0 && 0xA0 <= b && b < 0xB0:
		return b - 0x20
	case before == 0xD0 && b < 0xA0, before == 0xC3 && b <= 0x9E:
		return b + 0x20
	}
	return b
}
