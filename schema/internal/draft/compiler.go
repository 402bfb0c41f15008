package draft

import "slices"

// A compiler works on one document, and on those of the drafts' own schemas that
// it refers to.
type compiler struct {
	version   Version // if none is named
	engine    RegexpEngine
	resources map[string]*resource // by address
	queue     []*place             // that have a Schema; what they hold is read in turn
}

// Compile compiles a decoded JSON value with numbers of the type json.Number; it
// and they must be of bounded size. Without $schema it is read as a draft of
// version v. What nothing refers to need only be well-formed; patterns and
// references there count no more than they do in use.
//
// Its error is an [*InvalidError], a [*LoadError], a [*PatternError], or tells of
// an address that is ambiguous, leads nowhere or is none.
func Compile(doc any, v Version, engine RegexpEngine) (*Schema, error) {
	c := &compiler{version: v, engine: engine, resources: map[string]*resource{}}
	root, err := c.add(base, doc)
	if err != nil {
		return nil, err
	}
	s := c.schema(root)
	for len(c.queue) > 0 {
		p := c.queue[len(c.queue)-1]
		c.queue = c.queue[:len(c.queue)-1]
		if err := c.build(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add reads a document.
func (c *compiler) add(address string, doc any) (*place, error) {
	p := &place{token: address, value: doc}
	r := &resource{address: address, version: c.version, root: p}
	c.resources[address] = r
	return p, c.scan(p, r)
}

// schema returns the Schema of a place, which is filled in later if it is new.
func (c *compiler) schema(p *place) *Schema {
	if p.schema == nil {
		p.schema = &Schema{place: p}
		c.queue = append(c.queue, p)
	}
	return p.schema
}

// build fills in the Schema of a place.
func (c *compiler) build(p *place) error {
	if p.resource == nil { // only a reference leads here
		if err := c.scan(p, p.nearest()); err != nil {
			return err
		}
	}
	r, s := p.resource, p.schema
	s.Version, s.DynamicAnchors = r.version, c.dynamic(r)
	switch v := p.value.(type) {
	case bool:
		s.Bool = &v
	case map[string]any:
		if len(v) == 0 {
			s.Bool = new(bool)
			*s.Bool = true
			return nil
		}
		return (&object{c, p, v, s}).read()
	}
	return nil
}

// dynamic returns the Schemas of a resource's dynamic anchors: such a reference
// may lead to them from anywhere.
func (c *compiler) dynamic(r *resource) map[string]*Schema {
	if len(r.dynamic) > 0 && r.targets == nil {
		r.targets = map[string]*Schema{}
	}
	for _, name := range r.dynamic[len(r.targets):] {
		r.targets[name] = c.schema(r.anchors[name])
	}
	return r.targets
}

// sorted returns the names of an object's members in a fixed order: what of
// several faults is told must not depend on chance.
func sorted[V any](o map[string]V) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
