package redact

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// A shape is a form of secret with its examples.
type shape struct {
	name           string
	secrets, plain []string
}

// shapes reads testdata/shapes.txt.
func shapes(t *testing.T) (list []*shape) {
	t.Helper()
	data, err := os.ReadFile("testdata/shapes.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		kind, text, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		text = strings.ReplaceAll(text, `\n`, "\n")
		switch kind {
		case "=":
			list = append(list, &shape{name: text})
		case "+":
			s := list[len(list)-1]
			s.secrets = append(s.secrets, composed(text))
		case "-":
			s := list[len(list)-1]
			s.plain = append(s.plain, composed(text))
		}
	}
	return list
}

// composed returns text with characters in place of {n} and the like.
func composed(text string) string {
	alphabets := map[byte]string{
		'x': "0f1e2d3c4b5a69788796", 'a': "qwertzuiopasdfghjkl", 'A': "K7QH2WZX5NVB3MTR4J6P", 'd': "739182640521",
	}
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(text, "{")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		size, tail, _ := strings.Cut(rest, "}")
		alphabet := "x7Kq2mPz9RtB4wYh6LdN3vGs8JcF5"
		if a, ok := alphabets[size[0]]; ok {
			alphabet, size = a, size[1:]
		}
		n, err := strconv.Atoi(size)
		if err != nil { // braces of its own
			b.WriteString("{" + rest)
			return b.String()
		}
		b.WriteString(strings.Repeat(alphabet, n/len(alphabet)+1)[:n])
		text = tail
	}
}

// parts returns an example as it is and as it must become: all but what stands in
// « » is hidden.
func parts(example string) (in, want string) {
	for rest := example; rest != ""; {
		secret, tail, _ := strings.Cut(rest, "«")
		if in += secret; secret != "" {
			want += mark
		}
		keep, tail, _ := strings.Cut(tail, "»")
		in, want, rest = in+keep, want+keep, tail
	}
	return in, want
}

// What has the look of a secret is hidden in prose, in JSON, in JSON within JSON and
// after a name that is no secret one; what only resembles it stays.
func TestShapes(t *testing.T) {
	list := shapes(t)
	if len(list) < 25 {
		t.Errorf("%d shapes", len(list))
	}
	for _, s := range list {
		if len(s.secrets) < 2 || len(s.plain) < 2 {
			t.Errorf("%s: %d and %d examples", s.name, len(s.secrets), len(s.plain))
		}
		for _, example := range s.secrets {
			in, want := parts(example)
			for _, around := range [][2]string{{"", ""}, {"got ", " from h"}, {"x: ", "\n"}, {"(", ")"}, {`"`, `"`}} {
				text, hidden := around[0]+in+around[1], around[0]+want+around[1]
				if got := new(Redactor).Text(text); got != hidden {
					t.Errorf("%s: %s\n  got %s\n want %s", s.name, text, got, hidden)
				}
				inner, outer := string(quote(nil, text)), string(quote(nil, hidden))
				if got, _ := new(Redactor).AppendJSON(nil, []byte(`{"q":`+inner+`}`)); string(got) != `{"q":`+outer+`}` {
					t.Errorf("%s in JSON:\n  got %s\n want %s", s.name, got, outer)
				}
			}
		}
		for _, plain := range s.plain {
			for _, text := range []string{plain, "see " + plain + " there", `{"q":` + string(quote(nil, plain)) + `}`} {
				if got := new(Redactor).Text(text); got != text {
					t.Errorf("%s: %s became %s", s.name, text, got)
				}
			}
		}
	}
}
