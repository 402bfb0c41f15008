package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// A prefix begins tokens of one issuer.
type prefix struct {
	text  string
	least int  // characters after it
	digit bool // one of them is a digit: tells a token from a name in code or CSS
}

// prefixes are the published forms of tokens, by the byte before their first
// punctuation. Where one begins with another, the longer one comes first.
var prefixes = ['z' + 1][]prefix{
	'8': {{"r8_", 20, true}},
	'9': {{"ya29.", 16, false}},
	'E': {{"AGE-SECRET-KEY-", 16, false}},
	'G': {{"SG.", 20, true}},
	'X': {{"GOCSPX-", 16, false}},
	'a': {{"xoxa-", 10, false}},
	'b': {{"github_pat_", 10, false}, {"xoxb-", 10, false}},
	'c': {{"fc-", 28, true}, {"whsec_", 16, true}},
	'd': {{"figd_", 16, true}},
	'e': {{"xoxe.", 10, false}},
	'f': {{"hf_", 20, true}},
	'i': {{"nvapi-", 20, true}, {"pypi-", 20, true}, {"xai-", 20, true}},
	'k': {{"gsk_", 20, true}, {"pcsk_", 20, true}, {"rk_live_", 10, false}, {"rk_test_", 10, true}, {"sk-ant-", 8, false}, {"sk-proj-", 8, false}, {"sk-", 16, true}, {"sk_live_", 10, false}, {"sk_test_", 10, true}},
	'm': {{"npm_", 20, true}},
	'n': {{"lin_api_", 16, true}, {"ntn_", 20, true}},
	'o': {{"gho_", 10, false}},
	'p': {{"dop_v1_", 16, false}, {"ghp_", 10, false}, {"sbp_", 20, true}, {"xoxp-", 10, false}, {"xapp-", 10, true}},
	'r': {{"dckr_pat_", 16, false}, {"ghr_", 10, false}, {"xoxr-", 10, false}},
	's': {{"ghs_", 10, false}, {"hvs.", 20, true}, {"xoxs-", 10, false}},
	't': {{"glpat-", 10, false}, {"gldt-", 16, true}, {"glrt-", 16, true}, {"shpat_", 16, true}, {"secret_", 32, true}},
	'u': {{"ghu_", 10, false}},
	'x': {{"pplx-", 20, true}},
	'y': {{"apify_api_", 16, true}, {"tvly-", 16, true}},
}

// wordPrefixes are those without punctuation, by their first byte.
var wordPrefixes = ['d' + 1][]prefix{
	'A': {{"AKIA", 16, false}, {"ASIA", 16, false}, {"AIza", 20, false}, {"ATATT3", 16, false}},
	'd': {{"dapi", 32, true}},
}

// beforehand holds, for each byte with prefixes, a set of the bytes before it.
var beforehand = func() (t [len(prefixes)]uint32) {
	for last, list := range prefixes {
		for _, p := range list {
			t[last] |= bit(p.text[p.head()-2])
		}
	}
	return t
}()

// head returns the place of the first punctuation of p.
func (p prefix) head() int {
	i := 2
	for alnum(p.text[i]) {
		i++
	}
	return i
}

// prefixed returns the token of a known issuer that begins at from or later, and
// has the first punctuation of its prefix at i.
func prefixed(s string, i, from int) span {
	if i < from+2 || int(s[i-1]) >= len(prefixes) || beforehand[s[i-1]]&bit(s[i-2]) == 0 {
		return span{}
	}
	for _, p := range prefixes[s[i-1]] {
		if start := i - p.head(); start >= from && strings.HasPrefix(s[start:], p.text) {
			if sp := p.token(s, start); sp.end > 0 {
				return sp
			}
		}
	}
	return span{}
}

// issued returns the token at i that begins with one of the wordPrefixes of s[i].
func issued(s string, i int) span {
	for _, p := range wordPrefixes[s[i]] {
		if s[i+1] == p.text[1] && strings.HasPrefix(s[i:], p.text) {
			return p.token(s, i)
		}
	}
	return span{}
}

// token returns the token at i, which begins with p.
func (p prefix) token(s string, i int) span {
	const near = 64 // a token shows its digit by then
	start := i + len(p.text)
	end, digits := start, false
	for end < len(s) && (base64url(s[end]) || s[end] == '.') && (digits || !p.digit || end < start+near) {
		digits = digits || digit(s[end])
		end++
	}
	if end-start < p.least || p.digit && !digits || !wordStart(s, i) {
		return span{}
	}
	return span{i, end}
}

// bearerByte reports whether c may stand in the token of RFC 6750.
func bearerByte(c byte) bool { return base64url(c) || strings.IndexByte(".+/~=", c) >= 0 }

func base64url(c byte) bool { return lower(c) || upper(c) || digit(c) || c == '_' || c == '-' }

// webToken returns the JSON web token at i.
func webToken(s string, i int) span {
	const header = 512
	if !strings.HasPrefix(s[i:], "eyJ") {
		return span{}
	}
	end := i + 3
	for end < len(s) && end < i+header && base64url(s[end]) {
		end++
	}
	if end < i+10 || end+1 >= len(s) || s[end] != '.' || !base64url(s[end+1]) {
		return span{}
	}
	for end < len(s) && (base64url(s[end]) || s[end] == '.') {
		end++
	}
	return span{i, end}
}

// privateKey returns the PEM block at i if it holds a private key. A block that
// was cut off reaches to the end of s.
func privateKey(s string, i int) span {
	head := s[i+len("-----BEGIN "):]
	head, _, ok := strings.Cut(head[:min(len(head), 64)], "-----")
	if !ok || !strings.Contains(head, "PRIVATE KEY") {
		return span{}
	}
	body := i + len("-----BEGIN ") + len(head) + len("-----")
	_, tail, ok := strings.Cut(s[body:], "-----END "+head+"-----")
	if !ok {
		return span{i, len(s)}
	}
	return span{i, len(s) - len(tail)}
}

// scheme returns the credentials after "Bearer" or "Basic" at i. Without the
// name Authorization before them these are English words too, so what follows
// must not look like one.
func scheme(s string, i int) span {
	const word = len("bearer ")
	switch {
	case len(s)-i > word && strings.EqualFold(s[i:i+word], "bearer "):
		start := i + word
		end, plain := start, true
		for end < len(s) && bearerByte(s[end]) && (!plain || end < start+20) {
			plain = plain && lower(s[end])
			end++
		}
		if plain && end < start+20 || end < start+6 {
			return span{}
		}
		return span{start, end}
	case len(s)-i > word && strings.EqualFold(s[i:i+word-1], "basic "):
		start := i + word - 1
		end := start
		for end < len(s) && end < start+512 && (alnum(s[end]) || strings.IndexByte("+/=", s[end]) >= 0) {
			end++
		}
		pair, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s[start:end], "="))
		if err != nil || bytes.IndexByte(pair, ':') < 0 {
			return span{}
		}
		for end < len(s) && bearerByte(s[end]) {
			end++
		}
		return span{start, end}
	}
	return span{}
}
