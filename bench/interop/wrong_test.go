//go:build interop

package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/bench/interop/installed"
)

// A wrong call is one that a model makes without having read the schema well, and
// what its user has to see of it: no more than the server's answer, unless one of the
// other members is set. Of Code and Field, with | between them, any will do.
type wrong struct {
	Call      string
	Tool      string
	Arguments json.RawMessage // nil: there are none
	Right     json.RawMessage // what has to be sent instead
	Told      string          // a part of a last block, which tells more than the server
	Code      string          // of the error; * if it may be as the server wrote it
	Field     string          // its field, or that of one of its violations
	Also      string          // that of another one
	Says      string          // a part of the error
	Twice     bool            // the server never sees a second one
}

// TestWrongCalls calls servers wrongly on purpose, in one session each.
func TestWrongCalls(t *testing.T) {
	dir := installed.Dir(t)
	node := func(name string) []string {
		return []string{"node", filepath.Join(dir, "node_modules/@modelcontextprotocol", name, "dist/index.js")}
	}
	python := filepath.Join(dir, "venv/bin/python")
	url := pages(t)
	for _, s := range []struct {
		name, calls string
		tool        string // if set, what uvx runs, and command is its arguments
		command     []string
	}{
		{"everything", "everything", "", node("server-everything")},
		{"filesystem", "filesystem", "", append(node("server-filesystem"), "$DIR")},
		{"memory", "memory", "", append([]string{"env", "MEMORY_FILE_PATH=$DIR/memory"}, node("server-memory")...)},
		{"thinking", "thinking", "", append([]string{"env", "DISABLE_THOUGHT_LOGGING=true"}, node("server-sequential-thinking")...)},
		{"time", "time", "mcp-server-time@2026.10.19", []string{"--local-timezone=UTC"}},
		{"git", "git", "mcp-server-git@2026.10.19", []string{"-r", "$DIR"}},
		{"fetch", "fetch", "mcp-server-fetch@2026.10.24", []string{"--ignore-robots-txt", "--allow-private-ips"}},
		{"python", "typed", "", []string{python, "servers/typed.py", "mcp"}},
		{"fastmcp", "typed", "", []string{python, "servers/typed.py", "fastmcp"}},
		{"mcpgo", "mcpgo", "", []string{filepath.Join(bin, "mcpgo")}},
		{"goeverything", "goeverything", "", []string{filepath.Join(bin, "goeverything")}},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			if s.tool != "" {
				uvx, env := installed.Tool(t, s.tool)
				s.command = slices.Concat([]string{"env"}, env, uvx, s.command)
			}
			calls := wrongCalls(t, s.calls, url)
			direct, _ := act(t, s.command, calls, false)
			seen, records := act(t, s.command, calls, true)
			for i, w := range calls {
				faults := w.faults(i, direct, seen, records)
				for _, f := range faults {
					t.Errorf("%s: %s", w.Call, f)
				}
				if len(faults) > 0 || testing.Verbose() {
					t.Logf("%s: %s %s\ndirect:  %s\nthrough: %s\n%s", w.Call, w.Tool, w.Arguments, short([]byte(direct[number(asSent, i)])), short([]byte(seen[number(asSent, i)])), records[number(asSent, i)])
				}
			}
			t.Logf("%s: %d calls, %.1fs", s.name, len(calls), time.Since(start).Seconds())
		})
	}
}

// faults looks at the answers to the call of that number.
func (w wrong) faults(i int, direct, seen map[int]string, records map[int]record) []string {
	first, second, last := number(asSent, i), number(again, i), number(afterwards, i)
	switch {
	case w.Code != "":
		return w.failed(direct[first], seen[first], seen[second], records[second])
	case w.Right != nil:
		return w.repaired(direct[number(asMeant, i)], seen[first], records[first])
	case w.Told != "":
		return w.told(direct[first], seen[first])
	}
	return slices.Concat(untouched(direct[first], seen[first]), untouched(direct[last], seen[last]))
}

// Rounds of calls in a session.
const (
	asSent     = iota + 1
	again      // those that shall not reach the server a second time
	afterwards // those that are right
	asMeant    // directly, those that are wrong
)

func number(round, i int) int { return 1000*round + i }

// act plays the calls to a server of its own and returns the answers by id. Through
// recourse it returns what was logged of them as well.
func act(t *testing.T, command []string, calls []wrong, proxied bool) (map[int]string, map[int]record) {
	t.Helper()
	dir, log := ground(t), t.TempDir()
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	}
	say := func(round, i int, args json.RawMessage) {
		if args != nil {
			args = slices.Concat([]byte(`,"arguments":`), args)
		}
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q%s}}`, number(round, i), calls[i].Tool, args))
	}
	round := func(round int, args func(wrong) json.RawMessage, these func(wrong) bool) {
		for i, w := range calls {
			if these(w) {
				say(round, i, args(w))
			}
		}
	}
	sent := func(w wrong) json.RawMessage { return w.Arguments }
	good := func(w wrong) bool { return w.Right == nil && w.Code == "" }
	if proxied {
		round(asSent, sent, func(wrong) bool { return true })
		round(again, sent, func(w wrong) bool { return w.Twice })
		round(afterwards, sent, good)
		command = slices.Concat([]string{filepath.Join(bin, "recourse"), "run", "--log", log, "--quiet", "--"}, command)
	} else {
		// What is repaired changes the server's state, so it is said where it will be said
		// through recourse; unrepaired only when nothing is compared any more.
		for i, w := range calls {
			if w.Right != nil {
				say(asMeant, i, w.Right)
			} else {
				say(asSent, i, w.Arguments)
			}
		}
		round(afterwards, sent, good)
		round(asSent, sent, func(w wrong) bool { return w.Right != nil })
	}
	command, lines = placed(command, dir), placed(lines, dir)
	answers := map[int]string{}
	for line := range strings.Lines(talk(t, command, lines)) {
		var m struct{ ID int }
		if json.Unmarshal([]byte(line), &m) == nil && m.ID > 0 {
			answers[m.ID] = strings.ReplaceAll(strings.TrimSpace(line), dir, "$DIR")
		}
	}
	return answers, logged(t, log, dir)
}

// placed writes the name of the folder into words.
func placed(words []string, dir string) []string {
	words = slices.Clone(words)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "$DIR", dir)
	}
	return words
}

// A record is what the call log has to say of a call.
type record struct {
	RequestID json.Number     `json:"request_id"`
	Sent      json.RawMessage `json:"args_sent"`
	Outcome   string
	Code      string
}

func (r record) String() string {
	return fmt.Sprintf("log:     %s %s %s", r.Outcome, r.Code, r.Sent)
}

func logged(t *testing.T, log, dir string) map[int]record {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(log, "*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[int]record{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(bytes.ReplaceAll(b, []byte(dir), []byte("$DIR"))) {
			var r record
			if json.Unmarshal(line, &r) == nil {
				id, _ := r.RequestID.Int64()
				all[int(id)] = r
			}
		}
	}
	return all
}

func wrongCalls(t *testing.T, name, url string) (calls []wrong) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("wrong", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(b, []byte("$URL"), []byte(url))))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&calls); err != nil {
		t.Fatalf("%s.json: %v", name, err)
	}
	return calls
}
