package diagnose

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

var ledgers = sync.OnceValue(func() (p struct{ first, pair, plain, title *regexp.Regexp }) {
	p.first = regexp.MustCompile(`(?i)^(error|status|success|ok|result|outcome)\s*:(\s*$|\s+\W{0,4}(true|false|error|failed|failure)\W*$|\s+\S)`)
	p.pair = regexp.MustCompile(`^( *)([A-Za-z][\w -]{0,24}?)\s*:(?:\s+(.*?))?\s*$`)
	p.plain = regexp.MustCompile(`^(-?[1-9]\d{0,8}|true|false|null)$`)
	p.title = regexp.MustCompile(`(?i)^#{1,4} (❌ ?|⚠️? ?|🚫 ?)?(error|failure|failed|an error occurred|request failed|tool error)\W*$`)
	return p
})

// ledger judges a text that is nothing but a few pairs, as YAML writes an object.
func ledger(text string) Suspicion {
	if !strings.Contains(text, "\n") || !ledgers().first.MatchString(text[:strings.IndexByte(text, '\n')]) {
		return Suspicion{}
	}
	object := pairs(text)
	if object == nil {
		return Suspicion{}
	}
	s := objectSuspicion(object)
	if s.Tier < Structure {
		return Suspicion{}
	}
	return Suspicion{Tier: Anchored, Text: text, Rule: s.Rule, sure: true}
}

// pairs returns the object that some lines of pairs are, nil if they are none, or too
// many for an error.
func pairs(text string) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	lines, inside := 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n ")
		m := ledgers().pair.FindStringSubmatch(line)
		if lines++; m == nil || lines > maxLines || m[1] != "" && !inside {
			return nil
		}
		if m[1] == "" && inside {
			b.WriteString("}")
			inside = false
		}
		if c := b.Bytes()[b.Len()-1]; c != '{' {
			b.WriteByte(',')
		}
		b.Write(quote(strings.ReplaceAll(m[2], " ", "_")))
		b.WriteByte(':')
		switch value := m[3]; {
		case value == "" && m[1] == "":
			b.WriteByte('{')
			inside = true
		case ledgers().plain.MatchString(strings.ToLower(value)):
			b.WriteString(strings.ToLower(value))
		default:
			b.Write(quote(strings.Trim(value, `"'`)))
		}
	}
	if inside {
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return b.Bytes()
}

// headed returns the one paragraph under a heading that says no more than that there
// is an error.
func headed(first, rest string) (body string, ok bool) {
	if first[0] != '#' || rest == "" || !ledgers().title.MatchString(first) {
		return "", false
	}
	body = strings.TrimSpace(rest)
	return body, body != "" && len(body) <= maxShort && !strings.Contains(body, "\n")
}
