package redact

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unsafe"
)

// space moves past white space, of which there is mostly none.
func (w *walker) space() {
	if w.pos < len(w.src) && w.src[w.pos] <= ' ' {
		w.blanks()
	}
}

func (w *walker) blanks() {
	for w.pos < len(w.src) {
		switch w.src[w.pos] {
		case ' ', '\t', '\r', '\n':
			w.pos++
		default:
			return
		}
	}
}

// take moves past white space and c, if c is next.
func (w *walker) take(c byte) bool {
	w.space()
	if w.pos == len(w.src) || w.src[w.pos] != c {
		return false
	}
	w.pos++
	return true
}

func (w *walker) atEnd() bool {
	w.space()
	return w.pos == len(w.src)
}

// word moves past a literal.
func (w *walker) word(literal string) bool {
	if !strings.HasPrefix(w.src[w.pos:], literal) {
		return false
	}
	w.pos += len(literal)
	return true
}

// number moves past a number and hides one that the caller listed.
func (w *walker) number() bool {
	start := w.pos
	if w.src[w.pos] == '-' {
		w.pos++
	}
	if whole := w.pos; w.digits() == 0 || w.src[whole] == '0' && w.pos > whole+1 {
		return false
	}
	if w.pos < len(w.src) && w.src[w.pos] == '.' {
		w.pos++
		if w.digits() == 0 {
			return false
		}
	}
	if w.pos < len(w.src) && (w.src[w.pos] == 'e' || w.src[w.pos] == 'E') {
		w.pos++
		if w.pos < len(w.src) && (w.src[w.pos] == '+' || w.src[w.pos] == '-') {
			w.pos++
		}
		if w.digits() == 0 {
			return false
		}
	}
	if w.listed && !w.muted && w.r.lists(w.src[start:w.pos]) {
		w.replace(start, w.pos, `"`+mark+`"`)
	}
	return true
}

func (w *walker) digits() int {
	i := w.pos
	for i < len(w.src) && digit(w.src[i]) {
		i++
	}
	n := i - w.pos
	w.pos = i
	return n
}

// plain returns how many bytes at the start of s stand for themselves inside a
// JSON string. It looks at eight at a time: in x-ones&^x the high bit of the
// first byte that is zero is set, and so for the two bytes that were made zero.
func plain(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	b := unsafe.Slice(unsafe.StringData(s), len(s)) // read-only
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, slash := x^ones*'"', x^ones*'\\'
		if m := ((quote-ones)&^quote | (slash-ones)&^slash | (x-ones*' ')&^x) & high; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// text moves past a string, replacing secrets in it.
func (w *walker) text() bool {
	if w.pos == len(w.src) || w.src[w.pos] != '"' {
		return false
	}
	start, escaped := w.pos+1, false
	i := start
	for {
		i += plain(w.src[i:])
		if i == len(w.src) || w.src[i] < ' ' {
			return false
		}
		if w.src[i] == '"' {
			break
		}
		n := escape(w.src[i:])
		if n == 0 {
			return false
		}
		escaped = true
		i += n
	}
	w.pos, w.escaped = i+1, escaped
	if w.muted {
		return true
	}
	if escaped {
		w.hideEscaped(start, i)
		return true
	}
	if i-start < shortest {
		return true
	}
	var found []span
	if w.listed || w.rare {
		found = w.r.spans(w.src[start:i])
	} else {
		found = signs(w.src[start:i])
	}
	if found != nil {
		w.replace(start, i, string(splice(nil, w.src[start:i], found)))
	}
	return true
}

// shortest is what a text must have, in bytes, to hold a secret: one of four that
// is listed, or three letters of a name, a separator and a value.
const shortest = 4

// hideEscaped replaces the secrets in src[start:end], a string with escapes.
// The free end of dst holds the text meanwhile.
func (w *walker) hideEscaped(start, end int) {
	n := len(w.dst)
	w.dst = unescape(w.dst, w.src[start:end])
	b := w.dst[n:]
	w.dst = w.dst[:n]
	text := unsafe.String(unsafe.SliceData(b), len(b)) // dst is not written to before text is cloned
	found := w.r.spans(text)
	if found == nil {
		return
	}
	quoted := quote(nil, string(splice(nil, strings.Clone(text), found)))
	w.replace(start, end, string(quoted[1:len(quoted)-1]))
}
