package diagnose

import (
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A form is what clients ask of a value, and what a value becomes that is not so.
type form struct {
	first   string                // the bytes that it may begin with
	holds   func(v []byte) bool   // what else is asked for; nil: nothing
	each    *form                 // of an array's elements, or of an object's members, whatever their names
	fields  []field               // of an object, which may have others too
	mends   func(v []byte) []byte // makes a good value of another that is not null, or returns nil
	instead string                // JSON that takes the place of what can't be mended; "": nothing does
}

// A field is a member that clients know.
type field struct {
	name string
	form *form
	need bool   // an object without it is of no use, unless there is an instead or a like
	soil bool   // so is one whose field can't be read, even if there is an instead
	like string // the member whose value takes the place of a missing one
}

// read returns the end of the value at b[i] if it has the form, else i. It takes
// one pass and no memory.
func (f *form) read(b []byte, i int) int {
	if i >= len(b) || strings.IndexByte(f.first, b[i]) < 0 {
		return i
	}
	var end int
	switch {
	case b[i] == '[' && f.each != nil:
		end = wire.Array(b, i, func(at int) int { return f.each.read(b, at) })
	case b[i] == '{' && (f.each != nil || f.fields != nil):
		end = f.object(b, i)
	default:
		end = wire.Past(b, i)
	}
	if end > i && f.holds != nil && !f.holds(b[i:end]) {
		return i
	}
	return end
}

func (f *form) object(b []byte, i int) int {
	seen := uint(0)
	end := wire.Object(b, i, func(key wire.Span, at int) int {
		n := f.find(label(key.Of(b)))
		switch {
		case n >= 0:
			seen |= 1 << n
			return f.fields[n].form.read(b, at)
		case f.each != nil:
			return f.each.read(b, at)
		}
		return wire.Past(b, at)
	})
	for n := range f.fields {
		if f.fields[n].need && seen>>n&1 == 0 {
			return i
		}
	}
	return end
}

// find returns which field has the name, -1 if none has.
func (f *form) find(name []byte) int {
	for n := range f.fields {
		if f.fields[n].name == string(name) {
			return n
		}
	}
	return -1
}

// mend returns v itself if it has the form, else what is nearest to it: with all
// its bytes but those that stand in the way. It returns nil if nothing can be
// made of it.
func (f *form) mend(v []byte) []byte {
	if f.read(v, 0) == len(v) {
		return v
	}
	var better []byte
	switch within := strings.IndexByte(f.first, v[0]) >= 0; {
	case v[0] == '[' && within && f.each != nil:
		better = f.elements(v)
	case v[0] == '{' && within:
		better = f.members(v)
	case v[0] != 'n' && f.first == "[": // one, where a list of them is due
		if one := f.each.mend(v); one != nil {
			better = list(one)
		}
	}
	if better == nil && v[0] != 'n' && f.mends != nil {
		better = f.mends(v)
	}
	if better == nil && f.instead != "" {
		better = []byte(f.instead)
	}
	return better
}

func (f *form) elements(v []byte) []byte {
	p := patchOf(v)
	for at := range wire.Elements(v) {
		p.part(at.Start, at, f.each.mend(at.Of(v)))
	}
	return p.whole()
}

func (f *form) members(v []byte) []byte {
	p, seen := patchOf(v), uint(0)
	for key, at := range wire.Members(v) {
		value := at.Of(v)
		n := f.find(label(key.Of(v)))
		switch {
		case n >= 0:
			came := value
			if value = f.fields[n].form.mend(came); value == nil {
				value = f.alike(v, n)
			}
			if f.fields[n].soil && came[0] != 'n' && string(value) != string(came) {
				return nil
			}
			if value != nil {
				seen |= 1 << n
			}
		case f.each != nil:
			value = f.each.mend(value)
		}
		p.part(key.Start, at, value)
	}
	for n, field := range f.fields {
		if !field.need || seen>>n&1 != 0 {
			continue
		}
		value := []byte(field.form.instead)
		if len(value) == 0 {
			value = f.alike(v, n)
		}
		if value == nil {
			return nil
		}
		p.more(field.name, value)
	}
	return p.whole()
}

// alike returns the value of another member of v that may stand for field n.
func (f *form) alike(v []byte, n int) []byte {
	if other := member(v, f.fields[n].like); other != nil && f.fields[n].form.read(other, 0) == len(other) {
		return other
	}
	return nil
}

// A patch is an array or object that is written anew. What stays keeps its bytes,
// with the space around it.
type patch struct {
	from, to []byte
	end      int  // in from, of the part that was looked at last
	some     bool // there is a part in to
}

func patchOf(v []byte) patch {
	return patch{from: v, to: append(make([]byte, 0, len(v)), v[0]), end: 1}
}

// part is the next element, or a member that begins with its key at start. A value
// that is nil leaves it out.
func (p *patch) part(start int, at wire.Span, value []byte) {
	if value != nil {
		if p.some || p.end == 1 {
			p.to = append(p.to, p.from[p.end:start]...)
		}
		p.to = append(p.to, p.from[start:at.Start]...)
		p.to = append(p.to, value...)
		p.some = true
	}
	p.end = at.End
}

// more adds a member behind all others.
func (p *patch) more(name string, value []byte) {
	if p.some {
		p.to = append(p.to, ',')
	}
	p.to = append(p.to, `"`+name+`":`...)
	p.to = append(p.to, value...)
	p.some = true
}

func (p *patch) whole() []byte { return append(p.to, p.from[p.end:]...) }
