package recourse_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/recourse-dev/recourse"
)

// What does a model need to know to recover?
func ExampleError() {
	err := &recourse.Error{
		Code:       recourse.DuplicateEntry,
		Message:    "A record with this email already exists.",
		Suggestion: "Use update_record with existing_id, or choose a different email.",
		Field:      "/email",
		Value:      "ada@example.com",
		Constraint: "must be unique",
		Related:    map[string]any{"existing_id": "rec_abc123"},
	}
	var object map[string]any
	_ = json.Unmarshal([]byte(err.Envelope()), &object)
	pretty, _ := json.MarshalIndent(object["error"], "", "  ")
	fmt.Println(string(pretty))
	// Output:
	// {
	//   "code": "DUPLICATE_ENTRY",
	//   "constraint": "must be unique",
	//   "existing_id": "rec_abc123",
	//   "field": "/email",
	//   "message": "A record with this email already exists.",
	//   "retryable": false,
	//   "suggestion": "Use update_record with existing_id, or choose a different email.",
	//   "value": "ada@example.com"
	// }
}

// How are several faults told at once, so that one more call mends them all?
func ExampleError_violations() {
	err := &recourse.Error{
		Code:    recourse.InvalidArgument,
		Message: "2 arguments of create_event are wrong.",
		Violations: []recourse.Violation{
			{Field: "/start", Value: "tomorrow", Constraint: "a date as in 2026-03-01"},
			{Field: "/titel", Constraint: "no such argument", Suggestion: "Use title."},
		},
	}
	object, _ := json.MarshalIndent(err.Violations, "", "  ")
	fmt.Println(string(object))
	// Output:
	// [
	//   {
	//     "field": "/start",
	//     "value": "tomorrow",
	//     "constraint": "a date as in 2026-03-01"
	//   },
	//   {
	//     "field": "/titel",
	//     "constraint": "no such argument",
	//     "suggestion": "Use title."
	//   }
	// ]
}

// How is what an API said passed on in the tool's own words? Without a Code of
// its own, an Error keeps the code and the retry fields of its cause.
func ExampleError_cause() {
	cause := &recourse.Error{Code: recourse.RateLimited, RetryAfter: time.Minute}
	err := &recourse.Error{Message: "No forecast for Berlin.", Suggestion: "Wait a minute, then ask once.", Err: cause}
	fmt.Println(err.Envelope())
	// Output:
	// {"error":{"code":"RATE_LIMITED","message":"No forecast for Berlin.","suggestion":"Wait a minute, then ask once.","retryable":true,"retry_after_seconds":60,"max_retries":3}}
}

// How is a failure the list of codes does not have put?
func ExampleCode() {
	err := &recourse.Error{
		Code:       "PRINTER_JAMMED",
		Message:    "The printer in room 12 is jammed.",
		Suggestion: "Ask the user to clear the paper path, or print in room 14.",
	}
	fmt.Println(err.Envelope())
	// Output:
	// {"error":{"code":"PRINTER_JAMMED","message":"The printer in room 12 is jammed.","suggestion":"Ask the user to clear the paper path, or print in room 14.","retryable":false}}
}

// How is a cause kept for the log without being shown?
func ExampleErrorf() {
	cause := fmt.Errorf("open /srv/data/7.json: %w", fs.ErrNotExist)
	err := recourse.Errorf(recourse.NotFound, "There is no report %d.", 7)
	err.Err = cause
	fmt.Println(err)

	err = recourse.Errorf(recourse.NotFound, "Report %d: %w", 7, cause)
	fmt.Println(err)
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// There is no report 7.
	// Report 7: A file or folder does not exist.
	// true
}

// What does an Error say that has nothing but a Code?
func ExampleError_Envelope() {
	err := &recourse.Error{Code: recourse.ServiceUnavailable}
	fmt.Println(err.Envelope())
	// Output:
	// {"error":{"code":"SERVICE_UNAVAILABLE","message":"The service is down or can't take calls.","suggestion":"Wait, then repeat the call; if the service stays down, tell the user.","retryable":true,"retry_after_seconds":5,"max_retries":3}}
}

// May the identical call be sent again? A call that was given up may have run.
func ExampleError_Retryable() {
	fmt.Println((&recourse.Error{Code: recourse.RateLimited}).Retryable())
	fmt.Println((&recourse.Error{Code: recourse.NotFound}).Retryable())
	fmt.Println((&recourse.Error{Code: recourse.Timeout}).Retryable())
	fmt.Println((&recourse.Error{Code: recourse.Timeout, NotRun: true}).Retryable())
	// Output:
	// true
	// false
	// false
	// true
}

// How does a proxy or a log reader get the Error back?
func ExampleError_UnmarshalJSON() {
	text := `{"error":{"code":"NOT_FOUND","message":"There is no report 7.","suggestion":"Call list_reports.","retryable":false,"near":["6","8"]}}`
	var err recourse.Error
	if json.Unmarshal([]byte(text), &err) == nil {
		fmt.Println(err.Code, err.Related["near"])
	}
	fmt.Println(json.Unmarshal([]byte(`{"error":"not found"}`), &err) == nil)
	// Output:
	// NOT_FOUND [6 8]
	// false
}
