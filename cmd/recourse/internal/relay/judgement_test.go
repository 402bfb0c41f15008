package relay

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Nothing at all is an answer only as long as there is something behind the server.
func TestBlankOfADeadSession(t *testing.T) {
	const tools = `"result":{"tools":[{"name":"find"}]}`
	for _, tt := range []struct {
		name, list string
		dead       bool
	}{
		{"alive", tools, false},
		{"no list offered any more", `"error":{"code":-32601,"message":"Method not found"}`, false},
		{"the list fails", `"error":{"code":-32000,"message":"browser has been closed"}`, true},
		{"all tools gone", `"result":{"tools":[]}`, true},
		{"silence", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, nil, func(s *stage) {
				s.handshake(`{"name":"find","annotations":{"readOnlyHint":true}}`)
				s.ask(callLine("3", "find"))
				s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[]}}`)
				probe := s.hear()
				if probe.Method != "tools/list" {
					t.Fatalf("the server was told %s", probe.line)
				}
				if tt.list == "" {
					s.pass(aliveTime)
				} else {
					s.answer(`{"jsonrpc":"2.0","id":` + probe.id + `,` + tt.list + `}`)
				}
				if m := s.want(`"id":3`); strings.Contains(m.line, `"isError":true`) != tt.dead || tt.dead && m.Code != "SERVICE_UNAVAILABLE" {
					t.Errorf("the client heard %s", m.line)
				}
			})
		})
	}
}

// One question is enough for a while.
func TestBlankIsAskedForOnce(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		blank := func() {
			s.ask(callLine("3", "find"))
			s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[]}}`)
		}
		blank()
		s.listed(find)
		s.want(`"id":3`, "no content")
		blank()
		s.want(`"id":3`, "no content")
		s.pass(time.Minute)
		blank()
		s.listed(find)
		s.want(`"id":3`, "no content")
	})
}

// A call that ends while its blank answer waits is over.
func TestBlankOfACancelledCall(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		s.ask(callLine("3", "find"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":null}`)
		probe := s.hear()
		s.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
		s.hear()
		s.answer(`{"jsonrpc":"2.0","id":` + probe.id + `,"result":{"tools":[]}}`)
		s.silent(time.Minute)
	})
}

// What a tool has promised is kept for it where its text has it, and missed where not:
// the SDKs' clients refuse an answer that breaks the promise.
func TestPromises(t *testing.T) {
	const counter = `{"name":"count","outputSchema":{"type":"object","properties":{"total":{"type":"number"}},"required":["total"]}}`
	for _, tt := range []struct{ name, result, want string }{
		{"kept", `{"content":[{"type":"text","text":"3"}],"structuredContent":{"total":3}}`, `{"content":[{"type":"text","text":"3"}],"structuredContent":{"total":3}}`},
		{"in the text", `{"content":[{"type":"text","text":"{\"total\":3}"}]}`, `{"content":[{"type":"text","text":"{\"total\":3}"}],"structuredContent":{"total":3}}`},
		{"not in the text", `{"content":[{"type":"text","text":"three"}]}`, "BAD_UPSTREAM_RESPONSE"},
		{"of another type", `{"content":[{"type":"text","text":"3"}],"structuredContent":{"total":"3"}}`, "BAD_UPSTREAM_RESPONSE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, nil, func(s *stage) {
				s.handshake(counter)
				s.ask(callLine("3", "count"))
				s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":` + tt.result + `}`)
				m := s.want(`"id":3`)
				if tt.want[0] == '{' {
					if m.line != `{"jsonrpc":"2.0","id":3,"result":`+tt.want+`}` {
						t.Errorf("the client heard %s", m.line)
					}
					return
				}
				if m.Code != tt.want || *m.Retryable || m.Outcome != "completed" || strings.Contains(m.line, `"structuredContent":`) {
					t.Errorf("the client heard %s", m.line)
				}
			})
		})
	}
}

// A list has no outputSchema that makes a client refuse all of it.
func TestOutputSchemaThatCantBeUsed(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.ask(hello)
		s.answer(fmt.Sprintf(welcome, s.hear().id))
		s.want(`"id":1`)
		s.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		const fine = `{"name":"b","outputSchema":{"type":"object"},"inputSchema":{"type":"object"}}`
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"tools":[{"name":"a","outputSchema":{"$ref":"https://example.com/x.json"},"title":"A","inputSchema":{"type":"object"}},` + fine + `]}}`)
		s.want(`"tools":[{"name":"a","title":"A","inputSchema":{"type":"object"}},` + fine + `]`)
		if len(s.said) != 1 || !strings.Contains(s.said[0], "outputSchema") {
			t.Errorf("the operator heard %q", s.said)
		}
	})
}

// Whatever calls itself an error comes with what to do, and keeps its own words.
func TestReportedErrors(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(`{"name":"pay"}`, find)
		s.ask(callLine("3", "pay"))
		const words = `{"type":"text","text":"HTTP 429 Too Many Requests. Retry-After: 2"}`
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[` + words + `],"isError":true,"x":1}}`)
		m := s.want(`"id":3`, `},`+words+`],"isError":true,"x":1`)
		if m.Code != "RATE_LIMITED" || m.RetryAfter != 2 || !*m.Retryable {
			t.Errorf("the client heard %s", m.line)
		}
		// What says nothing to us, or all already, passes as it is.
		for _, result := range []string{
			`{"content":[{"type":"text","text":"zork"}],"isError":true}`,
			`{"content":[{"type":"text","text":"HTTP 429"}],"isError":true,"_meta":{"io.modelcontextprotocol/toolFailure":{"class":"reliability"}}}`,
		} {
			s.ask(callLine("4", "pay"))
			s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":` + result + `}`)
			line, _ := s.client.ReadString('\n')
			if line != `{"jsonrpc":"2.0","id":4,"result":`+result+"}\n" {
				t.Errorf("the client heard %s", line)
			}
		}
	})
}

// An error that calls itself a success is marked, with all its blocks; of a tool that
// may act it never looks as if it could be repeated.
func TestDisguisedErrors(t *testing.T) {
	const words = `{"type":"text","text":"{\"success\":false,\"error\":\"API rate limit exceeded, retry in 20 seconds\"}"}`
	for _, tt := range []struct {
		tool      string
		retryable bool
	}{{"pay", false}, {"find", true}} {
		play(t, nil, func(s *stage) {
			s.handshake(`{"name":"pay"}`, `{"name":"find","annotations":{"readOnlyHint":true}}`)
			s.ask(callLine("3", tt.tool))
			s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":{"content":[` + words + `]}}`)
			m := s.want(`"id":3`, `},`+words+`],"isError":true`)
			if m.Code != "RATE_LIMITED" || *m.Retryable != tt.retryable {
				t.Errorf("%s: the client heard %s", tt.tool, m.line)
			}
		})
	}
}

// What a program can read already passes as it is, with our reading beside it at most.
func TestStructuredErrorsPass(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		for _, tt := range []struct{ text, code string }{
			{`{"error":{"code":429,"message":"Quota exceeded for reads per minute","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"23s"}]}}`, "RATE_LIMITED"},
			{`{"type":"about:blank","title":"Not Found","status":404,"detail":"no such page"}`, "NOT_FOUND"},
			{`{"error":{"code":"CONFLICT","message":"m","suggestion":"s","retryable":false}}`, "CONFLICT"},
		} {
			s.ask(callLine("3", "find"))
			block := `{"content":[{"type":"text","text":` + quoted(tt.text) + `}],"isError":true`
			s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":` + block + `}}`)
			line, _ := s.client.ReadString('\n')
			if !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":3,"result":`+block+`,"_meta":{"dev.recourse/error":{"code":"`+tt.code+`"`) {
				t.Errorf("the client heard %s", line)
			}
		}
	})
}
