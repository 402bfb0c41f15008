package recourse_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

// Each case is one that a tool's author meets; testdata/<name>.json holds what
// the model reads.
var golden = map[string]*recourse.Error{
	"duplicate": {
		Code:       recourse.DuplicateEntry,
		Message:    "A record with this email already exists.",
		Suggestion: "Use update_record with existing_id, or choose a different email.",
		Field:      "/email",
		Value:      "ada@example.com",
		Constraint: "must be unique",
		Related:    map[string]any{"existing_id": "rec_abc123"},
	},
	"rate_limit": {
		Code:       recourse.RateLimited,
		Message:    "The GitHub API rate limit is used up.",
		Suggestion: "Wait 60 seconds and try again, or ask for less.",
		RetryAfter: 60 * time.Second,
	},
	"expired_key": {
		Code:       recourse.InvalidCredentials,
		Message:    "The weather API key has expired.",
		Suggestion: "Ask the operator to renew WEATHER_API_KEY; don't repeat the call before.",
		Related:    map[string]any{"reason": "expired"},
	},
	"open_breaker": {
		Code:       recourse.ServiceUnavailable,
		Message:    "The billing API failed 5 times in a row and is left alone for now.",
		Suggestion: "Wait 12 seconds, then repeat the call; use list_cached_invoices meanwhile.",
		RetryAfter: 11200 * time.Millisecond,
		NotRun:     true,
		Related:    map[string]any{"reason": "circuit_open"},
	},
	"slow_analysis": {
		Code:       recourse.Timeout,
		Message:    "analyze_code did not finish within 30 seconds.",
		Suggestion: "Call analyze_code again with path set to one directory, such as src/api.",
		Field:      "/path",
		Value:      ".",
		Constraint: "a directory small enough to analyse in 30 seconds",
	},
	"arguments": {
		Code:       recourse.InvalidArgument,
		Message:    "3 arguments of create_event are wrong.",
		Suggestion: "Correct all of them as violations says, and call create_event once more.",
		Violations: []recourse.Violation{
			{Field: "/start", Value: "tomorrow", Constraint: "a date and time as in 2026-03-01T09:00:00Z"},
			{Field: "/attendees/0/email", Constraint: "required", Suggestion: "Add the first attendee's email."},
			{Field: "/titel", Value: "Review <draft> & plan", Constraint: "no such argument", Suggestion: "Use title."},
		},
	},
	"unknown_outcome": {
		Code:       recourse.Timeout,
		Message:    "create_invoice sent no answer within 50 seconds; it may have run.",
		Suggestion: "Call list_invoices first; create the invoice again only if it is not there.",
		MaxRetries: -1,
		Related:    map[string]any{"outcome": "unknown", "verify_with": "list_invoices"},
	},
}

func TestGolden(t *testing.T) {
	for name, e := range golden {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name+".json")
			got := []byte(e.Envelope() + "\n")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestRelatedMembers(t *testing.T) {
	e := &recourse.Error{
		Code: recourse.NotFound, Message: "No.", Suggestion: "Look.",
		Related: map[string]any{
			"zone": 1, "near": []string{"a<b"}, "code": "FAKE", "retryable": true, "max_retries": 9,
			"value": "fake", "nothing": nil, "function": func() {}, "not_a_number": math.NaN(), "error": "kept",
			"big": json.Number("12345678901234567890"), "bad\xff": "\xff", "bad\uFFFD": 2,
		},
	}
	want := `{"code":"NOT_FOUND","message":"No.","suggestion":"Look.","retryable":false,` +
		`"bad` + "\uFFFD" + `":2,"big":12345678901234567890,"error":"kept","near":["a<b"],"zone":1}`
	if got, _ := e.MarshalJSON(); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestValueIsCut(t *testing.T) {
	long := strings.Repeat("ä", 250)
	for _, tt := range []struct {
		value any
		want  string
	}{
		{nil, ``},
		{json.RawMessage("null"), ``},
		{"", `"value":"",`},
		{0, `"value":0,`},
		{false, `"value":false,`},
		{[]int{1, 2}, `"value":[1,2],`},
		{json.RawMessage(`{ "b": 1.50, "a": "\ud800" }`), `"value":{"a":"` + "\uFFFD" + `","b":1.50},`},
		{strings.Repeat("ä", 200), `"value":"` + strings.Repeat("ä", 200) + `",`},
		{long, `"value":"` + strings.Repeat("ä", 199) + `…",`},
		{[]string{long}, `"value":"[\"` + strings.Repeat("ä", 197) + `…",`},
		{json.Number(strings.Repeat("7", 300)), `"value":"` + strings.Repeat("7", 199) + `…",`},
	} {
		e := recourse.Error{Code: recourse.InvalidArgument, Message: "No.", Suggestion: "Look.", Field: "/x", Value: tt.value}
		b, _ := e.MarshalJSON()
		want := `{"code":"INVALID_ARGUMENT","message":"No.","suggestion":"Look.","field":"/x",` + tt.want + `"retryable":false}`
		if string(b) != want {
			t.Errorf("got  %s\nwant %s", b, want)
		}
	}
}

func TestSecretsAreHidden(t *testing.T) {
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	for _, e := range []recourse.Error{
		{Field: "/password", Value: token},
		{Field: "/login/password", Value: token},
		{Field: "/password/0", Value: []any{"x", token}},
		{Field: "/command", Value: "curl -H 'Authorization: Bearer " + token + "' https://api.github.com"},
		{Field: "/args", Value: map[string]any{"password": token}},
		{Message: "The token " + token + " was refused."},
		{Suggestion: "Renew " + token + "."},
		{Constraint: "not " + token},
		{Violations: []recourse.Violation{{Field: "/password", Value: token, Constraint: "not " + token}}},
		{Related: map[string]any{"stderr": "using " + token}},
		{Related: map[string]any{"proposed_arguments": map[string]any{"password": token}}},
	} {
		e.Code = recourse.InvalidArgument
		if s := e.Envelope(); strings.Contains(s, token) || !json.Valid([]byte(s)) {
			t.Errorf("%s", s)
		}
	}
	for _, e := range []recourse.Error{
		{Field: "/password", Value: "hunter2"},
		{Field: "/login/password", Value: "hunter2"},
		{Violations: []recourse.Violation{{Field: "/password", Value: "hunter2"}}},
		{Related: map[string]any{"password": "hunter2"}},
	} {
		if s := e.Envelope(); strings.Contains(s, "hunter2") {
			t.Errorf("%s", s)
		}
	}
}

func TestEnvelopeFits(t *testing.T) {
	long := func(n int) string { return strings.Repeat("word ", n/5) }
	base := recourse.Error{Code: recourse.NotFound, Message: "No.", Suggestion: "Look.", Field: "/x", Value: "y", Constraint: "z"}
	with := func(change func(*recourse.Error)) *recourse.Error {
		e := base
		change(&e)
		return &e
	}
	for _, tt := range []struct {
		name string
		e    *recourse.Error
		keep string // keys of the object, in order
	}{
		{"short stays", &base, "code message suggestion field value constraint retryable"},
		{"longest related goes first", with(func(e *recourse.Error) {
			e.Related = map[string]any{"existing_id": "rec_1", "stderr": long(3000), "tree": [][]string{{long(1200)}}}
		}), "code message suggestion field value constraint retryable existing_id stderr tree"},
		{"related objects are dropped", with(func(e *recourse.Error) {
			e.Related = map[string]any{"existing_id": "rec_1", "list": []string{long(3000)}}
		}), "code message suggestion field value constraint retryable existing_id"},
		{"texts are cut", with(func(e *recourse.Error) {
			e.Message, e.Suggestion, e.Constraint = long(3000), long(3000), long(3000)
			e.Related = map[string]any{"existing_id": "rec_1"}
		}), "code message suggestion field value constraint retryable existing_id"},
		{"violations from the end", with(func(e *recourse.Error) {
			e.Related = map[string]any{"existing_id": "rec_1"}
			for range 100 {
				e.Violations = append(e.Violations, recourse.Violation{Field: "/y", Value: long(100), Constraint: "z"})
			}
		}), "code message suggestion field value constraint violations retryable existing_id"},
		{"many related", with(func(e *recourse.Error) {
			e.Related = map[string]any{}
			for i := range 26 {
				e.Related[string(rune('a'+i))] = strings.Repeat("w", 100+i)
			}
		}), "code message suggestion field value constraint retryable a b c d e f g h i j k l m n o p"},
		{"a huge pointer", with(func(e *recourse.Error) { e.Field = "/" + long(3000) }), "code message suggestion retryable"},
		{"control characters", with(func(e *recourse.Error) {
			e.Message, e.Value = strings.Repeat("\x01", 5000), strings.Repeat("\x02", 5000)
		}), "code message suggestion field value constraint retryable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.e.Envelope()
			if len(s) > 2048 || !utf8.ValidString(s) {
				t.Fatalf("%d bytes, valid %t", len(s), utf8.ValidString(s))
			}
			if got := keys(t, s); got != tt.keep {
				t.Errorf("got %s\nin %s", got, s)
			}
			if s != tt.e.Envelope() {
				t.Error("a second time it is different")
			}
		})
	}
}

// keys returns the keys of an envelope's inner object, in their order.
func keys(t *testing.T, envelope string) string {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(envelope))
	for range 3 {
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
	}
	var all []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, key.(string))
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(all, " ")
}
