package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse"
)

// How is an API called so that it can't keep the tool waiting, and is left alone
// while it is down?
func ExampleCall() {
	tickets := recourse.Dependency{Name: "ticket system", Timeout: 2 * time.Second, Trip: 3}

	title, err := recourse.Call(context.Background(), &tickets, func(context.Context) (string, error) {
		return "Printer on fire", nil // or what a client of that API returns
	})
	fmt.Println(title, err)
	// Output: Printer on fire <nil>
}

// What does a model read of an API that does not answer, even if its client
// ignores the context?
func ExampleCall_timeout() {
	search := recourse.Dependency{
		Name:       "code search",
		Timeout:    10 * time.Millisecond,
		Suggestion: "Search one directory instead of the whole repository.",
	}
	_, err := recourse.Call(context.Background(), &search, func(context.Context) (int, error) {
		select {} // for good
	})
	e := recourse.Classify(err)
	fmt.Println(e.Code, e.Suggestion)
	// Output: TIMEOUT Search one directory instead of the whole repository.
}

// How is a call repeated that failed by chance? Only a tool that its author
// marked as read-only or idempotent is run a second time.
func ExampleCall_retry() {
	weather := recourse.Dependency{Name: "weather API", Attempts: 2}
	forecast := func(ctx context.Context) (string, error) {
		tries := 0
		return recourse.Call(ctx, &weather, func(context.Context) (string, error) {
			if tries++; tries == 1 {
				return "", recourse.Errorf(recourse.UpstreamError, "The weather API broke down.")
			}
			return "rain", nil
		})
	}
	for _, tool := range []recourse.Request{{Tool: "get_forecast", ReadOnly: true}, {Tool: "order_forecast"}} {
		o := recourse.Run(context.Background(), nil, tool, forecast)
		fmt.Printf("%s: %q %v\n", tool.Tool, o.Value, o.Err)
	}
	// Output:
	// get_forecast: "rain" <nil>
	// order_forecast: "" The weather API broke down.
}

// What happens to an API that fails again and again?
func ExampleDependency_State() {
	mail := recourse.Dependency{Name: "mail", Trip: 2, Cooldown: time.Minute}
	send := func() error {
		_, err := recourse.Call(context.Background(), &mail, func(context.Context) (int, error) {
			return 0, recourse.Errorf(recourse.UpstreamError, "Mail is down.")
		})
		return err
	}
	for range 3 {
		err := send()
		fmt.Println(mail.State()+":", err)
	}
	fmt.Println(recourse.Classify(send()).Suggestion)
	// Output:
	// closed: Mail is down.
	// open: Mail is down.
	// open: mail failed several times in a row, so it is not called for now.
	// Wait 60 seconds, then repeat the call; if the service stays down, tell the user.
}

// Which faults are the caller's, and so say nothing against the API?
func ExampleDependency() {
	users := recourse.Dependency{Name: "user directory", Trip: 2}
	for range 5 {
		_, err := recourse.Call(context.Background(), &users, func(context.Context) (string, error) {
			return "", recourse.Errorf(recourse.NotFound, "There is no user 7.")
		})
		if !errors.As(err, new(*recourse.Error)) {
			fmt.Println(err)
		}
	}
	fmt.Println(users.State())
	// Output: closed
}
