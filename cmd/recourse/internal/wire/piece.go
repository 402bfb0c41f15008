package wire

import (
	"bytes"
	"errors"
	"iter"
	"unicode/utf8"
)

// Bounds of the search for messages in a line that is none. Each candidate may
// have to be read to the end of the line.
const (
	maxCandidates = 64
	maxPasses     = 4        // of long lines
	minSearch     = 64 << 10 // bytes that are looked at in any case
)

// A Piece is an object or array that stands in a line with other things.
type Piece struct {
	Frame Frame // mended, on bytes of its own if that was necessary
	At    Span  // in the line
}

// Pieces finds messages in a line that is not one: from the left, each whole
// object that begins like a message, and whatever the first bracket begins. A
// piece inside of another is not found. If strict, neither is one with NaN.
func Pieces(line []byte, strict bool) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		looked, most := 0, max(minSearch, maxPasses*len(line))
		last := max(bytes.LastIndexByte(line, '}'), bytes.LastIndexByte(line, ']')) // what begins behind it never ends
		for n, at := 0, next(line, 0, true); at >= 0 && at < last && n < maxCandidates && looked < most; {
			p, ok := pieceAt(line, at, strict)
			if !ok {
				n++
				looked += len(line) - at
				at = next(line, at+1, false)
				continue
			}
			if !yield(p) {
				return
			}
			at = next(line, p.At.End, true)
		}
	}
}

// pieceAt reads the value that begins at line[at].
func pieceAt(line []byte, at int, strict bool) (Piece, bool) {
	rest := line[at:]
	f := Scan(rest)
	if broken, ok := errors.AsType[*SyntaxError](f.Err); ok {
		if broken.Open {
			return Piece{}, false
		}
		if broken.What == surplus {
			f = Scan(bytes.TrimRight(rest[:broken.Offset], " \t\r"))
		}
	}
	if f.Err == nil && f.Clean() {
		return Piece{*f, Span{at, at + f.Size}}, true
	}
	m := Mender{Strict: strict}
	mended, n := m.Append(make([]byte, 0, min(len(rest), 4<<10)), rest)
	if m.depth > 0 {
		return Piece{}, false
	}
	if f = Scan(mended); f.Err != nil {
		return Piece{}, false
	}
	f.Size, f.Notes = n, m.Notes()
	return Piece{*f, Span{at, at + n}}, true
}

// next returns where from i on an object begins like a message or, if that is all
// that is wanted, the first bracket; -1 if nowhere.
func next(line []byte, i int, first bool) int {
	if first {
		rest := line[i:]
		object := bytes.IndexByte(rest, '{')
		if object >= 0 {
			rest = rest[:object]
		}
		if array := bytes.IndexByte(rest, '['); array >= 0 {
			object = array
		}
		if object < 0 {
			return -1
		}
		return i + object
	}
	for {
		k := bytes.IndexByte(line[i:], '{')
		if k < 0 {
			return -1
		}
		if i += k; begins(line[i+1:]) {
			return i
		}
		i++
	}
}

// begins reports whether an object's inside begins with a member of JSON-RPC.
func begins(inside []byte) bool {
	inside = inside[:min(len(inside), 64)]
	for len(inside) > 0 && inside[0] != '"' {
		n := unseen(inside)
		if n == 0 && !blankByte(inside[0]) {
			return false
		}
		inside = inside[max(1, n):]
	}
	if len(inside) == 0 {
		return false
	}
	key, rest, ok := bytes.Cut(inside[1:], []byte(`"`))
	if !ok || len(rest) == 0 {
		return false
	}
	var m Message
	return m.topField(key) != nil
}

// Scan returns a frame that came from no stream.
func Scan(line []byte) *Frame {
	var s Scanner
	s.Feed(line)
	m, err := s.End()
	return &Frame{Bytes: line, Msg: m, Err: err, Size: len(line), ID: m.ID.Of(line)}
}

// Mend returns the frame that f should have been: without decoration, all text
// Unicode. It is f itself if nothing is to be mended, or nothing can be. If
// strict, NaN can't.
func Mend(f *Frame, strict bool) *Frame {
	line := Undecorate(f.Bytes)
	if len(line) == 0 || line[0] != '{' && line[0] != '[' {
		return f
	}
	if len(line) < len(f.Bytes) {
		if bare := Scan(line); bare.Err == nil && bare.Clean() {
			bare.Size = f.Size
			return bare
		}
	}
	m := Mender{Strict: strict}
	mended, n := m.Append(make([]byte, 0, len(line)+64), line)
	if n < len(line) || m.depth > 0 || bytes.Equal(mended, f.Bytes) {
		return f
	}
	g := Scan(mended)
	if g.Err != nil {
		return f
	}
	g.Size, g.Notes = f.Size, m.Notes()
	if f.Err == nil {
		g.ID = bytes.Clone(f.ID) // whoever gets it back knows it so
	}
	return g
}

// Clean reports whether all text of a message is Unicode.
func (f *Frame) Clean() bool {
	return (!f.Msg.Wide || utf8.Valid(f.Bytes)) && (!f.Msg.Surrogate || paired(f.Bytes))
}
