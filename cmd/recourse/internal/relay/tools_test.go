package relay

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const pages = `{"name":"a","x":1.0,"inputSchema":{"type":"object"}},  {"name":"b","inputSchema":{"type":"object"}}|{"name":"c","inputSchema":{"type":"object"}}`

// learnAll walks through pages, separated by |, as a client would.
func learnAll(t *table, all string) {
	cursor := ""
	parts := strings.Split(all, "|")
	for i, part := range parts {
		p := t.ask([]byte(`{"cursor":"` + cursor + `"}`))
		next := ""
		if i < len(parts)-1 {
			next = string(rune('1' + i))
		}
		t.learn(p, []byte(`{"tools":[`+part+`],"nextCursor":"`+next+`"}`))
		cursor = next
	}
}

func TestCompleteWalkReplacesTheTable(t *testing.T) {
	var tab table
	learnAll(&tab, pages)
	if got := tab.known(); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Fatalf("known %v", got)
	}
	learnAll(&tab, `{"name":"c","inputSchema":{"type":"object"}}|{"name":"d","inputSchema":{"type":"object"}}`)
	if got := tab.known(); !slices.Equal(got, []string{"c", "d"}) {
		t.Errorf("known %v", got)
	}
}

func TestPageSeenPassingByOnlyAdds(t *testing.T) {
	var tab table
	learnAll(&tab, pages)
	tab.learn(page{cursor: "elsewhere"}, []byte(`{"tools":[{"name":"d","inputSchema":{"type":"object"}}]}`))
	if got := tab.known(); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("known %v", got)
	}
}

func TestListThatChangedDuringTheWalkIsNotKnownWhole(t *testing.T) {
	var tab table
	tab.learn(tab.ask(nil), []byte(`{"tools":[{"name":"a"}],"nextCursor":"1"}`))
	p := tab.ask([]byte(`{"cursor":"1"}`))
	tab.changed()
	tab.learn(p, []byte(`{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}`))
	if got := tab.known(); got != nil {
		t.Errorf("known %v", got)
	}
}

func TestItemsKeepTheirBytes(t *testing.T) {
	var tab table
	learnAll(&tab, pages)
	for modern, want := range map[bool]string{
		false: `{"tools":[{"name":"a","x":1.0,"inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}},{"name":"c","inputSchema":{"type":"object"}}]}`,
		true:  `{"tools":[{"name":"a","x":1.0,"inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}},{"name":"c","inputSchema":{"type":"object"}}],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`,
	} {
		if got := tab.result(modern); string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// What a server says of its tools can only make them less repeatable.
func TestHints(t *testing.T) {
	for _, tt := range []struct {
		annotations string // in successive lists
		want        hints
	}{
		{`{}`, hints{}},
		{`{"readOnlyHint":true}`, hints{readOnly: true}},
		{`{"readOnlyHint":true,"destructiveHint":false}`, hints{readOnly: true}},
		{`{"readOnlyHint":true,"destructiveHint":true}`, hints{}},
		{`{"idempotentHint":true}`, hints{idempotent: true}},
		{`{"idempotentHint":true,"destructiveHint":true}`, hints{}},
		{`{"idempotentHint":false,"readOnlyHint":false}`, hints{}},
		{`{} {"readOnlyHint":true}`, hints{}},
		{`{"readOnlyHint":true} {}`, hints{}},
		{`{"readOnlyHint":true} {} {"readOnlyHint":true}`, hints{}},
	} {
		var tab table
		for a := range strings.FieldsSeq(tt.annotations) {
			learnAll(&tab, `{"name":"t","annotations":`+a+`}`)
		}
		if got := tab.hints("t"); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.annotations, got, tt.want)
		}
	}
}

// A call that comes before any list makes us ask for one, and waits for it.
func TestWalkOfOurOwn(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.ask(hello)
		s.answer(strings.Replace(welcome, "%s", s.hear().id, 1))
		s.want(`"id":1`)
		s.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		s.hear()
		s.ask(callLine("3", "nope"))
		first := s.hear()
		if first.Method != "tools/list" {
			t.Fatalf("the server heard %s", first.line)
		}
		s.answer(`{"jsonrpc":"2.0","id":` + first.id + `,"result":{"tools":[{"name":"note_add","inputSchema":{"type":"object"}}],"nextCursor":"p2"}}`)
		second := s.hear()
		if !strings.Contains(second.line, `"cursor":"p2"`) {
			t.Fatalf("the server heard %s", second.line)
		}
		s.answer(`{"jsonrpc":"2.0","id":` + second.id + `,"result":{"tools":[{"name":"note_find","inputSchema":{"type":"object"}}]}}`)
		c := s.hear()
		s.answer(`{"jsonrpc":"2.0","id":` + c.id + `,"result":{"content":[{"type":"text","text":"ok"}]}}`)
		s.want(`"id":3`)
		s.server.die(1, "")
		s.pass(time.Second)
		s.ask(`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`)
		s.want(`{"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"note_add","inputSchema":{"type":"object"}},{"name":"note_find","inputSchema":{"type":"object"}}]}}`)
		s.ask(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
		s.want(`{"jsonrpc":"2.0","id":5,"result":{}}`)
	})
}

func TestUnknownToolStaysAProtocolError(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(`{"name":"note_add"}`, `{"name":"note_find"}`)
		s.ask(callLine("3", "add_note"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"error":{"code":-32602,"message":"Tool add_note not found"}}`)
		m := s.want(`"id":3`, `"error":{"code":-32602`)
		if m.Code != "UNKNOWN_TOOL" || !strings.Contains(m.line, "Did you mean note_add") {
			t.Errorf("the client heard %s", m.line)
		}
	})
}
