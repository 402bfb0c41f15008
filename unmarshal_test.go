package recourse_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

func TestUnmarshalGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) != len(golden) {
		t.Fatalf("%d golden files, want %d (%v)", len(files), len(golden), err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var e recourse.Error
		if err := json.Unmarshal(want, &e); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if got := e.Envelope() + "\n"; got != string(want) {
			t.Errorf("%s: got %s\nwant %s", file, got, want)
		}
	}
}

func TestUnmarshalFields(t *testing.T) {
	var e recourse.Error
	in := `{"code":"OUT_OF_RANGE","message":"m","suggestion":"s","field":"/n","value":9007199254740993,"constraint":"c",
		"violations":[{"field":"/n","constraint":"c"}],"retryable":true,"retry_after_seconds":1.5,"max_retries":2,
		"Code":"other","existing_id":12345678901234567890,"nothing":null}`
	if err := e.UnmarshalJSON([]byte(in)); err != nil {
		t.Fatal(err)
	}
	want := recourse.Error{
		Code: recourse.OutOfRange, Message: "m", Suggestion: "s", Field: "/n", Value: json.Number("9007199254740993"), Constraint: "c",
		Violations: []recourse.Violation{{Field: "/n", Constraint: "c"}}, RetryAfter: 2 * time.Second, MaxRetries: 2,
		Related: map[string]any{"Code": "other", "existing_id": json.Number("12345678901234567890")},
	}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("got %#v\nwant %#v", e, want)
	}
}

// A hop must not turn what it reads into something it could be retried for.
func TestUnmarshalKeepsRetry(t *testing.T) {
	for _, retry := range []string{
		`false`,
		`false,"retry_after_seconds":3600`,
		`true,"max_retries":1`,
		`true,"retry_after_seconds":7,"max_retries":9`,
		`true,"retry_after_seconds":9223372036,"max_retries":9`,
		`true,"retry_after_seconds":9223372037,"max_retries":9`,
	} {
		in := `{"code":"RATE_LIMITED","message":"m","suggestion":"s","retryable":` + retry + `}`
		var e recourse.Error
		if err := e.UnmarshalJSON([]byte(in)); err != nil {
			t.Fatal(err)
		}
		if out, _ := e.MarshalJSON(); string(out) != in {
			t.Errorf("got %s, want %s", out, in)
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, in := range []string{
		``, `{`, `[]`, `"text"`, `null`, `{}`, `{"error":null}`, `{"error":"boom"}`, `{"error":{}}`,
		`{"error":{"code":-32602,"message":"m"}}`,
		`{"error":{"code":"rate_limited","message":"m","suggestion":"s","retryable":true}}`,
		`{"error":{"code":"ENOENT","message":"m"}}`,
		`{"code":"NOT_FOUND","message":"m","suggestion":"s"}`,
		`{"code":"NOT_FOUND","message":"m","suggestion":"","retryable":false}`,
		`{"code":"NOT_FOUND","message":"m","suggestion":"s","retryable":"no"}`,
		`{"code":"NOT_FOUND","message":"m","suggestion":"s","retryable":null}`,
		`{"code":"NOT_FOUND","message":"m","suggestion":"s","retryable":true,"max_retries":"2"}`,
		`{"code":"NOT_FOUND","message":"m","suggestion":"s","retryable":false,"violations":{}}`,
	} {
		before := recourse.Error{Code: recourse.Cancelled}
		e := before
		if err := e.UnmarshalJSON([]byte(in)); err == nil {
			t.Errorf("%s: no error", in)
		}
		if !reflect.DeepEqual(e, before) {
			t.Errorf("%s: changed the Error to %+v", in, e)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, e := range golden {
		f.Add([]byte(e.Envelope()))
	}
	f.Add([]byte(`{"code":"A","message":"\ud800","suggestion":"s","retryable":true,"value":[null],"x":{"y":1e400}}`))
	f.Add([]byte(`{"error":{"code":"A","message":"m","suggestion":"s","retryable":false,"":1,"error":{}}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var e, again recourse.Error
		if e.UnmarshalJSON(in) != nil {
			return
		}
		once, _ := e.MarshalJSON()
		if err := again.UnmarshalJSON(once); err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		if twice, _ := again.MarshalJSON(); string(twice) != string(once) {
			t.Errorf("round trip:\n%s\n%s", once, twice)
		}
		for _, s := range []string{e.Envelope(), again.Envelope()} {
			if len(s) > 2048 || !json.Valid([]byte(s)) || !strings.HasPrefix(s, `{"error":{"code":"`) {
				t.Errorf("bad envelope: %s", s)
			}
		}
	})
}
