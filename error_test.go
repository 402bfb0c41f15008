package recourse_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// secret is a cause whose text must be seen nowhere.
type secret struct{ addr string }

func (s secret) Error() string { return "dial " + s.addr + ": refused" }

func (s secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, "stack trace at "+s.addr) }

const addr = "10.1.2.3:5432"

func TestErrorfShowsNoCause(t *testing.T) {
	cause := secret{addr}
	unknown := "The call failed for a reason that is not known."
	exists := "A file or folder of this name already exists."
	known := recourse.Errorf(recourse.NotFound, "No city %q.", "Brlin")
	for _, tt := range []struct {
		got  *recourse.Error
		want string
		is   []error
	}{
		{recourse.Errorf(recourse.NotFound, "no city %q", "Brlin"), `no city "Brlin"`, nil},
		{recourse.Errorf(recourse.NotFound, "saving: %v", cause), "saving: " + unknown, nil},
		{recourse.Errorf(recourse.NotFound, "saving: %s", &cause), "saving: " + unknown, nil},
		{recourse.Errorf(recourse.NotFound, "saving: %+v", cause), "saving: " + unknown, nil},
		{recourse.Errorf(recourse.NotFound, "saving: %#v", cause), "saving: " + unknown, nil},
		{recourse.Errorf(recourse.NotFound, "saving: %q", cause), `saving: "` + unknown + `"`, nil},
		{recourse.Errorf(recourse.NotFound, "saving: %.8s", cause), "saving: The call", nil},
		{recourse.Errorf(recourse.NotFound, "saving: %w", cause), "saving: " + unknown, []error{cause}},
		{recourse.Errorf(recourse.NotFound, "%w, then %w", cause, fs.ErrExist), unknown + ", then " + exists, []error{cause, fs.ErrExist}},
		{recourse.Errorf(recourse.NotFound, "weather: %w", known), `weather: No city "Brlin".`, []error{known}},
		{recourse.Errorf(recourse.NotFound, "weather: %w", fmt.Errorf("%v: %w", cause, known)), `weather: No city "Brlin".`, []error{known}},
		{recourse.Errorf(recourse.NotFound, "all of %v", []error{cause, nil, known}), "all of [" + unknown + ` <nil> No city "Brlin".]`, nil},
		{recourse.Errorf(recourse.NotFound, "all: %v", errors.Join(cause, fs.ErrExist)), "all: " + exists, nil},
		{recourse.Errorf(recourse.NotFound, "%[2]d of %[1]v", cause, 3), "3 of " + unknown, nil},
	} {
		if tt.got.Error() != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
		for _, cause := range tt.is {
			if !errors.Is(tt.got, cause) {
				t.Errorf("%q: %v is not its cause", tt.got, cause)
			}
		}
		if tt.is == nil && tt.got.Err != nil {
			t.Errorf("%q: unexpected cause", tt.got)
		}
	}
}

// Verbs that do not suit an error print an operand's fields; vet reports them,
// so the format is no constant here.
func TestErrorfShowsNoCauseUnderWrongVerbs(t *testing.T) {
	for verb := range strings.SplitSeq("bcdeEfFgGotTUvwxXqsp", "") {
		for _, flag := range []string{"", "+", "#", "-40", "040", " ", ".3"} {
			format := "%" + flag + verb
			for _, operand := range []any{secret{addr}, &secret{addr}, []error{secret{addr}}, fmt.Errorf("x: %w", secret{addr})} {
				if e := recourse.Errorf(recourse.NotFound, format, operand); strings.Contains(e.Error(), addr) {
					t.Errorf("%s of %T shows the cause: %s", format, operand, e)
				}
			}
		}
	}
}

func TestCauseIsKeptAndNotShown(t *testing.T) {
	e := &recourse.Error{Code: recourse.UpstreamError, Err: secret{addr}, Value: secret{addr}, Related: map[string]any{"detail": secret{addr}}}
	if !errors.Is(e, secret{addr}) {
		t.Error("the cause is lost")
	}
	for _, shown := range []string{e.Error(), fmt.Sprintf("%+v", e), e.Envelope()} {
		if strings.Contains(shown, addr) {
			t.Errorf("the cause is shown: %s", shown)
		}
	}
}

func TestEmptyCodeTakesCodeAndRetryFromErr(t *testing.T) {
	limited := &recourse.Error{Code: recourse.RateLimited, Message: "inner", RetryAfter: 90 * time.Second, MaxRetries: 2}
	for _, tt := range []struct {
		e    *recourse.Error
		want string
	}{
		{
			&recourse.Error{Message: "No forecast.", Suggestion: "Ask later.", Err: fmt.Errorf("wrapped: %w", limited)},
			`{"code":"RATE_LIMITED","message":"No forecast.","suggestion":"Ask later.","retryable":true,"retry_after_seconds":90,"max_retries":2}`,
		},
		{
			&recourse.Error{Message: "No forecast.", Suggestion: "Ask later.", MaxRetries: -1, RetryAfter: -1, Err: &recourse.Error{Err: limited}},
			`{"code":"RATE_LIMITED","message":"No forecast.","suggestion":"Ask later.","retryable":false}`,
		},
		{
			&recourse.Error{Message: "Too slow.", Suggestion: "Repeat it.", Err: &recourse.Error{Code: recourse.Timeout, NotRun: true}},
			`{"code":"TIMEOUT","message":"Too slow.","suggestion":"Repeat it.","retryable":true,"retry_after_seconds":5,"max_retries":2}`,
		},
		{
			&recourse.Error{Message: "Odd.", Suggestion: "Go on.", Err: fs.ErrExist},
			`{"code":"DUPLICATE_ENTRY","message":"Odd.","suggestion":"Go on.","retryable":false}`,
		},
		{
			&recourse.Error{Message: "Odd.", Suggestion: "Go on.", Err: secret{addr}},
			`{"code":"UNKNOWN_ERROR","message":"Odd.","suggestion":"Go on.","retryable":false}`,
		},
		{
			&recourse.Error{Message: "Odd.", Suggestion: "Go on.", Err: (*recourse.Error)(nil)},
			`{"code":"UNKNOWN_ERROR","message":"Odd.","suggestion":"Go on.","retryable":false}`,
		},
	} {
		if got, _ := tt.e.MarshalJSON(); string(got) != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestRetryFields(t *testing.T) {
	for _, tt := range []struct {
		name string
		e    recourse.Error
		want string
	}{
		{"seconds are rounded up", recourse.Error{Code: recourse.RateLimited, RetryAfter: 1001 * time.Millisecond}, `true,"retry_after_seconds":2,"max_retries":3}`},
		{"never zero seconds", recourse.Error{Code: recourse.RateLimited, RetryAfter: 1}, `true,"retry_after_seconds":1,"max_retries":3}`},
		{"unknown wait", recourse.Error{Code: recourse.RateLimited, RetryAfter: -1}, `true,"max_retries":3}`},
		{"no default wait without a retry", recourse.Error{Code: recourse.RateLimited, MaxRetries: -1}, `false}`},
		{"a known reset without a retry", recourse.Error{Code: recourse.QuotaExceeded, RetryAfter: time.Hour}, `false,"retry_after_seconds":3600}`},
		{"the author makes it retryable", recourse.Error{Code: recourse.Conflict, MaxRetries: 1}, `true,"retry_after_seconds":1,"max_retries":1}`},
		{"may have run", recourse.Error{Code: recourse.Timeout}, `false}`},
		{"may have run but is repeatable", recourse.Error{Code: recourse.Timeout, MaxRetries: 2}, `true,"retry_after_seconds":5,"max_retries":2}`},
	} {
		b, _ := tt.e.MarshalJSON()
		if _, got, _ := strings.Cut(string(b), `"retryable":`); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
