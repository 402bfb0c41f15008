package wire

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestUnquote(t *testing.T) {
	for lit, want := range map[string]string{
		`""`:                     "",
		`"plain"`:                "plain",
		`"a\"b\\c\/d\b\f\n\r\t"`: "a\"b\\c/d\b\f\n\r\t",
		`"\u0041\u00e9\u20AC"`:   "Aé€",
		`"\ud83d\ude00"`:         "😀",
		`"\ud83d"`:               "\ufffd",
		`"\ud83dx"`:              "\ufffdx",
		`"\ude00\ud83d"`:         "\ufffd\ufffd",
		`"\ud83d\u0041"`:         "\ufffdA",
		`"\ud83d\ud83d\ude00"`:   "\ufffd😀",
		`"\ud83d\n"`:             "\ufffd\n",
		`"\u0000"`:               "\x00",
		"\"a\xff\xfeb\"":         "a\ufffd\ufffdb",
		"\"\xe2\x82\"":           "\ufffd\ufffd",
		`12`:                     "12",
		`null`:                   "null",
		`9007199254740993`:       "9007199254740993",
		`"`:                      `"`,
		``:                       "",
	} {
		if got := Unquote([]byte(lit)); got != want {
			t.Errorf("%s: %q, want %q", lit, got, want)
		}
	}
}

func TestEqualID(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1`, true},
		{`1`, `2`, false},
		{`"2"`, `2`, false},
		{`2`, `"2"`, false},
		{`1`, `1.0`, false},
		{`1e3`, `1000`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`"a"`, `"\u0061"`, true},
		{`"\u0061"`, `"\u0061"`, true},
		{`"\/"`, `"/"`, true},
		{`"\ud83d\uDE00"`, `"😀"`, true},
		{`"a"`, `"A"`, false},
		{`""`, `""`, true},
		{`""`, `null`, false},
		{`"null"`, `null`, false},
	} {
		if got := EqualID([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

func FuzzUnquote(f *testing.F) {
	for _, row := range table(f) {
		f.Add(row.found["id"], row.found["name"])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var va, vb string
		if json.Unmarshal([]byte(a), &va) != nil || a[0] != '"' || a[len(a)-1] != '"' {
			return
		}
		if got := Unquote([]byte(a)); got != va {
			t.Errorf("%q: %q, want %q", a, got, va)
		}
		if json.Unmarshal([]byte(b), &vb) != nil || b[0] != '"' || b[len(b)-1] != '"' {
			return
		}
		got := EqualID([]byte(a), []byte(b))
		if got != EqualID([]byte(b), []byte(a)) || got != (va == vb) && utf8.ValidString(a+b) {
			t.Errorf("%q and %q: %v", a, b, got)
		}
		if again := string(appendQuoted(nil, va)); Unquote([]byte(again)) != va || !json.Valid([]byte(again)) {
			t.Errorf("%q was quoted as %s", va, again)
		}
	})
}
