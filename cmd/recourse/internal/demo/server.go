package demo

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A server is the bad one: a bare loop over lines, one thing at a time, as in
// many a server that was written in an afternoon.
type server struct {
	conduct *Case
	life    int             // counts the processes of a case with further calls, from 1
	args    json.RawMessage // of the call that is being answered
	calls   int             // that were counted
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
	if c.next != nil {
		s.life = countLife()
	}
	if s.life > 1 && c.again != "" {
		fmt.Fprintln(stderr, c.again)
		return 1
	}
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

// countLife returns how many processes of the server there have been in this
// folder, with this one.
func countLife() int {
	f, err := os.OpenFile("starts", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0
	}
	defer f.Close()
	_, _ = f.WriteString("x")
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return int(info.Size())
}

// A message is as much of JSON-RPC as the demonstration needs.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
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
		tools := []string{describe(c.tool, c.input, c.output, c.reads)}
		for next := c.next; next != nil; next = next.next {
			if next.serve != nil {
				tools = append(tools, describe(next.tool, "", "", true))
			}
		}
		s.result(m.ID, `{"tools":[`+strings.Join(tools, ",")+`]}`)
	case "tools/call":
		s.args = m.Params.Arguments
		return c.conduct(m.Params.Name)(s, m.ID)
	default:
		s.result(m.ID, `{}`)
	}
	return 0
}

// conduct returns how a tool meets a call.
func (c *Case) conduct(tool string) conduct {
	for next := c.next; next != nil; next = next.next {
		if next.tool == tool && next.serve != nil {
			return next.serve
		}
	}
	return c.serve
}

func describe(tool, input, output string, reads bool) string {
	if input == "" {
		input = `{"type":"object"}`
	}
	if output != "" {
		output = `,"outputSchema":` + output
	}
	return fmt.Sprintf(`{"name":%q,"inputSchema":%s%s,"annotations":{"readOnlyHint":%t}}`, tool, input, output, reads)
}

func (s *server) result(id json.RawMessage, result string) {
	fmt.Fprintf(s.out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
}

func (s *server) text(id json.RawMessage, text string) {
	s.result(id, fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, text))
}

// fail answers with an error of the tool.
func (s *server) fail(id json.RawMessage, text string) {
	s.result(id, fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"isError":true}`, text))
}
