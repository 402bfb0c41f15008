package schema

import (
	"regexp/syntax"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// maxExample is the length of a made-up example in bytes, and how deep a pattern
// is searched for one.
const maxExample = 40

// illustrate finds an example for the pattern of each schema. Patterns that need
// backtracking get none once it has taken too long.
func illustrate(all map[*draft.Schema]bool) {
	slow := time.Duration(0)
	for s := range all {
		p, ok := s.Pattern.(*pattern)
		if !ok || p.linear == nil && slow > maxMatch {
			continue
		}
		start := time.Now()
		p.example = example(s, p)
		if p.linear == nil {
			slow += time.Since(start)
		}
	}
}

// example returns a text that matches p and so shows what it wants: one of the
// author's, else one made up from the pattern; "" if there is none.
func example(s *draft.Schema, p *pattern) string {
	candidates := slices.Clone(s.Examples[:min(len(s.Examples), maxChoices)])
	if s.Default != nil {
		candidates = append(candidates, *s.Default)
	}
	for _, v := range candidates {
		if text, ok := v.(string); ok && len(text) <= maxExample && text != "" {
			switch matched, decided := p.match(text); {
			case !decided:
				return ""
			case matched:
				return text
			}
		}
	}
	if p.linear == nil {
		return ""
	}
	tree, err := syntax.Parse(p.linear.String(), syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	if !spell(&b, tree, maxExample) || !p.MatchString(b.String()) {
		return ""
	}
	return b.String()
}

// spell writes the plainest text that re matches.
func spell(b *strings.Builder, re *syntax.Regexp, depth int) bool {
	if depth == 0 || b.Len() > maxExample {
		return false
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(plainest(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture, syntax.OpPlus, syntax.OpAlternate:
		return spell(b, re.Sub[0], depth-1)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !spell(b, sub, depth-1) {
				return false
			}
		}
	case syntax.OpRepeat:
		for range re.Min {
			if !spell(b, re.Sub[0], depth-1) {
				return false
			}
		}
	case syntax.OpNoMatch:
		return false
	default: // anchors, and what may be left out
	}
	return true
}

// plainest returns a character of a class, which is given as pairs of bounds.
func plainest(class []rune) rune {
	for _, r := range "1aA0_" {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= r && r <= class[i+1] {
				return r
			}
		}
	}
	if len(class) == 0 {
		return 'a'
	}
	return class[0]
}
