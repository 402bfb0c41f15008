package relay

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

// While the server is being started again, what needs no server is answered, and
// the rest waits; a call that is cancelled meanwhile is never sent.
func TestWaitingForARestart(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.wait()
		s.ask(callLine("3", "write"))
		s.ask(callLine("4", "find"))
		s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
		s.ask(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
		s.want(`"id":5,"result":{}`)
		s.ask(`{"jsonrpc":"2.0","id":6,"method":"tools/list"}`)
		s.want(`"id":6`, find+","+write)
		for range 2 {
			s.ask(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
		}
		s.ask(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)
		s.ask(`{"jsonrpc":"2.0","method":"notifications/custom"}`)
		s.wait()
		s.told("initialize", "notifications/initialized", "notifications/roots/list_changed", `"name":"find"`, "notifications/custom", "tools/list")
		s.want(`"id":4`)
	})
}

// A server that dies at each start is tried again at once, then later and later,
// and for ever. Calls learn when, and why.
func TestServerThatDiesAtEachStart(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		begun := time.Now()
		s.server.die(1, "")
		second := func() Status {
			s.pass(time.Second)
			s.wait()
			if s.relay.Status().State == "restarting" {
				if m := s.hear(); m.Method != "initialize" {
					t.Fatalf("the server was told %s", m.line)
				}
				s.server.die(1, "Error: no database")
				s.wait()
			}
			return s.relay.Status()
		}
		for time.Since(begun) < time.Hour {
			second()
		}
		// One a minute, give or take.
		if n := len(s.lives); n < 50 || n > 80 {
			t.Errorf("%d starts in an hour", n)
		}
		now := second()
		for now.NextTry == nil || time.Since(now.Since) > 5*time.Second {
			now = second()
		}
		at := time.Now()
		s.ask(callLine("5", "find"))
		m := s.want(`"id":5`, "no database", "in a row")
		if time.Since(at) > 0 || m.Code != "SERVICE_UNAVAILABLE" || !*m.Retryable || m.RetryAfter < 1 || m.State != "waiting" {
			t.Errorf("after %v the client heard %s", time.Since(at), m.line)
		}
		s.ask(`{"jsonrpc":"2.0","id":6,"method":"tools/list"}`)
		s.want(`"id":6`, find+","+write)
		// A call that comes when the last try is old brings the next one forward.
		s.pass(11 * time.Second)
		s.ask(callLine("7", "find"))
		s.revived()
		s.reply(s.hear().id, "found")
		s.want(`"id":7`, `"found"`)
	})
}

// A server that leaves when it has nothing to do is started when there is.
func TestServerThatLeavesWhenIdle(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.server.die(0, "")
		s.pass(time.Hour)
		if len(s.lives) != 1 {
			t.Fatalf("it was started %d times", len(s.lives))
		}
		s.ask(callLine("3", "write"))
		s.revived()
		s.reply(s.hear().id, "done")
		s.want(`"id":3`, `"done"`)
	})
}

// A server that leaves at each start, with status 0 at that, has not left for want
// of work.
func TestServerThatLeavesAtEachStart(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.server.die(0, "")
		s.wait()
		s.ask(callLine("3", "write"))
		for range 600 {
			s.pass(100 * time.Millisecond)
			s.wait()
			s.server.die(0, "")
		}
		if m := s.want(`"id":3`); m.Outcome != "" || !*m.Retryable {
			t.Errorf("the client heard %s", m.line)
		}
		if n := len(s.lives); n > 8 {
			t.Errorf("%d starts in a minute", n)
		}
	})
}

// A stateless session has no handshake: a request that starts the server again
// goes to it at once.
func TestStatelessServerThatLeavesWhenIdle(t *testing.T) {
	const line = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	play(t, nil, func(s *stage) {
		for id := 1; id <= 2; id++ {
			s.ask(fmt.Sprintf(line, id))
			s.wait()
			m := s.hear()
			if m.Method == "tools/list" || strings.Contains(m.line, "tools/list") {
				m = s.hear()
			}
			s.reply(m.id, "done")
			s.want(fmt.Sprintf(`"id":%d`, id), `"done"`)
			s.server.die(0, "")
			s.pass(time.Hour)
		}
		if len(s.lives) != 2 {
			t.Errorf("it was started %d times", len(s.lives))
		}
	})
}

// A start that hangs is given up at its limit; the calls that waited for it
// learn why.
func TestStartThatHangs(t *testing.T) {
	play(t, func(r *Relay) { r.Rules = spans(t, "5m", "0") }, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.wait()
		for range 5 {
			s.ask(callLine("3", "write"))
			s.pass(rules.Start + 5*time.Second)
		}
		m := s.want(`"id":3`)
		if !*m.Retryable || m.Outcome != "" || !strings.Contains(m.Message, "no answer to initialize within 45s") {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// There was never a server, and the client is of the stateless era.
func TestStatelessClientOfAServerThatCantStart(t *testing.T) {
	play(t, func(r *Relay) {
		r.Start = func() (upstream.Conn, error) { return nil, fmt.Errorf("start: %w", exec.ErrNotFound) }
	}, func(s *stage) {
		s.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
		if m := s.want(`"id":1,"error"`); m.Code != "CONFIGURATION_ERROR" {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// Want of memory or descriptors passes; the server is tried again.
func TestRestartThatCantFork(t *testing.T) {
	var fail bool
	play(t, func(r *Relay) {
		start := r.Start
		r.Start = func() (upstream.Conn, error) {
			if fail {
				return nil, fmt.Errorf("pipe: %w", syscall.EMFILE)
			}
			return start()
		}
	}, func(s *stage) {
		s.handshake(find)
		s.relay.mu.Lock()
		fail = true
		s.relay.mu.Unlock()
		s.server.die(1, "")
		s.pass(5 * time.Second)
		s.ask(callLine("3", "find"))
		if m := s.want(`"id":3`, "too many open files"); !*m.Retryable || m.State != "waiting" || m.RetryAfter < 1 {
			t.Errorf("the client heard %s", m.line)
		}
		s.relay.mu.Lock()
		fail = false
		s.relay.mu.Unlock()
		s.pass(11 * time.Second)
		s.ask(callLine("4", "find"))
		s.revived()
		s.reply(s.hear().id, "found")
		s.want(`"id":4`, `"found"`)
	})
}

// A server that leaves whenever it has answered: what comes in that moment, and was
// not read, is for the next one, without delay.
func TestServerThatLeavesAfterEachAnswer(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		begun := time.Now()
		for i := range 20 {
			id := fmt.Sprint(10 + i)
			if i > 0 {
				s.revived()
			} else {
				s.ask(callLine(id, "write"))
			}
			s.reply(s.hear().id, "done")
			s.want(`"id":`+id, `"done"`)
			s.ask(callLine(fmt.Sprint(11+i), "write"))
			m := s.hear()
			if m.Method == "tools/list" {
				m = s.hear()
			}
			s.server.unread = len(m.line) + 1
			s.server.die(0, "")
			s.wait()
		}
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("20 calls took %v", took)
		}
	})
}

// Calls that ended while they waited take no room.
func TestRoomOfCallsThatWereGivenUp(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.wait()
		large := strings.Repeat("x", 1<<20)
		for i := range 80 {
			id := fmt.Sprint(100 + i)
			s.ask(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"write","arguments":{"x":"` + large + `"}}}`)
			s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		}
		s.ask(callLine("3", "write"))
		s.wait()
		s.revived()
		s.reply(s.hear().id, "done")
		s.want(`"id":3`, `"done"`)
	})
}

// What a client listens to goes on, however long the server is away.
func TestListenOutlastsTheBackoff(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	play(t, nil, func(s *stage) {
		s.ask(`{"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{` + meta + `,"notifications":{"toolsListChanged":true}}}`)
		s.hear()
		for range 6 {
			s.server.die(1, "")
			s.pass(2500 * time.Millisecond)
		}
		s.ask(`{"jsonrpc":"2.0","id":"M","method":"subscriptions/listen","params":{` + meta + `,"notifications":{}}}`)
		s.silent(time.Second)
		s.pass(2 * time.Minute)
		for _, id := range []string{`"L"`, `"M"`} {
			m := s.hear()
			if m.Method != "subscriptions/listen" {
				t.Fatalf("the server was told %s", m.line)
			}
			s.answer(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":` + m.id + `}}}`)
			s.want("resources/updated", id)
		}
	})
}
