package relay

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A server that ends between two calls: the client is served as if nothing had
// been, and the model is told.
func TestRestartReplaysTheSession(t *testing.T) {
	play(t, nil, func(s *stage) {
		// The client asks for a later revision than the server speaks.
		s.ask(strings.Replace(hello, "2025-06-18", "2025-11-25", 1))
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":1`)
		s.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		s.hear()
		s.grant("2", `{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}`)
		for i, uri := range []string{"a:1", "b:2", "c:3"} {
			s.grant(fmt.Sprint(3+i), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":%q}}`, 3+i, uri))
		}
		s.grant("6", `{"jsonrpc":"2.0","id":6,"method":"resources/unsubscribe","params":{"uri":"b:2"}}`)

		s.server.die(1, "")
		s.wait()
		s.told(`"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}`)
		s.told(`"notifications/initialized"`, `"logging/setLevel","params":{"level":"info"}`, `"resources/subscribe","params":{"uri":"a:1"}`, `"uri":"c:3"`)
		s.ask(callLine("7", "write"))
		s.listed()
		s.reply(s.hear().id, "done")
		if m := s.want(`"id":7`, `{"type":"text","text":"done"},{"type":"text","text":"The server restarted since your last call`, `"_meta":{"dev.recourse/warnings":["The server restarted`); strings.Contains(m.line, "isError") {
			t.Errorf("the client heard %s", m.line)
		}
		s.ask(callLine("8", "write"))
		s.reply(s.hear().id, "done")
		if m := s.want(`"id":8`); strings.Contains(m.line, "restarted") {
			t.Errorf("it is told twice: %s", m.line)
		}
	})
}

// Announcements of a new life are held until the list has been compared.
func TestListChangesOverARestart(t *testing.T) {
	const changed = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	promise := strings.Replace(welcome, `"tools":{}`, `"tools":{"listChanged":true}`, 1)
	for _, tt := range []struct {
		name  string
		after []string
		want  bool
	}{
		{"the same list", []string{find, write}, false},
		{"another order", []string{write, find}, false},
		{"one more", []string{find, write, put}, true},
		{"one less", []string{find}, true},
		{"another description", []string{find, `{"name":"write","title":"new","inputSchema":{"type":"object"}}`}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, nil, func(s *stage) {
				s.ask(hello)
				s.answer(fmt.Sprintf(promise, s.hear().id))
				s.want(`"id":1`)
				s.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
				s.hear()
				s.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
				s.listed(find, write)
				s.want(`"id":2`)
				s.server.die(1, "")
				s.wait()
				s.answer(changed)
				s.revived()
				s.answer(changed)
				s.listed(tt.after...)
				// The announcement came while the list was under way: once more.
				s.listed(tt.after...)
				if tt.want {
					s.want(changed)
				}
				s.silent(10 * time.Second)
				s.answer(changed)
				s.want(changed)
			})
		})
	}
}

// What is gone since the restart is said when it is called.
func TestToolThatIsGoneSinceTheRestart(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.revived()
		s.listed(find)
		s.wait()
		s.ask(callLine("3", "write"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"error":{"code":-32602,"message":"Unknown tool: write"}}`)
		s.want(`"id":3`, "restarted and no longer lists it")
	})
}

// Subscriptions of the stateless era are begun again, with the client's id; the
// second acknowledgement is not for the client.
func TestListenGoesOn(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	play(t, nil, func(s *stage) {
		s.ask(`{"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{` + meta + `,"notifications":{"toolsListChanged":true}}}`)
		id := s.hear().id
		acknowledge := func(id string) {
			s.answer(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}}`)
		}
		acknowledge(id)
		s.want("acknowledged", `"L"`)
		s.server.die(1, "")
		s.pass(time.Second)
		again := s.hear()
		if again.Method != "subscriptions/listen" || again.id != id {
			t.Fatalf("the server was told %s", again.line)
		}
		acknowledge(again.id)
		s.answer(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":` + again.id + `}}}`)
		s.want("resources/updated", `"L"`)
	})
}

// A task dies with its server, and the next one may use its id for another.
func TestTaskOfADeadServer(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write","arguments":{},"task":{"ttl":1000}}}`)
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"task":{"taskId":"t1","status":"working"}}}`)
		s.want(`"id":3`)
		s.grant("4", `{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"t1"}}`)
		s.server.die(1, "")
		s.revived()
		s.listed(find, write)
		for i, m := range []string{"tasks/get", "tasks/result", "tasks/cancel"} {
			s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"taskId":"t1"}}`, 5+i, m))
			s.want(fmt.Sprintf(`"id":%d,"error"`, 5+i), "the server that ran it has ended")
		}
		s.grant("9", `{"jsonrpc":"2.0","id":9,"method":"tasks/get","params":{"taskId":"t2"}}`)
	})
}

// A server that does not take the client's handshake any more is a failed start;
// one that speaks only another era now will never take it.
func TestServerThatRefusesTheReplay(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.wait()
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"error":{"code":-32603,"message":"not now"}}`)
		s.ask(callLine("3", "write"))
		s.pass(time.Second)
		s.revived()
		s.reply(s.hear().id, "done")
		s.want(`"id":3`, `"done"`)
	})
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.wait()
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"error":{"code":-32022,"message":"unsupported"}}`)
		s.pass(time.Second)
		s.ask(callLine("3", "write"))
		m := s.want(`"id":3`, "reconnect")
		if m.Code != "CONFIGURATION_ERROR" || *m.Retryable || m.State != "failed" {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// A second handshake that is answered is the one that is replayed.
func TestLastHandshakeIsReplayed(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		s.ask(strings.Replace(hello, `"id":1`, `"id":9`, 1))
		s.hear()
		s.answer(`{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"already initialized"}}`)
		s.want(`"id":9`, "already initialized")
		s.ask(strings.Replace(strings.Replace(hello, `"id":1`, `"id":10`, 1), `"name":"t"`, `"name":"u"`, 1))
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":10`)
		s.server.die(1, "")
		s.wait()
		s.told(`"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"u","version":"0"}}`)
	})
}
