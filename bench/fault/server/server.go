package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/bench/fault/table"
)

// A server reads one message after the other, and does nothing else meanwhile.
type server struct {
	row   table.Row
	limit time.Duration
	in    *bufio.Reader
	later [][]byte  // lines that came while the server waited for another
	asked []message // that the fault is to answer
	last  []byte    // the line that was read last
}

// A message is what the server reads of one.
type message struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name            string
		ProtocolVersion string
		Arguments       struct{ Text string }
	}
}

// tools are those of every server; there is no telling whether act may be repeated.
const tools = `{"tools":[` +
	`{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"annotations":{"readOnlyHint":true}},` +
	`{"name":"act","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}},` +
	`{"name":"look","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"annotations":{"readOnlyHint":true}},` +
	`{"name":"logs","inputSchema":{"type":"object","properties":{"limit":{"type":"integer"},"cursor":{"type":"string"}}},"annotations":{"readOnlyHint":true}}]}`

// answers are those to what is the same for every server.
var answers = map[string]string{
	"ping":                     `{}`,
	"tools/list":               tools,
	"resources/list":           `{"resources":[]}`,
	"resources/templates/list": `{"resourceTemplates":[]}`,
	"prompts/list":             `{"prompts":[]}`,
	"resources/read":           `{"contents":[{"uri":"a:b","text":"` + table.Done + `"}]}`,
	"prompts/get":              `{"messages":[]}`,
	"completion/complete":      `{"completion":{"values":[]}}`,
	"logging/setLevel":         `{}`,
}

// fit reports whether a line is one message as the specification has it.
func fit(line []byte) bool {
	var m struct{ JSONRPC string }
	return utf8.Valid(line) && !bytes.ContainsRune(line, '\r') && line[0] == '{' &&
		json.Unmarshal(line, &m) == nil && m.JSONRPC == "2.0" && !table.Lone(line)
}

func (s *server) serve() {
	if s.row.On == "start" && !s.over() {
		s.misbehave()
	}
	for {
		line := s.line()
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			put(table.Answer(cmp.Or(string(m.ID), "null"), "error", []byte(`{"code":-32602,"message":"Invalid params"}`)), "\n")
			continue
		}
		s.take(m)
	}
}

func (s *server) line() []byte {
	if len(s.later) > 0 {
		line := s.later[0]
		s.later = s.later[1:]
		return line
	}
	return s.read()
}

// read returns the next line; the end of the input is the end of the server.
func (s *server) read() []byte {
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		os.Exit(0)
	}
	if !fit(line) {
		fmt.Fprintf(os.Stderr, "UNFIT %.300q\n", line)
		os.Exit(70)
	}
	return line
}

// take answers, unless it is time for the fault.
func (s *server) take(m message) {
	if s.row.On == "all" {
		s.misbehave()
		s.answer(m)
		return
	}
	call := m.Method == "tools/call" && m.Params.Name != "echo"
	due := s.row.On == m.Method || s.row.On == "call" && call
	if !due {
		s.answer(m)
		if s.row.On == "echoed" && m.Method == "tools/call" && m.Params.Name == "echo" && !s.over() {
			s.misbehave()
		}
		return
	}
	if s.over() {
		s.answer(m)
		return
	}
	if s.asked = append(s.asked, m); len(s.asked) == s.need() {
		s.misbehave()
		s.asked = nil
	}
}

// need is how many requests the fault waits for.
func (s *server) need() int {
	n := 0
	for _, a := range s.row.Asks {
		if s.row.On == "call" && a.Method == "" && a.Tool != "echo" || s.row.On == a.Method {
			n++
		}
	}
	return max(1, n)
}

func (s *server) answer(m message) {
	if m.ID == nil {
		return // a notification
	}
	id := string(m.ID)
	switch result, ok := answers[m.Method]; {
	case m.Method == "initialize":
		put(table.Answer(id, "result", fmt.Appendf(nil,
			`{"protocolVersion":%q,"capabilities":{"tools":{"listChanged":true},"resources":{},"prompts":{},"completions":{}},"serverInfo":{"name":"fault","version":"1"}}`,
			m.Params.ProtocolVersion)), "\n")
	case m.Method == "tools/call":
		text := table.Done
		if m.Params.Name == "echo" {
			text = m.Params.Arguments.Text
		}
		b, _ := json.Marshal(text) // a string
		put(table.Answer(id, "result", []byte(`{"content":[{"type":"text","text":`+string(b)+`}]}`)), "\n")
	case ok:
		put(table.Answer(id, "result", []byte(result)), "\n")
	case m.Method != "":
		put(table.Answer(id, "error", []byte(`{"code":-32601,"message":"Method not found"}`)), "\n")
	}
}

// put is one write. A bad server does not care whether anybody reads.
func put(b []byte, end string) { _, _ = os.Stdout.Write(append(b, end...)) }
