package redact

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quote appends s to dst as a JSON string. Invalid UTF-8 becomes U+FFFD.
func quote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, s[done:i]...), "\ufffd"...)
				done = i + 1
			}
			i += size
			continue
		}
		dst = append(append(dst, s[done:i]...), '\\')
		if k := strings.IndexByte("\"\\\b\f\n\r\t", c); k >= 0 {
			dst = append(dst, `"\bfnrt`[k])
		} else {
			const hex = "0123456789abcdef"
			dst = append(dst, 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		done = i
	}
	return append(append(dst, s[done:]...), '"')
}

// escape returns the length of the escape that s begins with, or 0.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	if s[1] == 'u' {
		if _, ok := hex4(s[2:]); ok {
			return 6
		}
		return 0
	}
	if strings.IndexByte(`"\/bfnrt`, s[1]) < 0 {
		return 0
	}
	return 2
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}

// unescaped returns the text of the valid JSON string content raw.
func unescaped(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return string(unescape(nil, raw))
}

// unescape appends the text of the valid JSON string content raw to dst. A lone
// surrogate becomes U+FFFD.
func unescape(dst []byte, raw string) []byte {
	for {
		i := strings.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		c := raw[i+1]
		if c != 'u' {
			if k := strings.IndexByte("bfnrt", c); k >= 0 {
				c = "\b\f\n\r\t"[k]
			}
			dst = append(dst, c)
			raw = raw[i+2:]
			continue
		}
		r, _ := hex4(raw[i+2:])
		raw = raw[i+6:]
		if utf16.IsSurrogate(r) {
			low, ok := rune(0), false
			if strings.HasPrefix(raw, `\u`) {
				low, ok = hex4(raw[2:])
			}
			r = utf16.DecodeRune(r, low)
			if ok && r != utf8.RuneError {
				raw = raw[6:]
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
}
