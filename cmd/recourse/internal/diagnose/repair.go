package diagnose

import (
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// text returns a block with the text of a string literal.
func text(lit []byte) []byte {
	return slices.Concat([]byte(`{"type":"text","text":`), lit, []byte("}"))
}

// block makes a good block of an element of a content: itself if it is one, nil
// if there is nothing to see in it.
func (r *repair) block(value []byte) []byte {
	switch kind := Kind(value); kind {
	case "an object":
		return r.object(value)
	case "a string":
		if visible(value) {
			r.note("A string in the result's content became a text block.")
			return text(value)
		}
		r.note("An empty string was left out of the result's content.")
		return nil
	case "null":
		r.note("A null was left out of the result's content.")
		return nil
	default:
		r.note(strings.ToUpper(kind[:1]) + kind[1:] + " in the result's content became a text block.")
		return text(quote(string(value)))
	}
}

func (r *repair) object(b []byte) []byte {
	var k block
	k.read(b, 0)
	if k.good() {
		return b
	}
	if wrong := k.misannotated(); wrong || k.loose(k.meta, '{') {
		b = keep(b, func(name string, v []byte) bool {
			return (name != "annotations" || !wrong) && (name != "_meta" || v[0] == '{')
		})
		r.note("A block's annotations or _meta, which clients refuse, were taken out.")
		k = block{}
		if k.read(b, 0); k.good() {
			return b
		}
	}
	kind := wire.Unquote(k.kind.Of(b))
	if !k.is(k.kind, '"') {
		kind = k.guess()
		if kind == "" {
			return r.foreign(&k, "A block without a type became a text block.")
		}
		r.note("A block had no type; it is " + kind + " now.")
		b = typed(b, kind)
		k = block{}
		k.read(b, 0)
	}
	switch kind {
	case "text":
		return r.text(&k)
	case "image", "audio":
		return r.media(&k, kind)
	case "resource":
		return r.resource(&k)
	case "resource_link":
		return r.link(&k)
	}
	return r.foreign(&k, "A block of a type that the protocol does not know became a text block.")
}

// guess says what a block without a type is.
func (k *block) guess() string {
	kind, _, _ := strings.Cut(wire.Unquote(k.mime.Of(k.b)), "/")
	switch {
	case k.text.Ok():
		return "text"
	case k.is(k.data, '"') && (kind == "image" || kind == "audio"):
		return kind
	case k.is(k.resource, '{'):
		return "resource"
	case k.filled(k.uri) && k.is(k.name, '"'):
		return "resource_link"
	}
	return ""
}

func typed(b []byte, kind string) []byte {
	if member(b, "type") != nil {
		return put(b, "type", quote(kind))
	}
	at := slices.Index(b, '{') + 1
	return slices.Concat([]byte(`{"type":"`+kind+`",`), b[at:])
}

// foreign makes a text of what no client knows: the text in it, or all its JSON.
func (r *repair) foreign(k *block, note string) []byte {
	switch {
	case k.is(k.text, '"') && visible(k.text.Of(k.b)):
		r.note(note)
		return text(k.text.Of(k.b))
	case string(keep(k.b, func(string, []byte) bool { return true })) == "{}":
		r.note("An empty object was left out of the result's content.")
		return nil
	}
	r.note(note)
	return text(quote(string(k.b)))
}

func (r *repair) text(k *block) []byte {
	t := k.text.Of(k.b)
	switch kind := Kind(t); {
	case kind == "a string" && visible(t):
		return k.b
	case kind != "a string" && kind != "missing" && kind != "null":
		r.note("The text of a block was " + kind + "; it is a string with the same JSON now.")
		return put(k.b, "text", quote(string(t)))
	case k.more():
		r.note("A text block without a text had something else in it; it became a text with its JSON.")
		return text(quote(string(k.b)))
	}
	r.note("A text block with nothing to see in it was left out.")
	return nil
}

// more reports whether a text block has data in members that it should not have.
func (k *block) more() bool {
	for key, at := range wire.Members(k.b) {
		name, value := string(label(key.Of(k.b))), at.Of(k.b)
		if name == "type" || name == "text" || name == "annotations" || name == "_meta" {
			continue
		}
		if value[0] != 'n' && (value[0] != '"' || visible(value)) {
			return true
		}
	}
	return false
}

func (r *repair) media(k *block, kind string) []byte {
	b, thing := k.b, "An "+kind
	if kind == "audio" {
		thing = "A sound"
	}
	if !k.filled(k.data) {
		return r.lost(thing, "it came without data")
	}
	data, named := k.data.Of(b), ""
	if !base64able(data) {
		if data, named = encode(data); data == nil {
			return r.lost(thing, "its data is not base64")
		}
		r.note(thing + "'s data was almost base64; it was put right.")
		b = put(b, "data", data)
	}
	seen, said := sniff(data), ""
	if k.is(k.mime, '"') {
		said = wire.Unquote(k.mime.Of(k.b))
	}
	is := func(mime string) bool { return strings.HasPrefix(mime, kind+"/") && len(mime) > len(kind)+1 }
	var mime string
	switch {
	case is(seen) && (kind == "image" || said == ""):
		mime = seen
	case is(said), kind == "audio" && said != "":
		return b
	case is(named):
		mime = named
	default:
		return r.lost(thing, "it came without a media type")
	}
	if mime == said {
		return b
	}
	// The API of a model refuses a whole conversation over the wrong media type.
	r.note(thing + " came with the wrong media type; it was put right.")
	return put(b, "mimeType", quote(mime))
}

// lost stands in for what can't be shown.
func (r *repair) lost(thing, why string) []byte {
	r.own = true
	r.note(thing + " was replaced by a text: " + why + ".")
	return text(quote(thing + " that the tool returned can't be shown: " + why + "."))
}

func (r *repair) resource(k *block) []byte {
	var in block
	if k.is(k.resource, '{') {
		in.read(k.resource.Of(k.b), 0)
	}
	switch {
	case in.holds():
		return k.b
	case !in.filled(in.uri) && in.is(in.text, '"') && visible(in.text.Of(in.b)):
		r.note("A resource without a uri became a text block.")
		return text(in.text.Of(in.b))
	case !in.filled(in.uri):
		r.note("A resource without a uri became a text block with its JSON.")
		return text(quote(string(k.b)))
	}
	inner := keep(in.b, func(name string, v []byte) bool {
		return (name != "mimeType" || v[0] == '"') && (name != "_meta" || v[0] == '{') && (name != "text" || v[0] == '"')
	})
	if in.is(in.blob, '"') && !in.is(in.text, '"') && !base64able(in.blob.Of(in.b)) {
		blob, _ := encode(in.blob.Of(in.b))
		if blob == nil {
			return r.lost("A resource", "its data is not base64")
		}
		inner = put(inner, "blob", blob)
	}
	var fixed block
	if fixed.read(inner, 0); !fixed.holds() {
		r.note("A resource without contents became a text block with its JSON.")
		return text(quote(string(k.b)))
	}
	r.note("A resource had members that clients can't read; they were taken out or put right.")
	return put(k.b, "resource", inner)
}

func (r *repair) link(k *block) []byte {
	if !k.filled(k.uri) {
		return r.foreign(k, "A link to a resource without a uri became a text block.")
	}
	b := k.b
	if k.looseLink() {
		kinds := map[string]string{"title": "a string", "description": "a string", "mimeType": "a string", "icons": "an array", "size": "a number"}
		b = keep(b, func(name string, v []byte) bool { return kinds[name] == "" || kinds[name] == Kind(v) })
		r.note("A link to a resource had members that clients can't read; they were taken out.")
	}
	if !k.is(k.name, '"') {
		b = put(b, "name", k.uri.Of(k.b))
		r.note("A link to a resource had no name; its uri stands for it.")
	}
	return b
}
