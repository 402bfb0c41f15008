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
	return r.AppendArguments(dst, src, nil)
}

// AppendArguments is AppendJSON for the arguments of a tool: values that the tool's
// schema declares secret are replaced too, whatever their names.
func (r *Redactor) AppendArguments(dst, src []byte, declared *Declared) (out []byte, hidden []string) {
	text := unsafe.String(unsafe.SliceData(src), len(src)) // read-only here, and not kept
	w := walker{r: r, src: text, dst: dst, listed: r.lists(text), rare: rare(text)}
	if w.value(false, declared) && w.atEnd() {
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
	rare    bool // see there
	muted   bool // inside a value that is replaced as a whole
	hidden  []string
	command command // whose arguments the next array may hold
	depth   int
	steps   [32]step // the first of those from the root to pos; an array, to stay off the heap
}

// A step leads into an object by key or into an array by index.
type step struct {
	key   string // as in src
	index int    // -1: by key
}

// value reads one value, of which d is declared; hide says that its name is secret.
// It reports whether the JSON is valid.
func (w *walker) value(hide bool, d *Declared) bool {
	w.space()
	if w.pos == len(w.src) || w.depth > deepest {
		return false
	}
	hide = hide || d.isSecret()
	muted, start := w.muted, w.pos
	w.muted = muted || hide
	var ok bool
	switch c := w.src[w.pos]; {
	case c == '"':
		ok = w.text()
	case c == '{':
		ok = w.object(d)
	case c == '[':
		ok = w.array(d)
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

func (w *walker) object(d *Declared) bool {
	w.pos++
	if w.take('}') {
		return true
	}
	w.depth++
	var s siblings
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
		w.space()
		start = w.pos
		hide, role := SecretName(name), isOther
		if mayPlay(name) {
			role = roleOf(name)
			hide = s.before(role, key, w) || hide
		}
		if !w.value(hide, d.member(name)) {
			return false
		}
		if (role != isOther || s.held.pos != 0) && s.after(role, w.src[start:w.pos], w) {
			named := unescaped(s.held.key)
			if s.rewind(w); !w.value(true, d.member(named)) {
				return false
			}
		}
		if w.take('}') {
			w.command = command{}
			w.depth--
			return true
		}
		if !w.take(',') {
			return false
		}
	}
}

// isSecretString reports whether the JSON value raw is a string that is a secret name.
func isSecretString(raw string) bool {
	raw = strings.TrimLeft(raw, " \t\r\n")
	return len(raw) > 2 && raw[0] == '"' && SecretName(unescaped(raw[1:len(raw)-1]))
}

func (w *walker) array(d *Declared) bool {
	line, items := argv{command: w.command}, d.element()
	w.command = command{}
	w.pos++
	if w.take(']') {
		return true
	}
	// In a list of pairs the first of each may be the name of the second.
	pairs := w.depth > 0 && w.depth <= len(w.steps) && w.steps[w.depth-1].index >= 0
	w.depth++
	watch, named := line.active(), false // the next element may be secret as a whole
	for i := 0; ; i++ {
		w.step(step{index: i})
		w.space()
		start, hide := w.pos, false
		if watch {
			raw := w.peek()
			hide = line.hides(raw) || named && raw != "" && w.ends(start+len(raw))
		}
		if !w.value(hide, items) {
			return false
		}
		if watch || w.src[start] == '"' {
			element := w.src[start:w.pos]
			line.pass(i, element)
			named = pairs && i == 0 && isSecretString(element)
			watch = named || line.active()
		}
		if w.take(']') {
			w.depth--
			return true
		}
		if !w.take(',') {
			return false
		}
	}
}

// peek returns the JSON of the string at pos, or "" if there is none.
func (w *walker) peek() string {
	if w.pos == len(w.src) || w.src[w.pos] != '"' {
		return ""
	}
	for i := w.pos + 1; i < len(w.src); i += 2 { // over an escape, whose second byte is no quote that ends
		i += plain(w.src[i:])
		if i == len(w.src) || w.src[i] < ' ' {
			return ""
		}
		if w.src[i] == '"' {
			return w.src[w.pos : i+1]
		}
	}
	return ""
}

// ends reports whether an array ends after at.
func (w *walker) ends(at int) bool {
	for at < len(w.src) && w.src[at] <= ' ' {
		at++
	}
	return at < len(w.src) && w.src[at] == ']'
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
