package relay

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A chain holds the bytes of a queue in links of one size. One long buffer would be
// copied each time it grows, beside what it was before: at 64 frames of 1 MiB that
// comes to five times their size. Links that are done with serve both directions.
type chain struct {
	links []link // links[:first] are done with; only the last has room
	first int
	size  int
}

// A link holds bytes[start:end].
type link struct {
	bytes      *[linkSize]byte
	start, end int
}

// linkSize is what a pipe holds on Linux, and so the most that one write takes.
const linkSize = 64 << 10

var spareLinks = sync.Pool{New: func() any { return new([linkSize]byte) }}

// head returns the bytes to be taken first: nil if there are none.
func (c *chain) head() []byte {
	if c.size == 0 {
		return nil
	}
	l := &c.links[c.first]
	return l.bytes[l.start:l.end]
}

// take removes n bytes of head.
func (c *chain) take(n int) {
	if n == 0 {
		return
	}
	l := &c.links[c.first]
	l.start += n
	c.size -= n
	switch {
	case c.size == 0:
		*l = link{bytes: l.bytes}
	case l.start == l.end:
		spareLinks.Put(l.bytes)
		*l = link{}
		if c.first++; c.first > 16 && c.first > len(c.links)/2 {
			c.links, c.first = slices.Delete(c.links, 0, c.first), 0
		}
	}
}

// room returns the last link if it has room for n bytes more, else a new one.
func (c *chain) room(n int) *link {
	if len(c.links) == 0 || linkSize-c.links[len(c.links)-1].end < n {
		c.links = append(c.links, link{bytes: spareLinks.Get().(*[linkSize]byte)})
	}
	return &c.links[len(c.links)-1]
}

// append appends b.
func (c *chain) append(b []byte) {
	c.size += len(b)
	for len(b) > 0 {
		l := c.room(1)
		n := copy(l.bytes[l.end:], b)
		l.end += n
		b = b[n:]
	}
}

// splice appends what [wire.AppendSplice] does.
func (c *chain) splice(frame []byte, edits ...wire.Edit) {
	most := len(frame) + 1
	for _, e := range edits {
		most += len(e.With)
	}
	if most < linkSize/4 {
		l := c.room(most)
		n := len(wire.AppendSplice(l.bytes[l.end:l.end], frame, edits...))
		l.end += n
		c.size += n
		return
	}
	slices.SortFunc(edits, func(a, b wire.Edit) int { return cmp.Compare(a.At.Start, b.At.Start) })
	done := 0
	for _, e := range edits {
		if e.At.Ok() {
			c.append(frame[done:e.At.Start])
			c.append(e.With)
			done = e.At.End
		}
	}
	c.append(frame[done:])
	c.append([]byte{'\n'})
}

// cut removes n bytes after the first at.
func (c *chain) cut(at, n int) {
	c.size -= n
	for i := c.first; n > 0; i++ {
		l := &c.links[i]
		here := l.end - l.start
		if at >= here {
			at -= here
			continue
		}
		m := min(n, here-at)
		from := l.start + at
		copy(l.bytes[from:], l.bytes[from+m:l.end])
		l.end -= m
		n -= m
		at = 0
	}
	c.tidy()
}

// tidy lets go of links that a cut has emptied.
func (c *chain) tidy() {
	kept := c.links[:0]
	for i, l := range c.links[c.first:] {
		last := c.first+i == len(c.links)-1
		switch {
		case l.start < l.end:
			kept = append(kept, l)
		case last && len(kept) == 0:
			kept = append(kept, link{bytes: l.bytes})
		default:
			spareLinks.Put(l.bytes)
		}
	}
	clear(c.links[len(kept):])
	c.links, c.first = kept, 0
}

// lines counts the line ends.
func (c *chain) lines() int {
	n := 0
	for _, l := range c.links[min(c.first, len(c.links)):] {
		n += bytes.Count(l.bytes[l.start:l.end], []byte("\n"))
	}
	return n
}
