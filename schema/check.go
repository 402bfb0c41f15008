package schema

import (
	"bytes"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema/internal/draft"
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
// An unknown name is a fault only where the schema forbids it (additionalProperties
// or unevaluatedProperties is false), or where it resembles a required one that is
// missing: without that, a misspelt optional argument passes.
//
// A required argument whose schema has a default may be missing: generators list
// it as required because it is always there once the tool has filled it in.
//
// Where a schema is so entangled, a pattern so slow or the arguments so many that
// the question isn't decided within about 100 ms, and where the arguments have over
// 4 MB or 300 000 values, Check returns nil: no working call may fail because of
// it. It also bounds what it spends on explaining: of very many faults or names it
// may say only what is wrong, not what was meant. All in all it ends within about
// 0.3 s.
func (s *Schema) Check(arguments []byte) *recourse.Error {
	if s.root == nil || len(arguments) > maxArguments || len(arguments) > maxSteps && values(arguments) > maxSteps {
		return nil
	}
	c := &check{schema: s, patience: maxTime}
	return c.run(arguments)
}

func (c *check) run(arguments []byte) (wrong *recourse.Error) {
	defer func() {
		if recover() != nil { // a fault of ours, which must not become the caller's
			wrong = nil
		}
	}()
	v, err := c.schema.arguments(arguments)
	if err != nil {
		return err
	}
	c.root = v
	c.grant(maxSteps, c.patience)
	root, isObject := v.(map[string]any)
	found := c.eval(c.schema.root, v, nil, nil)
	if c.out || len(found) == 0 {
		return nil
	}
	if !isObject {
		return c.misshapen(v)
	}
	unwrapped := c.unwrap(root)
	if unwrapped != nil {
		found = unwrapped
	}
	c.grant(maxGuess, c.patience/5)
	found = c.rename(found)
	if unwrapped != nil {
		found = lift(found)
	}
	c.grant(maxGuess, c.patience/5)
	return c.report(found)
}

// arguments decodes what was sent.
func (s *Schema) arguments(raw []byte) (any, *recourse.Error) {
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
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
	depth  int
	strict int // depth of questions in which a required argument with a default must be there
	trail  []*draft.Schema

	steps    int
	limit    int           // of steps
	look     int           // at the clock, after so many steps
	patience time.Duration // of a whole run
	allowed  time.Duration // from the first look
	until    time.Time     // zero before that
	slow     time.Duration // spent on patterns
	out      bool          // of steps, depth or time: nothing found counts any more

	spoken map[*draft.Schema]*vocabulary
	ids    map[*path]int
	places map[place]int
}

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
	schema *draft.Schema // that has the keyword; for a missing or unknown member, its object's
	value  any
	names  []string      // of arguments: those to choose from, or that this one goes with
	want   string        // the words, if the schema alone doesn't have them
	item   any           // that came twice
	member *draft.Schema // of the argument that is missing or meant, nil if it has none; of a name
	list   bool          // it is a list of such objects
	inner  string        // name of the argument inside the object that names[0] is
	amiss  bool          // the value under an unknown name would be wrong under the right one too
}
