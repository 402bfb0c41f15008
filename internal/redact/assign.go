package redact

import "strings"

// assigned returns the value after the = or : at i, if the name before it is
// secret. It reads query strings, shell, .env files, headers, YAML, connection
// strings, and JSON that is itself inside a string, escaped any number of times.
func assigned(s string, i int) span {
	end := i
	for end > 0 && i-end < 8 && (s[end-1] == ' ' || s[end-1] == '\t') {
		end--
	}
	if end > 0 && s[end-1] == ']' {
		end--
	}
	quoted := end > 0 && isQuote(s[end-1])
	if quoted {
		end--
		for end > 0 && s[end-1] == '\\' {
			end--
		}
	}
	start := nameStart(s, end)
	name := s[start:end]
	inQuery := s[i] == '=' && separated(s, start)
	if name == "" || !SecretName(name) && !(inQuery && inURL(name)) {
		return span{}
	}
	if s[i] == ':' && start > 0 && s[start-1] == ':' && i+1 < len(s) && ident(s[i+1]) {
		return span{} // a part of an ARN or of a key of Redis
	}
	v := value{name: name, quoted: quoted, colon: s[i] == ':'}
	at := i + 1
	for at < len(s) && at < i+3 && (s[at] == '=' || s[at] == '>') {
		at++
	}
	return v.after(s, at)
}

// flag returns the value after a secretly named command line flag at i, or the
// password in curl's -u user:password.
func flag(s string, i int) span {
	if i > 0 && alnum(s[i-1]) || i > 0 && (s[i-1] == '-' || s[i-1] == '_' || s[i-1] == '.') {
		return span{}
	}
	end := i
	for end < len(s) && end < i+64 && ident(s[end]) {
		end++
	}
	if sp := password(s, i, end); sp.end > 0 {
		return sp
	}
	name := s[i:end]
	at := end
	for at < len(s) && at < end+4 && (s[at] == '\\' || isQuote(s[at]) || s[at] == ',') {
		at++
	}
	if at == len(s) || s[at] != ' ' && at == end {
		return span{}
	}
	for at < len(s) && s[at] == ' ' {
		at++
	}
	if at < len(s) && s[at] == '-' {
		return span{}
	}
	v := value{name: name, flag: true}
	if SecretName(name) {
		return v.after(s, at)
	}
	if !takesPair(name) {
		return span{}
	}
	pair := v.after(s, at)
	user, ok := pairOf(s[pair.start:pair.end])
	if !ok {
		return span{}
	}
	return whole(s, span{pair.start + len(user) + 1, pair.end})
}

// takesPair reports whether the flag called name takes user:password, as those of curl.
func takesPair(name string) bool {
	return name == "-u" || name == "--user" || name == "--proxy-user"
}

// pairOf returns the user of user:password. What is only digits after the colon is
// no password but a group.
func pairOf(s string) (user string, ok bool) {
	user, password, ok := strings.Cut(s, ":")
	return user, ok && strings.Trim(password, "0123456789") != ""
}

// nameStart returns where the name that ends at end begins, at most 64 bytes
// before. The letter of a literal \n before a name does not belong to it, nor do
// those of a literal \u0026.
func nameStart(s string, end int) int {
	start := end
	for start > 0 && end-start < 64 && ident(s[start-1]) {
		start--
	}
	if start > 0 && start < end && s[start-1] == '\\' {
		switch {
		case strings.IndexByte("nrt", s[start]) >= 0:
			start++
		case s[start] == 'u':
			if _, ok := hex4(s[start+1:]); ok {
				start = min(end, start+5)
			}
		}
	}
	return start
}

// separated reports whether a name that begins at start does so in the query of a URL.
func separated(s string, start int) bool {
	if start > 0 && (s[start-1] == '?' || s[start-1] == '&') {
		return true
	}
	return start >= 6 && s[start-6] == '\\' && (s[start-5:start] == "u0026" || s[start-5:start] == "u003f")
}

// inURL reports whether name is that of a secret in the query of a URL, where
// people say less than elsewhere.
func inURL(name string) bool {
	switch name {
	case "key", "sig", "signature", "access", "sid":
		return true
	}
	return false
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
