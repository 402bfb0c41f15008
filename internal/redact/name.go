package redact

// SecretName reports whether a value that stands under name is likely a
// secret. It looks at whole words, split at case, digits and punctuation:
// "access_token" and "dbPassword" are secret; "author", "max_tokens",
// "page_token", "primary_key" and "secret_name" are not.
func SecretName(name string) bool {
	if !suspect(name) {
		return false
	}
	const longest = 64 // names of parameters are shorter; their last words decide
	var buf [2 * longest]byte
	text := words(buf[:0], name[max(0, len(name)-longest):])

	secret, asked, count, prevStart, start := false, false, 0, 0, 0
	for end := range len(text) + 1 {
		if end < len(text) && text[end] != ' ' {
			continue
		}
		count++
		word := text[start:end]
		asked = asked || count == 1 && asks(word)
		secret = secret || secretWord(word) || count > 1 && secretPair(text[prevStart:end])
		if end < len(text) {
			prevStart, start = start, end+1
		}
	}
	last := text[start:]
	if count == 1 {
		return secret || lastSecret(last) || shortPassword(last)
	}
	before := text[prevStart : start-1]
	if asked || string(last) == "auth" && string(before) == "password" {
		return false
	}
	if aboutSecret(last) && !(string(last) == "id" && isSession(before)) {
		return false
	}
	return secret || lastSecret(last) && !countsTokens(before) || shortPassword(last) && hasLogin(before)
}

// suspect reports whether name may be secret at all: whether it holds a stem.
func suspect(name string) bool {
	for i := 2; i < len(name); i++ {
		last := bit(name[i])
		if endings[name[i-1]&31]&last != 0 && stems[name[i-2]&31][name[i-1]&31]&last != 0 {
			return true
		}
	}
	n := len(name)
	if n < 3 {
		return false
	}
	switch name[n-1] & 31 {
	case 't' & 31: // "pat" among the stems would hold up every "path"
		return name[n-3]&31 == 'p'&31 && name[n-2]&31 == 'a'&31
	case 'w' & 31:
		return name[n-2]&31 == 'p'&31
	}
	return false
}

// words appends the words of name in lower case with one space between.
func words(dst []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if !letter(c) {
			continue
		}
		if i > 0 && len(dst) > 0 {
			p := name[i-1]
			next := i+1 < len(name) && lower(name[i+1])
			if !letter(p) || upper(c) && (lower(p) || next) {
				dst = append(dst, ' ')
			}
		}
		if upper(c) {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// letters holds the kinds of bytes that names are made of.
var letters = func() (t [256]bool) {
	for c := range 256 {
		t[c] = lower(byte(c)) || upper(byte(c)) || c >= 0x80
	}
	return t
}()

func lower(c byte) bool  { return 'a' <= c && c <= 'z' }
func upper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
func letter(c byte) bool { return letters[c] }
func alnum(c byte) bool  { return letter(c) || digit(c) }

// ident reports whether c may be part of a name in running text.
func ident(c byte) bool { return idents[c] }

var idents = func() (t [256]bool) {
	for c := range t {
		t[c] = alnum(byte(c)) || c == '_' || c == '-' || c == '.'
	}
	return t
}()

// bit folds a letter of either case to one of 32 bits.
func bit(c byte) uint32 { return 1 << (c & 31) }
