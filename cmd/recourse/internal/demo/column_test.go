package demo

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 13, []string{"one two three"}},
		{"one two three", 12, []string{"one two", "three"}},
		{"one\ntwo", 20, []string{"one", "two"}},
		{"  indented line", 12, []string{"  indented", "line"}},
		{"after 4\u00a0s it ended", 8, []string{"after", "4\u00a0s it", "ended"}},
		{"abcdefghij klm", 4, []string{"abcd", "efgh", "ij", "klm"}},
		{"grüße äöü", 5, []string{"grüße", "äöü"}},
	} {
		if got := wrap(tt.text, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("%q at %d: got %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two three", 5)
	f.Add("  in\n\tdented", 3)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if width < 1 || width > 500 || !utf8.ValidString(text) {
			return
		}
		lines := wrap(text, width)
		for _, l := range lines {
			if utf8.RuneCountInString(l) > width {
				t.Errorf("%q at %d: %q is longer", text, width, l)
			}
		}
		if letters(strings.Join(lines, "")) != letters(text) {
			t.Errorf("%q at %d: became %q", text, width, lines)
		}
	})
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{span(0), "1 ms"},
		{span(47 * time.Millisecond), "47 ms"},
		{span(2 * time.Second), "2 s"},
		{span(2540 * time.Millisecond), "2.5 s"},
		{count(55), "55 bytes"},
		{count(1048576), "1,048,576 bytes"},
		{count(100000), "100,000 bytes"},
	} {
		if got := strings.ReplaceAll(tt.got, hard, " "); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
