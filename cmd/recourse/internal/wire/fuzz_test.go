package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"
)

// maxDepth is where encoding/json gives up.
const maxDepth = 10_000

func FuzzScanner(f *testing.F) {
	for _, row := range table(f) {
		f.Add(row.frame, uint16(len(row.frame)/2), uint16(7))
	}
	f.Fuzz(func(t *testing.T, frame []byte, first, second uint16) {
		m, err := scan(frame)
		var chunks [][]byte
		for rest, n := frame, int(first); ; n = int(second) {
			n = min(max(n, 1), len(rest))
			chunks = append(chunks, rest[:n])
			if rest = rest[n:]; len(rest) == 0 {
				break
			}
		}
		if cut, cutErr := scan(chunks...); cut != m || text(cutErr) != text(err) {
			t.Errorf("in %d pieces %v %+v, whole %v %+v", len(chunks), cutErr, cut, err, m)
		}
		if bytes.Count(frame, []byte("["))+bytes.Count(frame, []byte("{")) >= maxDepth {
			return
		}
		agree(t, frame, &m, err)
	})
}

// agree compares a scan with encoding/json, which takes any value for JSON and
// the last of several members with one name.
func agree(t *testing.T, frame []byte, m *Message, err error) {
	valid := json.Valid(frame)
	if err == nil && !valid {
		t.Errorf("accepted what encoding/json does not")
	}
	if syntax, ok := err.(*SyntaxError); valid && ok && syntax.What != "duplicate key" && syntax.What != "not an object" {
		t.Errorf("%v, but encoding/json accepts it", err)
	}
	if err == nil && m.Kind != Batch && !maps.Equal(covered(m, frame), decoded(frame)) {
		t.Errorf("got %q, json %q", covered(m, frame), decoded(frame))
	}
}

func FuzzReader(f *testing.F) {
	var all []byte
	for _, row := range table(f) {
		all = append(append(all, row.frame...), '\n')
		f.Add(append(row.frame, "\n\n"+ping...), uint16(3), uint16(20))
	}
	f.Add(all, uint16(100), uint16(100))
	f.Fuzz(func(t *testing.T, stream []byte, size, limit uint16) {
		r := NewReader(&pieces{bytes.NewReader(stream), 1 + int(size)}, 1+int(limit))
		blank := 0
		for line := range bytes.SplitSeq(stream, []byte("\n")) {
			if len(bytes.Trim(line, " \t\r")) == 0 {
				blank++
				continue
			}
			line = bytes.TrimLeft(line, "\r")
			want := Frame{Bytes: bytes.TrimRight(line, " \t\r"), After: blank}
			blank = 0
			want.Size = len(want.Bytes)
			m, err := scan(line)
			want.Msg, want.Err, want.ID = &m, err, m.ID.Of(line)
			if len(line) > 1+int(limit) {
				want.Bytes, want.Size = nil, len(line)
				if len(want.ID) > maxID {
					want.ID = nil
				}
			}
			got, err := r.Next()
			if err != nil || tell(got) != tell(want) {
				t.Fatalf("%v\ngot  %s\nwant %s", err, tell(got), tell(want))
			}
		}
		if f, err := r.Next(); err != io.EOF {
			t.Errorf("at the end: %s, %v", tell(f), err)
		}
		impatient(t, stream, int(size))
	})
}

// impatient reads a stream eagerly: nothing is lost or comes twice, and a line
// that is a message is one frame.
func impatient(t *testing.T, stream []byte, size int) {
	r := NewReader(&pieces{bytes.NewReader(stream), 1 + size}, len(stream)+1)
	r.Eager = true
	var got [][]byte
	f, err := r.Next()
	for ; err == nil; f, err = r.Next() {
		if m, e := scan(f.Bytes); (e == nil) != (f.Err == nil) || e == nil && (m != *f.Msg || string(f.ID) != string(m.ID.Of(f.Bytes))) {
			t.Errorf("%q is %v %+v, by itself %v %+v", f.Bytes, f.Err, *f.Msg, e, m)
		}
		got = append(got, bytes.Clone(f.Bytes))
	}
	const blank = " \t\r"
	rest := got
	for line := range bytes.SplitSeq(stream, []byte("\n")) {
		line = bytes.Trim(line, blank)
		_, alone := scan(line)
		var parts [][]byte
		for n := 0; n < len(line); {
			if len(rest) == 0 {
				t.Fatalf("%q is missing after %q", line[n:], got)
			}
			part := bytes.Trim(rest[0], blank)
			if n += bytes.IndexFunc(line[n:], func(c rune) bool { return !strings.ContainsRune(blank, c) }); !bytes.HasPrefix(line[n:], part) {
				t.Fatalf("%q, want what begins %q", rest[0], line[n:])
			}
			n += len(part)
			parts, rest = append(parts, rest[0]), rest[1:]
		}
		if alone == nil && len(parts) > 1 {
			t.Errorf("a message came in parts: %q", parts)
		}
	}
	if len(rest) > 0 || err != io.EOF {
		t.Errorf("%q, and %v, after the end", rest, err)
	}
}

func tell(f Frame) string {
	return fmt.Sprintf("%q %+v %v %d %q %d", f.Bytes, *f.Msg, f.Err, f.Size, f.ID, f.After)
}

func FuzzAppendSplice(f *testing.F) {
	f.Add([]byte(ping), uint16(17), uint16(1), uint16(10), uint16(6), []byte("5"), []byte(`"a"`))
	f.Fuzz(func(t *testing.T, frame []byte, skip1, n1, skip2, n2 uint16, with1, with2 []byte) {
		cut := func(from int, n uint16) int { return min(from+int(n), len(frame)) }
		a := Span{Start: cut(0, skip1)}
		a.End = cut(a.Start, n1)
		b := Span{Start: cut(a.End, skip2)}
		b.End = cut(b.Start, n2)
		if !a.Ok() || !b.Ok() {
			return
		}
		want := bytes.Join([][]byte{frame[:a.Start], with1, frame[a.End:b.Start], with2, frame[b.End:], {'\n'}}, nil)
		before := bytes.Clone(frame)
		for _, edits := range [][]Edit{{{a, with1}, {b, with2}}, {{b, with2}, {}, {a, with1}}} {
			if got := AppendSplice(nil, frame, edits...); !bytes.Equal(got, want) || !bytes.Equal(frame, before) {
				t.Errorf("%v: %q, want %q", edits, got, want)
			}
		}
	})
}
