package relay

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
)

func TestSilentCallIsAnsweredAtTheIdleLimit(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		begun := time.Now()
		s.ask(callLine(`"a"`, "slow"))
		id := s.hear().id
		m := s.want(`"id":"a"`)
		if waited := time.Since(begun); waited != rules.Idle {
			t.Errorf("answered after %v, want %v", waited, rules.Idle)
		}
		if m.Code != "TIMEOUT" || *m.Retryable || m.Outcome != "unknown" || !strings.Contains(m.Message, "slow") || !strings.Contains(m.Message, "50s") || !strings.Contains(m.Suggestion, "--timeout") {
			t.Errorf("envelope %+v", m.envelope)
		}
		if c := s.hear(); c.Method != "notifications/cancelled" || !strings.Contains(string(c.Params), `"requestId":`+id) {
			t.Errorf("the server heard %s", c.line)
		}
		s.pong()
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.silent(time.Second)
		s.ask(callLine("4", "echo"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":4`, `"content":[{"type":"text","text":"ok"}]`)
	})
}

func TestTimeoutOfAToolThatOnlyReadsIsRetryable(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(`{"name":"find","annotations":{"readOnlyHint":true}}`, `{"name":"odd","annotations":{"readOnlyHint":true,"destructiveHint":true}}`)
		s.ask(callLine("3", "find"))
		s.hear()
		s.ask(callLine("4", "odd"))
		s.hear()
		for range 2 {
			if m := s.want("TIMEOUT"); *m.Retryable != (m.id == "3") {
				t.Errorf("retryable: %s", m.line)
			}
		}
	})
}

func TestProgressExtendsUpToTheHardCap(t *testing.T) {
	play(t, func(r *Relay) { r.Rules = spans(t, "10s", "60s") }, func(s *stage) {
		s.handshake()
		begun := time.Now()
		s.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"long","_meta":{"progressToken":"tok-1"}}}`)
		s.hear()
		for n := range 6 {
			s.pass(9 * time.Second)
			line := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tok-1","progress":%d}}`, n)
			s.answer(line)
			if m := s.want(); m.line != line {
				t.Errorf("progress became %s", m.line)
			}
		}
		m := s.want(`"id":3`)
		if waited := time.Since(begun); waited != time.Minute {
			t.Errorf("answered after %v, want a minute", waited)
		}
		if !strings.Contains(m.Suggestion, "--max-time") {
			t.Errorf("suggestion %q names the wrong flag", m.Suggestion)
		}
		s.hear()
		s.answer(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"tok-1","progress":7}}`)
		s.silent(time.Second)
	})
}

func TestLimitsCanBeSwitchedOff(t *testing.T) {
	play(t, func(r *Relay) { r.Rules = spans(t, "0", "0") }, func(s *stage) {
		s.handshake()
		s.ask(callLine("3", "long"))
		id := s.hear().id
		s.silent(24 * time.Hour)
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":3`)
	})
}

func TestPatientClientGetsMoreTime(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.ask(strings.Replace(hello, `"name":"t"`, `"name":"claude-code"`, 1))
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":1`)
		s.ask(callLine("3", "slow"))
		begun := time.Now()
		s.want("TIMEOUT")
		if waited := time.Since(begun); waited != 5*time.Minute {
			t.Errorf("answered after %v, want 5m", waited)
		}
	})
}

// A person may read for longer than a call may be silent.
func TestClocksStandStillWhileAPersonIsAsked(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("3", "confirm"))
		id := s.hear().id
		s.answer(`{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"message":"sure?"}}`)
		q := s.want("elicitation/create")
		s.silent(9 * time.Minute)
		s.ask(`{"jsonrpc":"2.0","id":` + q.id + `,"result":{"action":"accept"}}`)
		if m := s.hear(); m.id != "0" {
			t.Errorf("the server's id 0 came back as %s", m.id)
		}
		s.pass(49 * time.Second)
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":3`, `"content":[{"type":"text","text":"ok"}]`)
	})
}

func TestClientThatNeverAnswersTheServer(t *testing.T) {
	limits := map[string]time.Duration{
		"roots/list":             30 * time.Second,
		"sampling/createMessage": 5 * time.Minute,
		"elicitation/create":     10 * time.Minute,
	}
	for method, limit := range limits {
		play(t, nil, func(s *stage) {
			s.handshake()
			begun := time.Now()
			s.answer(`{"jsonrpc":"2.0","id":"q","method":"` + method + `"}`)
			q := s.want(method)
			m := s.hear()
			if waited := time.Since(begun); waited != limit || m.id != `"q"` || m.Code != "TIMEOUT" {
				t.Errorf("%s: after %v the server heard %s", method, waited, m.line)
			}
			s.want("notifications/cancelled", `"requestId":`+q.id)
			s.ask(`{"jsonrpc":"2.0","id":` + q.id + `,"result":{}}`) // late
			s.ask(callLine("9", "echo"))
			if m := s.hear(); m.Method != "tools/call" {
				t.Errorf("a late answer reached the server: %s", m.line)
			}
		})
	}
}

func TestServerThatNeverAnswersInitialize(t *testing.T) {
	play(t, nil, func(s *stage) {
		begun := time.Now()
		s.ask(hello)
		s.hear()
		m := s.want(`"id":1`)
		if waited := time.Since(begun); waited != rules.Start || m.Code != "SERVICE_UNAVAILABLE" || !strings.Contains(m.Message, "45s") {
			t.Errorf("after %v: %s", waited, m.line)
		}
		s.ask(callLine("2", "echo"))
		s.want(`"id":2`, `"isError":true`, "45s")
		if status := <-s.status; status != 1 || time.Since(begun) != rules.Start+failedLinger {
			t.Errorf("status %d after %v", status, time.Since(begun))
		}
		s.status <- 0
	})
}

// Old servers fall silent at a method that they don't know. The one that did is
// replaced before initialize.
func TestSilenceAtDiscoverMeansAnOldServer(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.ask(discover)
		s.hear()
		begun := time.Now()
		s.want(`"id":"d"`, "-32601")
		if waited := time.Since(begun); waited != 5*time.Second {
			t.Errorf("answered after %v, want 5s", waited)
		}
		s.ask(hello)
		s.wait()
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":1`, "2025-06-18")
		if len(s.lives) != 2 {
			t.Errorf("%d lives, want 2", len(s.lives))
		}
	})
}

func TestToolThatNeverAnswersIsLeftAlone(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		for i := range 5 {
			s.pass(time.Second)
			s.ask(callLine(fmt.Sprint(10+i), "deaf"))
			s.hear()
			s.want("TIMEOUT")
			s.hear()
			s.pong()
		}
		begun := time.Now()
		s.ask(callLine("20", "deaf"))
		m := s.want(`"id":20`)
		if time.Since(begun) != 0 || m.Code != "SERVICE_UNAVAILABLE" || m.Reason != "circuit_open" || m.RetryAfter < 1 || !*m.Retryable {
			t.Errorf("after %v: %s", time.Since(begun), m.line)
		}
		s.ask(callLine("21", "echo"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":21`, `"content":[{"type":"text","text":"ok"}]`)
		s.pass(time.Duration(m.RetryAfter) * time.Second)
		s.ask(callLine("22", "deaf"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":22`, `"content":[{"type":"text","text":"ok"}]`)
	})
}

// A server that does not read: what was not sent did not run.
func TestCallThatWasNeverSent(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("3", "first")) // in a Write that nobody reads: who knows
		s.wait()
		s.ask(callLine("4", "second"))
		s.ask(callLine("5", "third"))
		s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`)
		if m := s.want(`"id":3`); m.Outcome != "unknown" {
			t.Errorf("first: %s", m.line)
		}
		if m := s.want(`"id":5`); m.Outcome != "" || !*m.Retryable {
			t.Errorf("third: %s", m.line)
		}
		for {
			if m := s.hear(); strings.Contains(m.line, "second") || strings.Contains(m.line, "third") {
				t.Errorf("the server heard %s", m.line)
			} else if m.Method == "notifications/cancelled" {
				return
			}
		}
	})
}
