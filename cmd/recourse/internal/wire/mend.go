package wire

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// A Mender copies one JSON object or array, and corrects on the way what is no
// JSON but can only mean one thing. What shows nothing between tokens, such as
// colours, goes. What else is wrong stays wrong. The zero value is ready.
type Mender struct {
	Foreign int // bytes that are no UTF-8, and halves of UTF-16 pairs: now U+FFFD
	Control int // control characters in strings: now escapes
	Numbers int // NaN and infinities, which JSON has not: now null

	// Strict leaves numbers that JSON has not as they are.
	Strict bool

	depth   int
	within  bool // a string
	escaped bool // the last byte was the backslash of an escape
}

// Append appends what b should be to dst, and returns how much of b that was:
// less than all once the value has ended. The value may come in several pieces
// that are cut at the ends of lines.
func (m *Mender) Append(dst, b []byte) (mended []byte, n int) {
	for n < len(b) {
		if m.within {
			dst, n = m.text(dst, b, n)
			continue
		}
		from := n
		for n < len(b) && plainToken[b[n]] {
			n++
		}
		if dst = append(dst, b[from:n]...); n == len(b) {
			break
		}
		if dst, n = m.token(dst, b, n); m.depth == 0 {
			return dst, n
		}
	}
	return dst, n
}

// Notes says in sentences what was corrected.
func (m *Mender) Notes() []string {
	var notes []string
	for _, c := range []struct {
		n    int
		what string
	}{
		{m.Foreign, "%d bytes or escapes that are no Unicode text were replaced by U+FFFD"},
		{m.Control, "%d raw control characters in texts were escaped"},
		{m.Numbers, "%d numbers that JSON can't express (NaN or infinite) were replaced by null"},
	} {
		if c.n > 0 {
			notes = append(notes, fmt.Sprintf(c.what, c.n))
		}
	}
	return notes
}

// text copies from b[i], inside a string, up to its end or that of b.
func (m *Mender) text(dst, b []byte, i int) ([]byte, int) {
	if m.escaped {
		m.escaped = false
		dst, i = m.afterBackslash(dst, b, i)
	}
	for i < len(b) {
		from := i
		for i < len(b) && plainText[b[i]] {
			i++
		}
		dst = append(dst, b[from:i]...)
		if i == len(b) {
			break
		}
		switch c := b[i]; {
		case c == '"':
			m.within = false
			return append(dst, c), i + 1
		case c == '\\' && i+1 == len(b):
			m.escaped = true
			return dst, i + 1
		case c == '\\':
			dst, i = m.afterBackslash(dst, b, i+1)
		case c < ' ':
			m.Control++
			dst = appendControl(dst, c)
			i++
		default:
			r, size := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size == 1 {
				m.Foreign++
			}
			dst = utf8.AppendRune(dst, r)
			i += size
		}
	}
	return dst, i
}

// plainText are the bytes of a string that need no care.
var plainText = func() (table [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// plainToken are the bytes between strings that need no care.
var plainToken = func() (table [256]bool) {
	for _, c := range " \t\r:,.+0123456789eEtrufalsn" {
		table[c] = true
	}
	return table
}()

// afterBackslash copies an escape, whose backslash has been passed, from b[i].
func (m *Mender) afterBackslash(dst, b []byte, i int) ([]byte, int) {
	switch c := b[i]; {
	case c == '\n' || c == '\r' || c == '\t':
		m.Control++ // the character was meant
		return appendControl(dst, c), i + 1
	case c != 'u' || i == 0 || !digits4(b[i+1:]):
		return append(dst, '\\', c), i + 1
	}
	r := unit(b[i-1:])
	switch {
	case !utf16.IsSurrogate(r):
		dst = append(append(dst, '\\'), b[i:i+5]...)
		return dst, i + 5
	case pairs(r, b[i+5:]):
		dst = append(append(dst, '\\'), b[i:i+11]...)
		return dst, i + 11
	}
	m.Foreign++
	return append(dst, `\ufffd`...), i + 5
}

// pairs reports whether an escape that begins rest makes a character of r.
func pairs(r rune, rest []byte) bool {
	return len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' && digits4(rest[2:]) &&
		utf16.DecodeRune(r, unit(rest)) != utf8.RuneError
}

func digits4(b []byte) bool {
	return len(b) >= 4 && hex(b[0]) && hex(b[1]) && hex(b[2]) && hex(b[3])
}

// token copies b[i], outside of strings, or what stands in its place.
func (m *Mender) token(dst, b []byte, i int) ([]byte, int) {
	c := b[i]
	switch c {
	case '"':
		m.within = true
	case '{', '[':
		m.depth++
	case '}', ']':
		m.depth--
	case 'N', 'I', '-':
		if n := len(special(b[i:])); n > 0 && !m.Strict {
			m.Numbers++
			return append(dst, "null"...), i + n
		}
	case '\n':
		return append(dst, ' '), i + 1
	}
	if n := unseen(b[i:]); n > 0 && !(i+n < len(b) && len(dst) > 0 && wordy(b[i+n]) && wordy(dst[len(dst)-1])) {
		return dst, i + n
	}
	return append(dst, c), i + 1
}

// wordy reports whether c may be inside of a number or a word: what stands in the
// middle of one is not taken out, since another one could come of that.
func wordy(c byte) bool {
	return c-'0' < 10 || c|0x20-'a' < 26 || c == '.' || c == '-' || c == '+'
}

// special returns the number at the start of b that JavaScript and Python have
// and JSON has not.
func special(b []byte) string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(b, []byte(word)) {
			return word
		}
	}
	return ""
}

const bom = "\ufeff"

// unseen returns the length of a control character, byte order mark or terminal
// sequence at the start of b; white space of JSON is none.
func unseen(b []byte) int {
	switch c := b[0]; {
	case c == 0x1b:
		return sequence(b)
	case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == 0x7f:
		return 1
	case c == bom[0] && bytes.HasPrefix(b, []byte(bom)):
		return len(bom)
	}
	return 0
}

// sequence returns the length of the terminal sequence (ECMA-48) at the start of
// b: ESC [ … up to a letter or the like, ESC ] … up to BEL or ESC \, else ESC and
// one more.
func sequence(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if c := b[i]; c >= 0x40 && c <= 0x7e {
				return i + 1
			} else if c < 0x20 || c > 0x3f {
				return i // it was cut short
			}
		}
		return len(b)
	case ']':
		for i := 2; i < len(b) && b[i] != '{'; i++ {
			switch {
			case b[i] == 0x07:
				return i + 1
			case b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\':
				return i + 2
			}
		}
		return 2
	case '{', '"':
		return 1
	}
	return 2
}

// maxSequence is the longest terminal sequence that is looked for at an end.
const maxSequence = 256

// Undecorate returns line without what shows nothing at its ends: white space,
// control characters, byte order marks and terminal sequences.
func Undecorate(line []byte) []byte {
	for len(line) > 0 {
		n := unseen(line)
		if n == 0 && blankByte(line[0]) {
			n = 1
		}
		if n == 0 {
			break
		}
		line = line[n:]
	}
	for len(line) > 0 {
		end := len(line) - 1
		switch c := line[end]; {
		case c <= ' ' || c == 0x7f:
			line = line[:end]
			continue
		case bytes.HasSuffix(line, []byte(bom)):
			line = line[:len(line)-len(bom)]
			continue
		}
		from := max(0, len(line)-maxSequence)
		esc := bytes.LastIndexByte(line[from:], 0x1b)
		if esc < 0 || sequence(line[from+esc:]) != len(line)-from-esc {
			break
		}
		line = line[:from+esc]
	}
	return line
}

func blankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
