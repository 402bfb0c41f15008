package wire

import "bytes"

// A Fragment puts a value together that came in several lines: written with line
// breaks, or with raw ones in its texts. The zero value is empty.
type Fragment struct {
	Mixed bool // something else stands behind the value

	mend Mender
	scan Scanner
	buf  []byte
}

// Add takes the next line. It reports whether that belongs to the value; if not,
// the line is not kept.
func (g *Fragment) Add(f *Frame) bool {
	fed := len(g.buf)
	if fed > 0 {
		g.buf, _ = g.mend.Append(g.buf, bytes.Repeat([]byte("\n"), 1+min(f.After, maxBlank)))
	}
	var n int
	g.buf, n = g.mend.Append(g.buf, f.Bytes)
	g.Mixed = g.Mixed || len(Undecorate(f.Bytes[n:])) > 0
	g.scan.Feed(g.buf[fed:])
	switch {
	case g.scan.state != broken:
	case fed == 0:
		*g = Fragment{}
		return false
	default:
		g.buf = g.buf[:fed]
		return false
	}
	return true
}

// maxBlank bounds the blank lines that are kept of those in a row.
const maxBlank = 1000

// Whole reports whether the value is complete.
func (g *Fragment) Whole() bool { return g.scan.complete() }

// Size returns the bytes that were put together.
func (g *Fragment) Size() int { return len(g.buf) }

// Take returns what was put together, and empties the fragment.
func (g *Fragment) Take() *Frame {
	m, err := g.scan.End()
	f := &Frame{Bytes: g.buf, Msg: m, Err: err, Size: len(g.buf), ID: m.ID.Of(g.buf), Notes: g.mend.Notes()}
	msg := *m // the scanner goes with the fragment
	f.Msg = &msg
	*g = Fragment{}
	return f
}
