package relay

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/redact"
)

const discover = `{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`

// Calls that the replaced server had heard of are answered; their places in its
// queue mean nothing in the new one's.
func TestCallsOfAReplacedServer(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.ask(callLine("7", "write"))
		s.hear()
		s.ask(discover)
		s.hear()
		s.want(`"id":"d"`, "-32601")
		s.ask(strings.Replace(hello, `"id":1`, `"id":2`, 1))
		if m := s.want(`"id":7`); m.Code != "SERVICE_UNAVAILABLE" || m.Outcome != "unknown" {
			t.Errorf("the client heard %s", m.line)
		}
		s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		s.wait()
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":2`, "2025-06-18")
	})
}

// SDKs count their ids from 0 again in every life.
func TestWhatADeadLifeHasSaidIsVoid(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.answer(`{"jsonrpc":"2.0","id":0,"method":"sampling/createMessage"}`)
		s.answer(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
		s.ask(hello)
		s.hear()
		s.wait()
		s.server.die(1, "")
		s.wait()
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":1`, "2025-06-18")
		s.silent(time.Second)
	})
}

// The ids of a server's requests have nothing to do with ours.
func TestBrokenRequestOfTheServerHurtsNoCall(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		id := s.hear().id
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"method":"sampling/createMessage","params":{"x":}}`)
		if m := s.hear(); m.id != id || m.Error == nil {
			t.Errorf("the server heard %s", m.line)
		}
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"ok"}]}}`)
	})
}

// A line that the end of the server cut says nothing; its death does.
func TestHalfAnAnswerThenDeath(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		fmt.Fprint(s.server.say, `{"jsonrpc":"2.0","id":`+s.hear().id+`,"result":{"content":[{"ty`)
		s.server.die(0, "")
		if m := s.want(`"id":9`); m.Code != "SERVICE_UNAVAILABLE" || *m.ExitStatus != 0 || m.Outcome != "unknown" {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// An answer without id is good as long as only one call can be meant.
func TestAnswerThatLostItsID(t *testing.T) {
	for _, lost := range []string{``, `"id":null,`, `"id":0,`} {
		play(t, nil, func(s *stage) {
			s.handshake()
			s.ask(callLine("9", "echo"))
			s.hear()
			s.answer(`{` + lost + `"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"ok"}]}}`)
			s.want(`"id":9`, `"result":{"content":[{"type":"text","text":"ok"}]}`)
			s.ask(callLine("10", "echo"))
			s.hear()
			s.ask(callLine("11", "echo"))
			s.hear()
			s.answer(`{` + lost + `"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"ok"}]}}`)
			s.silent(time.Second)
		})
	}
}

func TestErrorThatIsNull(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.answer(`{"result":{"content":[{"type":"text","text":"ok"}]},"error":null,"id":` + s.hear().id + `}`)
		s.want(`{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"ok"}]}}`)
	})
}

func TestIDsThatAreNone(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		for _, id := range []string{"true", "{}", "[1]", "null"} {
			s.ask(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
			s.want(`"id":null`, "-32600", "id must")
		}
	})
}

// A server that can't be told anything is replaced.
func TestServerThatClosesItsInput(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.server.hearing.Close()
		begun := time.Now()
		s.ask(callLine("9", "write"))
		s.revived()
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":9`, restartNotice)
		if took := time.Since(begun); took > time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// A broken answer whose id is legible ends its call at once.
func TestBrokenAnswerEndsItsCall(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[{"ty`)
		if m := s.want(`"id":9`); m.Code != "BAD_UPSTREAM_RESPONSE" || m.Outcome != "unknown" {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

func TestOversizeAnswerOfTheClient(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.answer(`{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage"}`)
		q := s.want("sampling/createMessage")
		s.ask(`{"jsonrpc":"2.0","id":` + q.id + `,"result":{"x":"` + strings.Repeat("x", maxRequest) + `"}}`)
		if m := s.hear(); m.id != `"q"` || m.Code != "PAYLOAD_TOO_LARGE" {
			t.Errorf("the server heard %s", m.line)
		}
		s.silent(time.Second)
		s.ask(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`) // no answer to an answer
		s.silent(time.Second)
	})
}

func TestOversizeAnswerOfTheServer(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.answer(`{"result":{"x":"` + strings.Repeat("x", wire.DefaultMax) + `"},"jsonrpc":"2.0","id":` + s.hear().id + `}`)
		if m := s.want(`"id":9`, "10.0 MiB"); m.Code != "PAYLOAD_TOO_LARGE" || m.Outcome != "completed" || *m.Retryable {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

func TestIDsAsServersSpellThem(t *testing.T) {
	for _, format := range []string{"%s", `"%s"`, "%s.0", "%se0"} {
		play(t, nil, func(s *stage) {
			s.handshake()
			s.ask(callLine("9", "echo"))
			s.ask(callLine("10", "echo"))
			id := s.hear().id
			s.answer(`{"jsonrpc":"2.0","id":` + fmt.Sprintf(format, id) + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
			s.want(`{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		})
	}
}

// A secret that is cut has no look any more.
func TestStandardErrorIsRedactedBeforeItIsCut(t *testing.T) {
	jwt := "eyJhbGciOiJIUzI1NiJ9." + strings.Repeat("QUJD", 300) + "." + strings.Repeat("c2ln", 20)
	pem := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat(strings.Repeat("QUJD", 16)+"\n", 20) + "-----END PRIVATE KEY-----"
	env := strings.Repeat("hunter2", 200)
	for name, stderr := range map[string]string{"jwt": "Authorization: Bearer " + jwt, "pem": pem, "env": "it is " + env} {
		play(t, func(r *Relay) { r.Redact = &redact.Redactor{Secrets: []string{env}} }, func(s *stage) {
			s.handshake()
			s.ask(callLine("9", "echo"))
			s.hear()
			s.server.die(1, stderr+"\nError: gone\n")
			m := s.want(`"id":9`, "Error: gone")
			for _, part := range []string{"QUJD", "c2ln", "hunter2"} {
				if strings.Contains(m.line, part) {
					t.Errorf("%s: the client heard %s", name, m.line)
				}
			}
		})
	}
}

func TestQueueThatIsFull(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		const calls = 80
		go func() {
			for n := range calls {
				s.ask(`{"jsonrpc":"2.0","id":` + fmt.Sprint(100+n) + `,"method":"tools/call","params":{"name":"write","arguments":{"x":"` + strings.Repeat("x", 1<<20) + `"}}}`)
			}
		}()
		busy := 0
		for range calls {
			switch m := s.want(); m.Code {
			case "RESOURCE_BUSY":
				if busy++; !*m.Retryable || m.Outcome != "" {
					t.Fatalf("the client heard %s", m.line)
				}
			case "TIMEOUT":
			default:
				t.Fatalf("the client heard %s", m.line)
			}
		}
		if busy < calls-backRoom>>20-2 || busy > calls-backRoom>>20+2 {
			t.Errorf("%d of %d calls were refused, with room for %d MiB", busy, calls, backRoom>>20)
		}
	})
}

// What can't be refused waits in the client's pipe.
func TestNotificationsToAServerThatDoesNotRead(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		line := `{"jsonrpc":"2.0","method":"notifications/x","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`
		go func() {
			for range 3 * backRoom >> 20 {
				s.ask(line)
			}
		}()
		s.wait()
		if size := s.relay.server.back.size(); size < 2*backRoom || size > 2*backRoom+2*len(line) {
			t.Errorf("%d MiB wait, with room for %d", size>>20, 2*backRoom>>20)
		}
	})
}

func TestOversizeQuestion(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.answer(`{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"x":"` + strings.Repeat("x", wire.DefaultMax) + `"}}`)
		if m := s.hear(); m.id != `"q"` || m.Code != "PAYLOAD_TOO_LARGE" {
			t.Errorf("the server heard %s", m.line)
		}
		s.answer(`{"jsonrpc":"2.0","method":"notifications/message","params":{"x":"` + strings.Repeat("x", wire.DefaultMax) + `"}}`)
		s.silent(time.Second)
	})
}

func TestOversizeRequest(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(`{"params":{"x":"` + strings.Repeat("x", maxRequest) + `"},"id":"list","method":"tools/list"}`)
		s.want(`"id":"list"`, `"error":{"code":413`)
		s.ask(`{"jsonrpc":"2.0","method":"tools/call","params":{"x":"` + strings.Repeat("x", maxRequest) + `"},"id":"big"}`)
		if m := s.want(`"id":"big"`, `"isError":true`); m.Code != "PAYLOAD_TOO_LARGE" {
			t.Errorf("the client heard %s", m.line)
		}
		s.ask(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		if m := s.hear(); m.Method != "ping" {
			t.Errorf("the server heard %s", m.line)
		}
	})
}

// Nobody can answer a server's question once the client has closed its side.
func TestQuestionAfterTheClientsEnd(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "write"))
		id := s.hear().id
		s.answer(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create"}`)
		s.want("elicitation/create")
		s.say.Close()
		s.want("notifications/cancelled")
		s.answer(`{"jsonrpc":"2.0","id":"r","method":"elicitation/create"}`)
		for _, want := range []string{`"q"`, `"r"`} {
			if m := s.hear(); m.id != want || m.Error == nil {
				t.Errorf("the server heard %s", m.line)
			}
		}
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":9`, `"content":[{"type":"text","text":"ok"}]`)
	})
}

// What a server has said before it went is heard, however late the client reads.
func TestAnswersOfAServerThatHasGoneAreRead(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		const calls = 8
		var ids []string
		for n := range calls {
			s.ask(callLine(fmt.Sprint(10+n), "read"))
			ids = append(ids, s.hear().id)
		}
		go func() {
			for _, id := range ids {
				s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"x":"` + strings.Repeat("x", 8<<20) + `"}}`)
			}
			s.server.die(0, "")
		}()
		s.pass(10 * time.Second)
		for range calls {
			if m := s.want(); m.Code != "" {
				t.Fatalf("the client heard %s", m.line)
			}
		}
	})
}

// Of two calls with the same id the younger is cancelled, then the older.
func TestCancelFindsTheYounger(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		cancel := func(id, want string) {
			t.Helper()
			s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
			if m := s.hear(); m.Method != "notifications/cancelled" || string(m.Params) != `{"requestId":`+want+`}` {
				t.Errorf("cancel of %s: the server heard %s", id, m.line)
			}
		}
		ours := map[string]string{}
		for _, id := range []string{"1", `"1"`, `"\u0031"`, "2"} {
			s.ask(callLine(id, "slow"))
			ours[id] = s.hear().id
		}
		cancel(`"1"`, ours[`"\u0031"`])
		cancel(`"1"`, ours[`"1"`])
		s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}`) // swallowed
		cancel("2", ours["2"])
		s.ask(callLine("3", "slow"))
		ours["3"] = s.hear().id
		cancel("3", ours["3"])
		cancel("1", ours["1"])
	})
}

func BenchmarkCancel(b *testing.B) {
	for _, flight := range []int{100, 10_000} {
		b.Run(fmt.Sprint(flight), func(b *testing.B) {
			r := &Relay{}
			r.init()
			for n := range flight {
				c := r.newCall(time.Time{})
				c.id = fmt.Append(nil, n)
			}
			n := 0
			for b.Loop() {
				if r.find(fmt.Append(nil, n%flight)) == nil {
					b.Fatal("not found")
				}
				n++
			}
		})
	}
}
