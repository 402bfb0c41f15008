package diagnose

import (
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A Memory is the usual shape of one tool's results: of an object which members
// it has and which of them say something, of a text how it begins. The zero value
// has seen nothing. It is not safe for concurrent use.
type Memory struct {
	shapes [8]struct {
		hash uint32
		seen uint8
	}
}

// usually is how often a shape has to come before it is a habit: once may be an
// accident and twice a pair of them.
const usually = 3

// Learn notes the shape of a result that stood: one that was neither an error nor
// taken for one. The rarest shape makes room for a new one.
func (m *Memory) Learn(result []byte) {
	hash := shapeOf(result)
	if m == nil || hash == 0 {
		return
	}
	rarest := &m.shapes[0]
	for i := range m.shapes {
		s := &m.shapes[i]
		if s.hash == hash {
			s.seen = min(s.seen, 254) + 1
			return
		}
		if s.seen < rarest.seen {
			rarest = s
		}
	}
	rarest.hash, rarest.seen = hash, 1
}

// usual reports whether a tool's results often have this shape.
func (m *Memory) usual(result []byte) bool {
	if m == nil || m.shapes[0].seen == 0 {
		return false
	}
	hash := shapeOf(result)
	for _, s := range m.shapes {
		if s.hash == hash && s.seen >= usually {
			return true
		}
	}
	return false
}

// shapeOf returns a number for what a result looks like, 0 if it looks like
// nothing: of its structuredContent if it has one, else of its first text.
func shapeOf(result []byte) uint32 {
	a := answerOf(result)
	if len(a.data) > 0 && a.data[0] == '{' {
		return objectShape(a.data)
	}
	if a.count == 0 {
		return 0
	}
	lit := lead(a.texts[0])
	switch {
	case len(lit) == 0:
		return 0
	case lit[0] == '{' && len(lit) <= maxJSON && (mentions(lit) || wraps(lit)):
		return objectShape([]byte(wire.Unquote(a.texts[0])))
	}
	return textShape(lit)
}

// objectShape does not depend on the order of the members. A member that is null,
// false or empty is another than one that is not: an API that always answers with
// ok, data and error says by that which of them counts.
func objectShape(object []byte) uint32 {
	sum := uint32(1)
	for key, at := range wire.Members(object) {
		hash := uint32(offset32)
		for _, c := range label(key.Of(object)) {
			hash = mix(hash, c)
		}
		if hollow(at.Of(object)) {
			hash = mix(hash, '-')
		}
		sum += hash
	}
	return sum
}

// textShape is made of a text's first two words.
func textShape(lit []byte) uint32 {
	const most = 40 // bytes, of two words
	hash, gaps := uint32(offset32), 0
	for _, c := range lit[:min(len(lit), most)] {
		if c == ' ' || c == '\\' || c == ':' {
			if gaps++; gaps == 2 {
				break
			}
		}
		hash = mix(hash, c)
	}
	return hash
}

const offset32 = 2166136261 // of FNV-1a, as is the prime

func mix(hash uint32, c byte) uint32 { return (hash ^ uint32(c)) * 16777619 }
