package diagnose

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// An excerpt is what is left of a text.
type excerpt struct {
	lit             []byte // as a string literal
	bytes           int    // of the original in it, decoded
	elements, outOf int    // of a JSON array in it, if it was cut there
}

// excerptOf cuts a string literal to at most limit bytes: JSON between the
// elements of an array, so that it stays JSON, other text out of the middle.
func excerptOf(lit []byte, limit int) (excerpt, bool) {
	if looksJSON(lit) {
		text := []byte(wire.Unquote(lit))
		if e, ok := shorten(text, limit-2); ok {
			return e, true
		}
	}
	return middle(lit, limit)
}

func looksJSON(lit []byte) bool {
	for text := lit[1 : len(lit)-1]; len(text) > 0; {
		c, n := wire.Char(text)
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return (c == '[' || c == '{') && json.Valid([]byte(wire.Unquote(lit)))
		}
		text = text[n:]
	}
	return false
}

// shorten cuts the end off a JSON array, or off the longest array that is a
// member of an object. Limit is for the bytes of the text inside a literal.
func shorten(text []byte, limit int) (excerpt, bool) {
	start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	array := wire.Span{Start: start, End: wire.Past(text, start)}
	if text[start] == '{' {
		array = wire.Span{}
		for _, at := range wire.Members(text) {
			if text[at.Start] == '[' && at.End-at.Start > array.End-array.Start {
				array = at
			}
		}
	}
	if !array.Ok() {
		return excerpt{}, false
	}
	b := array.Of(text)
	room := limit - inside(text[:array.Start]) - inside(text[array.End:]) - len("[]")
	var e excerpt
	cut, cost := 0, 0
	for at := range wire.Elements(b) {
		e.outOf++
		if e.elements < e.outOf-1 {
			continue
		}
		if cost += inside(b[max(cut, 1):at.End]); cost <= room {
			cut = at.End
			e.elements++
		}
	}
	if e.elements == 0 {
		return excerpt{}, false
	}
	left := bytes.Join([][]byte{text[:array.Start+cut], text[array.End-1:]}, nil)
	e.lit, e.bytes = quote(string(left)), len(left)
	return e, true
}

// inside returns how long text is inside a string literal as quote writes it.
func inside(text []byte) int {
	n := len(text)
	for i, c := range text {
		switch {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
			n++
		case c < ' ':
			n += 5
		case c == 0xe2 && bytes.HasPrefix(text[i:], []byte("\u2028")[:2]):
			n += 3 // U+2028 and U+2029 are escaped; others are counted too high
		}
	}
	return n
}

// middle cuts the middle out of a text: two thirds of what stays are its head,
// for that is where a reader starts, and the rest its tail, for that is where a
// log has its errors. It cuts at line ends, or between characters where lines are
// long.
func middle(lit []byte, limit int) (excerpt, bool) {
	text := lit[1 : len(lit)-1]
	total := decoded(text)
	mark := `\n[` + strconv.Itoa(total) + ` of ` + strconv.Itoa(total) + ` bytes of this text are left out here]\n`
	room := limit - len(`""`) - len(mark)
	if room < 1 {
		return excerpt{}, false
	}
	head := border(text, 0, room*2/3)
	tail := len(text)
	if b := border(text, len(text)-room/3, len(text)); b < len(text) {
		tail = b
	}
	if head == 0 && tail == len(text) || tail <= head {
		return excerpt{}, false
	}
	e := excerpt{bytes: decoded(text[:head]) + decoded(text[tail:])}
	mark = `[` + strconv.Itoa(total-e.bytes) + ` of ` + strconv.Itoa(total) + ` bytes of this text are left out here]\n`
	if !bytes.HasSuffix(text[:head], []byte(`\n`)) {
		mark = `\n` + mark
	}
	e.lit = bytes.Join([][]byte{{'"'}, text[:head], []byte(mark), text[tail:], {'"'}}, nil)
	return e, true
}

// border returns the best place to cut text between from and to: a head, if from
// is 0, ends as late as it can, a tail begins as early as it can. A line end
// counts unless more than half would be lost for it.
func border(text []byte, from, to int) int {
	line, place := -1, -1
	better := func(old, at int) int {
		if from > 0 && old >= 0 {
			return old
		}
		return at
	}
	feed := true
	for i := 0; i <= to; {
		if i >= from {
			place = better(place, i)
			if feed {
				line = better(line, i)
			}
		}
		if i == len(text) {
			break
		}
		c, n := wire.Char(text[i:])
		feed = c == '\n'
		i += n
	}
	half := (to - from) / 2
	switch {
	case from == 0 && line >= half, from > 0 && line >= 0 && line <= to-half:
		return line
	case place >= 0:
		return place
	}
	return to
}

// decoded returns how many bytes of UTF-8 the inside of a literal stands for.
func decoded(text []byte) int {
	if bytes.IndexByte(text, '\\') < 0 {
		return len(text)
	}
	total := 0
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			total++
			i++
			continue
		}
		c, n := wire.Char(text[i:])
		total += utf8.RuneLen(c)
		i += n
	}
	return total
}
