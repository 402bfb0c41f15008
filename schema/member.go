package schema

import (
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// reshape makes an object of arguments that are something else: of a text that
// holds one, of a list with one in it; as a guess, of the value of the only
// argument that is required.
func (w *work) reshape(f fault) bool {
	if w.tree.shape == isList && len(w.tree.items) == 0 { // as PHP writes an empty object
		w.tree = emptyObject()
		w.note(Names, "The arguments were an empty list and are now an empty object.")
		return true
	}
	for g := Types; g <= Guess; g++ {
		to, sure := w.converted(f, w.tree, g)
		if !sure {
			return false
		}
		if to != nil && to.shape == isObject {
			w.note(g, "The arguments were "+w.shown(nil, w.tree)+" and are now an object.")
			w.tree = to
			return true
		}
	}
	return false
}

// callNames are names beside the arguments in a whole call.
var callNames = []string{"name", "tool", "tool_name", "toolname", "function", "method", "id", "type", "action"}

// strip takes the arguments out of the object they were put into.
func (w *work) strip(name string) bool {
	inner := w.tree.members[w.tree.holds(name)]
	if text, ok := inner.text(); ok {
		inner = w.held(strings.TrimSpace(text))
	}
	if inner == nil || inner.shape != isObject {
		return false
	}
	g := Guess
	if key := strings.ToLower(name); len(w.tree.names) == 1 && key != "properties" && slices.Contains(wrappers, key) {
		g = Names
	}
	for _, other := range w.tree.names {
		if other != name && !slices.Contains(callNames, strings.ToLower(other)) {
			return false
		}
	}
	w.note(g, "The arguments were inside "+quoted(name)+" and are now at the top level.")
	w.tree = inner
	return true
}

// renamed gives an argument the name that was meant.
func (w *work) renamed(f fault, n *node) outcome {
	if f.inner != "" {
		return w.into(f, n)
	}
	sent, to := f.at.key, f.names[0]
	up := w.tree.at(f.at.up)
	if i := up.holds(to); i >= 0 {
		return w.repeated(f, n, up.members[i])
	}
	g, sure := w.likeness(f, up)
	if !sure {
		return refused
	}
	up = w.tree.touch(f.at.up)
	up.names = slices.Clone(up.names)
	up.names[up.holds(sent)] = to
	w.note(g, "The argument "+f.at.name()+" is now called "+quoted(to)+".")
	return mended
}

// likeness says how sure a renaming is, and whether no other name could be meant.
func (w *work) likeness(f fault, up *node) (g Grade, sure bool) {
	sent, to := f.at.key, f.names[0]
	known := w.known(f.schema)
	w.spent(5 * len(known))
	if name, certain := sole(sent, known); certain {
		return Names, name == to
	} else if name != "" {
		return Guess, name == to
	}
	related := 0
	for _, name := range known {
		if variant(sent, name) || undigited(sent) == undigited(name) {
			return Guess, false
		}
		if akin(sent, name) && up.holds(name) < 0 {
			related++
		}
	}
	best := resemblance(sent, to)
	if best < 0.5 {
		return Guess, related < 2
	}
	return Guess, len(f.names) < 2 || resemblance(sent, f.names[1]) < best-0.1
}

// repeated leaves out an argument that another one says already.
func (w *work) repeated(f fault, n, other *node) outcome {
	if says(n, Names) || string(w.canonical(nil, n.value())) == string(w.canonical(nil, other.value())) {
		w.tree.touch(f.at.up).remove(f.at.key)
		w.note(Names, "The argument "+f.at.name()+" said nothing new and is left out.")
		return mended
	}
	return refused
}

// into moves an argument into the object it belongs to.
func (w *work) into(f fault, n *node) outcome {
	parent := f.names[0]
	o, list := held(w.properties(f.schema)[parent])
	inside := w.properties(o)
	name, rest, deeper := strings.Cut(f.inner, ".")
	if inside[f.inner] != nil {
		name, deeper = f.inner, false
	}
	if inside[name] == nil || deeper && w.properties(inside[name])[rest] == nil {
		return unmended
	}
	up := w.tree.touch(f.at.up)
	if deeper {
		n = &node{shape: isObject, names: []string{rest}, members: []*node{n}}
	}
	to := emptyObject()
	value := to
	if list {
		value = listNode(to)
	}
	if i := up.holds(parent); i >= 0 {
		value = up.members[i]
		if to = value; list && value.shape == isList && len(value.items) == 1 {
			to = value.items[0]
		}
	}
	if to.shape != isObject || to.holds(name) >= 0 {
		return refused
	}
	g := Guess
	if _, _, ok := dotted(f.at.key); ok {
		g = Names
	}
	w.note(g, "The argument "+f.at.name()+" is now inside "+f.holder()+" "+quoted(parent)+".")
	to.set(name, n)
	at := up.holds(f.at.key)
	if up.holds(parent) >= 0 {
		up.remove(f.at.key)
	} else {
		up.names, up.members = slices.Clone(up.names), slices.Clone(up.members)
		up.names[at], up.members[at] = parent, value
	}
	w.follow(f, up, to, inside)
	return moved
}

// follow moves what else stands beside an object and belongs into it: once it is there,
// nothing says that the rest is misplaced if a schema allows any name.
func (w *work) follow(f fault, up, to *node, inside map[string]*draft.Schema) {
	beside := w.properties(f.schema)
	for _, name := range slices.Clone(up.names) {
		if inside[name] == nil || beside[name] != nil || to.holds(name) >= 0 || w.spent(1) {
			continue
		}
		to.set(name, up.members[up.holds(name)])
		up.remove(name)
		w.note(Guess, "The argument "+f.at.up.member(name).name()+" is now inside "+f.holder()+" "+quoted(f.names[0])+".")
	}
}

// unknown deals with an argument that resembles no other: it is left out, unless
// it says otherwise what another one says, or is all that was sent.
func (w *work) unknown(f fault, n *node) outcome {
	up := w.tree.at(f.at.up)
	known := w.known(f.schema)
	w.spent(5 * len(known))
	for _, name := range known {
		if i := up.holds(name); i >= 0 && (variant(f.at.key, name) || akin(f.at.key, name)) {
			return w.repeated(f, n, up.members[i])
		}
	}
	if done := w.hoist(f, n, up, known); done != unmended {
		return done
	}
	for _, parent := range known { // deck_id for the id of the object deck
		rest, ok := strings.CutPrefix(normal(f.at.key), normal(parent))
		if !ok || rest == "" {
			continue
		}
		for _, name := range w.known(w.properties(f.schema)[parent]) {
			if rest == normal(name) && !w.out {
				f.names, f.inner = []string{parent}, name
				return w.into(f, n)
			}
		}
	}
	g := Guess
	if n.shape == isScalar && (n.scalar == nil || n.scalar == "") {
		g = Names
	}
	if g == Guess && len(up.names) == 1 && len(known) > 0 {
		return refused // they may be another tool's
	}
	w.note(g, "There is no argument "+f.at.name()+"; it is left out.")
	w.tree.touch(f.at.up).remove(f.at.key)
	return mended
}

// hoist takes the members out of an object that groups arguments which stand side
// by side.
func (w *work) hoist(f fault, n, up *node, known []string) outcome {
	if n.shape != isObject || len(n.names) == 0 {
		return unmended
	}
	for _, name := range n.names {
		if !slices.Contains(known, name) || up.holds(name) >= 0 {
			return unmended
		}
	}
	up = w.tree.touch(f.at.up)
	up.remove(f.at.key)
	for i, name := range n.names {
		up.set(name, n.members[i])
	}
	w.note(Guess, "What was inside "+f.at.name()+" is now beside it.")
	return moved
}

// onlyMember returns the name of the only member that an object must have, or can have.
func (c *check) onlyMember(s *draft.Schema) string {
	for range maxWords {
		if s == nil {
			return ""
		}
		if len(s.Required) > 0 || s.Ref == nil {
			break
		}
		s = s.Ref
	}
	if len(s.Required) == 1 {
		return s.Required[0]
	}
	if known := c.known(s); len(s.Required) == 0 && len(known) == 1 {
		return known[0]
	}
	return ""
}
