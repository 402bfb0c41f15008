//go:build interop

package interop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/bench/interop/installed"
)

type args map[string]any

// Two calls of each example: one that it answers, one that its caller has to
// correct.
var examples = []struct {
	name  string
	flags []string
	tool  string
	good  args
	data  string // a part of the answer to good
	bad   args
	code  string // and parts of the error that bad gets
	hint  string
	help  string
}{
	{
		"weather", nil, "get_forecast",
		args{"city": "Oslo", "days": 2}, `"place":"Oslo, Norway"`,
		args{"city": "Berlni"}, "NOT_FOUND", "Set city to one of near_names", `"near_names":["Berlin, Germany"`,
	},
	{
		"codebase", nil, "analyze_codebase",
		args{"repo_path": "$DIR"}, `"files":22,`,
		args{"repo_path": "src"}, "INVALID_ARGUMENT", "Set repo_path to the whole path", `"field":"/repo_path"`,
	},
	{
		"overview", []string{"-fail", "deployments=bad-credentials"}, "get_project_overview",
		args{"project_id": "shop-api"}, `"_warnings":["Missing from this answer: GitHub deployments. GitHub refuses this server's token; tell the user`,
		args{"project_id": "shop_api"}, "NOT_FOUND", "Set project_id to the one of near_ids", `"near_ids":["shop-api","shop"]`,
	},
	{
		"repoinfo", nil, "get_repo_info",
		args{"repo": "acme/invoices"}, `"full_name":"acme/billing"`,
		args{"repo": "octocat/Hello-Wrold"}, "NOT_FOUND", "Set repo to the one of near_names", `"near_names":["octocat/Hello-World"]`,
	},
	{
		"records", nil, "create_record",
		args{"name": "Ada", "email": "ada@example.com"}, `"plan":"free","seats":1`,
		args{"name": "A. L.", "email": "Ada@Example.com"}, "DUPLICATE_ENTRY", "Use update_record with existing_id", `"existing_id":"rec_`,
	},
}

// TestExamples has every client call the examples, and looks at what its user
// gets to see: data, an error to act on, and an answer to a name that is no tool.
func TestExamples(t *testing.T) {
	dir := installed.Dir(t)
	scripts := installed.Scripts(t, "clients", "clients/*.mjs")
	clients := []client{
		{"go", []string{filepath.Join(bin, "goclient")}, []string{"auto"}},
		{"ts1", []string{"node", filepath.Join(scripts, "ts1.mjs")}, []string{"legacy"}},
		{"ts2", []string{"node", filepath.Join(scripts, "ts2.mjs")}, []string{"auto"}},
		{"python", []string{filepath.Join(dir, "venv/bin/python"), "clients/client.py"}, []string{"auto"}},
	}
	for _, x := range examples {
		program := filepath.Join(bin, x.name)
		if err := build(x.name, "github.com/recourse-dev/recourse/examples/"+x.name); err != nil {
			t.Fatal(err)
		}
		for _, c := range clients {
			t.Run(x.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				list := []args{
					{"exercise": "good", "do": "call", "tool": x.tool, "arguments": x.good},
					{"exercise": "bad", "do": "call", "tool": x.tool, "arguments": x.bad},
					{"exercise": "absent", "do": "call", "tool": "no_such_tool", "arguments": args{}},
				}
				file := filepath.Join(t.TempDir(), "exercises.json")
				if err := os.WriteFile(file, []byte(strings.ReplaceAll(text(list), "$DIR", fixture(t))), 0o600); err != nil {
					t.Fatal(err)
				}
				lines := drive(t, c, append([]string{c.eras[0], file, program}, x.flags...), len(list))
				good, bad, absent := seenIn(t, lines[0]), seenIn(t, lines[1]), seenIn(t, lines[2])
				if good.Result.IsError || !strings.Contains(good.shown(), x.data) || !strings.Contains(text(good.Result.Structured), x.data) {
					t.Errorf("no data with %s: %s", x.data, short(lines[0]))
				}
				told := bad.shown()
				if !bad.Result.IsError || envelope(told).Code != x.code || !strings.HasPrefix(envelope(told).Suggestion, x.hint) || !strings.Contains(told, x.help) {
					t.Errorf("no %s with %s and %s: %s", x.code, x.hint, x.help, short(lines[1]))
				}
				if e := envelope(string(absent.Error.Data)); e.Code != "UNKNOWN_TOOL" || !strings.Contains(absent.Error.Message, "no_such_tool") {
					t.Errorf("no UNKNOWN_TOOL: %s", short(lines[2]))
				}
			})
		}
	}
}

// A seen is what a client has printed of a call.
type seen struct {
	Result struct {
		IsError    bool `json:"isError"`
		Content    []struct{ Text string }
		Structured any `json:"structuredContent"`
	}
	Error struct {
		Message string
		Data    json.RawMessage
	}
}

func seenIn(t *testing.T, line []byte) (s seen) {
	t.Helper()
	if err := json.Unmarshal(line, &s); err != nil {
		t.Fatalf("%v in %s", err, short(line))
	}
	return s
}

// shown is the text that a model is given, with the members of objects in order.
func (s seen) shown() string {
	var v any
	if len(s.Result.Content) != 1 || json.Unmarshal([]byte(s.Result.Content[0].Text), &v) != nil {
		return ""
	}
	return text(v)
}

type told struct{ Code, Suggestion string }

func envelope(text string) told {
	var v struct{ Error told }
	_ = json.Unmarshal([]byte(text), &v) // then there is no code
	return v.Error
}
