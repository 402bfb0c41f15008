package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxConverted is how long a text may be that is looked at for more than the JSON
// it holds, in bytes.
const maxConverted = 4000

// conversions returns what n could be written as, in one step of the grade or a
// lower one. Which of it the schema wants is for others to find out.
func (c *check) conversions(f fault, n *node, g Grade) []*node {
	var to []*node
	switch n.shape {
	case isList:
		to = c.ofList(f, n, g)
	case isObject:
		if !numbered(n) && !(len(n.names) == 1 && n.members[0].shape == isList) {
			to = c.inList(f, n)
		}
	default:
		switch v := n.scalar.(type) {
		case string:
			to = c.ofText(f, n, v)
		case json.Number:
			if !strings.ContainsAny(string(v), "eE") {
				to = append(to, scalarNode(string(v)))
			}
			to = append(to, c.inList(f, n)...)
		case bool:
			to = append(to, scalarNode(written(v)))
			to = append(to, c.inList(f, n)...)
		}
	}
	if g >= Names {
		to = append(to, c.adjusted(f, n)...)
	}
	if g >= Guess {
		to = append(to, c.guessed(f, n)...)
	}
	return to
}

// inList returns a list of one. An item is not put into a list of its own: of
// [1,2] for a list of pairs, each or both could be meant.
func (c *check) inList(f fault, n *node) []*node {
	if f.at != nil && f.at.index < 0 {
		return []*node{listNode(n)}
	}
	return nil
}

// ofList takes the only item out of a list, or leaves out what is in it twice. A
// list in a list may be meant as one of several rows; and where any text is wanted,
// [1] may be meant as the text of that list.
func (c *check) ofList(f fault, n *node, g Grade) []*node {
	if f.kind == isRepeated {
		have := map[string]bool{}
		once := listNode()
		for _, item := range n.items {
			if key := string(c.canonical(nil, item.value())); !have[key] {
				have[key] = true
				once.items = append(once.items, item)
			}
		}
		return []*node{once}
	}
	if len(n.items) == 1 && accepted(f.schema, maxWords)&stringType != 0 {
		if _, text := n.items[0].scalar.(string); !text {
			return nil
		}
	}
	if len(n.items) == 1 && (f.at == nil || f.at.index < 0 || g == Guess) && (mapped(n) == nil || len(c.known(f.schema)) > 0) {
		return n.items
	}
	return nil
}

// ofText reads a text as a number, as true or false, as JSON or what passes for
// it, and as the only item of a list.
func (c *check) ofText(f fault, n *node, text string) (to []*node) {
	t := strings.TrimSpace(text)
	if t == "" {
		return nil
	}
	if held := c.held(t); held != nil {
		return append(to, held)
	}
	switch {
	case decimal(t):
		to = append(to, scalarNode(json.Number(t)))
	case strings.EqualFold(t, "true"), strings.EqualFold(t, "false"):
		to = append(to, scalarNode(strings.EqualFold(t, "true")))
	case nothing[strings.ToLower(t)] || several(t) || strings.ContainsAny(t[:1], "[{(<`\"'"):
		return nil
	}
	return append(to, c.inList(f, n)...)
}

// held returns the list or object that a text holds, or the text within a text
// that is going to be one; nil if it holds none.
func (c *check) held(t string) *node {
	if fenced, ok := strings.CutPrefix(t, "```"); ok {
		if fenced, ok = strings.CutSuffix(fenced, "```"); !ok {
			return nil
		}
		if i := strings.IndexAny(fenced, "[{\n"); i >= 0 && len(strings.TrimSpace(fenced[:i])) <= 10 {
			fenced = fenced[i:]
		}
		t = strings.TrimSpace(fenced)
	}
	if t == "" {
		return nil
	}
	switch t[0] {
	case '[', '{', '(':
		if n := c.container(t); n != nil {
			return n
		}
		// Quotes that were escaped once too often.
		if strings.Contains(t, `\"`) {
			if inner, ok := unquoted(`"` + t + `"`); ok {
				return c.container(inner)
			}
		}
	case '"':
		if inner, ok := unquoted(t); ok {
			if inner = strings.TrimSpace(inner); inner != "" && (strings.ContainsAny(inner[:1], "[{") || decimal(inner) || inner == "true" || inner == "false") {
				return scalarNode(inner)
			}
		}
	}
	return nil
}

// container reads a text as JSON, else as a literal.
func (c *check) container(t string) *node {
	if c.spent(values([]byte(t)) + len(t)/64) {
		return nil
	}
	raw := []byte(t)
	if !json.Valid(raw) {
		var err error
		if raw, err = relaxed(t); err != nil {
			return nil
		}
	}
	n, err := c.parse(raw)
	if err != nil {
		return nil
	}
	return n
}

func unquoted(t string) (string, bool) {
	var inner string
	return inner, json.Unmarshal([]byte(t), &inner) == nil
}

// nothing holds what models write, in quotes or not, for a value they don't want
// to give.
var nothing = map[string]bool{"": true, "null": true, "none": true, "nil": true, "undefined": true}

// none holds more of that: it may also be meant as a choice.
var none = map[string]bool{"": true, "none": true, "null": true, "nil": true, "undefined": true, "n/a": true, "all": true, "any": true, "*": true, "default": true}

// several reports whether a text may be more than one item: it has separators,
// reads like a command line, or each of its words has a mark of what machines read,
// as paths, addresses and numbers of tickets have.
func several(t string) bool {
	words := strings.Fields(t)
	marked := func(word string) bool { return strings.ContainsAny(word, "/@._#:-0123456789") }
	if len(words) > 1 && !slices.ContainsFunc(words, func(word string) bool { return !marked(word) }) {
		return true
	}
	return strings.ContainsAny(t, ",;|&\n\t[]{}") || strings.HasPrefix(t, "-") && strings.Contains(t, " ") ||
		strings.Contains(t, " -") || strings.Contains(t, " and ") || strings.Contains(t, " or ")
}

// adjusted returns what stays the same to the eye, or to whoever knows the
// values: without white space around it, in the case and style that is listed.
func (c *check) adjusted(f fault, n *node) (to []*node) {
	text, ok := n.text()
	if !ok {
		return nil
	}
	if len(text) > maxConverted {
		return nil
	}
	t := strings.TrimSpace(text)
	if t != text {
		to = append(to, scalarNode(t))
	}
	var alike []string
	for _, choice := range c.choices(f.schema) {
		if normal(choice) == normal(t) && normal(t) != "" {
			alike = append(alike, choice)
		}
	}
	if len(alike) == 1 {
		to = append(to, scalarNode(alike[0]))
	}
	return to
}

// normal is a name without case and separators.
func normal(name string) string { return strings.Join(tokens(name), "") }

// omit leaves out a value that says nothing: null and what stands for it; as a
// guess also what is empty or stands for no choice. It must be one that may be left
// out.
func (w *work) omit(f fault, n *node, g Grade) outcome {
	if f.at == nil || !says(n, g) {
		return unmended
	}
	if f.at.index >= 0 {
		return w.thin(f.at.up, g)
	}
	up := w.tree.touch(f.at.up)
	before := len(w.faults())
	if text, ok := n.text(); ok && text != "" && nothing[strings.ToLower(strings.TrimSpace(text))] {
		up.set(f.at.key, scalarNode(nil))
		if len(w.faults()) < before {
			w.note(g, "The argument "+f.at.name()+" was "+w.shown(f.at, n)+" and is now null.")
			return mended
		}
		up.set(f.at.key, n)
	}
	if !w.dispensable(up, f.at, before) {
		return unmended
	}
	w.note(g, "The argument "+f.at.name()+" was "+w.shown(f.at, n)+" and is left out.")
	return mended
}

// says reports whether a value says nothing.
func says(n *node, g Grade) bool {
	switch n.shape {
	case isList:
		return g == Guess && len(n.items) == 0
	case isObject:
		return g == Guess && len(n.names) == 0
	}
	if n.scalar == nil {
		return g >= Names
	}
	text, ok := n.text()
	t := strings.ToLower(strings.TrimSpace(text))
	return ok && g >= Names && (nothing[t] || g == Guess && (none[t] || placeholder(t)))
}

// placeholder reports whether a text stands for one that was to be filled in.
func placeholder(t string) bool {
	inner, ok := strings.CutPrefix(t, "<")
	return ok && strings.HasSuffix(inner, ">") && len(inner) < 60 && !strings.ContainsAny(inner[:len(inner)-1], "<>/")
}

// dispensable takes out a member, and puts it back if anything lacks it.
func (w *work) dispensable(up *node, at *path, before int) bool {
	names, members := slices.Clone(up.names), slices.Clone(up.members)
	up.remove(at.key)
	after := w.faults()
	if !w.out && len(after) < before {
		return true
	}
	up.names, up.members = names, members
	return false
}

// thin leaves out of a list what says nothing; of an empty one then the list.
func (w *work) thin(at *path, g Grade) outcome {
	if g < Guess {
		return unmended
	}
	list := w.tree.touch(at)
	left := slices.DeleteFunc(slices.Clone(list.items), func(n *node) bool { return says(n, g) })
	list.items = left
	w.note(g, "What is empty in "+at.name()+" is left out.")
	if len(left) == 0 && at != nil && at.index < 0 {
		w.dispensable(w.tree.touch(at.up), at, len(w.faults())+1)
	}
	return moved
}
