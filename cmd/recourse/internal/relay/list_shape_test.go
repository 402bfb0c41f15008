package relay

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	oddTools = `{"tools":[{"name":"a","title":null},null,{"title":"x"},{"name":"b","inputSchema":{"type":"object"},"outputSchema":null}],"nextCursor":null}`
	putRight = `{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]}`
)

// One odd item does not cost the client the list, and what was left out of it is
// no tool: not in what is known, and not in what is said while there is no server.
func TestOddItemsOfAList(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":` + oddTools + `}`)
		if m := s.want(); m.line != `{"jsonrpc":"2.0","id":3,"result":`+putRight+`}` {
			t.Fatalf("the client heard %s", m.line)
		}
		if got := s.relay.table.known(); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("known %v", got)
		}
		s.server.die(1, "")
		s.pass(10 * time.Millisecond)
		s.ask(`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`)
		if m := s.want(); m.line != `{"jsonrpc":"2.0","id":4,"result":`+putRight+`}` {
			t.Errorf("the client heard %s", m.line)
		}
	})
}

// A walk of our own learns the list as the client would get it.
func TestOddItemsOfAWalk(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.ask(hello)
		s.answer(strings.Replace(welcome, "%s", s.hear().id, 1))
		s.want(`"id":1`)
		s.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		s.hear()
		s.ask(callLine("3", "a"))
		first := s.hear()
		s.answer(`{"jsonrpc":"2.0","id":` + first.id + `,"result":{"tools":[{"name":"z"}, 5],"nextCursor":2}}`)
		second := s.hear()
		if !strings.Contains(second.line, `"cursor":"2"`) {
			t.Fatalf("the server heard %s", second.line)
		}
		s.answer(`{"jsonrpc":"2.0","id":` + second.id + `,"result":` + oddTools + `}`)
		s.answer(textAnswer(s.hear().id, "ok"))
		s.want(`"id":3`)
		if got := s.relay.table.known(); !slices.Equal(got, []string{"a", "b", "z"}) {
			t.Errorf("known %v", got)
		}
	})
}

// After a restart the same list is no news, however odd it is.
func TestOddItemsAreNoChange(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake()
		s.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"result":` + oddTools + `}`)
		s.want(`"id":3`)
		s.server.die(1, "")
		s.revived()
		m := s.hear()
		if m.Method != "tools/list" {
			t.Fatalf("the server was told %s", m.line)
		}
		s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":` + oddTools + `}`)
		s.pass(time.Second)
		if strings.Contains(strings.Join(s.said, "\n"), "is another") {
			t.Errorf("the operator heard %q", s.said)
		}
	})
}
