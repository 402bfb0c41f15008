package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// walked are values with what is in them, written by hand.
var walked = []struct {
	value string
	parts []string // of an object: key, value, key, value
}{
	{`[]`, nil},
	{`{}`, nil},
	{"[ \r\n\t]", nil},
	{" { } ", nil},
	{`[1]`, []string{`1`}},
	{"\t[ 1 ,\"a\" , null,true , false,-1.5e+3 ] ", []string{`1`, `"a"`, `null`, `true`, `false`, `-1.5e+3`}},
	{`[[],[[1],2],{},{"a":[1]}]`, []string{`[]`, `[[1],2]`, `{}`, `{"a":[1]}`}},
	{`["]","[",",","\"","\\","a\\\"b"]`, []string{`"]"`, `"["`, `","`, `"\""`, `"\\"`, `"a\\\"b"`}},
	{`["\\\\\\\\","\\\\\\\""]`, []string{`"\\\\\\\\"`, `"\\\\\\\""`}},
	{`{"a":1,"b":{"a":2},"a":3}`, []string{`"a"`, `1`, `"b"`, `{"a":2}`, `"a"`, `3`}},
	{"{ \"a\" : [ 1 , 2 ] ,\n\"b:\" : \"c\" }", []string{`"a"`, `[ 1 , 2 ]`, `"b:"`, `"c"`}},
	{`{"\u0069d":"}","\"":"{"}`, []string{`"\u0069d"`, `"}"`, `"\""`, `"{"`}},
	{`{"":""}`, []string{`""`, `""`}},
	{"[\"é€😀\u2028\",\"" + strings.Repeat("€", 9) + "\"]", []string{"\"é€😀\u2028\"", `"` + strings.Repeat("€", 9) + `"`}},
}

func parts(value []byte) []string {
	var found []string
	for at := range Elements(value) {
		found = append(found, string(at.Of(value)))
	}
	for key, at := range Members(value) {
		found = append(found, string(key.Of(value)), string(at.Of(value)))
	}
	return found
}

func TestWalk(t *testing.T) {
	for _, c := range walked {
		if got := parts([]byte(c.value)); !slices.Equal(got, c.parts) {
			t.Errorf("%s: %q, want %q", c.value, got, c.parts)
		}
	}
}

// Quotes and backslashes at every place of a word, near and far from the last.
func TestWalkWords(t *testing.T) {
	for n := range 60 {
		for _, mark := range []string{`\"`, `\\`, `\\\"`, `\\\\`, `\n`, `\u0022`, "\x7f", "\u20ac", "!", "#", "[", "]", "\\u005c"} {
			want := `"` + strings.Repeat("x", n) + mark + strings.Repeat("y", 59-n) + mark + `"`
			if got := parts([]byte(`[` + want + `,0]`)); !slices.Equal(got, []string{want, `0`}) {
				t.Errorf("%s: %q", want, got)
			}
		}
	}
}

func TestWalkNothing(t *testing.T) {
	for _, value := range []string{``, ` `, `1`, `null`, `"[1]"`, `"{}"`, `true`} {
		if got := parts([]byte(value)); got != nil {
			t.Errorf("%s: %q", value, got)
		}
	}
}

// What no Scanner accepts: it ends, and all that came before lies in order.
func TestWalkBroken(t *testing.T) {
	for _, c := range walked {
		for cut := range len(c.value) {
			got := parts([]byte(c.value[:cut]))
			if len(got) > len(c.parts) || len(got) > 0 && !slices.Equal(got[:len(got)-1], c.parts[:len(got)-1]) {
				t.Errorf("%s: %q", c.value[:cut], got)
			}
		}
	}
	for _, value := range []string{`[,]`, `[1,`, `[:]`, `["a`, `["a\`, `{"a"}`, `{"a":}`, `{"a" 1}`, `{a:1}`, `{1:1}`, `[}`, `[]]`, `{"a":]`, `[1 2`} {
		parts([]byte(value))
	}
}

func TestWalkStops(t *testing.T) {
	list, object := []byte(`[1,2,3]`), []byte(`{"a":1,"b":2}`)
	for at := range Elements(list) {
		if at.Start > 1 {
			t.Errorf("went on to %s", at.Of(list))
		}
		break
	}
	for key := range Members(object) {
		if key.Start > 1 {
			t.Errorf("went on to %s", key.Of(object))
		}
		break
	}
}

func TestWalkDepth(t *testing.T) {
	const depth = 1_000_000
	deep := strings.Repeat(`[`, depth) + strings.Repeat(`]`, depth)
	if got := parts([]byte(`[` + deep + `,1]`)); len(got) != 2 || got[0] != deep || got[1] != `1` {
		t.Errorf("%d elements", len(got))
	}
}

func FuzzWalk(f *testing.F) {
	for _, row := range table(f) {
		f.Add(row.frame)
	}
	for _, c := range walked {
		f.Add([]byte(c.value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		found := parts(value)
		if !json.Valid(value) {
			return
		}
		if want := tokens(value); !slices.Equal(found, want) {
			t.Errorf("%q, want %q", found, want)
		}
		value = bytes.TrimSpace(value)
		end := max(
			Array(value, 0, func(at int) int { return Past(value, at) }),
			Object(value, 0, func(_ Span, at int) int { return Past(value, at) }),
		)
		if c := value[0]; end > 0 != (c == '[' || c == '{') || end > 0 && end != len(value) || Past(value, 0) != len(value) {
			t.Errorf("%s ends at byte %d", value, end)
		}
	})
}

// tokens says with encoding/json what the parts of a value are. Its Decoder is
// all that keeps keys that come twice, and it keeps no literals of them.
func tokens(value []byte) []string {
	d := json.NewDecoder(bytes.NewReader(value))
	if open, _ := d.Token(); open != json.Delim('[') && open != json.Delim('{') {
		return nil
	}
	literal := func(from int64) string {
		return string(bytes.TrimLeft(value[from:d.InputOffset()], " \t\r\n,:"))
	}
	var found []string
	for d.More() {
		from := d.InputOffset()
		if bytes.TrimSpace(value)[0] == '{' {
			d.Token()
			found = append(found, literal(from))
		}
		var raw json.RawMessage
		d.Decode(&raw)
		found = append(found, string(raw))
	}
	return found
}
