package wire

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote returns the value of a JSON string. What is no Unicode, be it bytes
// or lone surrogates, becomes U+FFFD. Another scalar is returned as it is.
func Unquote(lit []byte) string {
	if !quoted(lit) {
		return string(lit)
	}
	text := lit[1 : len(lit)-1]
	if bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text) {
		return string(text)
	}
	return string(unescape(make([]byte, 0, len(text)), text))
}

// EqualID reports whether two ids are the same: strings by value, all else by
// literal.
func EqualID(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if !quoted(a) || !quoted(b) || bytes.IndexByte(a, '\\') < 0 && bytes.IndexByte(b, '\\') < 0 {
		return false
	}
	return Unquote(a) == Unquote(b)
}

func quoted(lit []byte) bool {
	return len(lit) >= 2 && lit[0] == '"' && lit[len(lit)-1] == '"'
}

// unescape appends the value of text, the inside of a JSON string, to dst.
func unescape(dst, text []byte) []byte {
	for len(text) > 0 {
		r, n := Char(text)
		dst = utf8.AppendRune(dst, r)
		text = text[n:]
	}
	return dst
}

// Char returns the first character of text, the inside of a JSON string, and how
// many bytes it takes: both escapes of a UTF-16 pair. Half a pair, or a byte that is
// no UTF-8, is U+FFFD.
func Char(text []byte) (rune, int) {
	switch c := text[0]; {
	case c >= utf8.RuneSelf:
		return utf8.DecodeRune(text)
	case c == '\\' && len(text) > 1:
		return escaped(text)
	}
	return rune(text[0]), 1
}

// escaped returns what the leading escape of text stands for, and its length.
func escaped(text []byte) (rune, int) {
	switch text[1] {
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
	case 'u':
		r := unit(text)
		if !utf16.IsSurrogate(r) {
			return r, min(6, len(text))
		}
		if pair := utf16.DecodeRune(r, unit(text[6:])); pair != utf8.RuneError {
			return pair, 12
		}
		return utf8.RuneError, 6
	}
	return rune(text[1]), 2
}

// unit returns the UTF-16 unit of a leading \u escape, or U+FFFD.
func unit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return utf8.RuneError
	}
	n, _ := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n)
}

// paired reports whether every escape of half a UTF-16 pair in b has its other
// half next to it.
func paired(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 || i+1 == len(b) {
			return true
		}
		b = b[i:]
		n := 2
		if b[1] == 'u' && digits4(b[2:]) {
			n = 6
			if r := unit(b); utf16.IsSurrogate(r) {
				if n = 12; !pairs(r, b[6:]) {
					return false
				}
			}
		}
		b = b[n:]
	}
}

// appendQuoted appends text as a JSON string. Bytes that are no UTF-8 become
// U+FFFD.
func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = appendControl(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// appendControl appends a control character as an escape.
func appendControl[C byte | rune](dst []byte, c C) []byte {
	switch c {
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
}
