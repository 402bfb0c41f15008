package redact

import (
	"strings"
	"testing"
)

// A token is found by its beginning wherever a word begins, at any distance from
// the start of the text and from its end.
func TestTokens(t *testing.T) {
	for _, p := range issuers {
		issuer, body := p.text, "abcdefghij0123456789ABCDEFGhij0123456789abcdefghij0123456789"
		if p.form == hex {
			body = "abcdef0123456789abcdef0123456789abcdef0123456789"
		}
		token := issuer + body
		for _, c := range []struct{ before, after string }{
			{"", ""}, {" ", ""}, {"", "."}, {"a ", " b"}, {"x/", "/y"}, {"(", ")"}, {`C:\n`, ""}, {"q%3D", ""}, {"密钥", "。"}, {"t.", ""}, {"a-", ""}, {"", "\n"},
		} {
			for pad := range 12 {
				before := strings.Repeat("=", pad) + c.before
				text := before + token + c.after
				if got := new(Redactor).Text(text); strings.Contains(got, "23456") || !strings.HasPrefix(got, before) {
					t.Errorf("%q: got %q", text, got)
				}
				if got, _ := new(Redactor).AppendJSON(nil, quote(nil, text)); strings.Contains(string(got), "23456") {
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

// unhinted compares signs with a look at every byte.
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
	got := signs(s)
	if len(got) != len(want) {
		t.Fatalf("%q: found %v, want %v", s, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%q: found %v, want %v", s, got, want)
		}
	}
}
