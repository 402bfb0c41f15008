package redact

import (
	"strings"
	"testing"
)

// issuers are the beginnings of tokens as their issuers publish them.
const issuers = `AKIA ASIA AIza ATATT3 AGE-SECRET-KEY- GOCSPX- SG. apify_api_ dop_v1_ dckr_pat_ dapi figd_ fc- ghp_ gho_ ghu_ ghs_ ghr_
	github_pat_ glpat- gldt- glrt- gsk_ hf_ hvs. lin_api_ npm_ nvapi- ntn_ pypi- pplx- pcsk_ rk_live_ rk_test_ r8_ sk-ant- sk-proj- sk-
	sk_live_ sk_test_ shpat_ sbp_ secret_ tvly- whsec_ xoxb- xoxa- xoxp- xoxr- xoxs- xoxe. xapp- xai- ya29.`

// A token is found by its beginning wherever a word begins, at any distance from
// the start of the text and from its end.
func TestTokens(t *testing.T) {
	const body = "abcdefghij0123456789abcdefghij0123456789"
	for issuer := range strings.FieldsSeq(issuers) {
		token := issuer + body
		for _, c := range []struct{ before, after string }{
			{"", ""}, {" ", ""}, {"", "."}, {"a ", " b"}, {"x/", "/y"}, {"(", ")"}, {`C:\n`, ""}, {"q%3D", ""}, {"密钥", "。"}, {"t.", ""}, {"a-", ""}, {"", "\n"},
		} {
			for pad := range 12 {
				before := strings.Repeat("=", pad) + c.before
				text := before + token + c.after
				if got := new(Redactor).Text(text); strings.Contains(got, "hij0") || !strings.HasPrefix(got, before) {
					t.Errorf("%q: got %q", text, got)
				}
				if got, _ := new(Redactor).AppendJSON(nil, quote(nil, text)); strings.Contains(string(got), "hij0") {
					t.Errorf("%q in JSON: got %s", text, got)
				}
			}
		}
		for _, plain := range []string{"x" + token, "7" + token, token[1:], issuer, issuer + body[:7], strings.ToLower(issuer) + "x " + body} {
			if got := new(Redactor).Text(plain); got != plain {
				t.Errorf("%q is no token, but became %q", plain, got)
			}
		}
	}
}

// hint passes over nothing that secretAt would find.
func TestHints(t *testing.T) {
	for _, text := range []string{"a=b", "tok=1", "x--token a", "bearer a1b2c3d4", "basic YTpiOmNkZWY=", "eyJhbGciOiJ9.eyJ", "dapi0", "AKIA", "h://u:p@x", "<pin>1</pin>"} {
		for pad := range 20 {
			for _, s := range []string{strings.Repeat("x", pad) + " " + text, text + strings.Repeat(" y", pad), strings.ToUpper(text), strings.Repeat("é", pad) + text} {
				unhinted(t, s)
			}
		}
	}
}

// unhinted compares scan with a look at every byte.
func unhinted(t *testing.T, s string) {
	t.Helper()
	var want []span
	for i, done := 0, 0; i < len(s)-1; i++ {
		sp := secretAt(s, i, done)
		if sp.end <= i {
			continue
		}
		if p := s[sp.start:sp.end]; p != "" && p != mark && p != keyMark {
			want = append(want, sp)
		}
		i, done = sp.end-1, sp.end
	}
	got := scan(s)
	if len(got) != len(want) {
		t.Fatalf("%q: found %v, want %v", s, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%q: found %v, want %v", s, got, want)
		}
	}
}
