package diagnose

import (
	"bytes"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A Tier says how sure it is that a result is an error in disguise.
type Tier int

// Only the upper two are enough to call a result an error.
const (
	None      Tier = iota
	Weak           // it says no to something; this is for the log
	Anchored       // a short text that begins as errors do
	Structure      // the form of an error: an object, a page, a traceback, an SDK's sentence
)

// A Suspicion is what was found in a result that says it is no error.
type Suspicion struct {
	Tier Tier
	Text string // the error's own words: the message of an object or page, or the text
	Rule string // the name of what was found, for the log

	framed bool // by the protocol or an SDK: no answer of the tool itself looks so
	sure   bool // its head counts for tools that return contents
}

const (
	maxAnchored = 1500 // bytes of a text that is an error by its first line; no API's message was longer
	maxLines    = 6    // of such a text
	maxLine     = 200  // of a first line, to compare with heads
	maxShort    = 400  // bytes of a text that a tool returns instead of contents
	maxJSON     = 16 << 10
	maxPage     = 4 << 10 // of a page or traceback, to look at
	maxTexts    = 8

	// What is longer than a page of errors is no error.
	maxResult = wholePage + 8<<10
)

// Disguised looks at the result of a tool, which does not say that it is an error.
// The tool's conduct and its usual results m, which may be nil, move the bar, and so
// do the arguments of the call, a JSON object or nil: who asks for an error gets one,
// and a tool that shows contents speaks itself only where it names what it was asked
// for. If valid, its structuredContent is as its outputSchema wants it, and no text
// makes it an error. A result with data beside an error is never one, nor one that
// says that there is nothing.
func Disguised(result []byte, tool Conduct, m *Memory, valid bool, args []byte) Suspicion {
	a := answerOf(result)
	if a.failed || a.other || a.count > maxTexts || a.count == 0 && a.data == nil {
		return Suspicion{}
	}
	s := a.suspicion(valid)
	switch {
	case s.Tier == None, s.framed && !(tool == Contents && s.Rule == "__type"): // AWS writes it
		return s
	case tool == Judges:
		return Suspicion{}
	case tool == Reads && s.Tier == Anchored && !(s.sure && len(s.Text) <= maxShort && strings.Count(s.Text, "\n") < 2):
		s.Tier = Weak
	case tool == Acts && s.Tier == Weak:
		s.Tier = Anchored
	}
	if s.Tier > Weak && (s.Rule != "page" && s.Rule != "traceback" && m.usual(result) || a.owed(args, &s, tool)) {
		s.Tier = Weak
	}
	return s
}

// owed reports an error that is what the call was for.
func (a *answer) owed(args []byte, s *Suspicion, tool Conduct) bool {
	b := a.bearingOf(args, s, tool)
	if tool == Contents && !b.named {
		return true
	}
	return b.wanted && !b.named && s.Tier == Anchored || b.repeats
}

// An answer is where in a result the things are that speak.
type answer struct {
	texts  [maxTexts][]byte // literals
	count  int              // of texts, which may be more than are kept
	data   []byte           // structuredContent
	failed bool             // isError says so
	other  bool             // there is an image, a sound, a resource
}

func answerOf(result []byte) (a answer) {
	if len(result) == 0 || result[0] != '{' || len(result) > maxResult {
		return a
	}
	wire.Object(result, 0, func(key wire.Span, at int) int {
		switch string(label(key.Of(result))) {
		case "content":
			return wire.Array(result, at, func(at int) int {
				var k block
				end := k.read(result, at)
				if string(k.kind.Of(result)) != `"text"` || !k.is(k.text, '"') {
					a.other = true
				} else {
					if a.count < maxTexts {
						a.texts[a.count] = k.text.Of(result)
					}
					a.count++
				}
				return end
			})
		case "structuredContent":
			end := wire.Past(result, at)
			if a.data = result[at:end]; hollow(a.data) {
				a.data = nil
			}
			return end
		case "isError":
			a.failed = a.failed || result[at] != 'f'
		}
		return wire.Past(result, at)
	})
	return a
}

// suspicion is that of structuredContent if it is there: it is what most clients
// show. All texts have to be errors for the result to be one.
func (a *answer) suspicion(valid bool) Suspicion {
	if a.data != nil {
		if len(a.data) > maxJSON {
			return Suspicion{}
		}
		if text := wrapped(a.data); text != nil {
			// Python's SDK wraps a text so and says in the outputSchema that it does.
			// That it fits says nothing then.
			return textSuspicion(text)
		}
		return objectSuspicion(a.data)
	}
	if valid {
		return Suspicion{}
	}
	var first Suspicion
	for n, lit := range a.texts[:a.count] {
		s := textSuspicion(lit)
		if s.Tier == None {
			return s
		}
		if n == 0 || s.Tier < first.Tier {
			first = s
		}
	}
	return first
}

// wrapped returns the string that is the one member of an object.
func wrapped(object []byte) (text []byte) {
	members := 0
	for key, at := range wire.Members(object) {
		if members++; string(key.Of(object)) == `"result"` && object[at.Start] == '"' {
			text = at.Of(object)
		}
	}
	if members != 1 {
		return nil
	}
	return text
}

// textSuspicion looks at a text's literal, and decodes it only if it begins like
// something that may be an error.
func textSuspicion(lit []byte) Suspicion {
	inside := lead(lit)
	if len(inside) == 0 {
		return Suspicion{}
	}
	switch c := inside[0]; {
	case c == '{', c == '[' && begins(inside, '{', '\n', ' '), c == '`':
		if len(inside) > maxJSON || !mentions(inside) && !wraps(inside) {
			return Suspicion{}
		}
		if s, whole := jsonSuspicion(strings.TrimSpace(wire.Unquote(lit))); whole || c == '{' {
			return s
		}
	case c == '<', bytes.HasPrefix(inside, []byte(`\u003c`)), bytes.HasPrefix(inside, []byte(`\u003C`)): // so Go writes it
		return pageSuspicion(opening(inside, maxPage), len(inside))
	}
	if len(inside) > maxJSON {
		return Suspicion{}
	}
	found := heads().mark(inside)
	if found.none() && !traces(inside) {
		return Suspicion{}
	}
	text := strings.TrimSpace(wire.Unquote(lit))
	if text == "" {
		return Suspicion{}
	}
	if traceback(text) {
		return Suspicion{Tier: Structure, Text: raised(text), Rule: "traceback"}
	}
	if s := framed(text); s.Tier > None {
		return s
	}
	if at := strings.Index(text[:min(len(text), maxAnchored)], "\n"+pythons); at >= 0 && traceback(text[at+1:]) {
		// A sentence, and then the traceback that belongs to it.
		if s := headSuspicion(text[:at], found); s.sure {
			s.Tier, s.Rule = Structure, "traceback"
			return s
		}
	}
	if len(text) > maxAnchored {
		return Suspicion{}
	}
	return headSuspicion(text, found)
}

// begins reports whether the second character is one of those: a list of objects,
// where [ERROR] is a text.
func begins(inside []byte, seconds ...rune) bool {
	if len(inside) < 2 {
		return false
	}
	r, _ := wire.Char(inside[1:])
	return slices.Contains(seconds, r)
}

// mentions reports whether a word is in a JSON text without which it is no error:
// most objects need not be decoded.
func mentions(inside []byte) bool {
	for _, part := range [...]string{"rr", "RR", "false", "False", "ail", "xcept", "ault", "essage", "msg", "__type", "TYPE"} {
		if bytes.Contains(inside, []byte(part)) {
			return true
		}
	}
	return false
}

// wraps reports an object that may hold nothing but a text or another object.
func wraps(inside []byte) bool {
	first := inside[:min(len(inside), 24)]
	for _, key := range [...]string{"result", "response", "output", "data"} {
		if bytes.Contains(first, []byte(key)) {
			return true
		}
	}
	return false
}

// lead returns the inside of a literal from its first visible character on.
func lead(lit []byte) []byte {
	inside := lit[1 : len(lit)-1]
	for len(inside) > 0 {
		switch r, n := wire.Char(inside); {
		case r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\ufeff':
			inside = inside[n:]
		default:
			return inside
		}
	}
	return nil
}

// opening decodes about the first n bytes of a literal's inside.
func opening(inside []byte, n int) string {
	cut := min(len(inside), n)
	for cut < len(inside) && cut > 0 && inside[cut-1] == '\\' {
		cut--
	}
	var b strings.Builder
	b.Grow(cut)
	for text := inside[:cut]; len(text) > 0; {
		r, size := wire.Char(text)
		b.WriteRune(r)
		text = text[size:]
	}
	return b.String()
}

// headSuspicion looks how a short text begins.
func headSuspicion(text string, found mark) Suspicion {
	first, rest, _ := strings.Cut(text, "\n")
	raw, rest := strings.TrimSpace(first), strings.TrimRight(rest, "\r\n ")
	line := raw
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + " …"
	}
	if s := ledger(text); s.Tier > None {
		return s
	}
	if body, ok := headed(raw, rest); ok {
		s := headSuspicion(body, heads().mark([]byte(body)))
		s.Text = text
		return s
	}
	h := heads().find(found, undress(line), line)
	if h == nil || noted(raw, rest) || lined(raw, rest) || clean(line) || laid(text) || partial(text) || explains(text) || bygone(text) {
		return Suspicion{}
	}
	s := Suspicion{Tier: Anchored, Text: text, Rule: h.name, sure: h.sure}
	if h.weak || !h.sure && len(text) > maxShort {
		s.Tier = Weak
	}
	return s
}
