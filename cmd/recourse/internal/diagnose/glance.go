package diagnose

import "github.com/recourse-dev/recourse/cmd/recourse/internal/wire"

// good reports, in one pass and without memory of its own, that a result is one
// that every client can read and a model can see. It may say no to one that is
// good but odd; the closer look then finds nothing to change.
func good(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	contents := 0
	end := wire.Object(b, 0, func(key wire.Span, at int) int {
		switch string(label(key.Of(b))) {
		case "content":
			if contents++; contents > 1 {
				return at
			}
			return goodContent(b, at)
		case "isError":
			if c := b[at]; c != 't' && c != 'f' {
				return at
			}
		case "_meta":
			if b[at] != '{' {
				return at
			}
		case "structuredContent":
			if b[at] == 'n' {
				return at
			}
		}
		return wire.Past(b, at)
	})
	return end == len(b) && contents == 1
}

// goodContent returns the end of the content at b[i], i if it is not good.
func goodContent(b []byte, i int) int {
	blocks := 0
	end := wire.Array(b, i, func(at int) int {
		blocks++
		var k block
		if end := k.read(b, at); end > at && k.good() {
			return end
		}
		return at
	})
	if blocks == 0 {
		return i
	}
	return end
}
