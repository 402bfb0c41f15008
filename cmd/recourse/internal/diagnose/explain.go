package diagnose

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/dump"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/redact"
)

// Words are what a server says of a call that has failed, and what is known of the
// call.
type Words struct {
	Text      string          // the server's own
	RPC       bool            // they stood in a JSON-RPC error
	Code      int             // of that
	Args      []byte          // of the call; nil: not known
	Objection *recourse.Error // what the tool's schema says against them; nil: nothing
}

// An Explanation is what they mean.
type Explanation struct {
	Err    *recourse.Error // with the server's own words in neither message nor suggestion
	Blames bool            // the server itself says that it is the arguments
	Names  bool            // and which, so that it is clear that it checks them
	Told   bool            // Err tells all that the words tell, as of a validator's dump
	Rule   string          // by which it was found, for the log
}

// Explain finds the code and what to do in the words of a failure. What a machine
// wrote counts more than prose, and what the schema says of an argument more than
// what a validator dumped, which is often in terms of another language.
func (w *Words) Explain() (x Explanation) {
	defer func() {
		if recover() != nil { // a fault of ours must not cost the server's own words
			x = Explanation{Err: &recourse.Error{Code: recourse.UnknownError}}
		}
	}()
	read := Read(w.Text)
	if read.Envelope != nil {
		return Explanation{Err: read.Envelope, Told: true}
	}
	code := read.Code
	// That it is no unknown tool has been seen already: the text speaks of another.
	if meant, ok := byCode[w.Code]; ok && w.RPC && (vague(code) || code == recourse.UnknownTool) {
		code = meant
	}
	var dumped *recourse.Error
	if !read.Structured {
		dumped = w.dumped()
	}
	x = Explanation{Rule: read.Reason, Blames: dumped != nil || blaming(code)}
	x.Names = dumped != nil || x.Blames && (read.Field != "" || w.RPC && w.Code == -32602)
	switch {
	case w.Objection != nil && (x.Blames || vague(code)):
		x.Err, x.Told = anew(w.Objection), dumped != nil && w.written()
		return x
	case dumped != nil:
		x.Err, x.Told = dumped, w.written()
		return x
	}
	x.Err = &recourse.Error{Code: code, Field: read.Field}
	if x.Err.Field == "" && (blaming(code) || code == recourse.NotFound || code == recourse.DuplicateEntry) {
		w.point(x.Err)
	}
	x.Err.MaxRetries, x.Err.RetryAfter = w.retries(x.Err, read), read.RetryAfter
	return x
}

// retries returns 1 if the words speak for repeating what usually is not worth it, and
// -1 if they speak against it where it is.
func (w *Words) retries(e *recourse.Error, read Reading) int {
	switch usual := e.Retryable() || e.Code == recourse.Timeout; {
	case usual && (read.Partial || Begun(w.Text)):
		return -1
	case read.Retryable && !usual:
		return 1
	case !read.Retryable && usual && e.Code == read.Code:
		return -1
	}
	return 0
}

// point names the argument whose value the words repeat, if there is one such.
func (w *Words) point(e *recourse.Error) {
	if len(w.Args) == 0 || w.Args[0] != '{' {
		return
	}
	var found string
	for key, at := range wire.Members(w.Args) {
		name, value := wire.Unquote(key.Of(w.Args)), at.Of(w.Args)
		if value[0] == '"' {
			value = []byte(wire.Unquote(value))
		}
		if len(value) < minRepeated || len(value) > maxRepeated || len(name) > maxRepeated || redact.SecretName(name) || !standsIn(w.Text, string(value)) {
			continue
		}
		if found != "" {
			return
		}
		found = name
	}
	if found == "" {
		return
	}
	e.Field = dump.Pointer([]string{found})
	switch e.Code {
	case recourse.NotFound:
		e.Suggestion = "Look up the right " + found + " with a tool that lists or searches, and call again."
	case recourse.InvalidArgument: // the schema has nothing against it: only the server knows
		e.Suggestion = "Change " + found + " as the server's message says, and call again."
	}
}

// The lengths of values that are sought, in bytes: shorter ones stand in every text,
// and nobody repeats longer ones whole.
const (
	minRepeated = 3
	maxRepeated = 300
)

// standsIn reports whether a value stands in a text by itself.
func standsIn(text, value string) bool {
	for i := 0; ; {
		n := strings.Index(text[i:], value)
		if n < 0 {
			return false
		}
		begin, end := i+n, i+n+len(value)
		if (begin == 0 || !wordly(text[begin-1])) && (end == len(text) || !wordly(text[end])) {
			return true
		}
		i = begin + 1
	}
}

// dumped returns what a validator says. That an argument is not there counts for less
// than that its value is too large: servers check what they have made of it.
func (w *Words) dumped() *recourse.Error {
	e := dump.Read(w.Text, w.Args)
	if e != nil && e.Code == recourse.MissingArgument {
		if alone := dump.Read(w.Text, nil); alone != nil && alone.Code != e.Code {
			return alone
		}
	}
	return e
}

// written reports whether a validator has written the words: an author's own may say
// more than which argument is wrong.
func (w *Words) written() bool {
	at := strings.IndexAny(w.Text, "[{")
	return dump.Vouches(w.Text) || at >= 0 && json.Valid([]byte(w.Text[at:]))
}

// blaming reports codes that blame the arguments.
func blaming(code recourse.Code) bool {
	return slices.Contains([]recourse.Code{
		recourse.InvalidArgument, recourse.MissingArgument, recourse.UnknownArgument,
		recourse.OutOfRange, recourse.MalformedRequest,
	}, code)
}

// vague reports codes that leave open what the reason is.
func vague(code recourse.Code) bool {
	return code == recourse.UnknownError || code == recourse.InternalError || code == recourse.ExecutionFailed
}

// anew returns a copy whose details can be added to.
func anew(e *recourse.Error) *recourse.Error {
	c := *e
	c.Related = maps.Clone(e.Related)
	return &c
}
