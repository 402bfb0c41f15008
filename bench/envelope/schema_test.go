package envelope

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../../envelope.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// check returns what is wrong with an envelope.
func check(s *jsonschema.Schema, envelope string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(envelope))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestGoldenFilesAreValid(t *testing.T) {
	s := schema(t)
	files, err := filepath.Glob("../../testdata/*.json")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d golden files (%v)", len(files), err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(s, string(b)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestEveryCodeIsValid(t *testing.T) {
	s := schema(t)
	table, err := os.ReadFile("../../testdata/codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		n++
		code := recourse.Code(strings.Fields(line)[0])
		for _, retries := range []int{-1, 0, 1} {
			e := &recourse.Error{Code: code, MaxRetries: retries}
			if err := check(s, e.Envelope()); err != nil {
				t.Errorf("%s: %v", e.Envelope(), err)
			}
		}
	}
	if n != 32 {
		t.Errorf("%d codes, want 32", n)
	}
}

// The schema is not so wide that it lets anything through.
func TestSchemaRefuses(t *testing.T) {
	s := schema(t)
	for _, envelope := range []string{
		`{}`,
		`{"error":{}}`,
		`{"code":"A","message":"m","suggestion":"s","retryable":false}`,
		`{"error":{"code":"a","message":"m","suggestion":"s","retryable":false}}`,
		`{"error":{"code":"A","message":"","suggestion":"s","retryable":false}}`,
		`{"error":{"code":"A","message":"m","suggestion":"","retryable":false}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s"}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":true}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false,"max_retries":0}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false,"max_retries":1}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false,"retry_after_seconds":null}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false,"existing_id":null}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false,"violations":[]}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false,"violations":[{"field":"/a"}]}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false,"value":"` + strings.Repeat("a", 201) + `"}}`,
		`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false},"more":1}`,
	} {
		if check(s, envelope) == nil {
			t.Errorf("accepted %s", envelope)
		}
	}
}

// text makes strings of every kind: empty, long, broken, and full of what JSON
// has to escape.
func text() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 300), func(b []byte) string { return string(b) }),
		rapid.Custom(func(t *rapid.T) string {
			part := rapid.SampledFrom([]string{"word ", "\x00", "\"\\", "<&>", "ä", "🙂", "\xed\xa0\x80", "\u2028", "/~1", "token=ghp_abcdefghijklmnopqrstuvwxyz0123456789 "}).Draw(t, "part")
			return strings.Repeat(part, rapid.IntRange(1, 1000).Draw(t, "times"))
		}),
	)
}

// value makes what tools may have been sent, JSON or not.
func value() *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Float64().Draw(t, "float") // infinite and not a number, too
		case 2:
			return rapid.Int64().Draw(t, "int")
		case 3:
			return rapid.Bool().Draw(t, "bool")
		case 4:
			return rapid.SliceOfN(text(), 0, 4).Draw(t, "list")
		case 5:
			return rapid.MapOfN(text(), text(), 0, 4).Draw(t, "object")
		case 6:
			return json.RawMessage(rapid.SampledFrom([]string{`null`, `{"a":"\ud800"}`, "\"\xff\"", `[`, ` [ 1 ] `, `{"password":null}`}).Draw(t, "raw"))
		case 7:
			return func() {}
		default:
			return text().Draw(t, "text")
		}
	})
}

func anError() *rapid.Generator[*recourse.Error] {
	violation := rapid.Custom(func(t *rapid.T) recourse.Violation {
		return recourse.Violation{
			Field:      text().Draw(t, "field"),
			Value:      value().Draw(t, "value"),
			Constraint: text().Draw(t, "constraint"),
			Suggestion: text().Draw(t, "suggestion"),
		}
	})
	code := rapid.OneOf(rapid.StringMatching(`[A-Z]{1,70}(_[A-Z0-9]{1,5})?`), text(),
		rapid.SampledFrom([]string{"", "TIMEOUT", "RATE_LIMITED", "QUOTA_EXCEEDED", "NOT_FOUND"}))
	key := rapid.OneOf(text(), rapid.SampledFrom([]string{"code", "message", "retryable", "value", "violations", "existing_id", "error", "password"}))
	return rapid.Custom(func(t *rapid.T) *recourse.Error {
		return &recourse.Error{
			Code:       recourse.Code(code.Draw(t, "code")),
			Message:    text().Draw(t, "message"),
			Field:      text().Draw(t, "field"),
			Value:      value().Draw(t, "value"),
			Constraint: text().Draw(t, "constraint"),
			Suggestion: text().Draw(t, "suggestion"),
			RetryAfter: time.Duration(rapid.Int64().Draw(t, "after")),
			MaxRetries: rapid.IntRange(-2, 5).Draw(t, "retries"),
			NotRun:     rapid.Bool().Draw(t, "not run"),
			Violations: rapid.SliceOfN(violation, 0, 6).Draw(t, "violations"),
			Related:    rapid.MapOfN(key, value(), 0, 8).Draw(t, "related"),
		}
	})
}

// cutMark is a redaction mark at the end of a value that was cut. A second hop
// reads it as one more secret and closes it again: the only thing that changes.
var cutMark = regexp.MustCompile(`\[[redacted:key]*\]?…"`)

func TestEveryErrorIsValid(t *testing.T) {
	s := schema(t)
	rapid.Check(t, func(t *rapid.T) {
		e := anError().Draw(t, "error")
		got := e.Envelope()
		if len(got) > 2048 || !utf8.ValidString(got) {
			t.Fatalf("%d bytes, valid UTF-8: %t", len(got), utf8.ValidString(got))
		}
		if err := check(s, got); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		full, _ := e.MarshalJSON()
		if err := check(s, `{"error":`+string(full)+`}`); err != nil {
			t.Fatalf("%s: %v", full, err)
		}
		var again recourse.Error
		if err := again.UnmarshalJSON(full); err != nil {
			t.Fatalf("%s: %v", full, err)
		}
		twice, _ := again.MarshalJSON()
		if string(twice) != string(full) && !cutMark.Match(full) {
			t.Fatalf("round trip:\n%s\n%s", full, twice)
		}
		if again.Retryable() != e.Retryable() {
			t.Fatalf("retryable changed: %s", full)
		}
	})
}
