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
	inQuery := s[i] == '=' && start > 0 && (s[start-1] == '?' || s[start-1] == '&')
	if name == "" || !SecretName(name) && !(inQuery && signs(name)) {
		return span{}
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
	if name != "-u" && name != "--user" && name != "--proxy-user" {
		return span{}
	}
	pair := v.after(s, at)
	user, password, ok := strings.Cut(s[pair.start:pair.end], ":")
	if !ok || strings.Trim(password, "0123456789") == "" {
		return span{}
	}
	return whole(s, span{pair.start + len(user) + 1, pair.end})
}

// nameStart returns where the name that ends at end begins, at most 64 bytes
// before. The letter of a literal \n before a name does not belong to it.
func nameStart(s string, end int) int {
	start := end
	for start > 0 && end-start < 64 && ident(s[start-1]) {
		start--
	}
	if start > 0 && start < end && s[start-1] == '\\' && strings.IndexByte("nrt", s[start]) >= 0 {
		start++
	}
	return start
}

// signs reports whether name is that of a secret in the query of a URL, where
// people say less than elsewhere.
func signs(name string) bool {
	switch name {
	case "key", "sig", "signature", "access", "sid":
		return true
	}
	return false
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
