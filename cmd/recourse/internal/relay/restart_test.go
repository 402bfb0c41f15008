package relay

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

const (
	find  = `{"name":"find","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`
	put   = `{"name":"put","inputSchema":{"type":"object"},"annotations":{"idempotentHint":true}}`
	odd   = `{"name":"odd","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":true}}`
	write = `{"name":"write","inputSchema":{"type":"object"}}`
)

// reply answers what the server has heard last with a text.
func (s *stage) reply(id, text string) {
	s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`)
}

// grant answers a request of the client with an empty result, on both sides.
func (s *stage) grant(id, line string) {
	s.t.Helper()
	s.ask(line)
	s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{}}`)
	s.want(`"id":` + id)
}

// told fails unless the server hears these methods next. It answers requests
// with an empty result.
func (s *stage) told(parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		m := s.hear()
		if !strings.Contains(m.line, part) {
			s.t.Fatalf("the server was told\n%s\nnot %s", m.line, part)
		}
		switch {
		case m.Method == "initialize":
			s.answer(fmt.Sprintf(welcome, m.id))
		case m.id != "":
			s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":{}}`)
		}
	}
}

// listed answers recourse's own request for the tools.
func (s *stage) listed(tools ...string) {
	s.t.Helper()
	m := s.hear()
	if m.Method != "tools/list" {
		s.t.Fatalf("the server was told %s", m.line)
	}
	s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":{"tools":[` + strings.Join(tools, ",") + `]}}`)
}

// What the server never read is sent again, whatever the tool; a call that it
// may have read is not.
func TestUnreadCallIsSentAgain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		unread int // of the call's line, counted from its end; -1: all
		again  bool
	}{
		{"none of it", -1, true},
		{"the start of it", 20, false},
		{"all of it", 0, false},
		{"all but the line end", 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, nil, func(s *stage) {
				s.handshake(find, write)
				s.ask(callLine("3", "write"))
				line := s.hear().line
				s.server.unread = tt.unread
				if tt.unread < 0 {
					s.server.unread = len(line) + 1
				}
				s.server.end(upstream.Exit{Status: 137, Signal: "killed"}, "")
				if !tt.again {
					m := s.want(`"id":3`)
					if m.Outcome != "unknown" || *m.Retryable || m.RetryAfter != 0 {
						t.Errorf("the client heard %s", m.line)
					}
					return
				}
				s.revived()
				m := s.hear()
				if m.Method != "tools/call" {
					t.Fatalf("the server was told %s", m.line)
				}
				s.reply(m.id, "done")
				s.want(`"id":3`, `"done"`, restartNotice)
			})
		})
	}
}

func TestWhatMayRunTwiceIsRepeatedOnce(t *testing.T) {
	for _, tool := range []string{"find", "put"} {
		play(t, nil, func(s *stage) {
			s.handshake(find, put, odd, write)
			s.ask(callLine("3", tool))
			s.hear()
			s.server.die(1, "")
			s.revived()
			s.hear()
			s.server.die(1, "Error: no luck")
			m := s.want(`"id":3`, "ended twice", "no luck")
			if m.Outcome != "" || !*m.Retryable {
				t.Errorf("the client heard %s", m.line)
			}
		})
	}
	for _, tool := range []string{"odd", "write", "unheard_of"} {
		play(t, nil, func(s *stage) {
			s.handshake(find, put, odd, write)
			s.ask(callLine("3", tool))
			s.hear()
			s.server.die(1, "")
			if m := s.want(`"id":3`); m.Outcome != "unknown" || *m.Retryable || m.Suggestion == "" {
				t.Errorf("the client heard %s", m.line)
			}
		})
	}
}

// A tool that reads is named as the means to find out.
func TestReadToolIsNamed(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(`{"name":"create_invoice"}`, `{"name":"get_invoice","annotations":{"readOnlyHint":true}}`)
		s.ask(callLine("3", "create_invoice"))
		s.hear()
		s.server.die(1, "")
		s.want(`\"verify_with\":\"get_invoice\"`, "Check with get_invoice")
	})
}

// Requests that only read are repeated; what is not known is not.
func TestOtherRequestsAtADeath(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		for i, m := range []string{"resources/read", "custom/act", "prompts/list", "tasks/get", "ping", "completion/complete"} {
			s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"taskId":"x"}}`, 10+i, m))
			s.hear()
		}
		s.server.die(1, "")
		if m := s.want(`"id":11`, `"error"`); m.Outcome != "unknown" {
			t.Errorf("custom/act: %s", m.line)
		}
		if m := s.want(`"id":13`, `"error"`); *m.Retryable {
			t.Errorf("tasks/get: %s", m.line)
		}
		s.want(`"id":14,"result":{}`)
		s.revived()
		s.told("resources/read", "prompts/list", "completion/complete")
		s.want(`"id":10`)
		s.want(`"id":12`)
		s.want(`"id":15`)
	})
}

func TestOnRestart(t *testing.T) {
	play(t, func(r *Relay) { r.Rules.OnRestart = rules.Quiet }, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.revived()
		s.listed(find, write)
		s.ask(callLine("3", "write"))
		s.reply(s.hear().id, "done")
		if m := s.want(`"id":3`); strings.Contains(m.line, "restarted") {
			t.Errorf("the client heard %s", m.line)
		}
	})
	play(t, func(r *Relay) { r.Rules.OnRestart = rules.Fail }, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.wait()
		s.ask(callLine("3", "write"))
		s.revived()
		m := s.want(`"id":3`, "restarted")
		if m.Code != "PRECONDITION_FAILED" || *m.Retryable || m.Outcome != "" || m.Reason != "server_restarted" {
			t.Errorf("the client heard %s", m.line)
		}
		s.listed(find, write)
		s.ask(callLine("4", "write"))
		s.reply(s.hear().id, "done")
		s.want(`"id":4`, `"done"`)
	})
	// An error that told of the death of another call is not enough.
	play(t, func(r *Relay) { r.Rules.OnRestart = rules.Fail }, func(s *stage) {
		s.handshake(find, write)
		s.ask(callLine("3", "write"))
		s.hear()
		s.server.die(1, "")
		s.want(`"id":3`, "what it kept in memory is gone")
		s.revived()
		s.listed(find, write)
		s.ask(callLine("4", "write"))
		if m := s.want(`"id":4`); m.Code != "PRECONDITION_FAILED" {
			t.Errorf("the client heard %s", m.line)
		}
		s.ask(callLine("5", "write"))
		s.reply(s.hear().id, "done")
		s.want(`"id":5`, `"done"`)
	})
	// The notice is not lost when the next call comes long after the restart.
	play(t, func(r *Relay) { r.Rules.OnRestart = rules.Fail }, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.revived()
		s.listed(find, write)
		s.pass(time.Hour)
		s.ask(callLine("3", "write"))
		if m := s.want(`"id":3`); m.Code != "PRECONDITION_FAILED" {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// The client's end does not take from a waiting call the answer that it would
// have had.
func TestClientThatClosesItsSideDuringARestart(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.ask(callLine("3", "find"))
		s.hear()
		s.server.die(1, "")
		s.wait()
		s.say.Close()
		s.revived()
		s.reply(s.hear().id, "found")
		s.want(`"id":3`, `"found"`)
	})
}
