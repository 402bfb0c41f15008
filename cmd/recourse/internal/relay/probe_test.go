package relay

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A server that says nothing, not even to a ping, and does not work either, is
// replaced; the next call reaches the new one.
func TestHungServerIsReplaced(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.pass(time.Second)
		s.ask(callLine("3", "write"))
		s.hear()
		if m := s.want(`"id":3`, "TIMEOUT"); m.Outcome != "unknown" {
			t.Errorf("the client heard %s", m.line)
		}
		if m := s.hear(); m.Method != "notifications/cancelled" {
			t.Fatalf("the server was told %s", m.line)
		}
		if m := s.hear(); m.Method != "ping" {
			t.Fatalf("the server was told %s", m.line)
		}
		begun := time.Now()
		s.ask(callLine("4", "write"))
		s.hear()
		m := s.want(`"id":4`, "it hung")
		if took := time.Since(begun); m.Outcome != "unknown" || took > probeLimit+lastNotice+time.Second {
			t.Errorf("after %v: %s", took, m.line)
		}
		s.revived()
		s.ask(callLine("5", "write"))
		s.listed(find, write)
		s.reply(s.hear().id, "done")
		s.want(`"id":5`, `"done"`)
	})
}

// What comes while a hung server has its last notice waits for the next one.
func TestCallsDuringTheLastNotice(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.pass(time.Second)
		s.ask(callLine("3", "write"))
		s.hear()
		s.pass(45 * time.Second)
		s.ask(callLine("4", "write"))
		s.hear()
		s.want(`"id":3`, "TIMEOUT")
		s.hear()
		s.hear()
		s.pass(probeLimit + time.Second)
		s.ask(callLine("5", "write"))
		s.wait()
		s.reply("5", "after all") // our number of the call with the client's id 4
		s.want(`"id":4`)
		s.revived()
		s.reply(s.hear().id, "done")
		s.want(`"id":5`, `"done"`)
	})
}

// A server that answers the ping, says anything else, or works, is not hung; but
// work without a word through three limits in a row is no life either.
func TestSilentServerThatIsNotHung(t *testing.T) {
	limit := func(s *stage, id string) {
		s.pass(time.Second)
		s.ask(callLine(id, "write"))
		s.hear()
		s.want(`"id":`+id, "TIMEOUT")
		s.hear() // cancelled
	}
	t.Run("it answers a ping", func(t *testing.T) {
		play(t, nil, func(s *stage) {
			s.handshake(find, write)
			for _, id := range []string{"3", "4", "5", "6"} {
				limit(s, id)
				s.pong()
				s.pass(time.Minute)
			}
			if len(s.lives) != 1 {
				t.Errorf("it was started %d times", len(s.lives))
			}
		})
	})
	t.Run("it says something", func(t *testing.T) {
		play(t, nil, func(s *stage) {
			s.handshake(find, write)
			limit(s, "3")
			s.hear() // ping
			s.pass(4 * time.Second)
			s.answer(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"at work"}}`)
			s.want("at work")
			s.pass(time.Minute)
			if len(s.lives) != 1 {
				t.Errorf("it was started %d times", len(s.lives))
			}
		})
	})
	t.Run("it works", func(t *testing.T) {
		play(t, nil, func(s *stage) {
			s.handshake(find, write)
			s.server.cpu = 4 * time.Second
			for _, id := range []string{"3", "4"} {
				limit(s, id)
				s.hear() // ping
				s.pass(time.Minute)
				if len(s.lives) != 1 {
					t.Fatalf("it was replaced after the call %s", id)
				}
			}
			limit(s, "5")
			s.hear()
			s.pass(probeLimit + time.Second)
			if s.wait(); len(s.lives) != 2 || !strings.Contains(strings.Join(s.said, "\n"), "it hung") {
				t.Errorf("it was started %d times: %q", len(s.lives), s.said)
			}
		})
	})
}

// A client with less patience than ours gives each call up before our limit; the
// server is replaced all the same.
func TestHungServerOfAnImpatientClient(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.pass(time.Second)
		for i := range 6 {
			id := string(rune('3' + i))
			s.ask(callLine(id, "write"))
			s.hear()
			s.pass(9 * time.Second)
			s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
			if m := s.hear(); m.Method == "ping" {
				break
			}
		}
		s.revived()
		s.listed(find, write)
		s.ask(callLine("9", "write"))
		s.reply(s.hear().id, "done")
		s.want(`"id":9`, `"done"`)
	})
}

// There is no ping in the stateless era: any answer to server/discover will do.
func TestSilentStatelessServer(t *testing.T) {
	const line = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	play(t, nil, func(s *stage) {
		for i := range 3 {
			s.ask(fmt.Sprintf(line, 3+i))
			s.want(fmt.Sprintf(`"id":%d`, 3+i), "TIMEOUT")
			m := s.hear()
			for m.Method != "server/discover" {
				m = s.hear()
			}
			if !strings.Contains(m.line, "2026-07-28") {
				t.Errorf("the server was told %s", m.line)
			}
			s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"error":{"code":-32601,"message":"no"}}`)
			s.pass(time.Minute)
		}
		if len(s.lives) != 1 {
			t.Errorf("it was started %d times", len(s.lives))
		}
	})
}
