package wire

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestDepth(t *testing.T) {
	const depth = 100_000
	nest := func(open, inner, shut string) []byte {
		return []byte(`{"params":` + strings.Repeat(open, depth) + inner + strings.Repeat(shut, depth) + `,"id":1,"method":"m"}`)
	}
	for _, frame := range [][]byte{
		nest(`[`, ``, `]`),
		nest(`{"a":`, `{}`, `}`),
		nest(`[{"":`, `null`, `}]`),
		nest(`[1,{"name":"no","_meta":`, `"x"`, `},[]]`),
	} {
		if m, err := scan(frame); err != nil || m.Kind != Request || string(m.ID.Of(frame)) != "1" || m.Name.Ok() {
			t.Errorf("%.20s…: %v %+v", frame, err, m)
		}
		twin := map[byte]byte{'[': ']', '{': '}'}
		for _, at := range []int{63, 64, 65, 127, 128, 129, 999, depth - 1} {
			wrong := bytes.Clone(frame)
			shut := len(frame) - len(`,"id":1,"method":"m"}`) - 1 - at
			for strings.IndexByte("]}", wrong[shut]) < 0 {
				shut--
			}
			wrong[shut] = twin['['] + twin['{'] - wrong[shut]
			if _, err := scan(wrong); err == nil {
				t.Errorf("%.20s…: the wrong bracket at byte %d was accepted", frame, shut)
			}
		}
	}
}

func TestReset(t *testing.T) {
	rows := table(t)
	var s Scanner
	for _, row := range slices.Concat(rows, rows) {
		s.Reset()
		s.Feed(row.frame)
		m, err := s.End()
		if want, wantErr := scan(row.frame); *m != want || text(err) != text(wantErr) {
			t.Errorf("line %d: after others %v %+v, alone %v %+v", row.line, err, *m, wantErr, want)
		}
	}
}

func TestLongKeys(t *testing.T) {
	var literal strings.Builder
	for _, c := range []byte(keySubscription) {
		literal.WriteString(`\u00`)
		literal.WriteString(string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
	}
	for key, want := range map[string]string{
		literal.String():                  `"s"`,
		literal.String() + `\u0041`:       "",
		strings.Repeat(`\u0041`, 1<<20):   "",
		strings.Repeat(`A`, 1<<20) + `\"`: "",
	} {
		frame := []byte(`{"method":"m","params":{"_meta":{"` + key + `":"s"}}}`)
		half := len(frame) / 2
		m, err := scan(frame[:half], frame[half:])
		if got := string(m.Subscription.Of(frame)); err != nil || got != want {
			t.Errorf("%.40s: %q, %v, want %q", frame, got, err, want)
		}
	}
}

func TestSyntaxErrorOffset(t *testing.T) {
	for frame, want := range map[string]string{
		`{"id":1,}`:           "no key at byte 8",
		`{"a":tru}`:           "unknown word at byte 8",
		`{"a":"b`:             "unexpected end at byte 7",
		"{\"a\":\"123456\x01": "control character in a string at byte 12",
		`{"a":1}{`:            "something after the message at byte 7",
		`hello`:               "not an object at byte 0",
		`{"id":1,"id":2}`:     "duplicate key at byte 12",
	} {
		if _, err := scan([]byte(frame)); text(err) != want {
			t.Errorf("%s: %v, want %s", frame, err, want)
		}
	}
}

// A frame that breaks off can still be the beginning of one; one that is wrong can't.
func TestOpen(t *testing.T) {
	for frame, want := range map[string]bool{
		`{`: true, `{"a":[{"b":"c`: true, ``: true, `[1,`: true, `{"a":tr`: true,
		`{]`: false, `{"a":}`: false, `{"id":1,"id":2`: false, `{} {`: false, `5`: false,
	} {
		_, err := scan([]byte(frame))
		if broken, ok := err.(*SyntaxError); !ok || broken.Open != want {
			t.Errorf("%s: %+v", frame, err)
		}
	}
}
