package redact

import "strings"

// A value is what follows a secret name in running text.
type value struct {
	name   string
	quoted bool // the name was in quotes: JSON or the like
	colon  bool // after a colon, where prose is possible
	flag   bool // after a command line flag
}

// after returns the value that begins at or after s[at].
func (v value) after(s string, at int) span {
	for at < len(s) && (s[at] == ' ' || s[at] == '\t' || v.quoted && (s[at] == '\n' || s[at] == '\r')) {
		at++
	}
	open := at
	for open < len(s) && s[open] == '\\' {
		open++
	}
	switch {
	case open < len(s) && isQuote(s[open]):
		body := v.skipScheme(s, open+1)
		return span{body, closing(s, body, s[open], open-at)}
	case at < len(s) && v.quoted && (s[at] == '{' || s[at] == '['):
		return span{at, balanced(s, at)}
	}
	return v.run(s, at)
}

// skipScheme returns the end of "Bearer " and the like at s[at]: what kind of
// credential was sent may be read.
func (v value) skipScheme(s string, at int) int {
	end := at
	for end < len(s) && end < at+20 && (alnum(s[end]) || s[end] == '-') {
		end++
	}
	if end == len(s) || s[end] != ' ' {
		return at
	}
	switch strings.ToLower(s[at:end]) {
	case "bearer", "basic", "token", "digest", "negotiate", "apikey", "aws4-hmac-sha256":
		for end < len(s) && s[end] == ' ' {
			end++
		}
		return end
	}
	return at
}

// closing returns where a string opened by n backslashes and a quote ends. Each
// level of escaping turns n backslashes into 2n+1, so a quote that belongs to
// the string has other numbers of them. A string without an end, as in a text
// that was cut, reaches to the end of s.
func closing(s string, at int, quote byte, n int) int {
	slashes := 0
	for i := at; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			slashes++
			continue
		case s[i] == quote && (slashes < n || (slashes-n)%(2*n+2) == 0):
			return i - min(n, slashes)
		}
		slashes = 0
	}
	return len(s)
}

// balanced returns the end of the object or array that begins at s[at].
func balanced(s string, at int) int {
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(s)
}

// run returns the unquoted value at s[at].
func (v value) run(s string, at int) span {
	start := v.skipScheme(s, at)
	end := word(s, start)
	for v.listed() && end < len(s) && (s[end] == ',' || s[end] == ';') && end+1 < len(s) && s[end+1] == ' ' {
		end = word(s, end+2)
	}
	for end > start && strings.IndexByte(")]}>.,:\\", s[end-1]) >= 0 {
		end--
	}
	sp := whole(s, span{start, end})
	if v.said(s, sp) {
		return span{}
	}
	return sp
}

// whole ends a value that begins with a mark behind it: its bracket is no end of
// a word, and what follows was left there on purpose.
func whole(s string, sp span) span {
	for _, m := range [...]string{mark, keyMark} {
		if strings.HasPrefix(s[sp.start:], m) {
			sp.end = sp.start + len(m)
		}
	}
	return sp
}

// listed reports whether a header of this name holds several pairs.
func (v value) listed() bool {
	name := strings.ToLower(v.name)
	return v.colon && (strings.HasSuffix(name, "cookie") || strings.HasSuffix(name, "authorization"))
}

// word returns the end of a word at s[at]. A separator ends it only if something
// new begins behind: passwords contain separators.
func word(s string, at int) int {
	for i := at; i < len(s); i++ {
		switch c := s[i]; {
		case c <= ' ' || isQuote(c):
			return i
		case c == '&' || c == ';' || c == ',':
			next := i + 1
			for next < len(s) && next < i+64 && ident(s[next]) {
				next++
			}
			if next == len(s) || next == i+1 && (s[next] <= ' ' || isQuote(s[next])) || s[next] == '=' || s[next] == ':' {
				return i
			}
		case c == '<' && strings.HasPrefix(s[i:], "</"):
			return i
		}
	}
	return len(s)
}

// said reports whether sp is no secret but words about one: "token: expired",
// "auth: dial tcp", "--token is required", "--token <token>".
func (v value) said(s string, sp span) bool {
	text := s[sp.start:sp.end]
	switch strings.ToLower(text) {
	case "", "true", "false", "null", "none", "nil", "undefined", "empty", "unset", "redacted", "hidden",
		"must", "is", "are", "was", "has", "have", "had", "not", "no", "to", "for", "or", "and", "with", "in", "as",
		"the", "a", "an", "of", "at", "should", "cannot", "can", "could", "may", "will", "does", "too", "if", "when",
		"expected", "unexpected", "required", "missing", "invalid", "expired", "malformed", "incorrect", "wrong",
		"denied", "failed", "unknown", "bad", "unauthorized", "forbidden", "error", "value", "flag", "option",
		"string", "number", "boolean", "str", "int", "bool":
		return true
	}
	if tag, _, _ := strings.Cut(text, ">"); strings.HasPrefix(tag, "<") && isName(tag[1:]) {
		return true // what is in an element is another's to judge
	}
	if !v.colon || v.quoted {
		return false
	}
	name := strings.ToLower(v.name)
	if name == "pass" {
		return true
	}
	if strings.Contains(name, "pass") || strings.Contains(name, "pwd") {
		return false
	}
	plain := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
	next := sp.end
	return plain && len(text) <= 16 && next+1 < len(s) && s[next] == ' ' && alnum(s[next+1])
}

// isName reports whether s is all letters, underscores and hyphens.
func isName(s string) bool {
	for i := range len(s) {
		if !letter(s[i]) && s[i] != '_' && s[i] != '-' {
			return false
		}
	}
	return true
}
