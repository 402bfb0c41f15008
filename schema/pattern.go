package schema

import (
	"regexp"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxMatch is how long one pattern that needs backtracking may take. The engine
// looks at a clock that ticks every 100 ms, so it can be as much longer.
const maxMatch = 50 * time.Millisecond

// A pattern is a JavaScript regular expression. Nearly all that schemas contain
// mean the same to Go's own engine, which takes linear time and is quicker; the
// rest go to one that backtracks, with a limit.
type pattern struct {
	source  string
	linear  *regexp.Regexp
	general *regexp2.Regexp
}

func compilePattern(source string) (jsonschema.Regexp, error) {
	if common, ok := translate(source); ok {
		if re, err := regexp.Compile(common); err == nil {
			return &pattern{source: source, linear: re}, nil
		}
	}
	re, err := regexp2.Compile(source, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		// Names of scripts and the like, which the engine knows only so.
		re, err = regexp2.Compile(source, regexp2.Unicode)
	}
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = maxMatch
	return &pattern{source: source, general: re}, nil
}

func (p *pattern) String() string { return p.source }

// MatchString makes a pattern a [jsonschema.Regexp]. What can't be decided
// counts as a match.
func (p *pattern) MatchString(s string) bool {
	matched, decided := p.match(s)
	return matched || !decided
}

func (p *pattern) match(s string) (matched, decided bool) {
	if p.linear != nil {
		return p.linear.MatchString(s), true
	}
	matched, err := p.general.MatchString(s)
	return matched, err == nil
}

// translate returns what a JavaScript pattern is in Go, unless it uses anything
// that Go lacks or understands otherwise.
func translate(source string) (string, bool) {
	var b strings.Builder
	class := false
	for i := 0; i < len(source); i++ {
		ch := source[i]
		switch {
		case ch == '\\':
			if i++; i == len(source) {
				return "", false
			}
			switch next := source[i]; {
			case strings.IndexByte("dDwWtnrfv", next) >= 0, !class && (next == 'b' || next == 'B'):
			case next == 's' && class:
				b.WriteString(space)
				continue
			case next == 's':
				b.WriteString("[" + space + "]")
				continue
			case next < 0x80 && strings.IndexByte(`^$\.*+?()[]{}|/-`, next) < 0:
				return "", false
			case next == '/':
				b.WriteByte('/')
				continue
			}
			b.WriteByte('\\')
			b.WriteByte(source[i])
		case class:
			if ch == '[' { // Go reads [:alpha:]
				b.WriteByte('\\')
			}
			b.WriteByte(ch)
			class = ch != ']'
		case ch == '[':
			rest := source[i+1:]
			if strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, "^]") {
				return "", false
			}
			class = true
			b.WriteByte(ch)
		case ch == '(' && strings.HasPrefix(source[i+1:], "?") && !strings.HasPrefix(source[i+1:], "?:"):
			return "", false
		case ch == '.':
			b.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		default:
			b.WriteByte(ch)
		}
	}
	return b.String(), true
}

// space is what \s matches in JavaScript.
const space = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
