package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/internal/redact"
)

// A Grade says how much a repair takes for granted.
type Grade int

const (
	// Types keeps every value and writes it as the schema wants it: a number for
	// a text of digits, a list for a text that holds one. It can do no harm.
	Types Grade = iota + 1
	// Names renames, unwraps, trims and leaves out what says nothing. It is for
	// tools that only read: what a tool does with a name it did not know so far
	// is not certain.
	Names
	// Guess is likely, but for whoever sent the call to confirm. It must never be
	// sent unasked.
	Guess
)

// A Repair is arguments that were wrong, made valid.
type Repair struct {
	// Arguments is the whole object. What was right keeps its bytes and its order;
	// numbers keep their spelling, so none loses digits.
	Arguments []byte
	// Grade is the highest of all changes.
	Grade Grade
	// Notes has one sentence a change, at most 20. They name the argument, and
	// show values of less than 60 characters, without secrets.
	Notes []string
}

// maxRounds is how often the arguments are looked at again. What a text held may
// be wrong in its turn; more levels of that are not meant.
const maxRounds = 12

// Repair returns what the arguments were most likely meant to be. It returns nil
// if nothing is wrong with them; and if it can't be told what was meant, or the
// outcome would not fit the schema as a whole: it repairs all or nothing. No value
// that the schema admits is changed, and none that is missing is made up.
//
// The exception are arguments that are absent, null or "", which Check lets pass
// for a tool that requires none: they become {}, since many servers don't.
//
// It is bounded as Check is, and takes at most about twice as long.
func (s *Schema) Repair(arguments []byte) (r *Repair) {
	if s.root == nil || len(arguments) > maxArguments || len(arguments) > maxSteps && values(arguments) > maxSteps {
		return nil
	}
	defer func() {
		if recover() != nil { // a fault of ours
			r = nil
		}
	}()
	w := &work{check: &check{schema: s, patience: maxTime}}
	return w.run(arguments)
}

// A work is one repair.
type work struct {
	*check
	tree  *node
	grade Grade
	notes []string
}

func (w *work) run(arguments []byte) *Repair {
	raw := bytes.TrimSpace(bytes.TrimPrefix(arguments, []byte("\ufeff")))
	w.grant(maxSteps, w.patience)
	if len(raw) == 0 || string(raw) == "null" || string(raw) == `""` {
		w.tree = emptyObject()
		w.note(Types, "The call had no arguments and now has an empty object.")
	} else {
		var err error
		if w.tree, err = w.parse(raw); err != nil {
			return nil
		}
	}
	for round := range maxRounds {
		if round == 1 { // nothing more is granted for later ones
			w.grant(maxSteps, w.patience)
		}
		found := w.faults()
		switch {
		case w.out:
			return nil
		case len(found) > 0:
			if !w.mend(found) {
				return nil
			}
		case w.grade == 0:
			return nil
		default:
			return &Repair{Arguments: w.tree.append(nil), Grade: w.grade, Notes: w.notes}
		}
	}
	return nil
}

// faults returns what is wrong as things stand.
func (w *work) faults() []fault {
	w.spent(w.tree.size())
	w.root = w.tree.value()
	return w.eval(w.schema.root, w.root, nil, nil)
}

// mend changes what it can, and reports whether it changed anything and nothing
// speaks against it all.
func (w *work) mend(found []fault) bool {
	root, ok := w.root.(map[string]any)
	if !ok {
		return w.reshape(w.single(w.sort(found))[0])
	}
	if wrapped := w.unwrap(root); wrapped != nil {
		return w.strip(wrapped[0].at.steps()[0].key)
	}
	changed, walk := false, w.tree.size()/64 // finding a name in an object takes time
	for _, f := range w.single(w.sort(w.rename(found))) {
		w.spent(1 + walk)
		var done outcome
		switch n := w.tree.at(f.at); {
		case w.out:
			return false
		case n == nil: // missing, or just moved
		case f.kind == isRenamed:
			done = w.renamed(f, n)
		case f.kind == isUnknown || f.excluded() && f.at != nil && f.at.index < 0:
			done = w.unknown(f, n)
		default:
			done = w.value(f, n)
		}
		switch done {
		case refused:
			return false
		case moved:
			return true
		}
		changed = changed || done == mended
	}
	return changed
}

// An outcome says what came of a fault.
type outcome int

const (
	unmended outcome = iota // as yet
	mended
	moved   // mended, and the places of other faults may be others now
	refused // for good: there are two answers
)

// value changes the value at a place, or leaves it out.
func (w *work) value(f fault, n *node) outcome {
	if f.at == nil || !replaceable(f.kind) {
		return unmended
	}
	for g := Types; g <= Guess; g++ {
		if g > Types && secret(f.at) {
			return w.omit(f, n, Names)
		}
		to, sure := w.converted(f, n, g)
		if !sure {
			return refused
		}
		if to != nil {
			if g < Guess && w.alone(f) {
				return refused
			}
			w.note(g, "The argument "+f.at.name()+" was "+w.shown(f.at, n)+" and is now "+w.shown(f.at, to)+".")
			w.tree.replace(f.at, to)
			return mended
		}
		if done := w.omit(f, n, g); done != unmended {
			return done
		}
	}
	if f.at.index >= 0 && n.shape == isList {
		return w.flatten(f.at.up)
	}
	return unmended
}

// alone reports whether a value would also be right if it were not an item, but
// there instead of the list, which has no other. One of two alternatives was meant.
func (w *work) alone(f fault) bool {
	if f.at.index < 0 || f.at.up == nil {
		return false
	}
	list := w.tree.at(f.at.up)
	if len(list.items) != 1 {
		return false
	}
	before := len(w.faults())
	w.tree.replace(f.at.up, list.items[0])
	after := len(w.faults())
	w.tree.replace(f.at.up, list)
	return after < before
}

// replaceable reports whether a fault of a value could be cured by another value.
func replaceable(k kind) bool {
	switch k {
	case isWrongType, isWrongValue, isNoneOf, isFormat, isMismatch, isTooShort, isTooLong, isTooSmall, isTooLarge, isRepeated:
		return true
	}
	return false
}

// converted returns the one value that n may be turned into with a grade, nil if
// there is none. It is not sure if there are several.
func (c *check) converted(f fault, n *node, g Grade) (to *node, sure bool) {
	have := map[string]bool{c.written(n): true}
	level := []*node{n}
	var within []*node // right as such, though something in it is wrong
	for range 3 {
		var next, fit []*node
		for _, from := range level {
			for _, to := range c.conversions(f, from, g) {
				key := c.written(to)
				if have[key] || c.out {
					continue
				}
				have[key] = true
				next = append(next, to)
				wrong := c.eval(f.schema, to.value(), f.at, nil)
				switch {
				case c.out || !c.apt(f, n, to, g):
				case len(wrong) == 0:
					if len(fit) != 1 || !c.equal(fit[0].value(), to.value()) {
						fit = append(fit, to)
					}
				case len(within) < 2 && !slices.ContainsFunc(wrong, func(w fault) bool { return c.id(w.at) == c.id(f.at) }):
					within = append(within, to)
				}
			}
		}
		if len(fit) > 0 {
			return fit[0], len(fit) == 1
		}
		level = next
	}
	if len(within) > 0 {
		return within[0], len(within) == 1
	}
	return nil, true
}

// apt says what the schema can't: a text does not become another one unless names
// may be changed; nor a whole number with a point in it, but as a guess; and no
// text is made that lacks the format asked for, even if formats are not checked.
func (c *check) apt(f fault, from, to *node, g Grade) bool {
	sent, wasText := from.text()
	if _, isNumber := to.scalar.(json.Number); isNumber && wasText && g < Guess && strings.Contains(sent, ".") {
		return accepted(f.schema, maxWords)&numberType != 0 // 5.00 of cents may be 500
	}
	text, ok := to.text()
	if !ok {
		return true
	}
	if wasText {
		return g > Types
	}
	return to.raw != nil || f.schema.Format == nil || formed(f.schema.Format, text)
}

// written is the key by which values are told apart.
func (c *check) written(n *node) string {
	b := n.append(nil)
	c.spent(len(b) / 64)
	return string(b)
}

// note records a change.
func (w *work) note(g Grade, sentence string) {
	w.grade = max(w.grade, g)
	switch n := len(w.notes); {
	case n < maxViolations-1:
		w.notes = append(w.notes, sentence)
	case n == maxViolations-1:
		w.notes = append(w.notes, "There are more changes.")
	}
}

// shown names a value in a note.
func (w *work) shown(at *path, n *node) string {
	switch {
	case n.shape == isList:
		return fmt.Sprintf("a list of %d", len(n.items))
	case n.shape == isObject:
		return "an object"
	}
	switch v := n.scalar.(type) {
	case string:
		if secret(at) {
			return "a text"
		}
		if len(v) >= 60 {
			return "a long text"
		}
		return "the text " + string(appendScalar(nil, new(redact.Redactor).Text(v)))
	case nil, bool:
		return written(v)
	}
	if secret(at) {
		return "a number"
	}
	return "the number " + written(n.scalar)
}
