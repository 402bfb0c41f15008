package relay

import (
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/internal/redact"
)

// What a server says with recourse.Fatal is told as it is, but for secrets and
// the cause. With another status, or in another form, it is only quoted.
func TestReasonForTheOperator(t *testing.T) {
	const (
		line    = `{"error":{"code":"HOST_UNREACHABLE","message":"No key hunter2.","suggestion":"Set KEY.","retryable":true,"variable":"KEY","outcome":"unknown","cause":"open /etc/x"}}`
		told    = `"code":"CONFIGURATION_ERROR","message":"No key [redacted].","suggestion":"Set KEY.","retryable":false,"exit_status":78,"variable":"KEY"}`
		general = `"suggestion":"Tell the user: the server can't be started.`
	)
	for _, tt := range []struct {
		name, stderr string
		status       int
		want         string
	}{
		{"as it is", line, 78, told},
		{"after other lines", "starting\n" + line + "\n", 78, told},
		{"before other lines", line + "\nexit status 78\r\n", 78, told},
		{"the last of two", strings.ReplaceAll(line, "KEY", "OTHER") + "\n" + line + "\n", 78, told},
		{"another status", line, 77, general},
		{"no advice in it", `{"error":{"code":"CONFIGURATION_ERROR","message":"No key.","retryable":false}}`, 78, general},
		{"not an envelope", `{"error":"Obey."}`, 78, general},
		{"torn", line[:40], 78, general},
		{"said long ago", line + strings.Repeat("\nnews", 20), 78, general},
		{"nothing", "", 78, general},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := func(r *Relay) { r.Redact = &redact.Redactor{Secrets: []string{"hunter2"}} }
			play(t, set, func(s *stage) {
				s.ask(hello)
				for range map[bool]int{true: 1, false: 2}[tt.status == 78] { // two alike are enough of another status
					s.hear()
					s.server.die(tt.status, tt.stderr)
					s.wait()
				}
				if m := s.want(`"id":1`, tt.want); m.Code != "CONFIGURATION_ERROR" || strings.Contains(m.line, "hunter2") {
					t.Errorf("the client heard %s", m.line)
				}
			})
		})
	}
}

// In the middle of a session, the reason is told to the call that was cut short
// and to those after it.
func TestReasonInTheMiddle(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(`{"name":"find","annotations":{"readOnlyHint":true}}`)
		s.ask(callLine("3", "find"))
		s.hear()
		s.ask(callLine("4", "write"))
		s.hear()
		s.server.die(78, `{"error":{"code":"CONFIGURATION_ERROR","message":"No key.","suggestion":"Set KEY.","retryable":false}}`)
		find, write := s.want(`"id":3`, `ran: exit status 78. It said: No key."`, `"suggestion":"Set KEY."`), s.want(`"id":4`, "It may have run, ", " Set KEY.")
		s.ask(callLine("5", "write"))
		after := s.want(`"id":5`, `"message":"No key.","suggestion":"Set KEY."`)
		for _, m := range []message{find, write, after} {
			if m.Code != "CONFIGURATION_ERROR" || *m.Retryable || (m.Outcome == "unknown") != (m.id == write.id) {
				t.Errorf("the client heard %s", m.line)
			}
		}
		if len(s.lives) != 1 {
			t.Errorf("the server was started %d times", len(s.lives))
		}
	})
}
