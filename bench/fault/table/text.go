package table

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Done is the text of a good answer to any tool but echo.
const Done = "done"

// Text is what stands for the names in a text:
//
//	${id}        the id of the last request that the fault answers
//	${id1}       that of the first
//	${ok} ${ok1} a good answer to it
//	${len}       the length of its argument named text, in bytes
//	${line}      the line that was read last
//	${x B0 A1}   these bytes
//	${ab*70}     "ab" 70 times
//	${lines 999} numbered lines, 999 bytes in all, as in a string of JSON
//	${blocks 99} so many content blocks
//	${items 999} elements of an array, each with a number, 999 bytes or more
type Text struct {
	IDs  []string
	Len  int
	Line []byte
}

var named = regexp.MustCompile(`\$\{[^}]*\}`)

// Expand returns the text with what its names stand for. What stands for nothing
// stays.
func (t Text) Expand(text string) []byte {
	return named.ReplaceAllFunc([]byte(text), func(name []byte) []byte {
		if b := t.expand(string(name[2 : len(name)-1])); b != nil {
			return b
		}
		return name
	})
}

func (t Text) expand(name string) []byte {
	if part, count, ok := cutLast(name, "*"); ok {
		if n, err := strconv.Atoi(count); err == nil {
			return bytes.Repeat([]byte(part), n)
		}
	}
	verb, rest, _ := strings.Cut(name, " ")
	n, _ := strconv.Atoi(rest) // where it matters it is a number
	switch {
	case verb == "x":
		b, _ := hex.DecodeString(strings.ReplaceAll(rest, " ", "")) // a wrong one stays
		return b
	case verb == "len":
		return strconv.AppendInt(nil, int64(t.Len), 10)
	case verb == "line":
		return t.Line
	case verb == "lines":
		return lines(n)
	case verb == "blocks":
		return many(func(i, _ int) bool { return i < n }, `{"type":"text","text":"block %d"}`)
	case verb == "items":
		return many(func(_, size int) bool { return size < n }, `{\"n\":%d}`)
	case strings.HasPrefix(verb, "id"):
		return []byte(t.id(verb[2:]))
	case strings.HasPrefix(verb, "ok"):
		return Answer(t.id(verb[2:]), "result", []byte(`{"content":[{"type":"text","text":"`+Done+`"}]}`))
	}
	return nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// id returns the nth id; the last one if n is empty.
func (t Text) id(n string) string {
	i := len(t.IDs)
	if n != "" {
		i, _ = strconv.Atoi(n) // 0, which is no place, if it is no number
	}
	if i < 1 || i > len(t.IDs) {
		return "null"
	}
	return t.IDs[i-1]
}

// Answer returns a whole answer, without a line end.
func Answer(id, member string, value []byte) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"%s":%s}`, id, member, value)
}

// lines begin with a character of four bytes, so that a cut anywhere may hit one.
func lines(size int) []byte {
	var b []byte
	escaped := 0 // each line end is two bytes in JSON
	for i := 1; ; i++ {
		line := fmt.Appendf(nil, "😀 line %d\\n", i)
		if len(b)-escaped+len(line)-1 > size {
			break
		}
		b, escaped = append(b, line...), escaped+1
	}
	return append(b, bytes.Repeat([]byte("x"), size-len(b)+escaped)...)
}

func many(more func(i, size int) bool, format string) []byte {
	var b []byte
	for i := 0; more(i, len(b)); i++ {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, format, i+1)
	}
	return b
}
