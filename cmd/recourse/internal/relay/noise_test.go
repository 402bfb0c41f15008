package relay

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// said lets the server say bytes as they are.
func (s *stage) raw(text string) { fmt.Fprint(s.server.say, text) }

func textAnswer(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
}

// What stands around an answer, or in it, does not hide it.
func TestAnswersAreFound(t *testing.T) {
	progress := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`
	for _, c := range []struct {
		name string
		said string // A: the answer
		want string // its text, if not ok
		also string // what the client hears before it
	}{
		{"text before", "Loading...A\n", "", ""},
		{"text after", "A took 3 ms\n", "", ""},
		{"colours", "\x1b[32mA\x1b[0m\n", "", ""},
		{"byte order mark", "\ufeffA\r\n", "", ""},
		{"NULs", "\x00\x00A\x00\n", "", ""},
		{"no line end", "A", "", ""},
		{"lines around it", "\n \n{\n  message: 'x'\n}\n123\n[1]\n\"s\"\nA\n", "", ""},
		{"an open bracket before", "[\nA\n", "", ""},
		{"its own start before", "sending:\n" + textAnswer("3", "ok")[:60] + "...\n" + textAnswer("3", "ok")[:40] + "\nA\n", "", ""},
		{"text before, and no line end", "Loading...A", "", ""},
		{"a NUL behind, and no line end", "A\x00", "", ""},
		{"colours around, and no line end", "\x1b[32mA\x1b[0m", "", ""},
		{"blanks behind", "A \t \r\n", "", ""},
		{"its id before", `{"jsonrpc":"2.0","id":3,"status":"received"}` + "\nA\n", "", ""},
		{"half an answer before", `{"jsonrpc":"2.0","id":77,"resuA` + "\n", "", ""},
		{"half a line of it before", `{"jsonrpc":"2.0","id":77,"resu` + "\nA\n", "", ""},
		{"a notification on its line", progress + "A\n", "", progress},
		{"in an array", "[" + progress + ",A]\n", "", progress},
		{"what was heard is printed", `recv {"jsonrpc":"2.0","id":3,"method":"tools/call"}` + "\nA\n", "", ""},
		{"what was heard is returned", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}}` + "\nA\n", "", ""},
		{"framed for a language server", "Content-Length: 80\r\n\r\nA", "", ""},
		{"pretty", "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 3,\n  \"result\": {\n    \"content\": [\n      {\"type\": \"text\", \"text\": \"ok\"}\n    ]\n  }\n}\n", "", ""},
		{"line feeds in its text", textAnswer("3", "a\nb\n\nc") + "\n", `a\nb\n\nc`, ""},
		{"NUL and Latin-1 in its text", textAnswer("3", "a\x00b\xe9") + "\n", `a\u0000b` + "\ufffd", ""},
		{"half a surrogate pair", textAnswer("3", `x\ud83dy`) + "\n", `x\ufffdy`, ""},
	} {
		play(t, nil, func(s *stage) {
			s.handshake()
			s.ask(callLine("9", "echo"))
			s.hear()
			s.raw(strings.ReplaceAll(c.said, "A", textAnswer("3", "ok")))
			if c.also != "" {
				s.want(c.also)
			}
			text := "ok"
			if c.want != "" {
				text = c.want
			}
			m := s.want()
			if flat := strings.ReplaceAll(m.line, " ", ""); m.line != strings.TrimSpace(m.line) || m.id != "9" || !strings.Contains(flat, `"text":"`+text+`"`) {
				t.Errorf("%s: %s", c.name, m.line)
			}
			s.ask(callLine("10", "echo"))
			s.answer(textAnswer(s.hear().id, "next"))
			s.want(textAnswer("10", "next"))
		})
	}
}

// A request or notification next to other text may be what the server has heard or
// will say: it does not count.
func TestOnlyAnswersAreSalvaged(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.hear()
		s.raw(`sending {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}` + "\n")
		s.raw(`sending {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n")
		s.raw(`sent ` + textAnswer("4", "nobody waits for this") + "\n")
		s.raw(`{"log":` + textAnswer("3", "inside of something else") + "}\n")
		s.silent(2 * time.Second)
		s.answer(textAnswer("3", "ok"))
		s.want(textAnswer("9", "ok"))
	})
}

// Whose answer is broken is known as soon as its id is; the tool may have run.
func TestBrokenAnswersFailTheirCall(t *testing.T) {
	for _, c := range []struct {
		name, said string
		after      time.Duration
	}{
		{"not JSON", `{"jsonrpc":"2.0","id":3,"result":{"content":[}` + "\n", time.Second},
		{"neither result nor error", `{"jsonrpc":"2.0","id":3}` + "\n", time.Second},
		{"the same id twice", `{"jsonrpc":"2.0","id":3,"id":3,"result":{}}` + "\n", time.Second},
		{"cut short", `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"te` + "\n", time.Second},
		{"cut short, then something else", `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"te` + "\n" + `{"jsonrpc":"2.0","method":"notifications/x"}` + "\n", time.Second},
	} {
		play(t, nil, func(s *stage) {
			s.handshake(`{"name":"get","annotations":{"readOnlyHint":true}}`)
			s.ask(callLine("9", "put"))
			s.hear()
			s.raw(c.said)
			if strings.Contains(c.said, "notifications") {
				s.want("notifications/x")
			}
			if c.after > 0 {
				s.silent(c.after - time.Millisecond)
				s.pass(time.Millisecond)
			}
			var m message
			for m.id != "9" {
				m = s.want()
			}
			if m.Code != "BAD_UPSTREAM_RESPONSE" || m.Outcome != "unknown" || *m.Retryable {
				t.Errorf("%s: %s", c.name, m.line)
			}
			s.ask(callLine("10", "get"))
			s.hear()
			s.raw(strings.Replace(c.said, `"id":3`, `"id":4`, 2))
			s.pass(c.after)
			for m.id != "10" {
				m = s.want()
			}
			if m.Code != "BAD_UPSTREAM_RESPONSE" || m.Outcome != "" {
				t.Errorf("%s: %s", c.name, m.line)
			}
		})
	}
}

// If it can't be known whose answer a line was, the call's limit ends it, and the
// error shows the line.
func TestTimeoutQuotesTheNoise(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.hear()
		s.raw(`{"result":{"content":[{"type":"text","text":"x"}],"jsonrpc":"2.0","id` + "\n")
		s.pass(50 * time.Second)
		if m := s.want(`"id":9`, `"received":`, `{\\\"result\\\":{\\\"content\\\"`); m.Code != "TIMEOUT" {
			t.Errorf("the client heard %s", m.line)
		}
		s.hear()
		s.ask(callLine("10", "echo"))
		s.hear()
		s.pass(50 * time.Second)
		if m := s.want(`"id":10`); m.Code != "TIMEOUT" || strings.Contains(m.line, "received") {
			t.Errorf("the client heard %s", m.line)
		}
		s.hear()
	})
}

// Half a line shows no life, and is no reason to wait; what follows it is read.
func TestHalfALine(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.hear()
		s.raw(textAnswer("3", "ok")[:50])
		s.pass(50 * time.Second)
		s.want(`"id":9`, "TIMEOUT")
		s.hear() // it is told
		if m := s.hear(); m.Method != "ping" {
			t.Fatalf("the server was told %s", m.line)
		}
		s.pass(5 * time.Second)
		s.revived()
		s.listed()
		s.ask(callLine("10", "echo"))
		s.answer(textAnswer(s.hear().id, "ok"))
		s.want(`"id":10`, `"text":"ok"`)
	})
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.hear()
		s.raw(textAnswer("3", "ok")[:50])
		s.silent(20 * time.Second)
		s.raw(textAnswer("3", "ok")[50:] + "\n")
		s.want(textAnswer("9", "ok"))
	})
}

// A value that never ends does not grow for ever.
func TestPiecesAreBounded(t *testing.T) {
	play(t, func(r *Relay) { _ = r.Rules.MaxFrame.UnmarshalText([]byte("2k")) }, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.hear()
		for range 5 {
			s.raw("[" + strings.Repeat(" ", 1000) + "\n")
		}
		s.wait()
		if n := s.relay.server.fragment.Size(); n > 2048 {
			t.Errorf("%d bytes were kept", n)
		}
		s.raw(textAnswer("3", "ok") + "\n")
		s.want(textAnswer("9", "ok"))
	})
}

// The operator hears of noise at once, and of much noise in numbers.
func TestNoiseIsTold(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		for n := range 1000 {
			s.raw(fmt.Sprintf("line %d password=hunter22 {\n", n))
		}
		s.pass(11 * time.Second)
		s.raw("the last one\n")
		s.wait()
		if len(s.said) != 4 || !strings.Contains(s.said[0], "line 0") || !strings.Contains(s.said[3], "998 more lines") ||
			!strings.Contains(s.said[3], "the last one") || strings.Contains(strings.Join(s.said, ""), "hunter22") {
			t.Errorf("the operator heard %q", s.said)
		}
		s.raw("Content-Length: 20\n\n")
		s.wait()
		if last := s.said[len(s.said)-1]; !strings.Contains(last, "language servers") {
			t.Errorf("the operator heard %q", last)
		}
	})
}

// What is legal and still ends a client's session, or is never answered by it.
func TestWhatClientsCanNotRead(t *testing.T) {
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		s.hear()
		s.answer(`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"ok"}],"structuredContent":` + deep + `}}`)
		if m := s.want(`"id":9`, "1002 levels"); m.Code != "BAD_UPSTREAM_RESPONSE" || m.Outcome != "unknown" || *m.Retryable {
			t.Errorf("the client heard %s", m.line)
		}
		s.ask(`{"jsonrpc":"2.0","id":10,"method":"resources/read","params":{"uri":"x:y"}}`)
		s.hear()
		s.answer(`{"jsonrpc":"2.0","id":4,"result":{"x":` + deep + `}}`)
		if m := s.want(`"id":10`, `"code":502`); m.Code != "BAD_UPSTREAM_RESPONSE" {
			t.Errorf("the client heard %s", m.line)
		}
		s.answer(`{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"x":` + deep + `}}`)
		if m := s.hear(); m.id != "7" || m.Error == nil {
			t.Errorf("the server heard %s", m.line)
		}
		s.answer(`{"jsonrpc":"2.0","method":"notifications/x","params":{"x":` + deep + `}}`)
		s.answer(`{"jsonrpc":"2.0","method":"notifications/x","params":5}`)
		s.answer(`{"jsonrpc":"2.0","id":8,"method":"sampling/createMessage","params":"x"}`)
		if m := s.hear(); m.id != "8" || m.Error == nil {
			t.Errorf("the server heard %s", m.line)
		}
		s.ask(`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"x","arguments":{"x":` + deep + `}}}`)
		s.want(`"id":11`, "-32600")
		s.answer(`{"jsonrpc":"2.0","method":"notifications/x","params":null}`)
		s.want(`{"jsonrpc":"2.0","method":"notifications/x","params":{}}`)
		s.answer(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1,"_meta":null}}`)
		s.want(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1,"_meta":{}}}`)
		s.ask(`{"jsonrpc":"2.0","id":12,"method":"resources/read","params":{"uri":"x:y"}}`)
		s.hear()
		s.answer(`{"jsonrpc":"2.0","id":5,"method":"resources/read","result":{"contents":[],"_meta":null}}`)
		s.want(`{"jsonrpc":"2.0","id":12,"result":{"contents":[],"_meta":{}}}`)
	})
}

// A client that answers nothing gets a bounded number of requests.
func TestUnansweredRequestsOfTheServer(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		go func() {
			for {
				if _, err := s.client.ReadString('\n'); err != nil {
					return
				}
			}
		}()
		for n := range maxAsked + 1 {
			s.answer(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"sampling/createMessage"}`, n))
		}
		if m := s.hear(); m.id != fmt.Sprint(maxAsked) || !strings.Contains(m.line, "RESOURCE_BUSY") {
			t.Errorf("the server heard %s", m.line)
		}
	})
}

// What nobody wants any more is counted.
func TestLossesAreTold(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		for range 500 {
			s.answer(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"old","progress":1}}`)
		}
		s.pass(10 * time.Second)
		s.answer(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"old","progress":1}}`)
		s.wait()
		if len(s.said) != 1 || !strings.Contains(s.said[0], "501 reports of progress") {
			t.Errorf("the operator heard %q", s.said)
		}
	})
}

// Before 2026-07-28 clients refuse a result whose structuredContent is no object.
func TestStructuredContentOfAnotherKind(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		for id, content := range []string{`[{"type":"text","text":"x"}]`, `[]`, `[{"type":"text","text":"[1,2]"}]`} {
			s.ask(callLine(fmt.Sprint(id+10), "echo"))
			s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":` + content + `,"structuredContent":[1,2]}}`)
			m := s.want(`"was no object"`[1:14])
			if strings.Contains(m.line, `"structuredContent":`) || !strings.Contains(m.line, `{"type":"text","text":"[1,2]"}]`) {
				t.Errorf("the client heard %s", m.line)
			}
		}
		s.ask(callLine("13", "echo"))
		asked := `"result":{"resultType":"input_required","inputRequests":{},"structuredContent":[1]}}`
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,` + asked)
		s.want(`{"jsonrpc":"2.0","id":13,` + asked)
		s.ask(`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"echo","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
		result := `"result":{"resultType":"complete","content":[{"type":"text","text":"x"}],"structuredContent":[1,2]}}`
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,` + result)
		s.want(`{"jsonrpc":"2.0","id":12,` + result)
	})
}

// Loggers write objects with the members of messages. None of them is one.
func TestLogRecordsAreNoMessages(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(callLine("9", "echo"))
		id := s.hear().id
		for _, line := range []string{
			`{"level":"error","error":"dial tcp 10.0.0.5:5432: connection refused","msg":"retrying"}`,
			`{"level":"error","error":{"code":7,"message":"no"},"id":null}`,
			`{"level":"info","result":{"rows":3},"msg":"query"}`,
			`{"id":null,"result":"ok"}`,
			`{"id":0,"result":{"content":[]}}`,
			`{"id":77,"error":{"code":1,"message":"x"}}`,
			`{"type":"response","id":` + id + `,"error":"x"}`,
			`{"level":30,"id":` + id + `,"error":{"code":1,"message":"m"}}`,
			`{"method":"GET","url":"/health"}`,
			`{"method":"GET","url":"/health","id":7}`,
			`{"result":{"content":[{"type":"text","text":"x"}]}}`,
			`[{"method":"GET","url":"/health"}]`,
		} {
			s.answer(line)
		}
		s.silent(time.Second)
		s.answer(`{"method":"notifications/message","params":{"level":"info","data":"x"}}`)
		s.want(`{"jsonrpc":"2.0","method":"notifications/message"`)
		s.answer(`{"id":` + id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"ok"}]}}`)
	})
}
