package schema

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// maxMatch is how long one pattern that needs backtracking may take. The engine
// looks at a clock that ticks every 100 ms, so it goes on for that much longer.
const maxMatch = 50 * time.Millisecond

// A pattern is a JavaScript regular expression. Nearly all that schemas contain
// mean the same to Go's own engine, which takes linear time and is quicker; the
// rest go to one that backtracks, with a limit. A pattern without either matches all.
type pattern struct {
	source  string
	example string // that matches and shows what is wanted; "" if none is known
	linear  *regexp.Regexp
	states  int // of linear
	general *regexp2.Regexp
	slow    *atomic.Bool // general was given up on: it decides nothing any more
}

// maxStates is how many states all linear patterns of a schema may have, of about
// 100 bytes each: x{1000} alone has a thousand.
const maxStates = 200_000

// patterns returns a compiler for the patterns of one schema. When there are no
// more states, the rest backtrack: they need little room.
func patterns() draft.RegexpEngine {
	left := maxStates
	have := map[string]pattern{} // the draft's own schema asks first
	return func(source string) (draft.Regexp, error) {
		if p, ok := have[source]; ok {
			return &p, nil
		}
		p := pattern{source: source}
		if common, ok := translate(source); ok && left > 0 {
			p.states = states(common)
			if left -= p.states; left > 0 && p.states > 0 {
				p.linear, _ = regexp.Compile(common)
			}
		}
		if p.linear == nil {
			var err error
			if p.general, err = backtracking(source); err != nil {
				if _, e := backtracking(foreign().ReplaceAllStringFunc(source, plainer)); e != nil {
					return nil, err
				}
			}
		}
		if halves().MatchString(source) {
			p.linear, p.general = nil, nil
		}
		p.slow = new(atomic.Bool)
		have[source] = p
		return &p, nil
	}
}

// foreign finds properties of characters by names that the engines lack, and
// Python's names of groups. A pattern that is sound without them is not checked.
var foreign = lazily(`\\[pP]\{[\w=]+\}|\(\?P<\w+>`)

func plainer(s string) string {
	if s[0] == '(' {
		return "(?:"
	}
	return "a"
}

// halves finds the halves of characters, which JavaScript knows without its flag u
// and neither engine has. What such a pattern matches is not decided here.
var halves = lazily(`(?i)\\u\{?d[89a-f][0-9a-f]{2}`)

// states returns the size of a pattern's program; 0 if it has none.
func states(source string) int {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return 0
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 0
	}
	return len(program.Inst)
}

func backtracking(source string) (*regexp2.Regexp, error) {
	re, err := regexp2.Compile(source, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		// Names of scripts and the like, which the engine knows only so.
		re, err = regexp2.Compile(source, regexp2.Unicode)
	}
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = maxMatch
	return re, nil
}

func (p *pattern) String() string { return p.source }

// MatchString makes a pattern a [draft.Regexp]. What can't be decided
// counts as a match.
func (p *pattern) MatchString(s string) bool {
	matched, decided := p.match(s)
	return matched || !decided
}

func (p *pattern) match(s string) (matched, decided bool) {
	if p.linear != nil {
		return p.linear.MatchString(s), true
	}
	if p.general == nil {
		return true, true
	}
	if len(s) <= maxSure {
		matched, err := p.general.MatchString(s)
		return matched, err == nil
	}
	if p.slow.Load() {
		return false, false
	}
	// The engine's own limit has been seen not to come. A match that takes longer is
	// left to it, but waited for no more, and never begun again.
	result := make(chan bool, 1)
	go func() {
		matched, err := p.general.MatchString(s)
		if err != nil {
			p.slow.Store(true)
		}
		result <- matched
	}()
	limit := time.NewTimer(maxMatch)
	defer limit.Stop()
	select {
	case matched = <-result:
		return matched, !p.slow.Load()
	case <-limit.C:
		p.slow.Store(true)
		return false, false
	}
}

// maxSure is the length of a text, in bytes, that no pattern can take long for.
const maxSure = 16

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

// lazily compiles an expression of ours when it is first needed: what imports this
// package pays nothing for it at its start.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
