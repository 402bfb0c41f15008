package draft

import (
	"slices"
	"strconv"
	"strings"
)

// A place is where a value stands in a document. Those that have been asked for
// form a tree, so that all ways to a subschema lead to one Schema. (Pointers as
// text would do too, but those of a deep document are long.)
type place struct {
	up       *place
	token    string // below up; the address of a whole document
	value    any
	below    map[string]*place
	resource *resource // nil if it has not been read as a schema
	schema   *Schema   // nil if it need not be compiled
}

// child returns the place of a member or an item, nil if there is none.
func (p *place) child(token string) *place {
	if sub := p.below[token]; sub != nil {
		return sub
	}
	var value any
	found := false
	switch v := p.value.(type) {
	case map[string]any:
		value, found = v[token]
	case []any:
		i, err := strconv.Atoi(token)
		if found = err == nil && i >= 0 && i < len(v) && strconv.Itoa(i) == token; found {
			value = v[i]
		}
	}
	if !found {
		return nil
	}
	if p.below == nil {
		p.below = map[string]*place{}
	}
	sub := &place{up: p, token: token, value: value}
	p.below[token] = sub
	return sub
}

func (p *place) root() *place {
	for p.up != nil {
		p = p.up
	}
	return p
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// pointer returns the JSON Pointer of the place.
func (p *place) pointer() string {
	var tokens []string
	for ; p.up != nil; p = p.up {
		tokens = append(tokens, "/"+escape.Replace(p.token))
	}
	slices.Reverse(tokens)
	return strings.Join(tokens, "")
}

var unescape = strings.NewReplacer("~0", "~", "~1", "/")

// find follows a JSON Pointer, which is empty or begins with a slash; nil if it
// leads nowhere.
func (p *place) find(pointer string) *place {
	if pointer == "" {
		return p
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		if p = p.child(unescape.Replace(token)); p == nil {
			break
		}
	}
	return p
}

// nearest returns the resource in which the place is.
func (p *place) nearest() *resource {
	for p.resource == nil {
		p = p.up
	}
	return p.resource
}
