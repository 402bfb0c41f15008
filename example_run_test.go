package recourse_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
)

// How is a handler guarded, for an SDK that has no adapter?
func ExampleRun() {
	var guard recourse.Guard
	handle := func(name string, args json.RawMessage) (text string, isError bool) {
		r := recourse.Request{Tool: name, Arguments: args, ReadOnly: true}
		o := recourse.Run(context.Background(), &guard, r, func(ctx context.Context) (map[string]any, error) {
			var in struct{ Number, By int }
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			if in.By == 7 {
				recourse.Warn(ctx, "The rest is left out.")
			}
			return map[string]any{"quotient": in.Number / in.By}, nil // panics for By 0
		})
		if o.Err != nil {
			return o.Err.Envelope(), true
		}
		if len(o.Warnings) > 0 {
			o.Value["_warnings"], o.Value["_completeness"] = o.Warnings, o.Completeness
		}
		b, _ := json.Marshal(o.Value) // can't fail
		return string(b), false
	}
	fmt.Println(handle("divide", json.RawMessage(`{"number": 6, "by": 2}`)))
	fmt.Println(handle("divide", json.RawMessage(`{"number": 50, "by": 7}`)))
	fmt.Println(handle("divide", json.RawMessage(`{"number": 6, "by": 0}`)))
	// Output:
	// {"quotient":3} false
	// {"_completeness":"partial","_warnings":["The rest is left out."],"quotient":7} false
	// {"error":{"code":"INTERNAL_ERROR","message":"The tool itself broke.","suggestion":"Don't send the same call again; try other arguments or another tool.","retryable":false}} true
}

// How does a tool say that its answer lacks something?
func ExampleWarn() {
	o := recourse.Run(context.Background(), nil, recourse.Request{Tool: "list_files"}, func(ctx context.Context) ([]string, error) {
		recourse.Warn(ctx, "%d folders could not be read: permission is denied.", 2)
		return []string{"main.go"}, nil
	})
	fmt.Println(o.Value, o.Completeness, o.Warnings)
	// Output: [main.go] partial [2 folders could not be read: permission is denied.]
}

// How are goroutines started in a handler so that a panic in one does not end
// the server?
func ExampleGo() {
	o := recourse.Run(context.Background(), nil, recourse.Request{Tool: "count"}, func(ctx context.Context) (int, error) {
		index := recourse.Go(ctx, func(context.Context) error {
			fmt.Println(strings.Repeat("-", -1)) // panics
			return nil
		})
		return 1, <-index
	})
	fmt.Println(o.Err.Code, o.Err)
	// Output: INTERNAL_ERROR The tool itself broke.
}

// What does the zero value of a Guard do?
func ExampleGuard() {
	guard := recourse.Guard{Timeout: 20 * time.Millisecond} // by default 50 s
	o := recourse.Run(context.Background(), &guard, recourse.Request{Tool: "sleep"}, func(context.Context) (int, error) {
		select {} // deaf to its context
	})
	fmt.Println(o.Err.Code, o.Err.Retryable())
	// Output: TIMEOUT false
}

// How does a server put its own errors into words, in one place?
func ExampleGuard_map() {
	errNoRoom := errors.New("no room")
	guard := recourse.Guard{Map: func(err error) *recourse.Error {
		if errors.Is(err, errNoRoom) {
			return &recourse.Error{Code: recourse.Conflict, Message: "All rooms are taken.", Suggestion: "Call find_room with another date."}
		}
		return nil // as usual
	}}
	o := recourse.Run(context.Background(), &guard, recourse.Request{Tool: "book_room"}, func(context.Context) (int, error) {
		return 0, fmt.Errorf("book: %w", errNoRoom)
	})
	fmt.Println(o.Err.Code, o.Err, errors.Is(o.Err, errNoRoom))
	// Output: CONFLICT All rooms are taken. true
}

// How does a server end without cutting calls short?
func ExampleGuard_Drain() {
	var guard recourse.Guard
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	fmt.Println("left:", guard.Drain(ctx))

	o := recourse.Run(ctx, &guard, recourse.Request{Tool: "late"}, func(context.Context) (int, error) { return 1, nil })
	fmt.Println(o.Err.Code, o.Err, o.Err.Retryable())
	// Output:
	// left: <nil>
	// SERVICE_UNAVAILABLE The server is shutting down. true
}

// How are calls logged? LogTo(os.Stderr) writes this for each.
func ExampleLogTo() {
	guard := recourse.Guard{Log: func(r recourse.Record) {
		r.Time, r.ID, r.Server, r.Duration = time.Time{}, "", "demo", 0 // these differ each time
		r.Host, r.PID = "", 0
		recourse.LogTo(os.Stdout)(r)
	}}
	r := recourse.Request{Tool: "login", Arguments: json.RawMessage(`{"user":"ada","password":"hunter2"}`), Client: "demo/1"}
	recourse.Run(context.Background(), &guard, r, func(context.Context) (int, error) { return 1, nil })
	// Output:
	// {"v":1,"type":"call","ts":"0001-01-01T00:00:00Z","id":"","server":"demo","tool":"login","client":"demo/1","args":{"user":"ada","password":"[redacted:key]"},"args_bytes":35,"outcome":"ok","fault":"none","dur_us":0}
}

// How does a program read the log?
func ExampleRecord() {
	var r recourse.Record
	line := `{"v":1,"type":"call","tool":"get_forecast","outcome":"failed","fault":"upstream","code":"TIMEOUT","dur_us":5000000,"attempts":[{"dur_us":5000000,"code":"TIMEOUT"}]}`
	err := json.Unmarshal([]byte(line), &r)
	fmt.Println(r.Tool, r.Outcome, r.Code, r.Duration, len(r.Attempts), err)
	// Output: get_forecast failed TIMEOUT 5s 1 <nil>
}
