package redact

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
)

// A prefix begins tokens of one issuer.
type prefix struct {
	text  string
	least int // characters after it
	form  form
}

// A form is what the characters after a prefix have besides their number. It tells
// a token from a name in code or CSS.
type form int

const (
	free    form = iota // letters, digits, _, - and .
	numeral             // one of them is a digit
	mixed               // a digit, a capital and a small letter are among them
	hex                 // hexadecimal digits only
	base64s             // as mixed, and + / = may follow
)

// issuers are the published forms of tokens, from what their issuers document,
// the patterns that GitHub scans for, and the rules of gitleaks. The lengths are
// lower bounds: issuers lengthen their tokens, and logs cut them.
var issuers = [...]prefix{
	// Clouds, and what runs on them.
	{"AKIA", 16, free}, {"ASIA", 16, free}, {"ABIA", 16, free}, {"ACCA", 16, free}, {"ABSK", 40, base64s}, // AWS
	{"AIza", 20, free}, {"ya29.", 16, free}, {"GOCSPX-", 16, free}, // Google
	{"dop_v1_", 16, free}, {"doo_v1_", 16, free}, {"dor_v1_", 16, free}, // DigitalOcean
	{"dapi", 32, numeral}, {"HRKU-", 30, free}, {"fo1_", 30, numeral}, {"fm2_", 40, base64s}, {"nfp_", 30, numeral}, {"rnd_", 24, mixed},
	{"pul-", 40, hex}, {"hvs.", 20, numeral}, {"hvb.", 20, numeral}, {"hvr.", 20, numeral}, {"tskey-", 16, numeral},
	{"dp.pt.", 30, numeral}, {"dp.st.", 30, numeral}, {"dp.ct.", 30, numeral}, {"dp.sa.", 30, numeral}, // Doppler
	// Code, packages and their services.
	{"ghp_", 10, free}, {"gho_", 10, free}, {"ghu_", 10, free}, {"ghs_", 10, free}, {"ghr_", 10, free}, {"github_pat_", 10, free},
	{"glpat-", 10, free}, {"gldt-", 16, numeral}, {"glrt-", 16, numeral}, {"glcbt-", 16, numeral}, {"glptt-", 16, numeral},
	{"glft-", 16, numeral}, {"glsoat-", 16, numeral}, {"gloas-", 16, numeral}, {"glagent-", 16, numeral}, {"glimt-", 16, numeral}, // GitLab
	{"npm_", 20, numeral}, {"pypi-", 20, numeral}, {"rubygems_", 32, hex}, {"dckr_pat_", 16, free}, {"dckr_oat_", 16, free},
	{"sgp_", 32, numeral}, {"squ_", 32, hex}, {"sqp_", 32, hex}, {"sqa_", 32, hex}, {"bkua_", 32, hex}, {"CCIPAT_", 30, numeral},
	{"sntrys_", 30, base64s}, {"sntryu_", 32, hex}, {"NRAK-", 20, free}, {"glsa_", 30, numeral}, {"glc_", 32, base64s}, {"dt0c01.", 20, free},
	{"PMAK-", 20, numeral}, {"rdme_", 40, numeral}, {"pnu_", 30, mixed},
	// Data.
	{"sbp_", 20, numeral}, {"napi_", 30, numeral}, {"pscale_tkn_", 30, numeral}, {"pscale_pw_", 30, numeral}, {"pscale_oauth_", 30, numeral},
	// Models, and search for them.
	{"sk-ant-", 8, free}, {"sk-proj-", 8, free}, {"sk-", 16, numeral}, {"sess-", 32, mixed}, {"gsk_", 20, numeral}, {"hf_", 20, numeral},
	{"xai-", 20, numeral}, {"pplx-", 20, numeral}, {"pcsk_", 20, numeral}, {"r8_", 20, numeral}, {"nvapi-", 20, numeral}, {"tgp_v1_", 30, numeral},
	{"lsv2_pt_", 20, numeral}, {"lsv2_sk_", 20, numeral}, {"jina_", 32, numeral}, {"tvly-", 16, numeral}, {"fc-", 28, numeral},
	{"ctx7sk-", 20, numeral}, {"apify_api_", 16, numeral}, {"bb_live_", 20, numeral}, {"e2b_", 32, hex}, {"sk_", 40, hex},
	// Talk and mail.
	{"xoxb-", 10, free}, {"xoxa-", 10, free}, {"xoxp-", 10, free}, {"xoxr-", 10, free}, {"xoxs-", 10, free}, {"xoxe.", 10, free},
	{"xoxe-", 10, free}, {"xoxc-", 10, free}, {"xoxd-", 10, free}, {"xapp-", 10, numeral}, // Slack
	{"SG.", 20, numeral}, {"key-", 32, hex}, {"xkeysib-", 40, numeral}, {"xsmtpsib-", 40, numeral}, {"re_", 30, mixed}, {"mlsn.", 40, hex},
	// Work and money.
	{"ATATT3", 16, free}, {"ATCTT3", 16, free}, {"lin_api_", 16, numeral}, {"lin_oauth_", 16, numeral}, {"ntn_", 20, numeral}, {"secret_", 32, numeral},
	{"figd_", 16, numeral}, {"CFPAT-", 30, free}, {"shpat_", 16, numeral}, {"shpca_", 16, numeral}, {"shppa_", 16, numeral}, {"shpss_", 16, numeral},
	{"sk_live_", 10, free}, {"sk_test_", 10, numeral}, {"rk_live_", 10, free}, {"rk_test_", 10, numeral}, {"whsec_", 16, base64s},
	{"sq0atp-", 20, free}, {"sq0csp-", 20, free}, {"rzp_live_", 12, mixed}, {"duffel_live_", 30, free}, {"shippo_live_", 30, hex},
	{"AGE-SECRET-KEY-", 16, free}, {"ops_eyJ", 40, base64s},
}

// A placed prefix has its first punctuation at head.
type placed struct {
	prefix
	head int
}

// prefixes are the issuers by their first punctuation and the byte before it;
// wordPrefixes those without any, by their first byte. Longer ones come first, for
// one may begin with another.
var prefixes, wordPrefixes = func() (by [4]['z' + 1][]placed, words ['z' + 1][]placed) {
	sorted := slices.SortedFunc(slices.Values(issuers[:]), func(a, b prefix) int { return cmp.Compare(len(b.text), len(a.text)) })
	for _, p := range sorted {
		head := 2
		for head < len(p.text) && alnum(p.text[head]) {
			head++
		}
		if head == len(p.text) {
			words[p.text[0]] = append(words[p.text[0]], placed{p, head})
			continue
		}
		list := &by[p.text[head]&3][p.text[head-1]]
		*list = append(*list, placed{p, head})
	}
	return by, words
}()

// beforehand holds, for each of the lists above, a set of the bytes one further before.
var beforehand = func() (t [4]['z' + 1]uint32) {
	for mark := range prefixes {
		for last, list := range prefixes[mark] {
			for _, p := range list {
				t[mark][last] |= bit(p.text[p.head-2])
			}
		}
	}
	return t
}()

// prefixed returns the token of a known issuer that begins at from or later, and
// has the first punctuation of its prefix at i: one of - . _, which differ in their
// last two bits.
func prefixed(s string, i, from int) span {
	mark := s[i] & 3
	if i < from+2 || s[i-1] > 'z' || beforehand[mark][s[i-1]]&bit(s[i-2]) == 0 {
		return span{}
	}
	list := prefixes[mark][s[i-1]]
	for k := range list {
		p := &list[k]
		if start := i - p.head; start >= from && s[start] == p.text[0] && strings.HasPrefix(s[start:], p.text) {
			if sp := p.token(s, start); sp.end > 0 {
				return sp
			}
		}
	}
	return span{}
}

// issued returns the token at i that begins with one of the wordPrefixes of s[i].
func issued(s string, i int) span {
	list := wordPrefixes[s[i]]
	for k := range list {
		if p := &list[k]; s[i+1] == p.text[1] && strings.HasPrefix(s[i:], p.text) {
			return p.token(s, i)
		}
	}
	return span{}
}

// token returns the token at i, which begins with p.
func (p prefix) token(s string, i int) span {
	const near = 64 // a token shows its form by then
	start := i + len(p.text)
	end := start
	var seen form // bits: 1 digit, 2 capital, 4 small letter
	for end < len(s) && p.admits(s[end]) && (end < start+near || p.formed(seen)) {
		switch c := s[end]; {
		case digit(c):
			seen |= 1
		case upper(c):
			seen |= 2
		case lower(c):
			seen |= 4
		}
		end++
	}
	if end-start < p.least || !p.formed(seen) || !wordStart(s, i) {
		return span{}
	}
	if p.form == hex && end < len(s) && base64url(s[end]) && s[end] != '-' && s[end] != '_' {
		return span{}
	}
	return span{i, end}
}

// admits reports whether c may follow p.
func (p prefix) admits(c byte) bool {
	switch p.form {
	case hex:
		return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
	case base64s:
		return bearerByte(c)
	}
	return base64url(c) || c == '.'
}

// formed reports whether characters of the kinds seen are what p wants.
func (p prefix) formed(seen form) bool {
	switch p.form {
	case numeral:
		return seen&1 != 0
	case mixed, base64s:
		return seen == 7
	}
	return true
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
