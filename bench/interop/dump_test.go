//go:build interop

package interop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/recourse-dev/recourse/bench/interop/installed"
)

var updateDumps = flag.Bool("update-dumps", false, "record what servers say of wrong arguments")

// dumpFile is where the proxy's own tests read what these servers said. They have
// each text with the name of its server, and with the fields at fault.
const dumpFile = "../../cmd/recourse/internal/dump/testdata/live.jsonl"

// A dumpCall is what a server says of a call whose arguments are wrong. Fields and
// Code follow from the arguments and the tool's schema, not from the text.
type dumpCall struct {
	From      string          `json:"from"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"args"`
	Code      string          `json:"code"`
	Fields    []string        `json:"fields"`
	Text      string          `json:"text"`
}

// TestDumps calls real servers wrongly and checks that they still say what the
// tests of the proxy have recorded.
func TestDumps(t *testing.T) {
	b, err := os.ReadFile(dumpFile)
	if err != nil {
		t.Fatal(err)
	}
	commands := dumpServers(t)
	var list []dumpCall
	for line := range bytes.Lines(b) {
		var d dumpCall
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		list = append(list, d)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for from, command := range commands {
		said := dumpCalls(t, command, from, list)
		for i, d := range list {
			if d.From == from && said[i] != d.Text {
				if !*updateDumps {
					t.Errorf("%s, %s(%s): now says %q", from, d.Tool, d.Arguments, said[i])
				}
				list[i].Text = said[i]
			}
		}
	}
	if *updateDumps {
		for _, d := range list {
			if err := enc.Encode(d); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(dumpFile, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func dumpServers(t *testing.T) map[string][]string {
	dir := installed.Dir(t)
	python := filepath.Join(dir, "venv/bin/python")
	packages := filepath.Join(dir, "node_modules/@modelcontextprotocol")
	return map[string][]string{
		"go-sdk":            {filepath.Join(bin, "goeverything")},
		"mcp-go":            {filepath.Join(bin, "mcpgo")},
		"server-everything": {"node", filepath.Join(packages, "server-everything/dist/index.js")},
		"server-filesystem": {"node", filepath.Join(packages, "server-filesystem/dist/index.js"), t.TempDir()},
		"mcp":               {python, "servers/sdk.py"},
		"fastmcp":           {python, "servers/fast.py"},
	}
}

// dumpCalls makes the calls of one server, and returns what it says to each.
func dumpCalls(t *testing.T, command []string, from string, list []dumpCall) map[int]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_ = cmd.Wait() // how it ends is not the question
	}()
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 8<<20)
	ask := func(id int, method string, params any) []byte {
		request, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if _, err := fmt.Fprintf(in, "%s\n", request); err != nil {
			t.Fatalf("%s: %v", from, err)
		}
		for answers.Scan() {
			var head struct{ ID *int }
			if json.Unmarshal(answers.Bytes(), &head) == nil && head.ID != nil && *head.ID == id {
				return bytes.Clone(answers.Bytes())
			}
		}
		t.Fatalf("%s: no answer to %s: %v", from, request, answers.Err())
		return nil
	}
	ask(0, "initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "dumps", "version": "1"}})
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	said := map[int]string{}
	for i, d := range list {
		if d.From != from {
			continue
		}
		var answer struct {
			Result struct{ Content []struct{ Text string } }
			Error  struct{ Message string }
		}
		raw := ask(i+1, "tools/call", map[string]any{"name": d.Tool, "arguments": d.Arguments})
		if err := json.Unmarshal(raw, &answer); err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
		said[i] = answer.Error.Message
		if len(answer.Result.Content) > 0 {
			said[i] = answer.Result.Content[0].Text
		}
	}
	return said
}
