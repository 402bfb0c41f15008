package session

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// Want compares the answer's error with the members that want has: a part of
// the message and of the suggestion will do, and a RetryAfter may be up to five
// seconds shorter, as time goes on.
func (a Answer) Want(t *testing.T, want recourse.Error, retryable bool) {
	t.Helper()
	e := a.Error
	if e == nil {
		t.Fatalf("got data, want %s: %s", want.Code, a.Text)
	}
	if e.Code != want.Code || e.Retryable() != retryable ||
		!strings.Contains(e.Message, want.Message) ||
		!strings.Contains(e.Suggestion, want.Suggestion) ||
		want.Field != "" && e.Field != want.Field ||
		want.Value != nil && !same(e.Value, want.Value) ||
		want.Constraint != "" && e.Constraint != want.Constraint ||
		want.RetryAfter > 0 && (e.RetryAfter > want.RetryAfter || e.RetryAfter < want.RetryAfter-5*time.Second) {
		t.Errorf("got %s\nwant retryable %v, %+v", a.Text, retryable, want)
	}
	for key, v := range want.Related {
		if !same(e.Related[key], v) {
			t.Errorf("%s is %v in %s, want %v", key, e.Related[key], a.Text, v)
		}
	}
}

// same reports whether both are the same JSON.
func same(a, b any) bool {
	var x, y any
	for _, v := range []struct{ from, to any }{{a, &x}, {b, &y}} {
		text, err := json.Marshal(v.from)
		if err != nil || json.Unmarshal(text, v.to) != nil {
			return false
		}
	}
	return reflect.DeepEqual(x, y)
}

// Hides fails the test if the answer shows one of secrets, or where in the
// program it was made.
func (a Answer) Hides(t *testing.T, secrets ...string) {
	t.Helper()
	for _, s := range append(secrets, "goroutine ", ".go:", "127.0.0.1") {
		if strings.Contains(a.Text, s) || strings.Contains(string(a.structured), s) {
			t.Errorf("shows %q: %s", s, a.Text)
		}
	}
}
