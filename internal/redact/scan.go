package redact

import "strings"

// scan returns the parts of s that are secret by their look or by the name
// before them, in order.
func scan(s string) []span {
	found := signs(s)
	if more := append(literals(s), encodings(s)...); more != nil {
		return merge(append(found, more...))
	}
	return found
}

// rare reports whether s holds what literals and encodings begin with. No hint tells
// of these: one more costs all that have none.
func rare(s string) bool { return strings.IndexByte(s, '\'') >= 0 || strings.IndexByte(s, '%') >= 0 }

// signs returns those that one of the hints leads to.
func signs(s string) []span {
	var found []span
	for i, done := 0, 0; ; {
		// Nothing begins with the last byte.
		if i += hint(s[i:]); i >= len(s)-1 {
			return found
		}
		sp := secretAt(s, i, done)
		if sp.end <= i {
			i++
			continue
		}
		if !hidden(s[sp.start:sp.end]) {
			found = append(found, sp)
		}
		i, done = sp.end, sp.end
	}
}

// hidden reports whether nothing is left to hide in part.
func hidden(part string) bool { return part == "" || part == mark || part == keyMark }

// secretAt returns the secret that is told by s[i], or the zero span. It looks
// ahead over what it returns and over a bounded number of bytes else, and back
// not further than from.
func secretAt(s string, i, from int) span {
	switch s[i] {
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			return address(s, i)
		}
		if s[i+1] == 'A' {
			return botToken(s, i, from)
		}
		return assigned(s, i)
	case '=':
		return assigned(s, i)
	case '>':
		return element(s, i)
	case '-':
		if sp := prefixed(s, i, from); sp.end > 0 {
			return sp
		}
		if s[i+1] == '-' && strings.HasPrefix(s[i:], "-----BEGIN ") {
			return privateKey(s, i)
		}
		return flag(s, i)
	case '_':
		return prefixed(s, i, from)
	case '.':
		if parted(s, i) {
			return dotted(s, i, from)
		}
		return prefixed(s, i, from)
	case 'J':
		if i-2 >= from && wordStart(s, i-2) {
			return webToken(s, i-2)
		}
	case 'b', 'B':
		if wordStart(s, i) {
			return scheme(s, i)
		}
	case 'A', 'd':
		return issued(s, i)
	}
	return span{}
}

// wordStart reports whether a word of ASCII begins at i: many languages put no
// space before it. The letter of an escape, as in a literal \n, and the digits of a
// %3D are no part of the word.
func wordStart(s string, i int) bool {
	if i == 0 || !alnum(s[i-1]) || s[i-1] >= 0x80 {
		return true
	}
	return i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrtbf", s[i-1]) >= 0 || i >= 3 && s[i-3] == '%'
}

// address returns what is secret of the URL whose "://" is at i: its userinfo, or all
// of its path.
func address(s string, i int) span {
	if sp := userinfo(s, i); sp.end > 0 {
		return sp
	}
	return hook(s, i)
}

// userinfo returns what stands between "://" at i and the @ before the host.
// An unescaped slash in a password is forgiven if no port could end there.
func userinfo(s string, i int) span {
	const far = 256
	start, at, colon := i+3, -1, -1
	limit := min(len(s), start+far)
	end := start
	for end < limit && !urlEnd(s[end]) && s[end] != '/' && s[end] != '?' && s[end] != '#' {
		switch s[end] {
		case '@':
			at = end
		case ':':
			colon = end
		}
		end++
	}
	if at < 0 && colon >= 0 && end < limit && !urlEnd(s[end]) && s[start] != '[' && strings.Trim(s[colon+1:end], "0123456789") != "" {
		for ; end < limit && !urlEnd(s[end]); end++ {
			if s[end] == '@' {
				at = end
			}
		}
	}
	if i == 0 || !alnum(s[i-1]) || at <= start {
		return span{}
	}
	return span{start, at}
}

// urlEnd reports whether c ends a URL in running text.
func urlEnd(c byte) bool {
	return c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c == '\\'
}

// element returns the content of a secretly named XML element whose start tag
// ends at i.
func element(s string, i int) span {
	name := s[nameStart(s, i):i]
	open := i - len(name) - 1
	if open < 0 || s[open] != '<' || !SecretName(name) {
		return span{}
	}
	n := strings.IndexByte(s[i+1:], '<')
	if n <= 0 || !strings.HasPrefix(s[i+1+n:], "</") {
		return span{}
	}
	return span{i + 1, i + 1 + n}
}
