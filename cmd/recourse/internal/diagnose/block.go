package diagnose

import (
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A block is a content block, or a resource in one, and where its members are.
type block struct {
	b []byte

	kind, text, data, blob, mime, resource, uri, name  wire.Span
	annotations, meta, title, description, size, icons wire.Span
}

func (k *block) field(name []byte) *wire.Span {
	switch string(name) {
	case "type":
		return &k.kind
	case "text":
		return &k.text
	case "data":
		return &k.data
	case "blob":
		return &k.blob
	case "mimeType":
		return &k.mime
	case "resource":
		return &k.resource
	case "uri":
		return &k.uri
	case "name":
		return &k.name
	case "annotations":
		return &k.annotations
	case "_meta":
		return &k.meta
	case "title":
		return &k.title
	case "description":
		return &k.description
	case "size":
		return &k.size
	case "icons":
		return &k.icons
	}
	return nil
}

// read looks at the object at b[i] and returns its end.
func (k *block) read(b []byte, i int) int {
	k.b = b
	return wire.Object(b, i, func(key wire.Span, at int) int {
		value := wire.Span{Start: at, End: wire.Past(b, at)}
		if field := k.field(label(key.Of(b))); field != nil {
			*field = value
		}
		return value.End
	})
}

// is reports whether a member is there and begins with c.
func (k *block) is(at wire.Span, c byte) bool { return at.Ok() && k.b[at.Start] == c }

// filled reports whether a member is a string that is not empty.
func (k *block) filled(at wire.Span) bool { return k.is(at, '"') && at.End-at.Start > 2 }

// loose reports whether an optional member is there that a strict client takes
// for a fault. Nearly always it is a null, from a program that writes all fields.
func (k *block) loose(at wire.Span, c byte) bool { return at.Ok() && k.b[at.Start] != c }

// good reports whether every client can read the block and something can be seen.
func (k *block) good() bool {
	if k.misannotated() || k.loose(k.meta, '{') {
		return false
	}
	switch string(k.kind.Of(k.b)) {
	case `"text"`:
		return k.is(k.text, '"') && visible(k.text.Of(k.b))
	case `"image"`:
		return k.sound() && k.depicts()
	case `"audio"`:
		return k.sound() && k.filled(k.mime)
	case `"resource"`:
		var inner block
		return k.is(k.resource, '{') && inner.read(k.b, k.resource.Start) == k.resource.End && inner.holds()
	case `"resource_link"`:
		return k.filled(k.uri) && k.is(k.name, '"') && !k.looseLink()
	}
	return false
}

func (k *block) sound() bool { return k.is(k.data, '"') && base64able(k.data.Of(k.b)) }

// depicts reports whether the media type is that of an image, and of this one.
func (k *block) depicts() bool {
	mime := k.mime.Of(k.b)
	if !k.is(k.mime, '"') || len(mime) <= len(`"image/"`) || string(mime[1:7]) != "image/" {
		return false
	}
	seen := sniff(k.data.Of(k.b))
	return !strings.HasPrefix(seen, "image/") || string(mime[1:len(mime)-1]) == seen
}

// holds reports whether a resource has a name and contents.
func (k *block) holds() bool {
	return k.filled(k.uri) && !k.loose(k.mime, '"') && !k.loose(k.meta, '{') &&
		(k.is(k.text, '"') || !k.text.Ok() && k.is(k.blob, '"') && base64able(k.blob.Of(k.b)))
}

func (k *block) looseLink() bool {
	size := k.size.Ok() && Kind(k.size.Of(k.b)) != "a number"
	return size || k.loose(k.title, '"') || k.loose(k.description, '"') || k.loose(k.mime, '"') || k.loose(k.icons, '[')
}

// misannotated reports annotations that make the TypeScript SDK refuse the whole
// result: a priority is from 0 to 1, an audience is a list of roles.
func (k *block) misannotated() bool {
	notes := k.annotations.Of(k.b)
	if len(notes) == 0 || notes[0] != '{' {
		return len(notes) > 0
	}
	for key, at := range wire.Members(notes) {
		value := at.Of(notes)
		switch string(label(key.Of(notes))) {
		case "audience":
			for role := range wire.Elements(value) {
				if r := string(role.Of(value)); r != `"user"` && r != `"assistant"` {
					return true
				}
			}
			if value[0] != '[' {
				return true
			}
		case "priority":
			if n, err := strconv.ParseFloat(string(value), 64); err != nil || n < 0 || n > 1 {
				return true
			}
		case "lastModified":
			if value[0] != '"' || !moment.holds(value) {
				return true
			}
		}
	}
	return false
}
