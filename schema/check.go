package schema

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Limits of one Check: about 100 ms, and a stack of about 1 MB. Real calls need
// some dozens of steps.
const (
	maxSteps  = 300_000
	maxDepth  = 1000
	maxFaults = 1000
	maxSlow   = 100 * time.Millisecond

	maxArguments = 4 << 20 // bytes; encoding/json needs 0.1 s for a MB of small objects
)

// Check returns what is wrong with the arguments of a call, or nil if nothing is.
// It takes the text as the model sent it; empty text, null and "" count as {}.
//
// One fault is described by Field (a JSON Pointer), Value, Constraint and
// Suggestion of the Error. Several are listed in Violations, at most 20, in the
// order in which the schema names the properties. A required argument with a
// misspelt name is one fault, of the misspelling. The code is the one that all
// faults have in common; MISSING_ARGUMENT if names are missing and others
// unknown; else INVALID_ARGUMENT. MALFORMED_REQUEST means that the arguments are
// not an object, or are wrapped in one.
//
// A required argument whose schema has a default may be missing: generators list
// it as required because it is always there once the tool has filled it in.
//
// Where a schema is so entangled, or a pattern so slow, that the question isn't
// decided within about 100 ms, and where the arguments have over 4 MB, Check
// returns nil: no working call may fail because of it.
func (s *Schema) Check(arguments []byte) *recourse.Error {
	if s.root == nil || len(arguments) > maxArguments {
		return nil
	}
	v, err := s.arguments(arguments)
	if err != nil {
		return err
	}
	c := &check{schema: s, root: v}
	root, isObject := v.(map[string]any)
	found := c.eval(s.root, v, nil, nil)
	if c.out || len(found) == 0 {
		return nil
	}
	if !isObject {
		return c.misshapen(v)
	}
	if unwrapped := c.unwrap(root); unwrapped != nil {
		found = unwrapped
	}
	return c.report(c.rename(found))
}

// arguments decodes what was sent.
func (s *Schema) arguments(raw []byte) (any, *recourse.Error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" || string(raw) == `""` {
		return map[string]any{}, nil
	}
	v, err := decode(raw)
	if err != nil {
		return nil, unreadable(raw)
	}
	return v, nil
}

// A check is one run.
type check struct {
	schema *Schema
	root   any

	steps  int
	depth  int
	strict int           // depth of questions in which a required argument with a default must be there
	slow   time.Duration // spent on patterns that backtrack
	out    bool          // of steps, depth or time: nothing found counts any more
	trail  []*jsonschema.Schema
}

// spent takes n steps and reports whether that was too much.
func (c *check) spent(n int) bool {
	c.steps += n
	c.out = c.out || c.steps > maxSteps
	return c.out
}

func (c *check) matches(re jsonschema.Regexp, s string) bool {
	p, ok := re.(*pattern)
	if !ok || c.spent(1+len(s)/64) {
		return true
	}
	if p.linear != nil {
		return p.linear.MatchString(s)
	}
	if c.slow > maxSlow {
		c.out = true
		return true
	}
	start := time.Now()
	matched, decided := p.match(s)
	c.slow += time.Since(start)
	c.out = c.out || !decided
	return matched
}

// A path leads to a value from the root; nil is the root's.
type path struct {
	up    *path
	key   string
	index int // of an item; -1 for a member
}

func (p *path) member(key string) *path { return &path{p, key, -1} }
func (p *path) item(i int) *path        { return &path{p, "", i} }

// A seen records which members and items of a value were evaluated.
type seen struct {
	allMembers, allItems bool
	members              map[string]bool
	items                map[int]bool
}

func (s *seen) member(key string) {
	if s == nil {
		return
	}
	if s.members == nil {
		s.members = map[string]bool{}
	}
	s.members[key] = true
}

func (s *seen) item(i int) {
	if s == nil {
		return
	}
	if s.items == nil {
		s.items = map[int]bool{}
	}
	s.items[i] = true
}

func (s *seen) merge(other *seen) {
	if s == nil || other == nil {
		return
	}
	s.allMembers = s.allMembers || other.allMembers
	s.allItems = s.allItems || other.allItems
	for key := range other.members {
		s.member(key)
	}
	for i := range other.items {
		s.item(i)
	}
}

// A kind names what is wrong, mostly by its keyword.
type kind string

const (
	isMissing    kind = "required"
	isUnknown    kind = "additionalProperties"
	isForbidden  kind = "false"
	isDependent  kind = "dependentRequired"
	isWrongType  kind = "type"
	isWrongValue kind = "enum"
	isTooSmall   kind = "minimum"
	isTooLarge   kind = "maximum"
	isUneven     kind = "multipleOf"
	isTooShort   kind = "minLength"
	isTooLong    kind = "maxLength"
	isMismatch   kind = "pattern"
	isFormat     kind = "format"
	isTooFew     kind = "minItems"
	isTooMany    kind = "maxItems"
	isRepeated   kind = "uniqueItems"
	isContains   kind = "contains"
	isName       kind = "propertyNames"
	isNegated    kind = "not"
	isNoneOf     kind = "anyOf"
	isSeveralOf  kind = "oneOf"
	isOneMissing kind = "oneRequired"
	isRenamed    kind = "renamed"
	isWrapper    kind = "wrapper"
)

// A fault is one thing that is wrong with the value at a place.
type fault struct {
	kind   kind
	at     *path
	schema *jsonschema.Schema // that has the keyword; for a missing or unknown member, its object's
	value  any
	names  []string           // of arguments: those to choose from, or that this one goes with
	want   string             // the words, if the schema alone doesn't have them
	item   any                // that came twice
	member *jsonschema.Schema // of the argument that is missing, or meant; nil if it has none
	inner  string             // name of the argument inside the object that names[0] is
	amiss  bool               // the value under an unknown name would be wrong under the right one too
}

// Where only one type matters, these spare a type switch.
func isNumber(v any) bool { _, ok := v.(json.Number); return ok }
func isText(v any) bool   { _, ok := v.(string); return ok }
