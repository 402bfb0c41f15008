package wire

import (
	"bytes"
	"cmp"
	"io"
	"slices"
)

const (
	// DefaultMax is the longest line, in bytes, that the TypeScript SDK's
	// clients can read.
	DefaultMax = 10 << 20

	piece  = 64 << 10 // of one read: what a pipe holds on Linux
	keep   = 2 << 20  // the largest buffer that outlives its frame
	maxID  = 4 << 10  // the longest id or method, in bytes, kept of a frame over the maximum
	giveUp = 100      // reads without a byte or an error
)

// A Frame is one line.
type Frame struct {
	Bytes []byte   // without the line end, LF or CRLF, valid until the next Next; nil if longer than Max
	Msg   *Message // never nil, valid until the next Next
	Err   error    // why this is not one JSON-RPC message
	Size  int      // bytes of the line, also if thrown away
	ID    []byte   // literal of the id, also if Bytes is nil
	Torn  bool     // the stream ended before the line did
	After int      // blank lines before it

	Method []byte   // literal of the method if Bytes is nil
	Notes  []string // sentences on what was corrected in it
}

// A copied literal outlives the frame that is thrown away.
type copied struct {
	b  []byte
	of Span
}

// A Reader cuts a stream into frames and scans them as they arrive.
type Reader struct {
	Max int // longest frame in bytes; if zero, DefaultMax

	// Eager takes a message as soon as it is complete, for writers that owe the
	// line end.
	Eager bool

	// Exact keeps what shows nothing: blank lines, and CR at the ends of others.
	Exact bool

	src  io.Reader
	err  error
	scan Scanner

	id, method copied // of a frame that is thrown away

	buf   []byte // buf[start:] is not yet returned
	start int    // of the frame being read
	fed   int    // up to here the frame is scanned
	seen  int    // up to here there is no line end
	gone  int    // bytes of the frame thrown away
	solid bool   // they were not all white space
	blank int    // lines without anything before the frame
	looks int    // at it while it had no end
}

// NewReader returns a Reader of src. If limit is zero, it is DefaultMax.
func NewReader(src io.Reader, limit int) *Reader {
	return &Reader{Max: cmp.Or(limit, DefaultMax), src: src}
}

// Next returns the next line that is not blank, or any if r is Exact. A last line without a line end
// counts. After the last frame it returns the error of the stream, io.EOF if
// there was none.
func (r *Reader) Next() (Frame, error) {
	r.scan.Reset()
	r.id, r.method = copied{b: r.id.b[:0]}, copied{b: r.method.b[:0]}
	if cap(r.buf) > keep && len(r.buf)-r.start <= piece {
		r.move(make([]byte, 0, piece))
	}
	for {
		if end, ok := r.line(); ok {
			return r.frame(end, end+1), nil
		}
		if r.err != nil {
			return r.last()
		}
		r.feed(len(r.buf))
		switch end := len(r.buf); {
		case r.size(end) > r.Max:
			r.drop()
		case r.Eager && r.unended():
			return r.frame(end, end), nil
		}
		r.fill()
	}
}

// What is done for lines that hold a message and have no end: so many looks, each
// of so many bytes at most.
const (
	maxLooks = 16
	maxLook  = 256 << 10
)

// unended reports whether a message is complete with the last byte that was read, or
// only what shows nothing stands behind it. Text before it makes that a guess.
func (r *Reader) unended() bool {
	if r.scan.complete() {
		return true
	}
	line := r.buf[r.start:]
	if r.gone > 0 || len(line) > maxLook || r.scan.state != broken || r.looks >= maxLooks {
		return false
	}
	if tail := Undecorate(line[max(0, len(line)-maxSequence):]); len(tail) == 0 || tail[len(tail)-1] != '}' {
		return false
	}
	r.looks++
	end := 0
	for p := range Pieces(line, false) {
		if p.Frame.Msg.Kind != Invalid {
			end = p.At.End
		}
	}
	return end > 0 && len(Undecorate(line[end:])) == 0
}

// Ready reports whether Next will not read.
func (r *Reader) Ready() bool {
	_, ok := r.line()
	return ok || r.err != nil
}

// line finds the end of the line at start and skips blank ones.
func (r *Reader) line() (int, bool) {
	for {
		i := bytes.IndexByte(r.buf[r.seen:], '\n')
		if i < 0 {
			r.seen = len(r.buf)
			return 0, false
		}
		r.seen += i
		if r.Exact || r.solid || !empty(r.buf[r.start:r.seen]) {
			return r.seen, true
		}
		if r.fed > r.start || r.gone > 0 {
			r.scan.Reset()
		}
		r.blank++
		r.begin(r.seen + 1)
	}
}

func empty(line []byte) bool {
	return !slices.ContainsFunc(line, func(c byte) bool { return c != ' ' && c != '\t' && c != '\r' })
}

// last returns what stands after the last line end.
func (r *Reader) last() (Frame, error) {
	end := len(r.buf)
	if !r.solid && empty(r.buf[r.start:]) {
		return Frame{Msg: &Message{}}, r.err
	}
	f := r.frame(end, end)
	f.Torn = true
	return f, nil
}

// frame returns buf[start:end], scanned, and goes on at next.
func (r *Reader) frame(end, next int) Frame {
	r.feed(end)
	f := Frame{Size: r.size(end), After: r.blank}
	r.blank = 0
	f.Msg, f.Err = r.scan.End()
	if f.Size > r.Max {
		r.keepNames()
		f.Method = r.method.b
		if len(r.id.b) > 0 {
			f.ID = r.id.b
		}
	} else {
		if f.Bytes = r.buf[r.start:end:end]; !r.Exact {
			f.Bytes = bytes.TrimRight(f.Bytes, " \t\r")
		}
		f.Size = len(f.Bytes)
		f.ID = f.Msg.ID.Of(f.Bytes)
	}
	r.begin(next)
	return f
}

func (r *Reader) begin(at int) {
	r.start, r.fed, r.seen, r.gone, r.solid, r.looks = at, at, at, 0, false, 0
}

func (r *Reader) feed(end int) {
	for !r.Exact && r.fed == r.start && r.gone == 0 && r.fed < end && r.buf[r.fed] == '\r' {
		r.start, r.fed = r.start+1, r.fed+1 // what a line that was overwritten leaves
	}
	r.scan.Feed(r.buf[r.fed:end])
	r.fed = end
}

// size returns how long the frame is if it goes up to buf[end].
func (r *Reader) size(end int) int { return r.gone + end - r.start }

// drop throws away what there is of the frame, except its id and its method.
func (r *Reader) drop() {
	r.keepNames()
	from := len(r.buf)
	if at, ok := r.scan.openID(); ok {
		if at += r.start - r.gone; at >= r.start && len(r.buf)-at <= maxID {
			from = at
		}
	}
	r.solid = r.solid || !empty(r.buf[r.start:from])
	r.gone += from - r.start
	r.start = from
}

// keepNames copies the id and the method out of buf once they are complete.
func (r *Reader) keepNames() {
	r.keep(&r.id, r.scan.msg.ID)
	r.keep(&r.method, r.scan.msg.Method)
}

func (r *Reader) keep(c *copied, at Span) {
	if !at.Ok() || at.Start < r.gone || at.End-at.Start > maxID || at == c.of {
		return
	}
	shift := r.start - r.gone
	c.of = at
	c.b = append(c.b[:0], r.buf[at.Start+shift:at.End+shift]...)
}

// fill reads once.
func (r *Reader) fill() {
	to := r.buf[:0]
	if cap(r.buf)-len(r.buf)+r.start < piece/16 {
		to = make([]byte, 0, max(piece, 2*cap(r.buf)))
	}
	r.move(to)
	for range giveUp {
		n, err := r.src.Read(r.buf[len(r.buf):min(cap(r.buf), len(r.buf)+piece)])
		r.buf, r.err = r.buf[:len(r.buf)+n], err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// move brings what is not yet returned to the front of to.
func (r *Reader) move(to []byte) {
	if r.start == 0 && cap(to) == cap(r.buf) {
		return
	}
	r.buf = append(to, r.buf[r.start:]...)
	r.fed -= r.start
	r.seen -= r.start
	r.start = 0
}
