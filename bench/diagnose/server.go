package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// A role is a tool and what its calls are answered with.
type role struct {
	Name     string          `json:"name"`
	Schema   json.RawMessage `json:"schema,omitempty"`
	ReadOnly bool            `json:"read_only,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
	Error    json.RawMessage `json:"error,omitempty"`
	Files    bool            `json:"files,omitempty"` // the text of the file that the argument path names
	// Without any: the bytes of the arguments, in a form that looks like nothing.
}

const helloResult = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"cases","version":"1.0.0"}}`

// serve is the server: it plays the roles in a file.
func serve(file string, in io.Reader, out io.Writer) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var roles []role
	if err := json.Unmarshal(b, &roles); err != nil {
		return err
	}
	byName := map[string]role{}
	for _, r := range roles {
		byName[r.Name] = r
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestCase)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return fmt.Errorf("%.200q: %w", lines.Bytes(), err)
		}
		if m.ID == nil || m.Method == "" {
			continue
		}
		member, what := "result", json.RawMessage("{}")
		switch m.Method {
		case "initialize":
			what = json.RawMessage(helloResult)
		case "tools/list":
			what = list(roles)
		case "tools/call":
			member, what = byName[m.Params.Name].answer(m.Params.Arguments)
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"%s":%s}`+"\n", m.ID, member, what)
	}
	return lines.Err()
}

func list(roles []role) json.RawMessage {
	type tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations map[string]bool `json:"annotations,omitempty"`
	}
	tools := make([]tool, len(roles))
	for i, r := range roles {
		tools[i] = tool{Name: r.Name, Description: "Does what the case says.", InputSchema: r.Schema}
		if r.Schema == nil {
			tools[i].InputSchema = json.RawMessage(`{"type":"object"}`)
		}
		if r.ReadOnly {
			tools[i].Annotations = map[string]bool{"readOnlyHint": true}
		}
	}
	b, _ := marshal(map[string]any{"tools": tools})
	return b
}

func (r role) answer(arguments []byte) (member string, what json.RawMessage) {
	switch {
	case r.Error != nil:
		return "error", r.Error
	case r.Result != nil:
		return "result", r.Result
	case r.Files:
		var named struct{ Path string }
		json.Unmarshal(arguments, &named)
		text, _ := os.ReadFile(named.Path)
		return "result", textResult(string(text), false)
	}
	return "result", textResult(received+hex.EncodeToString(arguments), false)
}

// received stands before the arguments in an answer.
const received = "received "

// textResult is the result with one block of text.
func textResult(text string, failed bool) json.RawMessage {
	b, _ := marshal(text)
	content := `{"content":[{"type":"text","text":` + string(b) + `}]`
	if failed {
		content += `,"isError":true`
	}
	return json.RawMessage(content + "}")
}

// escaped spells a result as servers in Go do, with <, > and & in hexadecimal.
func escaped(result json.RawMessage) json.RawMessage {
	if result == nil {
		return nil
	}
	var b bytes.Buffer
	json.HTMLEscape(&b, result)
	return b.Bytes()
}
