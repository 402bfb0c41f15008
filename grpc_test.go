package recourse_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// A Code is what grpc-go and connect-go call theirs. Root imports neither; these
// types have the methods by which it knows them.
type Code uint32

// A grpcError is like grpc-go's, a connectError like connect-go's.
type (
	grpcError struct{ status *grpcStatus }

	grpcStatus struct {
		code    Code
		details []any
	}

	connectError struct {
		code    Code
		details []*connectDetail
		text    string
	}

	connectDetail struct{ message any }
)

func (e grpcError) Error() string           { return "rpc error: dial 10.0.0.9:443" }
func (e grpcError) GRPCStatus() *grpcStatus { return e.status }
func (s *grpcStatus) Code() Code            { return s.code }
func (s *grpcStatus) Details() []any        { return s.details }

func (e *connectError) Error() string             { return "unavailable: dial 10.0.0.9:443 " + e.text }
func (e *connectError) Code() Code                { return e.code }
func (e *connectError) Details() []*connectDetail { return e.details }
func (d *connectDetail) Value() (any, error)      { return d.message, nil }

// google.rpc's RetryInfo and QuotaFailure, as protoc-gen-go makes them.
type (
	retryInfo    struct{ delay time.Duration }
	protoWait    struct{ d time.Duration }
	quotaFailure struct{ description string }
	violation    struct{ description string }
)

func (r *retryInfo) GetRetryDelay() *protoWait      { return &protoWait{r.delay} }
func (d *protoWait) AsDuration() time.Duration      { return d.d }
func (q *quotaFailure) GetViolations() []*violation { return []*violation{{q.description}} }
func (v *violation) GetDescription() string         { return v.description }

func TestClassifyGRPC(t *testing.T) {
	for code, want := range []recourse.Code{
		recourse.UnknownError, // 0 is no error
		recourse.Cancelled, recourse.UnknownError, recourse.InvalidArgument, recourse.Timeout, recourse.NotFound,
		recourse.DuplicateEntry, recourse.PermissionDenied, recourse.RateLimited, recourse.PreconditionFailed,
		recourse.Conflict, recourse.OutOfRange, recourse.NotSupported, recourse.UpstreamError, recourse.ServiceUnavailable,
		recourse.UpstreamError, recourse.InvalidCredentials,
		recourse.UnknownError, // 17 is not defined
	} {
		wants(t, fmt.Errorf("calling: %w", grpcError{&grpcStatus{code: Code(code)}}), want, false)
		wants(t, &connectError{code: Code(code)}, want, false)
	}
	if recourse.Classify(grpcError{&grpcStatus{code: 15}}).Retryable() {
		t.Error("lost data come back")
	}
	wants(t, grpcError{}, recourse.UnknownError, false) // a nil status
	wants(t, &connectError{code: 8, text: "message size 5 is larger than configured max 4"}, recourse.PayloadTooLarge, false)
	wants(t, number(7), recourse.UnknownError, false)
}

// A number has a Code method of another kind.
type number int

func (number) Error() string { return "7" }
func (n number) Code() int   { return int(n) }

func TestClassifyGRPCDetails(t *testing.T) {
	wait := &retryInfo{1500 * time.Millisecond}
	minute := &quotaFailure{"Requests per minute"}
	day := &quotaFailure{"Requests per day"}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{grpcError{&grpcStatus{8, nil}}, "RATE_LIMITED 0s false"},
		{grpcError{&grpcStatus{8, []any{minute, wait}}}, "RATE_LIMITED 2s true"},
		{grpcError{&grpcStatus{8, []any{wait, day}}}, "QUOTA_EXCEEDED 0s false"},
		{grpcError{&grpcStatus{14, []any{wait}}}, "SERVICE_UNAVAILABLE 2s false"},
		{grpcError{&grpcStatus{8, []any{nil, 3, &retryInfo{-time.Hour}}}}, "RATE_LIMITED 0s false"},
		{&connectError{8, []*connectDetail{{minute}, {wait}}, ""}, "RATE_LIMITED 2s true"},
		{&connectError{8, []*connectDetail{{nil}, {day}}, ""}, "QUOTA_EXCEEDED 0s false"},
	} {
		e := recourse.Classify(tt.err)
		if got := fmt.Sprint(e.Code, " ", e.RetryAfter, " ", e.NotRun); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.err, got, tt.want)
		}
	}
}

// Who answers "not found" is well, and breaks a row of failures; who answers
// that it is broken inside does not.
func TestGRPCAnswersAndTheBreaker(t *testing.T) {
	for between, want := range map[Code]string{5: "closed", 16: "closed", 4: "open", 13: "open"} {
		d := recourse.Dependency{Trip: 2}
		for _, code := range []Code{14, between, 14} {
			recourse.Call(t.Context(), &d, func(context.Context) (int, error) { return 0, grpcError{&grpcStatus{code: code}} })
		}
		if got := d.State(); got != want {
			t.Errorf("code %d between two failures leaves the breaker %s, want %s", between, got, want)
		}
	}
}
