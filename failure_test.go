package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

// Failures as a server meets them; testdata/failure/<name>.json holds what the
// model reads in the end.
var failures = map[string]func(*testing.T) error{
	"duplicate_email": func(*testing.T) error {
		err := reply(422, nil, `{"message":"email taken","code":"already_exists","existing_id":"rec_abc123"}`)
		e := recourse.Classify(err)
		return &recourse.Error{
			Message:    "A record with this email already exists.",
			Suggestion: "Use update_record with existing_id, or choose a different email.",
			Field:      "/email",
			Value:      "ada@example.com",
			Constraint: "must be unique",
			Related:    map[string]any{"existing_id": e.Related["existing_id"]},
			Err:        err,
		}
	},
	"github_rate_limit": func(*testing.T) error {
		return fmt.Errorf("statistics: %w", reply(403, http.Header{
			"Date":                  {"Sun, 01 Mar 2026 12:00:00 GMT"},
			"X-Ratelimit-Limit":     {"60"},
			"X-Ratelimit-Remaining": {"0"},
			"X-Ratelimit-Reset":     {"1772366460"},
			"X-Ratelimit-Resource":  {"core"},
		}, `{"message":"API rate limit exceeded for 203.0.113.9. (But here's the good news: Authenticated requests get a higher rate limit.)","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api"}`))
	},
	"expired_key": func(*testing.T) error {
		return &recourse.Error{
			Message:    "The weather API key has expired.",
			Suggestion: "Ask the operator to renew WEATHER_API_KEY; don't repeat the call before.",
			Related:    map[string]any{"reason": "expired"},
			Err:        reply(401, nil, `{"code":"api_key_expired","message":"Key wx_live_93 expired on 2026-02-28."}`),
		}
	},
	"open_breaker": func(t *testing.T) error {
		billing := recourse.Dependency{Name: "the billing API", Trip: 3, Cooldown: 12 * time.Second}
		var err error
		for range 4 {
			_, err = recourse.Call(t.Context(), &billing, func(context.Context) (int, error) {
				return 0, reply(502, nil, "")
			})
		}
		if billing.State() != "open" {
			t.Errorf("the breaker is %s", billing.State())
		}
		return err
	},
	"slow_analysis": func(t *testing.T) error {
		analyser := recourse.Dependency{
			Name:       "the analyser",
			Timeout:    30 * time.Second,
			Suggestion: "Analyse one directory instead of the whole repo.",
		}
		began := time.Now()
		_, err := recourse.Call(t.Context(), &analyser, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		if took := time.Since(began); took != 30*time.Second {
			t.Errorf("took %v", took)
		}
		return err
	},
	"argument_faults": func(*testing.T) error {
		return &recourse.Error{
			Code:       recourse.InvalidArgument,
			Message:    "2 arguments of get_forecast are wrong.",
			Suggestion: "Correct both as violations says, and call get_forecast once more.",
			Violations: []recourse.Violation{
				{Field: "/days", Value: 500, Constraint: "1 to 16", Suggestion: "Set days to 16."},
				{Field: "/citty", Value: "Berlin", Constraint: "no such argument", Suggestion: "Use city."},
			},
		}
	},
}

// reply returns how CheckResponse takes an answer.
func reply(status int, h http.Header, body string) error {
	return recourse.CheckResponse(&http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))})
}

func TestFailures(t *testing.T) {
	for name, fail := range failures {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join("testdata", "failure", name+".json")
				got := recourse.Classify(fail(t)).Envelope() + "\n"
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		})
	}
}

// A closed is a server's own error, which its tools still find in the tree.
type closed struct{ day string }

func (c closed) Error() string { return "closed on " + c.day }

func TestErrorsIsAndAs(t *testing.T) {
	cause := closed{"Sunday"}
	mine := &recourse.Error{Code: "OFFICE_CLOSED", Message: "The office is closed.", Err: fmt.Errorf("calling: %w", cause)}
	for name, err := range map[string]error{
		"itself":  mine,
		"wrapped": fmt.Errorf("booking: %w", mine),
		"joined":  errors.Join(io.EOF, fmt.Errorf("booking: %w", mine)),
		"in one":  &recourse.Error{Message: "No booking.", Err: mine},
		"by %w":   recourse.Errorf(recourse.PreconditionFailed, "no booking: %w", mine),
	} {
		var e *recourse.Error
		var c closed
		if !errors.Is(err, mine) || !errors.Is(err, cause) || !errors.As(err, &c) || c.day != "Sunday" {
			t.Errorf("%s: the cause is lost", name)
		}
		if !errors.As(err, &e) {
			t.Errorf("%s: no Error", name)
		}
		if code := recourse.CodeOf(err); code != "OFFICE_CLOSED" && name != "by %w" {
			t.Errorf("%s: %s", name, code)
		}
	}
	if mine.Retryable() {
		t.Error("an author's code is retryable by itself")
	}
	mine.MaxRetries = 1
	if !mine.Retryable() {
		t.Error("an author's code is not retryable")
	}
}
