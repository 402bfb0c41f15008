package relay

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestDeathIsToldToEveryCall(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(`{"name":"find","annotations":{"readOnlyHint":true}}`)
		s.ask(callLine("3", "find"))
		s.hear()
		s.ask(callLine("4", "write"))
		s.hear()
		s.answer(`{"jsonrpc":"2.0","id":"q","method":"roots/list"}`)
		q := s.want("roots/list")
		s.server.die(7, "starting\nError: out of cheese\n    at main (x.js:1)\n")
		write := s.want(`"id":4`)
		if write.Code != "SERVICE_UNAVAILABLE" || *write.Retryable || write.Outcome != "unknown" || *write.ExitStatus != 7 ||
			!strings.Contains(write.Message, "out of cheese") || strings.Contains(write.line, "x.js") {
			t.Errorf("the client heard %s", write.line)
		}
		s.want("notifications/cancelled", `"requestId":`+q.id)
		s.revived()
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[{"type":"text","text":"found"}]}}`)
		s.want(`"id":3`, `"found"}]`)
	})
}

// Two starts alike prove that a third would fail too; different ones do not.
func TestServerThatEndsBeforeItsInitializeAnswer(t *testing.T) {
	for _, tt := range []struct {
		statuses []int
		lives    int
		code     string
		status   int
	}{
		{[]int{1, 1}, 2, "CONFIGURATION_ERROR", 1},
		{[]int{1, 2, 3}, 3, "CONFIGURATION_ERROR", 3},
		{[]int{78}, 1, "CONFIGURATION_ERROR", 78},
		{[]int{0, 0}, 2, "CONFIGURATION_ERROR", 1},
	} {
		play(t, nil, func(s *stage) {
			s.ask(hello)
			for _, status := range tt.statuses {
				s.hear()
				s.server.die(status, "Error: GITHUB_TOKEN is required.")
				s.wait()
			}
			m := s.want(`"id":1`, "GITHUB_TOKEN")
			if m.Code != tt.code || len(s.lives) != tt.lives {
				t.Errorf("%v: %d lives, %s", tt.statuses, len(s.lives), m.line)
			}
			s.ask(callLine("2", "x"))
			s.want(`"id":2`, `"isError":true`, "GITHUB_TOKEN")
			if got := <-s.status; got != tt.status {
				t.Errorf("%v: exit status %d, want %d", tt.statuses, got, tt.status)
			}
			s.status <- 0
		})
	}
}

func TestSecondStartServesTheClient(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.ask(hello)
		s.hear()
		s.server.die(1, "")
		s.wait()
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":1`, "2025-06-18")
	})
}

func TestSignalAnswersWhatRuns(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("3", "slow"))
		s.hear()
		s.stop <- 15
		if m := s.want(`"id":3`); m.Code != "CANCELLED" {
			t.Errorf("the client heard %s", m.line)
		}
		if status := <-s.status; status != 143 {
			t.Errorf("exit status %d", status)
		}
		s.status <- 0
	})
}

func TestSignalWhileTheLastAnswerIsUnread(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("3", "quick"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.say.Close()
		s.pass(time.Minute)
		s.stop <- 15
		if status := <-s.status; status != 143 {
			t.Errorf("exit status %d", status)
		}
		s.status <- 0
	})
}

func TestClientThatClosesItsSideIsAnsweredFirst(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("3", "slow"))
		id := s.hear().id
		s.say.Close()
		s.pass(20 * time.Second)
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":3`, `"content":[{"type":"text","text":"ok"}]`)
	})
}

func TestObserverChangesNothing(t *testing.T) {
	play(t, func(r *Relay) { r.Observe = true }, func(s *stage) {
		s.handshake()
		s.ask(callLine("3", "slow"))
		id := s.hear().id
		s.silent(time.Hour)
		for _, line := range []string{"noise", `{"id":"x"}`} {
			s.answer(line)
			got, err := s.client.ReadString('\n')
			if err != nil || got != line+"\n" {
				t.Errorf("%q became %q", line, got)
			}
		}
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":"\x01"}`)
		got, err := s.client.ReadString('\n')
		if want := `{"jsonrpc":"2.0","id":3,"result":"\x01"}` + "\n"; err != nil || got != want {
			t.Errorf("the client heard %q, want %q", got, want)
		}
		s.answer(`{"id":` + id + `,"error":{"code":-32603,"message":"x"}}`)
		if m := s.want(); m.line != `{"id":3,"error":{"code":-32603,"message":"x"}}` {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// A handshake that is too large to be kept as a call is, is repeated all the same.
func TestSecondStartWithALargeHandshake(t *testing.T) {
	large := strings.Replace(hello, `"version":"0"`, `"version":"0","title":"`+strings.Repeat("x", maxKept)+`"`, 1)
	play(t, nil, func(s *stage) {
		s.ask(large)
		s.hear()
		s.server.die(1, "")
		s.wait()
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":1,"result"`)
		s.server.die(1, "")
		s.wait()
		if m := s.hear(); m.Method != "initialize" || len(m.line) < maxKept {
			t.Errorf("the new server was told %.100s", m.line)
		}
	})
}
