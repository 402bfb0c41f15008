package draft

import (
	"fmt"
	"net/url"
	"strings"
)

// base is the address of the document as long as it gives itself none. It looks
// like one that has folders, as references are resolved against it.
const (
	folder = "recourse://schema/"
	base   = folder + "input.json"
)

// join resolves a reference without its fragment against an address.
func join(address, reference string) (string, error) {
	to, err := url.Parse(reference)
	if err != nil {
		return "", fmt.Errorf("%q is not an address", reference)
	}
	from, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("%q is not an address", address)
	}
	return from.ResolveReference(to).String(), nil
}

// resolve returns the place that a reference leads to, and the name of the anchor
// if it names one.
func (c *compiler) resolve(in *resource, reference string) (to *place, anchor string, err error) {
	address, fragment, _ := strings.Cut(reference, "#")
	if address != "" {
		if in, err = c.resource(in, address); err != nil {
			return nil, "", err
		}
	}
	fragment, err = url.PathUnescape(fragment)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("%q is not an address", reference)
	case fragment == "" || fragment[0] == '/':
		to = in.root.find(fragment)
	default:
		to, anchor = in.anchors[fragment], fragment
	}
	if to == nil {
		return nil, "", fmt.Errorf("there is no %q", reference)
	}
	return to, anchor, nil
}

// resource returns the one that has an address, which may be relative.
func (c *compiler) resource(from *resource, address string) (*resource, error) {
	full, err := join(from.address, address)
	if err != nil {
		return nil, err
	}
	if r := c.resources[full]; r != nil {
		return r, nil
	}
	doc, self := own(full)
	if doc == nil {
		return nil, &LoadError{strings.TrimPrefix(full, folder)}
	}
	if c.resources[self] == nil {
		if _, err := c.add(self, doc); err != nil {
			return nil, err
		}
	}
	return c.resources[self], nil
}
