package schema

import "github.com/recourse-dev/recourse/schema/internal/draft"

// A Stray is an argument that a tool most likely ignores.
type Stray struct {
	Field string // a JSON Pointer to it
	Name  string
	Near  string // the argument of the tool that was meant
}

// Ignored returns the arguments that the schema allows without knowing them, and
// that are the name of one it knows and that is not there, but for case and
// separators, a plural or one letter: limitt, maxResults. Most schemas allow any
// name, and most tools look at none but their own. There are at most 20, in the
// order of the arguments; none where the names are for the caller to choose.
//
// It says nothing of what Check finds wrong, and is bounded as Check is.
func (s *Schema) Ignored(arguments []byte) (strays []Stray) {
	if s.root == nil || len(arguments) > maxArguments || len(arguments) > maxSteps && values(arguments) > maxSteps {
		return nil
	}
	defer func() {
		if recover() != nil { // a fault of ours
			strays = nil
		}
	}()
	c := &check{schema: s, patience: maxTime}
	c.grant(maxGuess, c.patience)
	n, err := c.parse(arguments)
	if err != nil {
		return nil
	}
	c.stray(&strays, s.root, n, nil)
	if c.out {
		return nil
	}
	return strays[:min(len(strays), maxViolations)]
}

// stray looks for strays in n and what is inside it.
func (c *check) stray(found *[]Stray, s *draft.Schema, n *node, at *path) {
	if len(*found) >= maxViolations || c.spent(1) || c.depth > maxDepth {
		return
	}
	c.depth++
	defer func() { c.depth-- }()
	for i, item := range n.items {
		if sub := itemOf(s, i); sub != nil {
			c.stray(found, sub, item, at.item(i))
		}
	}
	known := c.properties(s)
	if n.shape != isObject || len(known) == 0 {
		return
	}
	open := !named(s)
	for i, name := range n.names {
		if sub := known[name]; sub != nil {
			c.stray(found, sub, n.members[i], at.member(name))
		} else if open && !c.spent(5*len(known)) {
			if near := c.missed(s, n, name); near != "" {
				*found = append(*found, Stray{at.member(name).pointer(), name, near})
			}
		}
	}
}

// missed returns the only argument that a name is a variant of, if it is not
// there.
func (c *check) missed(s *draft.Schema, n *node, name string) string {
	near, certain := sole(name, c.known(s))
	if !certain || n.holds(near) >= 0 {
		return ""
	}
	return near
}

// named reports whether a schema has rules for names it does not list.
func named(s *draft.Schema) bool {
	for range maxWords {
		if s == nil {
			return false
		}
		rest := s.AdditionalProperties
		if closedBy(rest) || accepted(rest, maxWords) != 0 || len(s.PatternProperties) > 0 || s.UnevaluatedProperties != nil {
			return true
		}
		s = s.Ref
	}
	return false
}

// itemOf returns the schema of an item, nil if there is none.
func itemOf(s *draft.Schema, i int) *draft.Schema {
	for range maxWords {
		if s == nil || s.Ref == nil {
			break
		}
		s = s.Ref
	}
	if s == nil {
		return nil
	}
	prefix, rest := s.PrefixItems, s.Items
	if i < len(prefix) {
		return prefix[i]
	}
	return rest
}
