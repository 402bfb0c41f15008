package diagnose

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A Shape is what is wrong with the form of a result, and what can be made of it.
// The zero value is a result that every client can read.
type Shape struct {
	Result []byte   // what the client shall get instead; nil if it is good as it came
	Broken string   // a phrase, such as "its result is a string", if nothing can be made of it
	Blank  bool     // there is nothing to see in it; Result has a text that says so
	Own    bool     // a text of ours stands in Result
	Notes  []string // sentences on what was changed; they stand in Result's _meta too
}

// Examine looks at the result of a call of tool, nil if the answer has none. It
// changes what clients are known to refuse, or to hang on, or what makes a
// model's API refuse the whole conversation, and nothing else: all other members
// keep their bytes and their order. Of two members with the same name the last
// counts. What says with its resultType that it is no final result is good.
func Examine(result []byte, tool string) Shape {
	if good(result) {
		return Shape{}
	}
	var r repair
	switch kind := Kind(result); kind {
	case "an object":
		if unfinished(result) {
			return Shape{}
		}
	case "null":
		result, r.cause = []byte("{}"), "the result was null"
	case "missing":
		return Shape{Broken: "it has no result"}
	default:
		return Shape{Broken: "its result is " + kind}
	}
	return r.shape(result, tool)
}

// A repair is a list of what was done to a result.
type repair struct {
	cause string // why there is nothing to see
	own   bool   // a text of ours is in it
	notes []string
	count map[string]int
}

// note keeps a sentence. It is told once, however often it is true: a result can
// have as many faults as blocks.
func (r *repair) note(sentence string) {
	if r.count == nil {
		r.count = map[string]int{}
	}
	if r.count[sentence]++; r.count[sentence] == 1 {
		r.notes = append(r.notes, sentence)
	}
}

func (r *repair) sentences() []string {
	for i, s := range r.notes {
		if n := r.count[s]; n > 1 {
			r.notes[i] = strings.TrimSuffix(s, ".") + ", " + strconv.Itoa(n) + " times."
		}
	}
	return r.notes
}

// shape makes a good result of an object.
func (r *repair) shape(result []byte, tool string) Shape {
	var s Shape
	fixed := r.flag(result)
	fixed = r.structured(fixed)
	blocks, changed := r.blocks(member(result, "content"))
	switch data := member(fixed, "structuredContent"); {
	case len(blocks) > 0:
	case data != nil && data[0] != 'n':
		blocks = [][]byte{text(quote(string(data)))}
		r.note("The answer's data was in structuredContent alone; a text with the same JSON was added.")
	default:
		s.Blank, r.own = true, true
		failed := string(member(fixed, "isError")) == "true"
		blocks = [][]byte{text(quote(nothing(tool, failed)))}
		r.note("EMPTY_RESULT: " + r.cause + "; a text that says so was added.")
	}
	if changed || s.Blank {
		fixed = put(fixed, "content", list(blocks...))
	}
	if meta := member(fixed, "_meta"); meta != nil && meta[0] != '{' {
		r.note("The result's _meta was " + Kind(meta) + "; it was taken out.")
	}
	s.Own = r.own
	if s.Notes = r.sentences(); len(s.Notes) > 0 {
		s.Result = Warn(fixed, s.Notes...)
	}
	return s
}

// nothing is what a model reads where it would see nothing. It must not ask for
// the call to be made again: the tool may be one that acts.
func nothing(tool string, failed bool) string {
	for len(tool) > 128 { // the longest name that the protocol allows
		_, n := utf8.DecodeLastRuneInString(tool)
		tool = tool[:len(tool)-n]
	}
	if failed {
		return "The tool " + strconv.Quote(tool) + " failed without saying why: it returned no content. " +
			"It may have done a part of its work. Check that before you call it again, or tell the user."
	}
	return "The tool " + strconv.Quote(tool) + " returned no content. " +
		"This may mean that nothing was found or that there is nothing to say, or it may hide a failure. " +
		"To tell which: if it looks things up, ask for something that is sure to exist; " +
		"if it changes something, check whether the change is there before you call it again."
}

// flag makes isError a boolean. A client that compares it with true takes "true"
// for a success; one that only asks whether it is set takes "false" for a failure.
func (r *repair) flag(result []byte) []byte {
	value := member(result, "isError")
	kind := Kind(value)
	if kind == "missing" || kind == "a boolean" {
		return result
	}
	failed := "true"
	switch strings.ToLower(strings.TrimSpace(wire.Unquote(value))) {
	case "false", "no", "0", "0.0", "-0", "null", "", "{}", "[]":
		failed = "false"
	}
	r.note("The result's isError was " + kind + "; it is " + failed + " now.")
	return put(result, "isError", []byte(failed))
}

// structured takes a null out of a result of the revisions before 2026-07-28,
// which have a resultType: the TypeScript SDK wants an object there or nothing.
func (r *repair) structured(result []byte) []byte {
	if Kind(member(result, "structuredContent")) != "null" || member(result, "resultType") != nil {
		return result
	}
	r.note("The result's structuredContent was null; it was taken out.")
	return keep(result, func(name string, _ []byte) bool { return name != "structuredContent" })
}

// blocks returns the good blocks of a content, whatever it is, and whether they
// are others than those that came.
func (r *repair) blocks(content []byte) (blocks [][]byte, changed bool) {
	kind := Kind(content)
	switch kind {
	case "missing", "null":
		if r.cause == "" {
			r.cause = "the result's content was " + kind
		}
		return nil, true
	case "an array":
	default:
		if b := r.block(content); b != nil {
			r.note("The result's content was " + kind + ", not an array of blocks; it was put into one.")
			return [][]byte{b}, true
		}
		r.cause = "the result's content was " + kind + " with nothing in it"
		return nil, true
	}
	r.cause = "the result's content was an empty array"
	for at := range wire.Elements(content) {
		came := at.Of(content)
		b := r.block(came)
		changed = changed || len(b) != len(came) || &b[0] != &came[0]
		if b != nil {
			blocks = append(blocks, b)
		}
		r.cause = "there was nothing to see in the result's content"
	}
	return blocks, changed || len(blocks) == 0
}
