package redact

import (
	"strconv"
	"strings"
	"unsafe"
)

// AppendJSON appends src, one JSON value, to dst. A value under a secret name
// becomes "[redacted:key]" whatever its type, unless it is null, a boolean or
// an empty string; a secret part of a string becomes "[redacted]"; every other
// byte stays. A src that is no JSON is appended as a string, after [Redactor.Text].
// hidden lists JSON Pointers (RFC 6901) to what was replaced, at most 32 levels deep.
//
// It allocates nothing if nothing is hidden and dst has room.
func (r *Redactor) AppendJSON(dst, src []byte) (out []byte, hidden []string) {
	text := unsafe.String(unsafe.SliceData(src), len(src)) // read-only here, and not kept
	w := walker{r: r, src: text, dst: dst, listed: r.lists(text)}
	if w.value(false) && w.atEnd() {
		return append(w.dst, text[w.done:]...), w.hidden
	}
	text = legible(text)
	clean := r.Text(text)
	if clean != text {
		hidden = []string{""}
	}
	return quote(dst, clean), hidden
}

// deepest is how many arrays and objects may contain each other. Deeper input
// is treated as text.
const deepest = 1000

// A walker reads one JSON value and copies it with the secrets replaced.
type walker struct {
	r       *Redactor
	src     string
	pos     int
	done    int // src before it is in dst
	dst     []byte
	escaped bool // the last string has escapes
	listed  bool // src holds some of r's Secrets as they are
	muted   bool // inside a value that is replaced as a whole
	hidden  []string
	depth   int
	steps   [32]step // the first of those from the root to pos; an array, to stay off the heap
}

// A step leads into an object by key or into an array by index.
type step struct {
	key   string // as in src
	index int    // -1: by key
}

// value reads one value; hide says that its name is secret. It reports whether
// the JSON is valid.
func (w *walker) value(hide bool) bool {
	w.space()
	if w.pos == len(w.src) || w.depth > deepest {
		return false
	}
	muted, start := w.muted, w.pos
	w.muted = muted || hide
	var ok bool
	switch c := w.src[w.pos]; {
	case c == '"':
		ok = w.text()
	case c == '{':
		ok = w.object()
	case c == '[':
		ok = w.array()
	case c == '-' || digit(c):
		ok = w.number()
	default:
		w.muted = muted
		return w.word("true") || w.word("false") || w.word("null")
	}
	w.muted = muted
	if ok && hide && !muted && w.src[start:w.pos] != `""` {
		w.replace(start, w.pos, `"`+keyMark+`"`)
	}
	return ok
}

func (w *walker) object() bool {
	w.pos++
	if w.take('}') {
		return true
	}
	w.depth++
	named := false // an earlier member, such as "name", holds a secret name
	for {
		w.space()
		start, before := w.pos, len(w.hidden)
		if !w.text() {
			return false
		}
		key := w.src[start+1 : w.pos-1]
		name := key
		if w.escaped {
			name = unescaped(key)
		}
		w.step(step{key, -1})
		if len(w.hidden) > before {
			w.hidden[before] = w.pointer()
		}
		if !w.take(':') {
			return false
		}
		start = w.pos
		if !w.value(SecretName(name) || named && (name == "value" || name == "Value")) {
			return false
		}
		named = named || names(name) && isSecretString(w.src[start:w.pos])
		if w.take('}') {
			w.depth--
			return true
		}
		if !w.take(',') {
			return false
		}
	}
}

// names reports whether a member called key may name the member "value" beside it.
func names(key string) bool {
	switch key {
	case "name", "Name", "key", "Key", "header", "variable", "type":
		return true
	}
	return false
}

// isSecretString reports whether the JSON value raw is a string that is a secret name.
func isSecretString(raw string) bool {
	raw = strings.TrimLeft(raw, " \t\r\n")
	return len(raw) > 2 && raw[0] == '"' && SecretName(unescaped(raw[1:len(raw)-1]))
}

func (w *walker) array() bool {
	w.pos++
	if w.take(']') {
		return true
	}
	w.depth++
	flagged := false // the element before is a command line flag with a secret name
	for i := 0; ; i++ {
		w.step(step{index: i})
		w.space()
		start := w.pos
		if !w.value(flagged && w.pos < len(w.src) && w.src[w.pos] == '"' && !strings.HasPrefix(w.src[w.pos:], `"-`)) {
			return false
		}
		element := w.src[start:w.pos]
		flagged = strings.HasPrefix(element, `"-`) && !strings.ContainsAny(element, "=: ") && isSecretString(element)
		if w.take(']') {
			w.depth--
			return true
		}
		if !w.take(',') {
			return false
		}
	}
}

// step notes where in the innermost object or array pos is.
func (w *walker) step(s step) {
	if w.depth <= len(w.steps) {
		w.steps[w.depth-1] = s
	}
}

// replace puts text in place of src[start:end] and notes where that was.
func (w *walker) replace(start, end int, text string) {
	w.dst = append(w.dst, w.src[w.done:start]...)
	w.dst = append(w.dst, text...)
	w.done = end
	w.hidden = append(w.hidden, w.pointer())
}

// pointer returns the JSON Pointer to the value at hand.
func (w *walker) pointer() string {
	var p []byte
	for _, s := range w.steps[:min(w.depth, len(w.steps))] {
		p = append(p, '/')
		if s.index >= 0 {
			p = strconv.AppendInt(p, int64(s.index), 10)
			continue
		}
		key := w.r.Text(unescaped(s.key))
		p = append(p, strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")...)
	}
	return string(p)
}
