package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// A node is a value that remembers how it was written. What is not changed goes
// out with the bytes it came with.
type node struct {
	raw     []byte // nil if it was made here, or anything in it has changed
	shape   shape
	scalar  any // nil, bool, json.Number or string
	items   []*node
	names   []string // of members
	members []*node
}

type shape byte

const (
	isScalar shape = iota
	isList
	isObject
)

func scalarNode(v any) *node          { return &node{scalar: v} }
func listNode(items ...*node) *node   { return &node{shape: isList, items: items} }
func emptyObject() *node              { return &node{shape: isObject} }
func (n *node) text() (string, bool)  { s, ok := n.scalar.(string); return s, ok }
func (n *node) holds(name string) int { return slices.Index(n.names, name) }

var (
	errRepeated = errors.New("a name is there twice")
	errNested   = errors.New("too many levels")
	errTrailing = errors.New("there is more after its end")
)

// parse reads a JSON text that has no name twice in an object: there is no telling
// which of two values was meant.
func (c *check) parse(raw []byte) (*node, error) {
	if c.spent(2*values(raw) + len(raw)/64) {
		return nil, errUndecided
	}
	p := &parser{raw: raw, d: json.NewDecoder(bytes.NewReader(raw))}
	p.d.UseNumber()
	n, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := p.d.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	return n, nil
}

type parser struct {
	raw []byte
	d   *json.Decoder
}

func (p *parser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errNested
	}
	start := int(p.d.InputOffset())
	for start < len(p.raw) && strings.IndexByte(" \t\r\n,:", p.raw[start]) >= 0 {
		start++
	}
	t, err := p.d.Token()
	if err != nil {
		return nil, err
	}
	n := &node{scalar: t}
	if open, ok := t.(json.Delim); ok {
		n = &node{shape: isList}
		if open == '{' {
			n.shape = isObject
		}
		if err := p.inside(n, depth); err != nil {
			return nil, err
		}
	}
	n.raw = p.raw[start:p.d.InputOffset()]
	return n, nil
}

func (p *parser) inside(n *node, depth int) error {
	have := map[string]bool{}
	for p.d.More() {
		if n.shape == isObject {
			t, err := p.d.Token()
			if err != nil {
				return err
			}
			name, _ := t.(string)
			if have[name] {
				return errRepeated
			}
			have[name] = true
			n.names = append(n.names, name)
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		if n.shape == isObject {
			n.members = append(n.members, v)
		} else {
			n.items = append(n.items, v)
		}
	}
	_, err := p.d.Token()
	return err
}

// value returns n as eval wants it.
func (n *node) value() any {
	switch n.shape {
	case isList:
		items := make([]any, len(n.items))
		for i, item := range n.items {
			items[i] = item.value()
		}
		return items
	case isObject:
		o := make(map[string]any, len(n.names))
		for i, name := range n.names {
			o[name] = n.members[i].value()
		}
		return o
	}
	return n.scalar
}

// size returns how many values n is.
func (n *node) size() int {
	all := 1
	for _, item := range n.items {
		all += item.size()
	}
	for _, member := range n.members {
		all += member.size()
	}
	return all
}

// nodeOf returns a decoded value as a node, its members by the alphabet.
func (c *check) nodeOf(v any) *node {
	if c.spent(1) {
		return scalarNode(nil)
	}
	switch v := v.(type) {
	case []any:
		n := listNode()
		for _, item := range v {
			n.items = append(n.items, c.nodeOf(item))
		}
		return n
	case map[string]any:
		n := emptyObject()
		for _, name := range c.names(v) {
			n.names, n.members = append(n.names, name), append(n.members, c.nodeOf(v[name]))
		}
		return n
	}
	return scalarNode(v)
}

// append appends the JSON text of n.
func (n *node) append(b []byte) []byte {
	if n.raw != nil {
		return append(b, n.raw...)
	}
	switch n.shape {
	case isList:
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.append(b)
		}
		return append(b, ']')
	case isObject:
		b = append(b, '{')
		for i, name := range n.names {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendScalar(b, name), ':')
			b = n.members[i].append(b)
		}
		return append(b, '}')
	}
	return appendScalar(b, n.scalar)
}

// appendScalar spares < and > the escapes that are meant for HTML.
func appendScalar(b []byte, v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return append(b, "null"...)
	}
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}

// at returns what is at a place, nil if nothing is.
func (n *node) at(p *path) *node {
	for _, step := range p.steps() {
		i := step.index
		all := n.items
		if i < 0 {
			i, all = n.holds(step.key), n.members
		}
		if i < 0 || i >= len(all) {
			return nil
		}
		n = all[i]
	}
	return n
}

// touch makes sure that n is written anew as far as the place.
func (n *node) touch(p *path) *node {
	n.raw = nil
	for _, step := range p.steps() {
		if step.index < 0 {
			n = n.members[n.holds(step.key)]
		} else {
			n = n.items[step.index]
		}
		n.raw = nil
	}
	return n
}

// replace puts another node at a place below n, which must be there.
func (n *node) replace(p *path, with *node) {
	up := n.touch(p.up)
	if p.index < 0 {
		up.members[up.holds(p.key)] = with
	} else {
		up.items[p.index] = with
	}
}

// set adds or changes a member of n.
func (n *node) set(name string, v *node) {
	n.raw = nil
	if i := n.holds(name); i >= 0 {
		n.members[i] = v
		return
	}
	n.names, n.members = append(n.names, name), append(n.members, v)
}

// remove takes a member out of n.
func (n *node) remove(name string) {
	if i := n.holds(name); i >= 0 {
		n.raw = nil
		n.names, n.members = slices.Delete(slices.Clone(n.names), i, i+1), slices.Delete(slices.Clone(n.members), i, i+1)
	}
}
