package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// least is how many bytes of a text are still worth showing beside others.
const least = 512

// Cut returns a result of which not more than most bytes are shown, and whether
// it had to be cut: if its texts, its data, or its images and sounds exceed most
// together. It has to be a result that [Examine] calls good. Params are the
// arguments of the tool that ask for less.
//
// What is returned has in content and structuredContent at most 4 kB more. It
// says three times that something is missing: at its beginning, for a model that
// counts; where it is missing; and in a last block and in _meta, for programs.
// An isError stays what it was.
func Cut(result []byte, most int, params []string) ([]byte, bool) {
	if len(result) <= most || Kind(result) != "an object" || unfinished(result) {
		return result, false
	}
	c := cutting{most: most, params: params, structured: member(result, "structuredContent")}
	c.take(member(result, "content"))
	if max(c.text, c.media, len(c.structured)) <= most {
		return result, false
	}
	c.room = max(most-c.overhead(), most/2)
	result = c.data(result)
	c.images()
	c.share()
	notes := c.notes()
	result = put(result, "content", list(c.blocks(notes)...))
	return Warn(result, notes...), true
}

// A cutting is a result while it is cut. All sizes are in bytes.
type cutting struct {
	most, room  int
	params      []string
	pieces      []piece
	text, media int // of the original, decoded; of media the base64

	structured []byte // nil if it is taken out
	taken      int    // of structuredContent, if it was
	repeated   bool   // and it became a text, for there was no other

	lost, lostBytes int // images and sounds
	dropped         int // blocks
	shown           int // of text, decoded
	elements, outOf int // of JSON arrays that were cut
}

// A piece is a block of content.
type piece struct {
	block []byte
	lit   wire.Span // of its text in block, if it has one
	own   bool      // that text is the block's, not a resource's
	size  int       // of the text, decoded
	media int       // of its base64
	kind  string    // of the media
	gone  bool
}

func (c *cutting) take(content []byte) {
	for at := range wire.Elements(content) {
		p := piece{block: at.Of(content)}
		var k, in block
		k.read(p.block, 0)
		if k.is(k.resource, '{') {
			in.read(p.block, k.resource.Start)
		}
		switch {
		case k.is(k.text, '"') && wire.Unquote(k.kind.Of(p.block)) == "text":
			p.lit, p.own = k.text, true
		case k.is(k.data, '"'):
			p.media, p.kind = k.data.End-k.data.Start-2, wire.Unquote(k.mime.Of(p.block))
		case in.is(in.text, '"'):
			p.lit = in.text
		case in.is(in.blob, '"'):
			p.media, p.kind = in.blob.End-in.blob.Start-2, "application/octet-stream"
		}
		c.add(p)
	}
}

func (c *cutting) add(p piece) {
	if p.lit.Ok() {
		p.size = decoded(p.block[p.lit.Start+1 : p.lit.End-1])
	}
	c.text += p.size
	c.media += p.media
	c.pieces = append(c.pieces, p)
}

// data takes structuredContent out if it does not leave a quarter of the room to
// the rest: half of it would be no JSON, or not what the tool's schema promises.
// If no text is likely to repeat it, one that can be cut is added.
func (c *cutting) data(result []byte) []byte {
	size := len(c.structured)
	if c.structured == nil || size <= c.room/4*3 {
		c.room -= size
		return result
	}
	c.taken, c.repeated = size, c.text < size/2
	if c.repeated {
		b := text(quote(string(c.structured)))
		c.add(piece{block: b, lit: wire.Span{Start: len(`{"type":"text","text":`), End: len(b) - 1}, own: true})
	}
	return keep(result, func(name string, _ []byte) bool { return name != "structuredContent" })
}

// images replaces the images and sounds that do not fit by texts. Half of one
// is none.
func (c *cutting) images() {
	room := c.room - min(c.text, c.room/2)
	for i, p := range c.pieces {
		if p.media == 0 {
			continue
		}
		if len(p.block) <= room {
			room -= len(p.block)
			continue
		}
		c.lost++
		c.lostBytes += p.media
		kind := "A resource"
		switch {
		case strings.HasPrefix(p.kind, "image/"):
			kind = "An image"
		case p.kind != "application/octet-stream":
			kind = "A sound"
		}
		if fits(strings.ReplaceAll(p.kind, "/", "")) {
			kind += " (" + p.kind + ")"
		}
		b := text(quote(fmt.Sprintf("[%s of %d bytes, %d as base64, is left out here: the limit is %d bytes]", kind, p.media/4*3, p.media, c.most)))
		c.pieces[i] = piece{block: b}
	}
}

// share shares the room out. All pieces get as much as they need or an equal
// part of it; but if the parts were too small to be of use, the first pieces get
// what they need, and the others nothing.
func (c *cutting) share() {
	need := make([]int, len(c.pieces))
	for i, p := range c.pieces {
		need[i] = len(p.block) + len(",")
	}
	part := level(need, c.room)
	if part < least {
		part = c.room / 2
	}
	left := c.room
	for i := range c.pieces {
		p := &c.pieces[i]
		before := p.size
		if limit := min(part, left); need[i] > limit && !c.shrink(p, limit-len(",")) {
			p.gone = true
			c.dropped++
			continue
		}
		left -= len(p.block) + len(",")
		c.shown += min(before, p.size)
	}
}

// level returns the largest part so that all are within room if none gets more.
func level(need []int, room int) int {
	sorted := slices.Sorted(slices.Values(need))
	for i, n := range sorted {
		if part := room / (len(sorted) - i); n > part {
			return part
		}
		room -= n
	}
	return room + slices.Max(append(sorted, 0))
}

// shrink cuts the text of p so that its block has at most limit bytes.
func (c *cutting) shrink(p *piece, limit int) bool {
	if !p.lit.Ok() {
		return false
	}
	b := p.block
	e, ok := excerptOf(p.lit.Of(b), limit-len(b)+p.lit.End-p.lit.Start)
	if !ok {
		return false
	}
	p.size = e.bytes
	c.elements += e.elements
	c.outOf += e.outOf
	p.block = slices.Concat(b[:p.lit.Start], e.lit, b[p.lit.End:])
	p.lit.End = p.lit.Start + len(e.lit)
	return true
}

func (c *cutting) notes() []string {
	var notes []string
	add := func(when bool, format string, args ...any) {
		if when {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
	}
	add(c.shown < c.text, "Showing %d of %d bytes of text.", c.shown, c.text)
	add(c.outOf > 0, "The JSON array is cut: its first %d of %d elements are here.", c.elements, c.outOf)
	add(c.dropped > 0, "Showing %d of %d blocks.", len(c.pieces)-c.dropped, len(c.pieces))
	add(c.taken > 0 && c.repeated, "The data, structuredContent of %d bytes, is left out; a text shows a part of it.", c.taken)
	add(c.taken > 0 && !c.repeated, "The data, structuredContent of %d bytes, is left out; see the text.", c.taken)
	add(c.lost == 1, "An image, sound or file of %d bytes is left out.", c.lostBytes)
	add(c.lost > 1, "%d images, sounds or files of %d bytes in all are left out.", c.lost, c.lostBytes)
	return append(notes, c.advice())
}

func (c *cutting) advice() string {
	if len(c.params) == 0 {
		return "To see the rest, ask for a smaller part of it."
	}
	last := len(c.params) - 1
	names := c.params[last]
	if last > 0 {
		names = strings.Join(c.params[:last], ", ") + " or " + names
	}
	return "To see the rest, ask for less at a time with " + names + "."
}

// overhead is how much the notes take in the content, at most.
func (c *cutting) overhead() int {
	const sentences = 450 // those of notes with numbers of 20 digits, and the braces
	return 2 * (sentences + len(c.advice()))
}

// blocks returns what is left, with the notes.
func (c *cutting) blocks(notes []string) [][]byte {
	var blocks [][]byte
	said := false
	note := "[" + strings.Join(notes, " ") + "]"
	for _, p := range c.pieces {
		switch {
		case p.gone:
			continue
		case said || !p.own:
			blocks = append(blocks, p.block)
			continue
		}
		said = true
		if lit := p.lit.Of(p.block); looksJSON(lit) {
			blocks = append(blocks, p.block, text(quote(note)))
			continue
		}
		start := quote(note + "\n")
		blocks = append(blocks, slices.Concat(p.block[:p.lit.Start], start[:len(start)-1], p.block[p.lit.Start+1:]))
	}
	if !said {
		blocks = append([][]byte{text(quote(note))}, blocks...)
	}
	machine := `{"_completeness":"partial","_warnings":` + string(warnings(nil, notes)) + `}`
	return append(blocks, text(quote(machine)))
}
