package faulty

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Echo is a good server with one tool, which returns its argument text. It
// serves until in ends.
func Echo(in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Arguments struct{ Text string } }
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil || m.ID == nil {
			continue
		}
		switch m.Method {
		case "initialize":
			answer(out, m.ID, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}`)
		case "tools/list":
			answer(out, m.ID, `{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}`)
		case "tools/call":
			text, _ := json.Marshal(m.Params.Arguments.Text) // a string always encodes
			answer(out, m.ID, `{"content":[{"type":"text","text":`+string(text)+`}]}`)
		default:
			answer(out, m.ID, `{}`)
		}
	}
}

func answer(out io.Writer, id json.RawMessage, result string) {
	_, _ = fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
}
