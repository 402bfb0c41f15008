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

// prefixes are the published forms of tokens, by first letter.
var prefixes = ['z' + 1][]prefix{
	'A': {{"AKIA", 16, false}, {"ASIA", 16, false}, {"AIza", 20, false}, {"ATATT3", 16, false}, {"AGE-SECRET-KEY-", 16, false}},
	'G': {{"GOCSPX-", 16, false}},
	'S': {{"SG.", 20, true}},
	'a': {{"apify_api_", 16, true}},
	'd': {{"dop_v1_", 16, false}, {"dckr_pat_", 16, false}, {"dapi", 32, true}},
	'f': {{"figd_", 16, true}, {"fc-", 28, true}},
	'g': {{"ghp_", 10, false}, {"gho_", 10, false}, {"ghu_", 10, false}, {"ghs_", 10, false}, {"ghr_", 10, false},
		{"github_pat_", 10, false}, {"glpat-", 10, false}, {"gldt-", 16, true}, {"glrt-", 16, true}, {"gsk_", 20, true}},
	'h': {{"hf_", 20, true}, {"hvs.", 20, true}},
	'l': {{"lin_api_", 16, true}},
	'n': {{"npm_", 20, true}, {"nvapi-", 20, true}, {"ntn_", 20, true}},
	'p': {{"pypi-", 20, true}, {"pplx-", 20, true}, {"pcsk_", 20, true}},
	'r': {{"rk_live_", 10, false}, {"rk_test_", 10, true}, {"r8_", 20, true}},
	's': {{"sk-ant-", 8, false}, {"sk-proj-", 8, false}, {"sk-", 16, true}, {"sk_live_", 10, false}, {"sk_test_", 10, true},
		{"shpat_", 16, true}, {"sbp_", 20, true}, {"secret_", 32, true}},
	't': {{"tvly-", 16, true}},
	'w': {{"whsec_", 16, true}},
	'x': {{"xoxb-", 10, false}, {"xoxa-", 10, false}, {"xoxp-", 10, false}, {"xoxr-", 10, false}, {"xoxs-", 10, false},
		{"xoxe.", 10, false}, {"xapp-", 10, true}, {"xai-", 20, true}},
	'y': {{"ya29.", 16, false}},
}

// prefixed returns the token of a known issuer at i.
func prefixed(s string, i int) span {
	const near = 64 // a token shows its digit by then
	for _, p := range prefixes[s[i]] {
		if !strings.HasPrefix(s[i:], p.text) {
			continue
		}
		start := i + len(p.text)
		end, digits := start, false
		for end < len(s) && (base64url(s[end]) || s[end] == '.') && (digits || !p.digit || end < start+near) {
			digits = digits || digit(s[end])
			end++
		}
		if end-start >= p.least && (digits || !p.digit) {
			return span{i, end}
		}
	}
	return span{}
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
