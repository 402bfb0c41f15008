package diagnose

import (
	"encoding/base64"
	"strings"
	"testing"
)

func FuzzBase64(f *testing.F) {
	for _, s := range []string{"", "A", "AA", "AAA", "AAAA", "AA==", "AAA=", "A===", "AA=A", "====", "AAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAA\x7f", "AAAAAAA@AAAAAAAA", "AAAAAAA[AAAAAAAA", "aaaaaaa`aaaaaaaa", "aaaaaaa{aaaaaaaa", "0000000:00000000", "0000000.00000000", "+++++++,+/+/+/+/", "AAAAAAAé", "-_-_", "AA\n==", strings.Repeat("azAZ09+/", 9)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lit := quote(s)
		_, err := base64.StdEncoding.DecodeString(s)
		// The decoder of the standard library passes over line breaks, which others refuse.
		want := err == nil && s != "" && !strings.ContainsAny(s, "\r\n")
		if got := base64able(lit); got != want {
			t.Errorf("%s: %v", lit, got)
		}
		if data, _ := encode(lit); data != nil && !base64able(data) {
			t.Errorf("%s became %s", lit, data)
		}
	})
}

// Each byte at each place of a word.
func TestAlphabet(t *testing.T) {
	const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for c := ' '; c < 256; c++ {
		for at := range 16 {
			text := []byte(strings.Repeat("A", 32))
			text[at] = byte(c)
			want := 32
			if !strings.ContainsRune(all, c) {
				want = at
			}
			if got := alphabetic(text); got != want {
				t.Fatalf("%q at %d: %d, want %d", c, at, got, want)
			}
		}
	}
}
