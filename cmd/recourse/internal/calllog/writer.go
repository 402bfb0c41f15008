package calllog

import (
	"cmp"
	"os"
	"time"
)

// chunk is about how many bytes are encoded before they are written.
const chunk = 1 << 20

// A writer turns batches of Records into lines of a segment. It belongs to the
// goroutine of its Log.
type writer struct {
	encoder
	segment
	report func(error) // nil once called

	batch batch // the last one: room for the next
	buf   []byte
}

func newWriter(l *Log) *writer {
	e := l.newEncoder()
	return &writer{encoder: e, segment: segment{dir: cmp.Or(l.Dir, Dir()), host: e.host}, report: l.OnError}
}

func (l *Log) newEncoder() encoder {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return encoder{args: l.Args, redactor: l.Redactor, host: host, pid: os.Getpid()}
}

// write writes b and returns how many records were lost.
func (w *writer) write(b batch) (lost int) {
	w.batch = b
	if len(b.lines) > 0 {
		if lost, err := w.append(b.lines, time.Now()); err != nil {
			return lost + weight(b.records)
		}
	}
	for rest := b.records; len(rest) > 0; {
		now := time.Now()
		w.buf = w.buf[:0]
		n := 0
		for n < len(rest) && len(w.buf) < chunk {
			w.buf = w.encode(w.buf, rest[n], now)
			n++
		}
		if torn, err := w.append(w.buf, now); err != nil {
			lost = weight(rest[n-torn:])
			break
		}
		rest = rest[n:]
	}
	clear(b.records)
	if cap(w.buf) > 2*chunk {
		w.buf = nil
	}
	if cap(b.lines) > 2*chunk {
		w.batch.lines = nil
	}
	return lost
}

// append writes lines to the segment and returns how many are not in it whole.
func (w *writer) append(lines []byte, now time.Time) (int, error) {
	n, err := w.segment.append(lines, now)
	if err != nil && w.report != nil {
		w.report(err)
		w.report = nil
	}
	return n, err
}

// weight returns how many calls batch tells of.
func weight(batch []*Record) (n int) {
	for _, r := range batch {
		if r.Type == "drop" {
			n += r.Count
		} else {
			n++
		}
	}
	return n
}
