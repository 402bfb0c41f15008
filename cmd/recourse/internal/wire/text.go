package wire

import (
	"encoding/binary"
	"math/bits"
)

// One byte in all eight lanes of a word.
const (
	lanes = 0x0101010101010101
	high  = 0x80 * lanes
)

// text reads a string up to its closing quote, or as far as b goes.
func (s *Scanner) text(b []byte, i int) int {
	from := i
	i, closed := s.chars(b, i)
	switch {
	case s.naming:
		return s.name(b, from, i, closed)
	case closed:
		return s.end(i)
	}
	return i
}

func (s *Scanner) chars(b []byte, i int) (int, bool) {
	for {
		if s.state != inText {
			if i = s.escape(b, i); s.state != inText {
				return i, false
			}
		}
		if i = s.plain(b, i); i == len(b) {
			return i, false
		}
		switch b[i] {
		case '"':
			return i + 1, true
		case '\\':
			s.bent, s.state = true, inEscape
			i++
		default:
			return s.stop(i, "control character in a string"), false
		}
	}
}

// plain returns the first byte from i on that is a quote, a control character or
// a backslash that needs care. It looks at eight bytes at a time: with the borrow
// of the subtraction, the lowest set bit marks a byte below the bound, and
// flipping bit 1 brings the quote below the space without moving a control
// character above.
func (s *Scanner) plain(b []byte, i int) int {
	wide := s.wide
	for i+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[i:])
		quote := (x ^ 2*lanes) - 0x21*lanes
		slash := (x ^ '\\'*lanes) - lanes
		hit := (quote | slash) &^ x & high
		if hit == 0 {
			wide |= x
			i += 8
			continue
		}
		wide |= x & (hit&-hit - 1)
		i += bits.TrailingZeros64(hit) / 8
		if b[i] != '\\' || i+1 == len(b) || !short[b[i+1]] {
			s.wide = wide
			return i
		}
		s.bent = true
		i += 2
	}
	for ; i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\'; i++ {
		wide |= uint64(b[i])
	}
	s.wide = wide
	return i
}

// escape reads an escape, which may have begun in an earlier chunk, after its
// backslash.
func (s *Scanner) escape(b []byte, i int) int {
	for ; i < len(b) && s.state != inText; i++ {
		c := b[i]
		switch {
		case s.state == inHex && hex(c):
			s.digit(c)
		case s.state == inHex:
			return s.stop(i, "no hexadecimal digit")
		case c == 'u':
			s.state, s.hex = inHex, 4
		case short[c]:
			s.state = inText
		default:
			return s.stop(i, "unknown escape")
		}
	}
	return i
}

// digit takes a digit of a \u escape. Those of half a pair begin with D8 to DF.
func (s *Scanner) digit(c byte) {
	switch s.hex {
	case 4:
		s.half = c|0x20 == 'd'
	case 3:
		s.msg.Surrogate = s.msg.Surrogate || s.half && c >= '8'
	case 1:
		s.state = inText
	}
	s.hex--
}

func hex(c byte) bool {
	return c-'0' < 10 || c|0x20-'a' < 6
}

var short = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}
