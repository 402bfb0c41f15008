package draft

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// A resource is a schema that has an address, with the subschemas below it that
// have none of their own.
type resource struct {
	address string // without a fragment
	version Version
	root    *place
	anchors map[string]*place
	dynamic []string           // those of the anchors that are
	targets map[string]*Schema // of dynamic
}

// scan reads a subschema and all below it: where they have addresses and anchors,
// and whether all that is there may be there.
func (c *compiler) scan(p *place, outer *resource) error {
	if p.resource != nil {
		return nil // a reference has led here before
	}
	p.resource = outer
	switch v := p.value.(type) {
	case map[string]any:
		if err := c.identify(p, v); err != nil {
			return err
		}
		for _, keyword := range sorted(v) {
			if sh := shapeOf(keyword, p.resource.version); sh != unknown {
				if err := c.member(p, keyword, v[keyword], sh); err != nil {
					return err
				}
			}
		}
		return nil
	case bool:
		if outer.version > V4 {
			return nil
		}
	}
	return p.invalid(subschema)
}

// invalid is the error of a value that has not the shape it should.
func (p *place) invalid(sh shape) error {
	return &InvalidError{At: p.pointer(), Want: sh.words(p.nearest().version)}
}

// member reads the value of a keyword.
func (c *compiler) member(p *place, keyword string, v any, sh shape) error {
	list, isList := v.([]any)
	table, isTable := v.(map[string]any)
	_, isFlag := v.(bool)
	switch {
	case sh == subschema, sh == items && !isList, sh == additional && !isFlag:
		return c.scan(p.child(keyword), p.resource)
	case sh == additional: // a boolean, also where those are no schemas
		p.child(keyword).resource = p.resource
		return nil
	case sh == subschemas || sh == items:
		if len(list) == 0 {
			break
		}
		within := p.child(keyword)
		for i := range list {
			if err := c.scan(within.child(strconv.Itoa(i)), p.resource); err != nil {
				return err
			}
		}
		return nil
	case isTable && (sh == subschemaTable || sh == dependencies):
		within := p.child(keyword)
		for _, name := range sorted(table) {
			sub := within.child(name)
			if _, isList := sub.value.([]any); isList && sh == dependencies {
				if sh := from(V6, p.resource.version, names, someNames); !sh.admits(sub.value, p.resource.version) {
					return sub.invalid(sh)
				}
			} else if err := c.scan(sub, p.resource); err != nil {
				return err
			}
		}
		return nil
	case sh.admits(v, p.resource.version):
		return nil
	}
	return p.child(keyword).invalid(sh)
}

// identify finds out what resource a subschema belongs to, and notes its anchors.
func (c *compiler) identify(p *place, o map[string]any) error {
	r := p.resource
	version := r.version
	draft, drafted := o["$schema"].(string)
	if drafted {
		v, known := named(draft)
		if known {
			version = v
		} else if address, _ := ident(o, version); address != "" || p.up == nil {
			return &LoadError{draft}
		}
	}
	address, fragment := ident(o, version)
	if address == "" && p.up != nil { // then $schema counts for nothing
		version = r.version
		address, fragment = ident(o, version)
	}
	if address != "" {
		full, err := join(r.address, address)
		if err != nil {
			return err
		}
		if other := c.resources[full]; other != nil && other.root != p {
			return fmt.Errorf("%s and %s have the same address %q", other.root.pointer(), p.pointer(), full)
		}
		if p.up != nil {
			r = &resource{root: p}
		}
		r.address = full
		c.resources[full] = r
	}
	if r.root == p {
		r.version = version
	}
	p.resource = r
	return r.note(p, o, fragment)
}

// ident returns the two parts of a subschema's own address.
func ident(o map[string]any, v Version) (address, fragment string) {
	keyword := "$id"
	if v == V4 {
		keyword = "id"
	}
	if _, ok := o["$ref"]; ok && v < V2019 {
		return "", ""
	}
	id, _ := o[keyword].(string)
	address, fragment, _ = strings.Cut(id, "#")
	return address, fragment
}

// note adds the anchors of a subschema. Before 2019-09 they were fragments of its
// address.
func (r *resource) note(p *place, o map[string]any, fragment string) error {
	dynamic := ""
	if r.version >= V2019 {
		fragment, _ = o["$anchor"].(string)
	} else {
		name, err := url.PathUnescape(fragment)
		if err != nil {
			return fmt.Errorf("%q is not an address", fragment)
		}
		if fragment = name; strings.HasPrefix(name, "/") {
			fragment = ""
		}
	}
	if r.version >= V2020 {
		dynamic, _ = o["$dynamicAnchor"].(string)
	}
	for _, name := range []string{fragment, dynamic} {
		if name == "" {
			continue
		}
		if other := r.anchors[name]; other != nil && other != p {
			return fmt.Errorf("%s and %s have the same anchor %q", other.pointer(), p.pointer(), name)
		}
		if r.anchors == nil {
			r.anchors = map[string]*place{}
		}
		r.anchors[name] = p
	}
	if dynamic != "" {
		r.dynamic = append(r.dynamic, dynamic)
	}
	return nil
}
