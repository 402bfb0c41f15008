package wire

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/bits"
)

// Elements yields where in array its elements lie, in order. Array must be a
// value that a Scanner accepts; if it is no array, nothing comes. On anything
// else the walk ends where the grammar does.
func Elements(array []byte) iter.Seq[Span] {
	return func(yield func(Span) bool) { elements(array, yield) }
}

// Members yields where in object its keys, quotes included, and their values
// lie. A key that comes twice is yielded twice. Else it is as Elements.
func Members(object []byte) iter.Seq2[Span, Span] {
	return func(yield func(key, value Span) bool) { members(object, yield) }
}

func elements(b []byte, yield func(Span) bool) {
	Array(b, gap(b, 0), func(at int) int {
		value := Span{at, Past(b, at)}
		if !value.Ok() || !yield(value) {
			return at
		}
		return value.End
	})
}

func members(b []byte, yield func(key, value Span) bool) {
	Object(b, gap(b, 0), func(key Span, at int) int {
		value := Span{at, Past(b, at)}
		if !value.Ok() || !yield(key, value) {
			return at
		}
		return value.End
	})
}

// Array is Elements for who looks into the elements: one pass over b is enough
// then. It calls pass with the place of each element of the array at b[i], and
// pass returns the element's end, as Past does, or its place to stop the walk.
// Array returns the end of the array, i if the walk did not get there.
func Array(b []byte, i int, pass func(at int) int) int {
	at, ok := behind(b, i, '[')
	if ok && at < len(b) && b[at] == ']' {
		return at + 1
	}
	for ok {
		end := pass(at)
		if end <= at {
			return i
		}
		if shut := gap(b, end); shut < len(b) && b[shut] == ']' {
			return shut + 1
		}
		at, ok = behind(b, end, ',')
	}
	return i
}

// Object is Members as Array is Elements: pass gets a key and the place of its
// value.
func Object(b []byte, i int, pass func(key Span, at int) int) int {
	at, ok := behind(b, i, '{')
	if ok && at < len(b) && b[at] == '}' {
		return at + 1
	}
	for ok && at < len(b) && b[at] == '"' {
		key := Span{at, Past(b, at)}
		if at, ok = behind(b, key.End, ':'); !ok {
			break
		}
		end := pass(key, at)
		if end <= at {
			break
		}
		if shut := gap(b, end); shut < len(b) && b[shut] == '}' {
			return shut + 1
		}
		at, ok = behind(b, end, ',')
	}
	return i
}

// behind returns where the value begins that follows mark, if mark is what comes
// at b[i].
func behind(b []byte, i int, mark byte) (int, bool) {
	if i = gap(b, i); i == len(b) || b[i] != mark {
		return i, false
	}
	return gap(b, i+1), true
}

// gap passes white space.
func gap(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// Past returns the end of the value at b[i], i if there is none or it is cut.
// Brackets are counted, not matched: the Scanner has done that.
func Past(b []byte, i int) int {
	depth := 0
	for at := i; at < len(b); {
		switch b[at] {
		case '"':
			if at = quote(b, at+1); at < 0 {
				return i
			}
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			if depth == 0 {
				return scalar(b, at)
			}
			for at++; at < len(b) && !marks[b[at]]; {
				at++
			}
			continue
		}
		if depth == 0 {
			return at
		}
		if depth < 0 {
			return i
		}
	}
	return i
}

// marks are the bytes at which Past has to look.
var marks = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// scalar returns the end of the number or word at b[i].
func scalar(b []byte, i int) int {
	for i < len(b) && !marks[b[i]] && b[i] != ',' && b[i] != ':' && gap(b, i) == i {
		i++
	}
	return i
}

// quote returns where a string ends whose text goes on at b[i], -1 if it does
// not. As Scanner.plain does, it looks at eight bytes at a time for the lowest
// bit that marks a quote or a backslash. Where none was near it leaps: that is
// ten times as fast in base64, and would be half as fast in JSON inside of a
// string, which is full of quotes.
func quote(b []byte, i int) int {
	for clean := 0; i+8 <= len(b); {
		x := binary.LittleEndian.Uint64(b[i:])
		hit := (((x ^ '"'*lanes) - lanes) | ((x ^ '\\'*lanes) - lanes)) &^ x & high
		switch {
		case hit != 0:
			if i += bits.TrailingZeros64(hit) / 8; b[i] == '"' {
				return i + 1
			}
			i += 2
			clean = 0
		case clean < 2:
			i += 8
			clean++
		default:
			end, bent := leap(b, i)
			if !bent {
				return end
			}
			i, clean = end, 0
		}
	}
	for i < len(b) {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
		i++
	}
	return -1
}

// leap returns where the next quote ends, -1 if there is none, and whether it is
// an escaped one.
func leap(b []byte, i int) (end int, bent bool) {
	n := bytes.IndexByte(b[i:], '"')
	if n < 0 {
		return -1, false
	}
	text := b[i : i+n]
	slashes := n - len(bytes.TrimRight(text, `\`))
	return i + n + 1, slashes%2 == 1
}
