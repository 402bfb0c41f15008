package relay

import (
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

// Requests that only read are repeated after one death, not after two.
func TestReadsAreRepeatedOnce(t *testing.T) {
	methods := []string{
		"resources/read", "prompts/get", "completion/complete",
		"tools/list", "prompts/list", "resources/list", "resources/templates/list",
	}
	play(t, nil, func(s *stage) {
		s.handshake(find)
		for i, m := range methods {
			s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{}}`, 10+i, m))
			s.hear()
		}
		s.server.die(1, "")
		s.revived()
		for _, m := range methods {
			if again := s.hear(); again.Method != m {
				t.Fatalf("the server was told %s, not %s", again.line, m)
			}
		}
		s.server.die(1, "Error: no luck")
		for i, method := range methods {
			m := s.want(fmt.Sprintf(`"id":%d,"error"`, 10+i), "ended twice while "+method, "no luck")
			if m.Code != "SERVICE_UNAVAILABLE" || !*m.Retryable || m.Outcome != "" {
				t.Errorf("the client heard %s", m.line)
			}
		}
	})
}

// A hint counts only if it has stood in every list, also if the list that has it
// is that of the server's next life.
func TestCallOfAToolWhoseHintsChange(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lists []string // annotations in successive lists
		again bool
	}{
		{"idempotent later", []string{`{}`, `{"idempotentHint":true}`}, false},
		{"read-only later", []string{`{}`, `{"readOnlyHint":true}`}, false},
		{"another hint later", []string{`{"readOnlyHint":true}`, `{"idempotentHint":true}`}, false},
		{"idempotent, not, idempotent", []string{`{"idempotentHint":true}`, `{}`, `{"idempotentHint":true}`}, false},
		{"harmful once", []string{`{"readOnlyHint":true}`, `{"readOnlyHint":true,"destructiveHint":true}`, `{"readOnlyHint":true}`}, false},
		{"idempotent always", []string{`{"idempotentHint":true}`, `{"idempotentHint":true}`}, true},
	} {
		for _, restart := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, restart %t", tt.name, restart), func(t *testing.T) {
				play(t, nil, func(s *stage) {
					tool := func(annotations string) string { return `{"name":"t","annotations":` + annotations + `}` }
					s.handshake(tool(tt.lists[0]))
					for _, annotations := range tt.lists[1:] {
						if restart {
							s.server.die(1, "")
							s.revived()
							s.listed(tool(annotations))
							s.pass(2 * time.Minute) // so that no death counts as one in a row
							continue
						}
						s.ask(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`)
						s.listed(tool(annotations))
						s.want(`"id":9`)
					}
					s.ask(callLine("3", "t"))
					s.hear()
					s.server.die(1, "")
					if tt.again {
						s.revived()
						s.reply(s.hear().id, "done")
						s.want(`"id":3`, `"done"`)
					} else if m := s.want(`"id":3`); m.Outcome != "unknown" || *m.Retryable {
						t.Errorf("the client heard %s", m.line)
					}
				})
			})
		}
	}
}

// Annotations of the wrong type are no hint, and no reason to hide the tool.
func TestToolWithBrokenAnnotations(t *testing.T) {
	for _, annotations := range []string{`[]`, `1`, `null`, `"readOnlyHint"`, `{"readOnlyHint":"true"}`, `{"readOnlyHint":true,"idempotentHint":1}`} {
		t.Run(annotations, func(t *testing.T) {
			tool := `{"name":"t","annotations":` + annotations + `}`
			play(t, nil, func(s *stage) {
				s.handshake(find, tool)
				s.ask(callLine("3", "t"))
				s.hear()
				s.server.die(1, "")
				if m := s.want(`"id":3`); m.Outcome != "unknown" || *m.Retryable {
					t.Errorf("the client heard %s", m.line)
				}
				s.ask(`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`)
				if m := s.want(`{"jsonrpc":"2.0","id":4,"result":{"tools":[`+find+`,{"name":"t",`, `"inputSchema":{"type":"object"}}]}}`); strings.Contains(m.line, `idempotent`) {
					t.Errorf("the client heard %s", m.line)
				}
			})
		})
	}
}

// A server that dies three times without reading a call may well do so for ever.
func TestCallThatThreeLivesLeaveUnread(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.ask(callLine("3", "write"))
		for life := range 3 {
			if life > 0 {
				s.revived()
			}
			m := s.hear()
			if m.Method != "tools/call" {
				t.Fatalf("the server was told %s", m.line)
			}
			s.server.unread = len(m.line) + 1
			if life > 0 { // recourse's own tools/list lies behind it
				s.server.unread += len(s.hear().line) + 1
			}
			s.server.die(1, "Error: no luck")
		}
		m := s.want(`"id":3`, "no luck", "It did not run")
		if m.Code != "SERVICE_UNAVAILABLE" || !*m.Retryable || m.RetryAfter < 1 || m.Outcome != "" {
			t.Errorf("the client heard %s", m.line)
		}
		s.revived()
		if m := s.hear(); m.Method != "tools/list" {
			t.Errorf("the fourth server was told %s", m.line)
		}
	})
}

// A call that began a task has left something behind that no second one finds,
// even if the tool only reads.
func TestCallForATask(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"find","arguments":{},"task":{"ttl":1000}}}`
	for _, unread := range []bool{false, true} {
		play(t, nil, func(s *stage) {
			s.handshake(find)
			s.ask(call)
			if line := s.hear().line; unread {
				s.server.unread = len(line) + 1
			}
			s.server.die(1, "")
			if unread {
				s.revived()
				if m := s.hear(); !strings.Contains(m.line, `"task":{"ttl":1000}`) {
					t.Errorf("the server was told %s", m.line)
				}
			} else if m := s.want(`"id":3`); m.Outcome != "unknown" || *m.Retryable {
				t.Errorf("the client heard %s", m.line)
			}
		})
	}
}

// The process has gone, but something of it still holds the output, and speaks
// when the next server has its calls.
func TestVoiceOfAServerThatHasGone(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		s.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"find","arguments":{},"_meta":{"progressToken":"p"}}}`)
		id := s.hear().id
		old := s.server
		old.once.Do(func() {
			old.exit = upstream.Exit{Status: 137, Signal: "killed"}
			close(old.gone)
		})
		defer func() {
			old.say.Close()
			old.Writer.(io.Closer).Close()
		}()
		s.hear() // the ping that asks for life
		s.revived()
		again := s.hear()
		if again.Method != "tools/call" || again.id != id {
			t.Fatalf("the server was told %s", again.line)
		}
		for _, line := range []string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":9}}`,
			`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
			`{"jsonrpc":"2.0","id":0,"method":"roots/list"}`,
			`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"stale"}]}}`,
		} {
			fmt.Fprintln(old.say, line)
		}
		s.listed(find)
		s.silent(100 * time.Millisecond)
		s.reply(id, "found")
		s.want(`"id":3`, `"found"`)
		s.silent(time.Second)
	})
}

// Nothing waits for a server that is not started again.
func TestCallsThatWaitWhenTheStartBecomesHopeless(t *testing.T) {
	check := func(s *stage, id, text string) {
		s.t.Helper()
		m := s.want(`"id":`+id, text)
		if m.Code != "CONFIGURATION_ERROR" || *m.Retryable || m.Outcome != "" || m.State != "failed" || m.Suggestion == "" {
			s.t.Errorf("the client heard %s", m.line)
		}
	}
	t.Run("exit status 78", func(t *testing.T) {
		play(t, nil, func(s *stage) {
			s.handshake(find, write)
			s.ask(callLine("3", "find"))
			s.hear()
			s.server.die(1, "")
			s.wait()
			s.ask(callLine("4", "write"))
			s.ask(`{"jsonrpc":"2.0","id":5,"method":"prompts/list"}`)
			s.wait()
			s.server.die(78, "Error: KEY is not set")
			begun := time.Now()
			for _, id := range []string{"3", "4", "5"} {
				check(s, id, "KEY is not set")
			}
			if took := time.Since(begun); took > time.Second {
				t.Errorf("it took %v", took)
			}
			s.ask(callLine("6", "find"))
			check(s, "6", "KEY is not set")
		})
	})
	t.Run("the command is missing", func(t *testing.T) {
		gone := false
		play(t, func(r *Relay) {
			start := r.Start
			r.Start = func() (upstream.Conn, error) {
				if gone {
					return nil, fmt.Errorf("start: %w", exec.ErrNotFound)
				}
				return start()
			}
		}, func(s *stage) {
			s.handshake(find, write)
			s.ask(callLine("3", "find"))
			line := s.hear().line
			s.ask(callLine("4", "write"))
			s.server.unread = len(line) + 1 + len(s.hear().line) + 1
			s.relay.mu.Lock()
			gone = true
			s.relay.mu.Unlock()
			s.server.die(1, "")
			check(s, "3", "executable file not found")
			check(s, "4", "executable file not found")
		})
	})
}

// What the client announces while there is no server is kept up to 4 MiB, whatever
// the calls take that wait; the operator is told of the rest, once.
func TestNotificationsWhileTheServerIsAway(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.wait()
		large := strings.Repeat("x", 1<<20)
		for i := range 5 {
			s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write","arguments":{"x":"%s"}}}`, 10+i, large))
		}
		for i := range 10 {
			s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/x","params":{"n":%d,"x":"%s"}}`, i, large))
		}
		s.ask(callLine("3", "write"))
		s.wait()
		s.revived()
		for range 5 {
			s.reply(s.hear().id, "done")
			s.want(`"done"`)
		}
		kept, m := 0, s.hear()
		for ; m.Method == "notifications/x"; m = s.hear() {
			if !strings.Contains(m.line, fmt.Sprintf(`{"n":%d,`, kept)) {
				t.Errorf("notification %d begins %.80s", kept, m.line)
			}
			kept++
		}
		if kept != 3 { // four of them are more than 4 MiB
			t.Errorf("%d were kept", kept)
		}
		s.reply(m.id, "done")
		s.want(`"id":3`)
		s.listed(find, write)
		s.wait()
		if n := strings.Count(strings.Join(s.said, "\n"), "notifications of the client were dropped"); n != 1 {
			t.Errorf("the operator was told %d times: %q", n, s.said)
		}
	})
}

// While we do not read the server, since its client does not read, its silence
// says nothing.
func TestServerThatIsNotReadIsNotHung(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		const lines = 5
		go func() {
			for range lines {
				s.answer(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 8<<20) + `"}}`)
			}
		}()
		s.wait()
		s.ask(callLine("3", "write"))
		s.hear()
		s.pass(time.Second)
		s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
		s.hear()
		s.pass(10 * time.Minute)
		for range lines {
			if m := s.want(); m.Method != "notifications/message" {
				t.Errorf("the client heard %.200s", m.line)
			}
		}
		s.pong()
		s.wait()
		if len(s.lives) != 1 {
			t.Errorf("it was started %d times: %q", len(s.lives), s.said)
		}
		s.ask(callLine("4", "write"))
		s.reply(s.hear().id, "done")
		s.want(`"id":4`, `"done"`)
	})
}

// A hung server hears of the cancel of a call that it still has. When the last one
// is given up there is nothing left to wait for; the next server reports progress as
// ever.
func TestCancelDuringTheLastNotice(t *testing.T) {
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.pass(time.Second)
		s.ask(callLine("3", "write"))
		s.hear()
		s.pass(45 * time.Second)
		s.ask(callLine("4", "write"))
		id := s.hear().id
		s.ask(callLine("5", "write"))
		s.hear()
		s.want(`"id":3`, "TIMEOUT")
		s.hear() // the cancel of 3
		s.hear() // ping
		s.pass(probeLimit + time.Second)
		begun := time.Now()
		s.ask(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"find","arguments":{},"_meta":{"progressToken":"p"}}}`)
		s.ask(fmt.Sprintf(cancel, "4"))
		if m := s.hear(); m.line != fmt.Sprintf(cancel, id) {
			t.Errorf("the server was told %s", m.line)
		}
		s.ask(fmt.Sprintf(cancel, "5"))
		s.revived()
		if took := time.Since(begun); took > time.Second {
			t.Errorf("the next server came after %v", took)
		}
		call := s.hear()
		s.answer(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}`)
		s.want("notifications/progress", `"progressToken":"p"`)
		s.reply(call.id, "found")
		s.want(`"id":6`, `"found"`)
	})
}
