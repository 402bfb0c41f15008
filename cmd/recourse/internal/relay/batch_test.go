package relay

import (
	"strings"
	"testing"
	"time"
)

// revision makes a session of that revision.
func (s *stage) revision(revision string) {
	s.t.Helper()
	s.ask(strings.Replace(hello, "2025-06-18", revision, 1))
	s.answer(strings.Replace(strings.Replace(welcome, "%s", s.hear().id, 1), "2025-06-18", revision, 1))
	s.want(`"id":1`)
	s.met = s.server
}

// The server gets the messages of an array one by one.
func TestBatch(t *testing.T) {
	line := "[" + callLine("10", "a") + "," + callLine(`"x"`, "b") + `,{"jsonrpc":"2.0","method":"notifications/x"},1,` + callLine("null", "c") + `,[` + callLine("11", "d") + `]]`
	for _, c := range []struct{ name, revision string }{{"as an array", "2025-03-26"}, {"one by one", "2025-06-18"}} {
		play(t, nil, func(s *stage) {
			s.revision(c.revision)
			s.ask(line)
			first, second := s.hear(), s.hear()
			if m := s.hear(); m.Method != "notifications/x" {
				t.Errorf("%s: the server was told %s", c.name, m.line)
			}
			s.answer(textAnswer(second.id, "b"))
			s.answer(textAnswer(first.id, "a"))
			refused := `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: `
			want := []string{
				refused + `not an object at byte 0"}}`,
				refused + `the id must not be null"}}`,
				refused + `there is neither a method nor a result"}}`,
				textAnswer(`"x"`, "b"),
				textAnswer("10", "a"),
			}
			if c.revision == batchRevision {
				want = []string{"[" + strings.Join(want, ",") + "]"}
			}
			for _, line := range want {
				got, err := s.client.ReadString('\n')
				if err != nil || got != line+"\n" {
					t.Errorf("%s: %v\ngot  %swant %s", c.name, err, got, line)
				}
			}
			s.ask("[]")
			s.want(`"id":null`, `-32600`, "the array is empty")
			s.ask(`[{"jsonrpc":"2.0","method":"notifications/x"}]`)
			s.hear()
			s.silent(time.Second)
		})
	}
}

// An answer that comes late, or not at all, is in the array as well; a cancelled
// one is not.
func TestBatchWithFaults(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.revision(batchRevision)
		s.ask("[" + callLine("10", "a") + "," + callLine("11", "b") + "," + callLine("12", "c") + "]")
		first := s.hear()
		s.hear()
		s.hear()
		s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12}}`)
		s.answer(textAnswer(first.id, "a"))
		s.silent(49 * time.Second)
		s.pass(time.Second)
		line, err := s.client.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "["+textAnswer("10", "a")+`,{"jsonrpc":"2.0","id":11,"result":`) ||
			!strings.Contains(line, "TIMEOUT") || strings.Contains(line, `"id":12`) {
			t.Errorf("%v %s", err, line)
		}
		s.hear()
		s.hear()
	})
}

// What the client writes is read with the same care as what the server does.
func TestBrokenLinesOfTheClient(t *testing.T) {
	a, b := callLine("10", "a"), callLine("11", "b")
	for _, c := range []struct {
		name, said string
		told       string   // what the server hears
		want       []string // what the client hears
	}{
		{"torn", a[:30], "", []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`}},
		{"text", "hello", "", []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`}},
		{"NaN", strings.Replace(a, "{}", `{"x":NaN}`, 1), "", []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`}},
		{"no version", strings.Replace(a, `"jsonrpc":"2.0",`, "", 1), "", []string{`{"jsonrpc":"2.0","id":10,"error":{"code":-32600,`}},
		{"another version", strings.Replace(a, `2.0`, "1.0", 1), "", []string{`{"jsonrpc":"2.0","id":10,"error":{"code":-32600,`}},
		{"id an object", callLine("{}", "a"), "", []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`}},
		{"byte order mark", "\ufeff" + a, "a", nil},
		{"two in a line", a + b, "a b", nil},
		{"half a pair in the arguments", strings.Replace(a, "{}", `{"x":"\ud800"}`, 1), `a {"x":"\ufffd"}`, nil},
		{"Latin-1 in the arguments", strings.Replace(a, "{}", "{\"x\":\"\xe9\"}", 1), "a {\"x\":\"\ufffd\"}", nil},
		{"a raw tab in the arguments", strings.Replace(a, "{}", "{\"x\":\"\t\"}", 1), `a {"x":"\t"}`, nil},
		{"a version with an escape", strings.Replace(a, `2.0`, `2\u002e0`, 1), "a", nil},
	} {
		play(t, nil, func(s *stage) {
			s.handshake()
			s.ask(c.said)
			for _, want := range c.want {
				s.want(want)
			}
			for i, word := range strings.Fields(c.told) {
				if i == 0 || len(word) == 1 {
					s.hear()
				}
			}
			if c.told == "" {
				s.ask(callLine("12", "next"))
				s.answer(textAnswer(s.hear().id, "ok"))
				s.want(textAnswer("12", "ok"))
			}
		})
	}
}
