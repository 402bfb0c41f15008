package diagnose

import (
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

func TestStructured(t *testing.T) {
	for _, c := range []struct {
		text  string
		code  recourse.Code
		retry bool
		field string
	}{
		{`{"type":"https://api.example/problems/out-of-credit","title":"You do not have enough credit.","status":402}`, recourse.PaymentRequired, false, ""},
		{`{"error":{"code":404,"status":"NOT_FOUND","message":"Requested entity was not found."}}`, recourse.NotFound, false, ""},
		{`{"__type":"com.amazonaws.x#ThrottlingException","message":"Rate exceeded"}`, recourse.RateLimited, true, ""},
		{`{"errors":[{"message":"Not allowed","extensions":{"code":"FORBIDDEN"}}],"data":null}`, recourse.PermissionDenied, false, ""},
		{`{"ok":false,"error":"channel_not_found"}`, recourse.NotFound, false, ""},
		{`{"ok":false,"error":"is_archived"}`, recourse.PreconditionFailed, false, ""},
		{`Error code: 503 {"message":"try later"}`, recourse.ServiceUnavailable, true, ""},
		{`Request failed with status code 409: {"message":"name already exists"}`, recourse.DuplicateEntry, false, ""},
		{`{"error":"Upstream failed with a 500","retryable":false}`, recourse.UpstreamError, false, ""},
		{`{"error":{"type":"invalid_request_error","param":"amount","code":"parameter_missing","message":"Missing required param: amount."}}`, recourse.MissingArgument, false, "/amount"},
		{`{"message":"The end lies before the start","hint":"rate limit exceeded"}`, recourse.InvalidArgument, false, ""},
		{`{"headers":{"status":429},"message":"no such room"}`, recourse.NotFound, false, ""},
		{`[{"errorCode":"UNABLE_TO_LOCK_ROW","message":"unable to obtain exclusive access to this record"}]`, recourse.ResourceBusy, true, ""},
		{`{"error":"rate_limited","message":"Created 3 of 5 records before the limit was hit"}`, recourse.RateLimited, false, ""},
		{`{"retryable":true,"error":"rate_limited","message":"The first 20 rows were saved"}`, recourse.RateLimited, false, ""},
		{`[{"message":"The daily limit of this plan is reached","errorCode":"REQUEST_LIMIT_EXCEEDED"}]`, recourse.QuotaExceeded, false, ""},
		{`{"errors":[{"message":"Entity not found: Issue","extensions":{"type":"invalid input","code":"INPUT_ERROR"}}]}`, recourse.NotFound, false, ""},
	} {
		got := Read(c.text)
		if got.Code != c.code || got.Retryable != c.retry || got.Field != c.field {
			t.Errorf("%s\n got %s %v %q by %s, want %s %v %q", c.text, got.Code, got.Retryable, got.Field, got.Reason, c.code, c.retry, c.field)
		}
	}
}

func TestEnvelopeOfSecondHop(t *testing.T) {
	e := &recourse.Error{Code: recourse.RateLimited, Message: "Too many.", RetryAfter: 7 * time.Second, Related: map[string]any{"reason": "x"}}
	got := Read(e.Envelope())
	if got.Envelope == nil || got.Code != recourse.RateLimited || !got.Retryable || got.RetryAfter != 7*time.Second || !got.Structured {
		t.Errorf("got %+v", got)
	}
	if got := Read(`{"error":{"code":"RATE_LIMITED","message":"Too many."}}`); got.Envelope != nil {
		t.Error("another API's error is taken for an envelope")
	}
}

func TestToolFailure(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		value string
		code  recourse.Code
		retry bool
		wait  time.Duration
	}{
		{`{"class":"reliability","code":"RATE_LIMITED","retryable":true,"retryNotBefore":"2026-03-01T12:00:30Z"}`, recourse.RateLimited, true, 30 * time.Second},
		{`{"class":"reliability","code":"unavailable","retryable":true,"retryNotBefore":1772366405500}`, recourse.ServiceUnavailable, true, 6 * time.Second},
		{`{"class":"governance","code":"acme.42"}`, recourse.PolicyBlocked, false, 0},
		{`{"class":"capability","code":"not_found","retryable":false}`, recourse.NotFound, false, 0},
		{`{"class":"reliability","retryable":false}`, recourse.ServiceUnavailable, false, 0},
		{`{"class":"reliability","code":"rate_limited","retryNotBefore":"2027-03-01T12:00:30Z"}`, recourse.RateLimited, true, 0},
		{`{"class":"reliability","code":"rate_limited","retryNotBefore":"2026-03-01T11:00:30Z"}`, recourse.RateLimited, true, 0},
	} {
		got, ok := ToolFailure([]byte(c.value), now)
		if !ok || got.Code != c.code || got.Retryable != c.retry || got.RetryAfter != c.wait || !got.Structured {
			t.Errorf("%s: %v %+v", c.value, ok, got)
		}
	}
	for _, value := range []string{``, `null`, `{}`, `"x"`, `{"class":1}`} {
		if _, ok := ToolFailure([]byte(value), now); ok {
			t.Errorf("%s is a failure", value)
		}
	}
}
