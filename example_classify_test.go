package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/recourse-dev/recourse"
)

// What is known of an error that somebody else made?
func ExampleClassify() {
	_, err := os.Open("no-such-report.txt")
	e := recourse.Classify(fmt.Errorf("reading the report: %w", err))
	fmt.Println(e.Code)
	fmt.Println(e)
	fmt.Println(errors.Is(e, err))
	// Output:
	// NOT_FOUND
	// A file or folder does not exist.
	// true
}

// How does a tool decide by the kind of a failure?
func ExampleCodeOf() {
	_, err := os.Open("no-such-report.txt")
	switch recourse.CodeOf(err) {
	case "":
		fmt.Println("There is a report.")
	case recourse.NotFound:
		fmt.Println("There is no report yet.")
	default:
		fmt.Println("The report can't be read.")
	}
	// Output: There is no report yet.
}

// What does an API's refusal say to a model?
func ExampleCheckResponse() {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer api.Close()
	req, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, api.URL, nil)
	resp, err := api.Client().Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	if err := recourse.CheckResponse(resp); err != nil {
		e := recourse.Classify(err)
		fmt.Println(e.Message)
		fmt.Println(e.Suggestion)
		fmt.Println(e.RetryAfter, e.NotRun)
	}
	// Output:
	// The API answered 429: too many calls in a short time.
	// Wait 7 seconds, then repeat the call; send fewer calls at a time.
	// 7s true
}
