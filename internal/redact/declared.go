package redact

import (
	"encoding/json"
	"strings"
)

// Declared is what the input schema of a tool declares secret among its arguments.
// A nil pointer declares nothing.
type Declared struct {
	secret  bool
	members map[string]*Declared
	others  *Declared // members that are not listed
	items   *Declared // elements of an array
}

// DeclaredIn reads a JSON Schema. A property is secret that has "format": "password"
// or "writeOnly": true, and a text whose title or description begins with the name
// of a secret: "API key for …", "The password of …". Local references are followed.
// A schema that can't be read, or declares nothing, gives nil.
func DeclaredIn(schema []byte) *Declared {
	var root map[string]any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	r := reader{root: root, left: mostSchemas}
	d := r.read(root, 0)
	if d != nil {
		d.secret = false // that arguments have a password does not make all of them one
	}
	return d
}

// Bounds for schemas that are large, deep or refer to themselves.
const (
	mostSchemas   = 4000
	deepestSchema = 12
)

type reader struct {
	root map[string]any
	left int // schemas that may still be read
}

// read returns what s declares, or nil.
func (r *reader) read(s map[string]any, depth int) *Declared {
	if r.left--; r.left < 0 || depth > deepestSchema {
		return nil
	}
	d := &Declared{secret: declares(s)}
	if ref, ok := s["$ref"].(string); ok {
		d.join(r.at(r.resolve(ref), depth))
	}
	for _, key := range [...]string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[key].([]any)
		for _, branch := range list {
			d.join(r.at(branch, depth))
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for name, p := range properties {
		if m := r.at(p, depth); m != nil {
			d.join(&Declared{members: map[string]*Declared{name: m}})
		}
	}
	d.join(&Declared{others: r.at(s["additionalProperties"], depth), items: r.at(s["items"], depth)})
	if !d.secret && d.members == nil && d.others == nil && d.items == nil {
		return nil
	}
	return d
}

// at reads a subschema, which may be true, false or missing.
func (r *reader) at(s any, depth int) *Declared {
	if m, ok := s.(map[string]any); ok {
		return r.read(m, depth+1)
	}
	return nil
}

// resolve returns what a reference within the schema leads to.
func (r *reader) resolve(ref string) any {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	var at any = r.root
	for step := range strings.SplitSeq(path, "/") {
		m, _ := at.(map[string]any)
		at = m[strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")]
	}
	return at
}

// join adds what e declares to d.
func (d *Declared) join(e *Declared) {
	if e == nil {
		return
	}
	d.secret = d.secret || e.secret
	d.others, d.items = joined(d.others, e.others), joined(d.items, e.items)
	for name, m := range e.members {
		if d.members == nil {
			d.members = map[string]*Declared{}
		}
		d.members[name] = joined(d.members[name], m)
	}
}

func joined(a, b *Declared) *Declared {
	if a == nil {
		return b
	}
	a.join(b)
	return a
}

// declares reports whether s itself is the schema of a secret.
func declares(s map[string]any) bool {
	if s["format"] == "password" || s["writeOnly"] == true {
		return true
	}
	if s["enum"] != nil || s["const"] != nil {
		return false
	}
	if t, typed := s["type"]; typed && t != "string" {
		list, _ := t.([]any)
		if len(list) == 0 || list[0] != "string" {
			return false
		}
	}
	for _, key := range [...]string{"title", "description"} {
		if text, _ := s[key].(string); describesSecret(text) {
			return true
		}
	}
	return false
}

// describesSecret reports whether text begins with the name of a secret. What comes
// after "for", "of", a comma and the like belongs to it no more: the "name of the
// password" is a name. Its last word must be what is secret: to "decrypt the secret
// values" is none.
func describesSecret(text string) bool {
	const words = 5
	before, last := "", ""
	for range words {
		n := 0
		for n < len(text) && (alnum(text[n]) || text[n] == '-' || text[n] == '\'') {
			n++
		}
		word, rest := strings.ToLower(text[:n]), strings.TrimPrefix(text[n:], " ")
		if word == "" || linking(word) {
			break
		}
		if rest != "" && rest[0] >= 0x80 {
			return false // the sentence goes on in a language that is not known here
		}
		before, last = last, word
		if len(rest) == len(text)-n {
			break
		}
		text = rest
	}
	if secretWord([]byte(last)) || secretPair([]byte(before+" "+last)) && last != "id" {
		return true
	}
	return last == "token" && grants(before)
}

// grants lists words that tell a token that gives access from those that mark a place
// or make a request unique.
func grants(word string) bool {
	switch word {
	case "access", "auth", "authentication", "api", "app", "bearer", "bot", "integration", "jwt", "oauth", "oauth2", "refresh", "secret", "security", "service", "user":
		return true
	}
	return false
}

// linking reports whether word ends the name that a sentence begins with.
func linking(word string) bool {
	switch word {
	case "for", "of", "to", "from", "in", "on", "with", "by", "at", "as", "that", "which", "who", "whose", "where", "when", "if",
		"is", "are", "was", "must", "should", "can", "will", "used", "or", "and", "containing", "returned", "obtained", "provided":
		return true
	}
	return false
}

// member returns what d declares of the member called key.
func (d *Declared) member(key string) *Declared {
	if d == nil {
		return nil
	}
	if m, ok := d.members[key]; ok {
		return m
	}
	return d.others
}

// element returns what d declares of the elements of an array.
func (d *Declared) element() *Declared {
	if d == nil {
		return nil
	}
	return d.items
}

func (d *Declared) isSecret() bool { return d != nil && d.secret }

// Secret reports whether the argument at a JSON Pointer, or one that it is in, is
// declared secret.
func (d *Declared) Secret(pointer string) bool {
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if d == nil || d.secret {
			break
		}
		if next := d.member(pointed.Replace(step)); next != nil {
			d = next
		} else {
			d = d.element()
		}
	}
	return d.isSecret()
}

var pointed = strings.NewReplacer("~1", "/", "~0", "~")
