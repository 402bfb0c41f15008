package main

import "testing"

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[2]}`, `{"b":[2],"a":1}`, true},
		{`3`, `3.0`, true},
		{`0.1`, `0.10`, true},
		{`9007199254740993`, `9007199254740992`, false},
		{`1`, `"1"`, false},
		{`null`, `false`, false},
		{`{"a":null}`, `{}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`1e999999999`, `1e999999999`, true},
		{`1e999999999`, `1e999999998`, false},
		{``, ``, false},
	} {
		if got := equal([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s and %s: got %t", c.a, c.b, got)
		}
	}
}

func TestRenames(t *testing.T) {
	for _, c := range []struct {
		sent, repaired string
		want           bool
	}{
		{`{"n":"1"}`, `{"n":1}`, false},
		{`{"m":1}`, `{"n":1}`, true},
		{`{"n":1,"o":null}`, `{"n":1}`, true},
		{`{"params":{"n":1}}`, `{"n":1}`, true},
		{`"{\"n\":1}"`, `{"n":1}`, false},
		{`null`, `{}`, false},
	} {
		if got := renames([]byte(c.sent), []byte(c.repaired)); got != c.want {
			t.Errorf("%s to %s: got %t", c.sent, c.repaired, got)
		}
	}
}
