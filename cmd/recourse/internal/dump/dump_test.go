package dump

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/recourse-dev/recourse"
)

// A dumpCase is a text, the arguments that it is about, and which of them are
// wrong in what way. Both follow from the arguments and what the tool wants of
// them, not from the text.
type dumpCase struct {
	From   string
	Args   json.RawMessage
	Code   recourse.Code
	Fields []string
	Text   string
}

func dumpCases(t testing.TB, name string) (cases []dumpCase) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		var c dumpCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v in %s", name, err, line)
		}
		cases = append(cases, c)
	}
	return cases
}

// TestDumps reads what libraries print when they are run (real), what servers
// said when they were called wrongly (live, see bench/interop), and what servers
// and APIs write by themselves (text).
func TestDumps(t *testing.T) {
	for _, name := range []string{"real.jsonl", "live.jsonl", "text.jsonl"} {
		for _, c := range dumpCases(t, name) {
			var fields []string
			for _, v := range Violations(c.Text, c.Args) {
				fields = append(fields, v.Field)
			}
			want := slices.Sorted(slices.Values(c.Fields))
			if slices.Sort(fields); !slices.Equal(fields, want) {
				t.Errorf("%s, %q of %s: fields %q, want %q", c.From, c.Text, c.Args, fields, want)
				continue
			}
			if e := Read(c.Text, c.Args); e.Code != c.Code {
				t.Errorf("%s, %q: code %s, want %s", c.From, c.Text, e.Code, c.Code)
			}
		}
	}
}

func TestNotDumps(t *testing.T) {
	for _, c := range dumpCases(t, "not.jsonl") {
		if v := Violations(c.Text, c.Args); v != nil {
			t.Errorf("%q of %s: %v", c.Text, c.Args, v)
		}
	}
}

// TestDumpedWords wants the same words of the same fault, whoever found it.
func TestDumpedWords(t *testing.T) {
	for _, tt := range []struct {
		texts                          []string
		args                           string
		message, constraint, suggested string
	}{
		{
			[]string{
				"Error executing tool t: 1 validation error for tArguments\nrows\n  Input should be less than or equal to 60 [type=less_than_equal, input_value=500, input_type=int]",
				`[{"code":"too_big","maximum":60,"type":"number","inclusive":true,"exact":false,"message":"Number must be less than or equal to 60","path":["rows"]}]`,
				"✖ Too big: expected number to be <=60\n  → at rows",
				"data/rows must be <= 60",
				`validating "arguments": validating root: validating /properties/rows: maximum: 500/1 is greater than 60.000000`,
				"jsonschema validation failed with 'file:///s.json#'\n- at '/rows': maximum: got 500, want 60",
				"Input validation error: 500 is greater than the maximum of 60",
				"rows cannot exceed 60",
			},
			`{"rows":500}`, "rows must be a number of at most 60.", "a number of at most 60", "Set rows to a number of at most 60.",
		},
		{
			[]string{
				`MCP error -32602: Invalid arguments for tool t: [{"received":"mid","code":"invalid_enum_value","options":["fine","coarse"],"path":["grain"],"message":"Invalid enum value. Expected 'fine' | 'coarse', received 'mid'"}]`,
				`[{"code":"invalid_value","values":["fine","coarse"],"path":["grain"],"message":"Invalid option: expected one of \"fine\"|\"coarse\""}]`,
				"1 validation error for tArguments\ngrain\n  Input should be 'fine' or 'coarse' [type=literal_error, input_value='mid', input_type=str]",
				`validating "arguments": validating root: validating /properties/grain: enum: mid does not equal any of: [fine coarse]`,
				"failed to deserialize parameters: unknown variant `mid`, expected `fine` or `coarse`",
				"grain must be one of: fine, coarse",
				"Invalid grain 'mid'. Valid values are: fine, coarse",
			},
			`{"grain":"mid"}`, "grain must be one of: fine, coarse.", "one of: fine, coarse", "Set grain to one of: fine, coarse.",
		},
		{
			[]string{
				`validating "arguments": validating root: required: missing properties: ["path"]`,
				"failed to deserialize parameters: missing field `path`",
				"Input validation error: 'path' is a required property",
				"data must have required property 'path'",
				`required argument "path" not found`,
				"1 validation error for tArguments\npath\n  Field required [type=missing, input_value={}, input_type=dict]",
			},
			`{}`, "The argument path is missing.", "required", "Add path.",
		},
		{
			[]string{
				`[{"code":"invalid_type","expected":"string","received":"undefined","path":["path"],"message":"Required"}]`,
				"✖ Invalid input: expected string, received undefined\n  → at path",
				"Invalid arguments: path must be a string (was missing)",
			},
			`{}`, "The argument path is missing.", "required: a text", "Add path and set it to a text.",
		},
		{
			[]string{
				`Input validation error: Additional properties are not allowed ('limitt' was unexpected)`,
				`validating "arguments": validating root: unexpected additional properties ["limitt"]`,
				`[{"code":"unrecognized_keys","keys":["limitt"],"path":[],"message":"Unrecognized key: \"limitt\""}]`,
				"1 validation error for call[t]\nlimitt\n  Unexpected keyword argument [type=unexpected_keyword_argument, input_value=3, input_type=int]",
			},
			`{"limitt":3}`, "There is no argument limitt.", "no such argument", "Leave limitt out.",
		},
		{
			[]string{"failed to deserialize parameters: unknown field `limitt`, expected `query` or `limit`"},
			`{"limitt":3}`, "There is no argument limitt.", "no such argument; did you mean limit?", "Use limit instead of limitt.",
		},
		{
			[]string{
				"2 validation errors for tArguments\nvalue.str\n  Input should be a valid string [type=string_type, input_value={}, input_type=dict]\nvalue.list[int]\n  Input should be a valid list [type=list_type, input_value={}, input_type=dict]",
				"data/value must be string, data/value must be array, data/value must match a schema in anyOf",
				`[{"code":"invalid_union","errors":[[{"code":"invalid_type","expected":"string","path":[],"message":"Invalid input: expected string, received object"}],[{"code":"invalid_type","expected":"array","path":[],"message":"Invalid input: expected array, received object"}]],"path":["value"],"message":"Invalid input"}]`,
			},
			`{"value":{}}`, "value must be a text or a list.", "a text or a list", "Set value to a text or a list.",
		},
		{
			[]string{"argument \"rows\" is not an int", "Parameter 'rows' must be an integer", "/rows: string found, integer expected"},
			`{"rows":"12"}`, "rows must be a whole number.", "a whole number", "Send rows as the number 12, without quotes.",
		},
		{
			[]string{"1 validation error for tArguments\n  Value error, from must be before to [type=value_error, input_value={'from': 9}, input_type=dict]"},
			`{"from":9,"to":3}`, "The server did not accept the arguments.", "from must be before to", "Correct the arguments as constraint says, and call again.",
		},
		{
			[]string{`[{"code":"custom","message":"end must\ncome \u0007after start","path":["end"]}]`},
			`{"end":1}`, "The server did not accept end.", "end must come after start", "Change end to what constraint says, and call again.",
		},
		{
			[]string{"1 validation error for tArguments\nfile_path\n  Field required [type=missing, input_value={'filePath': 'a'}, input_type=dict]"},
			`{"filePath":"a"}`, "The argument file_path is missing.", "required", "Use file_path instead of filePath.",
		},
		{
			[]string{"missing required parameter: owner"},
			`{"params":{"owner":"a"}}`, "The arguments are inside params, not at the top level.", "arguments at the top level", "Send owner at the top level, not inside params.",
		},
	} {
		for _, text := range tt.texts {
			e := Read(text, []byte(tt.args))
			if e == nil {
				t.Errorf("%q: nothing", text)
			} else if e.Message != tt.message || e.Constraint != tt.constraint || e.Suggestion != tt.suggested {
				t.Errorf("%q:\n%s | %s | %s", text, e.Message, e.Constraint, e.Suggestion)
			}
		}
	}
}

func TestDumpedSeveral(t *testing.T) {
	e := Read("data must have required property 'path', data/rows must be <= 60", []byte(`{"rows":500}`))
	want := []recourse.Violation{
		{Field: "/path", Constraint: "required", Suggestion: "Add path."},
		{Field: "/rows", Value: json.Number("500"), Constraint: "a number of at most 60", Suggestion: "Set rows to a number of at most 60."},
	}
	if !slices.Equal(e.Violations, want) || e.Code != recourse.InvalidArgument || e.Message != "2 arguments are wrong: path, rows." ||
		e.Suggestion != "Add path. Set rows to a number of at most 60." || e.Field != "" {
		t.Errorf("%+v", e)
	}
}

// TestDumpedSecrets wants no secret to be told, neither as a value nor in a
// sentence of the server's.
func TestDumpedSecrets(t *testing.T) {
	for _, text := range []string{
		`[{"code":"custom","message":"hunter2 is too easy","path":["password"]}]`,
		"1 validation error for tArguments\npassword\n  Value error, hunter2 is too easy [type=value_error, input_value='hunter2', input_type=str]",
		"password must be one of: a, b",
		`"password" must be a number`,
	} {
		e := Read(text, []byte(`{"password":"hunter2"}`))
		if b, err := json.Marshal(e); e == nil || err != nil || strings.Contains(string(b), "hunter2") || strings.Contains(e.Constraint, "hunter2") || e.Value == "hunter2" {
			t.Errorf("%q: %s", text, b)
		}
	}
}

func FuzzViolations(f *testing.F) {
	for _, name := range []string{"live.jsonl", "text.jsonl", "not.jsonl"} {
		for _, c := range dumpCases(f, name) {
			f.Add(c.Text, []byte(c.Args))
		}
	}
	f.Fuzz(func(t *testing.T, text string, args []byte) {
		found := Violations(text, args)
		e := Read(text, args)
		if len(found) > maxViolations || (e == nil) != (len(found) == 0) {
			t.Fatalf("%d violations, %v", len(found), e)
		}
		for _, v := range found {
			if v.Field != "" && v.Field[0] != '/' || v.Constraint == "" || v.Suggestion == "" || len([]rune(v.Constraint)) > 2000 {
				t.Errorf("%+v", v)
			}
			if strings.ContainsFunc(v.Constraint+v.Suggestion, unicode.IsControl) {
				t.Errorf("control characters: %q", v)
			}
		}
		if e == nil {
			return
		}
		if b, err := json.Marshal(e); err != nil || !json.Valid(b) {
			t.Errorf("%s: %v", b, err)
		}
		if strings.ContainsFunc(e.Message, unicode.IsControl) || len(e.Message) > 4000 {
			t.Errorf("message %q", e.Message)
		}
	})
}
