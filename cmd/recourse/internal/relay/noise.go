package relay

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A din is what a server says that is no message.
type din struct {
	lines  int
	untold int // of them
	next   time.Time
	text   heard // the last line of it
	broken heard // the last one that looks like a broken message
	lsp    bool  // it was told that the server frames its messages as language servers do
	mended bool  // it was told that messages of the server have to be corrected
}

// A heard is the start of a line.
type heard struct {
	line []byte
	at   time.Time
}

func (h *heard) keep(line []byte, now time.Time) {
	h.line, h.at = append(h.line[:0], line[:min(len(line), 4<<10)]...), now
}

// Of a noisy server the first lines are told of as they come, later ones by their
// number.
const (
	tellAtOnce = 3
	tellEvery  = 10 * time.Second
)

// noise is a line from the server that is no message. It is not passed on: one
// such line ends the session of some clients.
func (r *Relay) noise(f *wire.Frame, now time.Time) {
	d := &r.din
	d.lines++
	d.untold++
	if bytes.HasPrefix(f.Bytes, []byte("Content-Length:")) && !d.lsp {
		d.lsp = true
		r.say("the server frames its messages with Content-Length, as language servers do; MCP wants one message a line, and so does recourse")
	}
	d.text.keep(f.Bytes, now)
	if bytes.ContainsAny(f.Bytes, "{[") {
		d.broken.keep(f.Bytes, now)
	}
	if d.lines > tellAtOnce && now.Before(d.next) {
		return
	}
	r.tellNoise(f, now)
}

// tellNoise tells the operator, and the log, of the lines that were no messages
// since it did so last. f is the last one.
func (r *Relay) tellNoise(f *wire.Frame, now time.Time) {
	d := &r.din
	what := r.quote(f.Bytes)
	if f.Bytes == nil {
		what = "a line of " + sizeOf(f.Size)
	}
	switch {
	case d.lines == 1:
		r.say("the server writes lines to its standard output that are no messages; they are not passed on. The first: " + what)
	case d.untold == 1:
		r.say("not passed on: " + what)
	default:
		r.say(fmt.Sprintf("%d more lines of the server were not passed on. The last: %s", d.untold, what))
	}
	if r.Log != nil {
		rec := r.remark("noise", what, now)
		rec.Count = d.untold
		r.records = append(r.records, rec)
	}
	d.untold, d.next = 0, now.Add(tellEvery)
}

// illegible returns what the server has said since it got a call and was no
// message: a line that is still open, or best what looks like one.
func (r *Relay) illegible(c *call) (line []byte, open bool) {
	if l := c.life; l != nil && l == r.server {
		if half, _ := l.half.Load().(string); half != "" {
			return []byte(half), true
		}
	}
	switch d := &r.din; {
	case d.broken.at.After(c.sentAt):
		return d.broken.line, false
	case d.text.at.After(c.sentAt):
		return d.text.line, false
	}
	return nil, false
}

// hush tells, at the end, of what has not been told of.
func (r *Relay) hush(now time.Time) {
	if d := &r.din; d.untold > 0 {
		r.tellNoise(&wire.Frame{Bytes: d.text.line, Size: len(d.text.line)}, now)
	}
	r.tellLosses(now)
}

// Losses count what is dropped because nobody wants it any more, by its name.
type losses struct {
	n    map[string]int
	next time.Time
}

// lose notes that something was dropped.
func (r *Relay) lose(what string, now time.Time) {
	l := &r.losses
	if len(l.n) == 0 {
		l.n, l.next = map[string]int{}, now.Add(tellEvery)
	}
	if l.n[what]++; !now.Before(l.next) {
		r.tellLosses(now)
	}
}

func (r *Relay) tellLosses(now time.Time) {
	for _, what := range slices.Sorted(maps.Keys(r.losses.n)) {
		n := r.losses.n[what]
		r.say(fmt.Sprintf("dropped: %d %s", n, what))
		if r.Log != nil {
			rec := r.remark("late", what, now)
			rec.Count = n
			r.records = append(r.records, rec)
		}
	}
	r.losses.n = nil
}
