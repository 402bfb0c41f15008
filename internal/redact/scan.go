package redact

import "strings"

// scan returns the parts of s that are secret by their look or by the name
// before them, in order.
func scan(s string) []span {
	var found []span
	// Nothing begins with the last byte. Locals and one test for each pair of
	// bytes: this loop sees every byte that is logged.
	for i, last := 0, len(s)-1; i < last; {
		second := starts[s[i]]
		if second&folded[s[i+1]] == 0 || second != always && !wordStart(s, i) {
			i++
			continue
		}
		sp := secretAt(s, i)
		if sp.end <= i {
			i++
			continue
		}
		if p := s[sp.start:sp.end]; p != "" && p != mark && p != keyMark {
			found = append(found, sp)
		}
		i = sp.end
	}
	return found
}

const always = ^uint32(0)

// starts holds, for each byte at which a secret or what introduces it can
// begin, a set of the bytes that may follow.
var starts = func() (t [256]uint32) {
	for _, first := range prefixes {
		for _, p := range first {
			t[p.text[0]] |= bit(p.text[1])
		}
	}
	for _, word := range []string{"eyJ", "bearer", "Bearer", "basic", "Basic"} {
		t[word[0]] |= bit(word[1])
	}
	for _, c := range "=:->" {
		t[c] = always
	}
	return t
}()

// folded holds bit of every byte: a load costs less than a shift.
var folded = func() (t [256]uint32) {
	for c := range t {
		t[c] = bit(byte(c))
	}
	return t
}()

// bit folds a letter of either case to one of 32 bits.
func bit(c byte) uint32 { return 1 << (c & 31) }

// secretAt returns the secret introduced at s[i], or the zero span. It looks
// ahead over what it returns and over a bounded number of bytes else.
func secretAt(s string, i int) span {
	switch s[i] {
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			return userinfo(s, i)
		}
		return assigned(s, i)
	case '=':
		return assigned(s, i)
	case '>':
		return element(s, i)
	case '-':
		if strings.HasPrefix(s[i:], "-----BEGIN ") {
			return privateKey(s, i)
		}
		return flag(s, i)
	case 'e':
		return webToken(s, i)
	case 'b', 'B':
		return scheme(s, i)
	}
	return prefixed(s, i)
}

// wordStart reports whether a word begins at i. The letter of an escape, as in
// a literal \n, and the digits of a %3D are no part of the word.
func wordStart(s string, i int) bool {
	if i == 0 || !alnum(s[i-1]) {
		return true
	}
	return i >= 2 && s[i-2] == '\\' && strings.IndexByte("nrtbf", s[i-1]) >= 0 || i >= 3 && s[i-3] == '%'
}

// userinfo returns what stands between "://" at i and the @ before the host.
// An unescaped slash in a password is forgiven if no port could end there.
func userinfo(s string, i int) span {
	const far = 256
	start, at, colon := i+3, -1, -1
	limit := min(len(s), start+far)
	end := start
	for end < limit && !urlEnd(s[end]) && strings.IndexByte("/?#", s[end]) < 0 {
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
