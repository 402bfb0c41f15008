package schema

import (
	"slices"
	"strconv"
	"strings"
)

// A path leads to a value from the root; nil is the root's. The same place may
// have several.
type path struct {
	up    *path
	key   string
	index int // of an item; -1 for a member
}

func (p *path) member(key string) *path { return &path{p, key, -1} }
func (p *path) item(i int) *path        { return &path{p, "", i} }

// steps returns the way from the root.
func (p *path) steps() []*path {
	var all []*path
	for ; p != nil; p = p.up {
		all = append(all, p)
	}
	slices.Reverse(all)
	return all
}

// A place is a path but for its identity: up is the number of that above.
type place struct {
	up    int
	key   string
	index int
}

// id returns a number that is the same for paths to the same place. The pointers
// would say as much, but they can be as long as the arguments.
func (c *check) id(p *path) int {
	if p == nil {
		return 0
	}
	if id, ok := c.ids[p]; ok {
		return id
	}
	at := place{c.id(p.up), p.key, p.index}
	id, ok := c.places[at]
	if !ok {
		if c.places == nil {
			c.places, c.ids = map[place]int{}, map[*path]int{}
		}
		id = len(c.places) + 1
		c.places[at] = id
	}
	c.ids[p] = id
	return id
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// maxName is how long a name may be that stands in a pointer, in bytes.
const maxName = 1000

// pointer returns a JSON Pointer: to the object if the name of its member is out
// of all proportion.
func (p *path) pointer() string {
	var b strings.Builder
	for _, step := range p.steps() {
		if len(step.key) > maxName {
			break
		}
		b.WriteByte('/')
		if step.index >= 0 {
			b.WriteString(strconv.Itoa(step.index))
		} else {
			b.WriteString(escape.Replace(step.key))
		}
	}
	return b.String()
}

// name returns the place as people write it: people[1].role.
func (p *path) name() string {
	if p == nil {
		return "the arguments"
	}
	var b strings.Builder
	for _, step := range p.steps() {
		if step.index >= 0 {
			b.WriteString("[" + strconv.Itoa(step.index) + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(quoted(step.key))
	}
	return clip(b.String(), 120)
}

// quoted returns a name with quotes if it doesn't look like one.
func quoted(name string) string {
	name = head(name, 60)
	for _, r := range name {
		if r <= ' ' || r == '"' || !printable(r) {
			return strconv.Quote(clip(name, 60))
		}
	}
	if name == "" {
		return `""`
	}
	return clip(name, 60)
}

// at returns the value at a place.
func (c *check) at(p *path) any {
	v := c.root
	for _, step := range p.steps() {
		switch x := v.(type) {
		case map[string]any:
			v = x[step.key]
		case []any:
			if step.index < 0 || step.index >= len(x) {
				return nil
			}
			v = x[step.index]
		default:
			return nil
		}
	}
	return v
}
