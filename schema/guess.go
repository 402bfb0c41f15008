package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// guessed returns what n most likely means, of each kind at most one.
func (c *check) guessed(f fault, n *node) []*node {
	switch n.shape {
	case isList:
		if o := mapped(n); o != nil && len(c.known(f.schema)) == 0 {
			return []*node{o}
		}
		return nil
	case isObject:
		return essence(f, n)
	}
	switch v := n.scalar.(type) {
	case string:
		if len(v) <= maxConverted {
			return c.meanings(f, n, v)
		}
	case json.Number:
		return c.magnitude(f, n, v)
	}
	return nil
}

// mapped makes an object of a list of names with values, of an empty list an empty
// object; nil of others.
func mapped(n *node) *node {
	o := emptyObject()
	for _, item := range n.items {
		if item.shape != isObject || len(item.names) != 2 {
			return nil
		}
		i, j := slices.IndexFunc(item.names, func(s string) bool { return slices.Contains([]string{"key", "name", "k"}, s) }), item.holds("value")
		if i < 0 || j < 0 {
			return nil
		}
		name, ok := item.members[i].text()
		if !ok || o.holds(name) >= 0 {
			return nil
		}
		o.set(name, item.members[j])
	}
	return o
}

// flatten makes one list of a list of lists.
func (w *work) flatten(at *path) outcome {
	n := w.tree.touch(at)
	var flat []*node
	for _, item := range n.items {
		if item.shape != isList {
			return unmended
		}
		flat = append(flat, item.items...)
	}
	n.items = flat
	w.note(Guess, "The lists in "+at.name()+" are now one list.")
	return moved
}

// about are members that describe a value in an object beside it.
var about = []string{"type", "description", "title", "name", "key", "format", "label", "id", "unit", "timezone"}

// essence takes the value out of an object that has only one, such as
// {"type":"string","value":"a"}; of one with the keys 0, 1, …, the list; and if a
// text is wanted, the object's JSON.
func essence(f fault, n *node) []*node {
	if len(n.names) == 0 {
		return []*node{listNode()}
	}
	if numbered(n) {
		return []*node{listNode(n.members...)}
	}
	i, free := -1, accepted(f.schema, maxWords)&stringType != 0
	for j, name := range n.names {
		switch {
		case strings.EqualFold(name, "value"), len(n.names) == 1 && (!free || telling(f, name)):
			i = j
		case !slices.Contains(about, strings.ToLower(name)):
			return []*node{scalarNode(string(n.append(nil)))}
		}
	}
	if i >= 0 {
		return []*node{n.members[i]}
	}
	return []*node{scalarNode(string(n.append(nil)))}
}

// tellings are names of a value itself.
var tellings = []string{"text", "content", "string", "date", "datetime", "url"}

// telling reports whether the only member of an object has a name by which it may
// stand for the whole, where otherwise the object's text could be meant.
func telling(f fault, name string) bool {
	name = strings.ToLower(name)
	return f.at != nil && name == strings.ToLower(f.at.key) || slices.Contains(about, name) || slices.Contains(tellings, name) || f.schema.Format != nil
}

// numbered reports whether an object is a list that was written by index.
func numbered(n *node) bool {
	for i, name := range n.names {
		if name != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

func (c *check) meanings(f fault, n *node, text string) (to []*node) {
	t := strings.TrimSpace(text)
	add := func(n *node) {
		if n != nil {
			to = append(to, n)
		}
	}
	if choice := c.nearChoice(t, c.choices(f.schema)); choice != "" {
		add(scalarNode(choice))
	}
	if t == "" {
		return append(to, emptyObject(), listNode())
	}
	if b, ok := yes[strings.ToLower(t)]; ok {
		add(scalarNode(b == "true"))
	}
	if wanted := accepted(f.schema, maxWords); wanted&(numberType|integerType) != 0 {
		add(c.quantity(f, t))
	}
	add(c.embedded(t))
	add(split(t))
	if !strings.ContainsAny(t, "{[") {
		add(c.only(f.schema, n))
	}
	if f.kind == isFormat || f.kind == isMismatch || f.kind == isNoneOf {
		for _, s := range c.spellings(f.schema, t) {
			if s != text && len(c.eval(f.schema, s, f.at, nil)) == 0 && !c.out {
				add(scalarNode(s))
				break
			}
		}
	}
	return to
}

// yes holds what models write for true and false.
var yes = map[string]string{
	"true": "true", "yes": "true", "on": "true", "1": "true", "y": "true", "enabled": "true",
	"false": "false", "no": "false", "off": "false", "0": "false", "n": "false", "disabled": "false",
}

// magnitude reads a number as true or false, and takes one that asks for too much
// as the most there is.
func (c *check) magnitude(f fault, n *node, v json.Number) (to []*node) {
	if v == "0" || v == "1" {
		to = append(to, scalarNode(v == "1"))
	}
	if most := f.schema.Maximum; most != nil && c.compare(v, most) > 0 && returns(f.at) {
		to = append(to, scalarNode(json.Number(plain(most))))
	}
	if only := c.only(f.schema, n); only != nil {
		to = append(to, only)
	}
	if since := epoch(v); since != "" && f.schema.Format != nil && f.schema.Format.Name == "date-time" {
		to = append(to, scalarNode(since))
	}
	return to
}

// only puts a value into an object as its only member.
func (c *check) only(s *draft.Schema, n *node) *node {
	name := c.onlyMember(s)
	if name == "" {
		return nil
	}
	return &node{shape: isObject, names: []string{name}, members: []*node{n}}
}

// counting are words in the names of arguments that say how much to return.
var counting = []string{"limit", "top", "count", "max", "rows", "size", "num", "number", "results", "take", "k", "n", "per", "lines", "items", "first", "last", "maximum", "hits", "entries", "records", "chars", "characters", "tokens", "depth", "length"}

func returns(at *path) bool {
	return at != nil && slices.ContainsFunc(tokens(at.key), func(word string) bool { return slices.Contains(counting, word) })
}

// embedded returns the only list or object in a text of other words.
func (c *check) embedded(t string) (held *node) {
	for i, tries := 0, 0; i < len(t) && tries < 10; i++ {
		if t[i] != '{' && t[i] != '[' {
			continue
		}
		tries++
		d := json.NewDecoder(strings.NewReader(t[i:]))
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			continue
		}
		if held != nil {
			return nil
		}
		n, err := c.parse(raw)
		if err != nil {
			return nil
		}
		held, i = n, i+len(raw)-1
	}
	return held
}

// maxItem is how long an item may be in a text that lists some, in words.
const maxItem = 4

// split reads a text that lists things: a, b, c.
func split(t string) *node {
	if strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]") {
		t = t[1 : len(t)-1]
	}
	separator := ""
	for _, sep := range []string{"\n", ";", "|", ",", " and "} {
		if strings.Contains(t, sep) {
			separator = sep
			break
		}
	}
	if separator == "" || strings.ContainsAny(t, "{}[]()\"") {
		return nil
	}
	list := listNode()
	for item := range strings.SplitSeq(t, separator) {
		item = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(item), "-*•"))
		item = strings.Trim(strings.TrimPrefix(item, "and "), "'")
		if item == "" || len(strings.Fields(item)) > maxItem {
			return nil
		}
		list.items = append(list.items, scalarNode(item))
	}
	return list
}
