package relay

import (
	"bytes"
	"slices"
	"testing"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"pgregory.net/rapid"
)

// A chain holds what one long buffer would, whatever is done to it.
func TestChain(t *testing.T) {
	sizes := rapid.OneOf(rapid.IntRange(0, 300), rapid.IntRange(linkSize/4-80, linkSize/4+80), rapid.IntRange(linkSize-80, linkSize+80), rapid.IntRange(0, 3*linkSize))
	pattern := make([]byte, 4*linkSize)
	for i := range pattern {
		pattern[i] = byte(i * i >> 7)
	}
	rapid.Check(t, func(t *rapid.T) {
		var c chain
		var want []byte
		at := 0
		fresh := func(n int) []byte {
			at = (at + 997) % (linkSize - 1)
			return pattern[at : at+n]
		}
		room := func(t *rapid.T) {
			if len(want) > 6*linkSize {
				t.Skip("enough waits")
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				room(t)
				b := fresh(sizes.Draw(t, "size"))
				c.append(b)
				want = append(want, b...)
			},
			"splice": func(t *rapid.T) {
				room(t)
				frame := fresh(sizes.Draw(t, "size"))
				cuts := rapid.SliceOfN(rapid.IntRange(0, len(frame)), 4, 4).Draw(t, "cuts")
				slices.Sort(cuts)
				edits := []wire.Edit{
					{At: wire.Span{Start: cuts[2], End: cuts[3]}, With: fresh(3)},
					{},
					{At: wire.Span{Start: cuts[0], End: cuts[1]}, With: fresh(2000)},
				}
				want = wire.AppendSplice(want, frame, edits...)
				c.splice(frame, edits...)
			},
			"take": func(t *rapid.T) {
				n := rapid.IntRange(0, len(c.head())).Draw(t, "n")
				c.take(n)
				want = want[n:]
			},
			"cut": func(t *rapid.T) {
				from := rapid.IntRange(0, len(want)).Draw(t, "from")
				to := rapid.IntRange(from, len(want)).Draw(t, "to")
				c.cut(from, to-from)
				want = slices.Delete(want, from, to)
			},
			"": func(t *rapid.T) {
				rest := want
				for _, l := range c.links[c.first:] {
					b := l.bytes[l.start:l.end]
					if !bytes.HasPrefix(rest, b) {
						t.Fatalf("other bytes, %d before the end", len(rest))
					}
					rest = rest[len(b):]
				}
				if c.size != len(want) || len(rest) > 0 {
					t.Fatalf("size %d, and %d bytes are missing of %d", c.size, len(rest), len(want))
				}
				if len(want) > 0 && len(c.head()) == 0 {
					t.Fatal("bytes wait, but none are at the head")
				}
			},
		})
	})
}
