package relay

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
)

// Tools with one rule each that a call may break.
const (
	booking  = `{"name":"book","inputSchema":{"type":"object","properties":{"room":{"type":"string"},"nights":{"type":"integer","minimum":1}},"required":["room"],"additionalProperties":false}}`
	browsing = `{"name":"browse","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"room":{"type":"string"},"limit":{"type":"integer"}},"required":["room"],"additionalProperties":false}}`
	lenient  = `{"name":"note","inputSchema":{"type":"object","properties":{"text":{"type":"string"},"limit":{"type":"integer"}}}}`
)

func argsLine(id, tool, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

func refusalLine(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32602,"message":"` + text + `"}}`
}

// ruled sets the checks of a relay.
func ruled(t *testing.T, check, repair string) func(*Relay) {
	return func(r *Relay) {
		if err := r.Rules.Check.Set([]string{check}, rules.Auto, rules.Enforce, rules.Explain, rules.Off); err != nil {
			t.Fatal(err)
		}
		if err := r.Rules.Repair.Set([]string{repair}, rules.Safe, rules.Off); err != nil {
			t.Fatal(err)
		}
	}
}

// What is only written otherwise is repaired for every tool; a name only for one that
// reads.
func TestRepairs(t *testing.T) {
	for _, tt := range []struct {
		name, tool, args string
		sent             string // ""; the call is refused
		proposed         string
	}{
		{"a number as a text", "book", `{"room":"1","nights":"2"}`, `{"room":"1","nights":2}`, ""},
		{"a name, reading", "browse", `{"roomm":"1"}`, `{"room":"1"}`, ""},
		{"a name, acting", "book", `{"roomm":"1"}`, "", `{"room":"1"}`},
		{"a range", "book", `{"room":"1","nights":-3}`, "", ""},
		{"null for none", "note", `null`, `{}`, ""},
		{"what is right", "book", `{ "nights" : 1.0, "room":"\u0031" }`, `{ "nights" : 1.0, "room":"\u0031" }`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, ruled(t, "enforce", "safe"), func(s *stage) {
				s.handshake(booking, browsing, lenient)
				s.ask(argsLine("3", tt.tool, tt.args))
				if tt.sent == "" {
					m := s.want(`"id":3`, `"isError":true`, strings.ReplaceAll(tt.proposed, `"`, `\"`))
					if *m.Retryable || strings.Contains(m.line, "proposed_arguments") != (tt.proposed != "") {
						t.Errorf("the client heard %s", m.line)
					}
					return
				}
				m := s.hear()
				if !strings.Contains(m.line, `"arguments":`+tt.sent+"}") {
					t.Errorf("the server was told %s", m.line)
				}
				s.answer(textAnswer(m.id, "ok"))
				answer := s.want(`"id":3`)
				if told := strings.Contains(answer.line, "dev.recourse/repaired"); told != (tt.sent != tt.args && tt.args != "null") {
					t.Errorf("the client heard %s", answer.line)
				}
			})
		})
	}
}

// A call that breaks the schema is sent until this server has refused one for it.
func TestAutoLearnsFromRefusals(t *testing.T) {
	play(t, ruled(t, "auto", "safe"), func(s *stage) {
		s.handshake(booking)
		s.ask(argsLine("3", "book", `{"room":"1","nights":0}`))
		s.answer(textAnswer(s.hear().id, "ok")) // this server takes it
		s.want(`"id":3`, `"text":"ok"`)
		s.ask(argsLine("4", "book", `{"nights":"some"}`))
		s.answer(refusalLine(s.hear().id, "bad arguments"))
		if m := s.want(`"id":4`, `/room`, `/nights`); m.Code != "INVALID_ARGUMENT" {
			t.Errorf("the client heard %s", m.line)
		}
		s.ask(argsLine("5", "book", `{"nights":3}`)) // the same rule
		s.want(`"id":5`, `"isError":true`, `/room`)
		s.ask(argsLine("6", "book", `{"room":"1","nights":0}`)) // another one
		s.answer(textAnswer(s.hear().id, "ok"))
		s.want(`"id":6`, `"text":"ok"`)
	})
}

// A server that dies of arguments that its schema forbids gets no more of them.
func TestAutoLearnsFromDeaths(t *testing.T) {
	play(t, ruled(t, "auto", "safe"), func(s *stage) {
		s.handshake(booking)
		s.ask(argsLine("3", "book", `{}`))
		s.hear()
		s.server.die(1, "TypeError: room is undefined\n")
		s.want(`"id":3`)
		s.revived()
		s.listed(booking)
		s.ask(argsLine("4", "book", `{}`))
		s.want(`"id":4`, `"isError":true`, `/room`)
	})
}

// To explain is to send, and to say what was wrong only if it fails.
func TestExplain(t *testing.T) {
	play(t, ruled(t, "explain", "off"), func(s *stage) {
		s.handshake(booking)
		for i, id := range []string{"3", "4"} {
			s.ask(argsLine(id, "book", `{"nights":"2"}`))
			m := s.hear()
			if !strings.Contains(m.line, `{"nights":"2"}`) {
				t.Errorf("the server was told %s", m.line)
			}
			if i == 0 {
				s.answer(textAnswer(m.id, "ok"))
				s.want(`"id":3`, `"result":{"content":[{"type":"text","text":"ok"}]}}`)
				continue
			}
			s.answer(refusalLine(m.id, "no"))
			s.want(`"id":4`, `/room`, `/nights`)
		}
		// A failure for another reason is told as what it is.
		s.ask(argsLine("5", "book", `{"nights":2}`))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[{"type":"text","text":"Error: connect ECONNREFUSED 10.0.0.1:80"}],"isError":true}}`)
		if m := s.want(`"id":5`, "10.0.0.1:80"); m.Code != "SERVICE_UNAVAILABLE" || m.Outcome != "unknown" {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

func TestNoCheck(t *testing.T) {
	play(t, ruled(t, "off", "safe"), func(s *stage) {
		s.handshake(booking)
		s.ask(argsLine("3", "book", `{"nights":"2"}`))
		if m := s.hear(); !strings.Contains(m.line, `{"nights":"2"}`) {
			t.Errorf("the server was told %s", m.line)
		} else {
			s.answer(refusalLine(m.id, "bad arguments"))
		}
		if m := s.want(`"id":3`); strings.Contains(m.line, "/room") {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// What an open schema does not know is passed on, and told.
func TestIgnoredArgument(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(lenient)
		s.ask(argsLine("3", "note", `{"limitt":3}`))
		s.answer(textAnswer(s.hear().id, "ok"))
		if m := s.want(`"id":3`, `"text":"ok"},{"type":"text","text":"{\"_completeness\":\"full\"`, "limitt", "limit"); strings.Contains(m.line, `"isError":true`) {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// A schema that can't be used ends the checking of its tool alone.
func TestBrokenSchema(t *testing.T) {
	play(t, ruled(t, "enforce", "safe"), func(s *stage) {
		s.handshake(`{"name":"odd","inputSchema":{"type":"object","properties":{"x":{"type":"sting"}}}}`, booking)
		for range 2 {
			s.ask(argsLine("3", "odd", `{"x":[1]}`))
			s.answer(textAnswer(s.hear().id, "ok"))
			s.want(`"id":3`, `"text":"ok"`)
		}
		if len(s.said) != 1 || !strings.Contains(s.said[0], "odd is not checked") {
			t.Errorf("the operator heard %q", s.said)
		}
		s.ask(argsLine("4", "book", `{}`))
		s.want(`"id":4`, `"isError":true`, `/room`)
	})
}

// The third of identical failing calls is told to stop, with what is different in a
// call that worked.
func TestLoop(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(`{"name":"open"}`)
		s.ask(argsLine("2", "open", `{"page":1}`))
		s.answer(textAnswer(s.hear().id, "ok"))
		s.want(`"id":2`)
		spellings := []string{`{"page":9,"all":true}`, `{ "all": true, "page": 9 }`}
		fail := func() message {
			s.ask(argsLine("3", "open", spellings[0]))
			slices.Reverse(spellings)
			s.answer(refusalLine(s.hear().id, "no such page"))
			return s.want(`"id":3`)
		}
		for n := 1; n <= 4; n++ {
			m := fail()
			if told := strings.HasPrefix(m.Suggestion, "Do not send this again"); told != (n >= 3) || told && !strings.Contains(m.Suggestion, `"page" 1 instead of 9`) {
				t.Errorf("after %d failures: %s", n, m.line)
			}
		}
		s.pass(3 * time.Minute)
		if m := fail(); strings.Contains(m.line, "Do not send") {
			t.Errorf("three minutes later: %s", m.line)
		}
	})
}

// A client that does not wait for answers has its calls checked all the same: by the
// list that it has asked for itself, or by one of ours.
func TestPipelinedCallIsChecked(t *testing.T) {
	for _, lists := range []bool{true, false} {
		play(t, ruled(t, "enforce", "safe"), func(s *stage) {
			s.ask(hello)
			s.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			if lists {
				s.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
			}
			s.ask(argsLine("3", "book", `{"room":"1","nights":"2"}`))
			s.ask(argsLine("4", "book", `{}`))
			s.answer(fmt.Sprintf(welcome, s.hear().id))
			s.want(`"id":1`)
			s.hear()
			s.listed(booking)
			if lists {
				s.want(`"id":2`)
			}
			if m := s.hear(); !strings.Contains(m.line, `"nights":2}`) {
				t.Errorf("the server was told %s", m.line)
			} else {
				s.answer(textAnswer(m.id, "ok"))
			}
			for range 2 {
				if m := s.want(); strings.Contains(m.line, `"id":4`) && !strings.Contains(m.line, "/room") {
					t.Errorf("the client heard %s", m.line)
				}
			}
		})
	}
}

func TestRuleForAToolThatThereIsNot(t *testing.T) {
	play(t, func(r *Relay) {
		if err := r.Rules.Check.Set([]string{"bok=off", "book=off"}, rules.Auto, rules.Off); err != nil {
			t.Fatal(err)
		}
	}, func(s *stage) {
		s.handshake(booking)
		if len(s.said) != 1 || !strings.Contains(s.said[0], "bok") || !strings.HasSuffix(s.said[0], "did you mean book?") {
			t.Errorf("the operator heard %q", s.said)
		}
	})
}

// That arguments are left out is changed only for a server that does not take it.
func TestArgumentsLeftOut(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(lenient)
		const line = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"note"}}`
		for n, want := range []bool{false, false, true} {
			s.ask(line)
			m := s.hear()
			if got := strings.Contains(m.line, `"arguments":{}`); got != want {
				t.Errorf("call %d: the server was told %s", n, m.line)
			}
			if n == 1 {
				s.answer(refusalLine(m.id, "arguments: Required"))
			} else {
				s.answer(textAnswer(m.id, "ok"))
			}
			s.want(`"id":3`)
		}
	})
}

func TestDeclaredSecretIsNotShown(t *testing.T) {
	play(t, ruled(t, "enforce", "safe"), func(s *stage) {
		s.handshake(`{"name":"open","inputSchema":{"type":"object","properties":{"door":{"type":"string","format":"password","maxLength":3}}}}`)
		s.ask(argsLine("3", "open", `{"door":"zebra-horse"}`))
		if m := s.want(`"id":3`, `"isError":true`, "/door"); strings.Contains(m.line, "zebra") {
			t.Errorf("the client heard %s", m.line)
		}
	})
}
