package demo

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// A server is the bad one: a bare loop over lines, one thing at a time, as in
// many a server that was written in an afternoon.
type server struct {
	conduct *Case
	out     io.Writer
	err     io.Writer
}

// Serve is the bad server of the case with that name, until in ends. It returns
// the exit status that the process should have.
func Serve(name string, in io.Reader, out, stderr io.Writer) int {
	c := find(name)
	if c == nil {
		fmt.Fprintf(stderr, "there is no case %q\n", name)
		return 2
	}
	s := &server{conduct: c, out: out, err: stderr}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return 0
		}
		var m message
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		if status := s.answer(&m); status != 0 {
			return status
		}
	}
}

// A message is as much of JSON-RPC as the demonstration needs.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// answer returns 0, or the status with which the server dies.
func (s *server) answer(m *message) (exit int) {
	c := s.conduct
	switch m.Method {
	case "initialize":
		time.Sleep(c.start)
		s.result(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"shop","version":"1"}}`)
	case "tools/list":
		s.result(m.ID, fmt.Sprintf(`{"tools":[{"name":%q,"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":%t}}]}`, c.tool, c.reads))
	case "tools/call":
		return c.serve(s, m.ID)
	default:
		s.result(m.ID, `{}`)
	}
	return 0
}

func (s *server) result(id json.RawMessage, result string) {
	fmt.Fprintf(s.out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
}

func (s *server) text(id json.RawMessage, text string) {
	s.result(id, fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, text))
}
