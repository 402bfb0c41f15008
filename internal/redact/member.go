package redact

// Siblings are what the members of an object say of each other: in
// {"name":"API_KEY","value":"…"} and {"element":"Password field","text":"…"} the one
// names the other.
type siblings struct {
	named   bool // a member such as "name" holds a secret name
	element bool // a member such as "selector" does
	held    held
}

// held is the state of a walker before a value that a later member may name.
type held struct {
	key               string
	role              role
	pos, dst, done, n int // pos 0: there is none
}

// A role is what a member may be to its siblings.
type role int

const (
	isOther   role = iota
	isNaming       // holds the name of a value
	isElement      // says which element of a page or a screen
	isValue        // is such a value
	isTyped        // is what is typed into such an element
	isProgram      // is a command, whose arguments stand beside it
)

// mayPlay reports whether key may have a role: most fail already by their first
// letter and their length.
func mayPlay(key string) bool { return key != "" && roles[key[0]&31]>>(len(key)&31)&1 != 0 }

func roleOf(key string) role {
	switch key {
	case "name", "Name", "key", "Key", "header", "variable", "type", "field", "id", "param", "parameter":
		return isNaming
	case "element", "selector", "locator", "label", "placeholder", "target":
		return isElement
	case "value", "Value", "newValue", "new_value":
		return isValue
	case "text", "input":
		return isTyped
	case "command", "cmd", "program", "executable":
		return isProgram
	}
	return isOther
}

// roles holds the lengths of the keys above by their first letters.
var roles = func() (t [32]uint32) {
	for _, key := range [...]string{"name", "key", "header", "variable", "type", "field", "id", "param", "parameter", "element", "selector",
		"locator", "label", "placeholder", "target", "value", "newValue", "new_value", "text", "input", "command", "cmd", "program", "executable"} {
		t[key[0]&31] |= 1 << len(key)
	}
	return t
}()

// before takes note of w before a value of role r, and reports whether that is
// secret by what its siblings said.
func (s *siblings) before(r role, key string, w *walker) bool {
	if s.hides(r) {
		return true
	}
	if r == isValue || r == isTyped {
		s.held = held{key, r, w.pos, len(w.dst), w.done, len(w.hidden)}
	}
	return false
}

func (s *siblings) hides(r role) bool {
	return r == isValue && (s.named || s.element) || r == isTyped && s.element
}

// after takes note of a value of role r, of which raw is the JSON. It reports
// whether it names the value that is held.
func (s *siblings) after(r role, raw string, w *walker) bool {
	switch {
	case raw[0] == '{' || raw[0] == '[':
		// To walk these twice, at each level, would take exponential time.
		s.held = held{}
	case (r == isNaming || r == isElement) && isSecretString(raw):
		s.named = s.named || r == isNaming
		s.element = s.element || r == isElement
		return s.held.pos != 0 && s.hides(s.held.role)
	case r == isProgram && raw[0] == '"':
		w.command, _ = commandOf(raw[1 : len(raw)-1])
	}
	return false
}

// rewind brings w back to the value that is held.
func (s *siblings) rewind(w *walker) {
	h := s.held
	w.pos, w.dst, w.done, w.hidden = h.pos, w.dst[:h.dst], h.done, w.hidden[:h.n]
	w.step(step{h.key, -1})
	s.held = held{}
}
