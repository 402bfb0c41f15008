package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/recourse-dev/recourse"
)

// strict is an MCP server on recourse, as a test's command: it does not start
// without the variable STRICT_TOKEN and the file strict.json, and its tool reload
// reads the file next.json. Its starts are counted in the file starts.
func strict() {
	starts, err := os.OpenFile("starts", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	recourse.Fatal(err)
	fmt.Fprintln(starts, "start")
	_, err = recourse.Env("STRICT_TOKEN")
	recourse.Fatal(err)
	recourse.Fatal(readStrict("strict.json"))

	var guard recourse.Guard
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"strict","version":"1"}}`
		case "tools/list":
			result = `{"tools":[{"name":"reload","inputSchema":{"type":"object"}},{"name":"greet","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			o := recourse.Run(context.Background(), &guard, recourse.Request{Tool: m.Params.Name}, func(context.Context) (string, error) {
				if m.Params.Name == "reload" {
					return "reloaded", readStrict("next.json")
				}
				return "hello", nil
			})
			if o.Err != nil { // nothing can be served any more
				recourse.Fatal(guard.Drain(context.Background()))
				recourse.Fatal(o.Err)
			}
			result = `{"content":[{"type":"text","text":"` + o.Value + `"}]}`
		}
		fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}

func readStrict(name string) error {
	var config struct {
		City string `json:"city"`
		Days int    `json:"days"`
	}
	return recourse.ReadConfig(name, &config)
}
