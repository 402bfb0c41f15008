package recourse_test

import (
	"context"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse"
)

// How does a tool answer with what it knew when its API is down?
func ExampleCache_Fetch() {
	forecasts := recourse.Cache[string, string]{MaxAge: 6 * time.Hour}
	forecast := func(err error) recourse.Outcome[string] {
		return recourse.Run(context.Background(), nil, recourse.Request{Tool: "get_forecast"}, func(ctx context.Context) (string, error) {
			return forecasts.Fetch(ctx, "Berlin", func(context.Context) (string, error) { return "rain", err })
		})
	}
	fmt.Println(forecast(nil).Value)

	o := forecast(recourse.Errorf(recourse.ServiceUnavailable, "The weather API is down."))
	fmt.Println(o.Value, o.Warnings)

	o = forecast(recourse.Errorf(recourse.InvalidCredentials, "The key has expired.")) // won't pass by itself
	fmt.Println(o.Err)
	// Output:
	// rain
	// rain [This answer is not live: it is 1 second old. No newer one could be had: The weather API is down.]
	// The key has expired.
}

// How is an old answer cut to the part that still holds?
func ExampleCache_Last() {
	var days recourse.Cache[string, []string]
	days.Put("Berlin", []string{"rain", "sun", "sun", "fog", "snow"})

	o := recourse.Run(context.Background(), nil, recourse.Request{Tool: "get_forecast"}, func(ctx context.Context) ([]string, error) {
		if old, ok := days.Last(ctx, "Berlin"); ok {
			recourse.Warn(ctx, "Only 3 of %d days.", len(old))
			return old[:3], nil
		}
		return nil, recourse.Errorf(recourse.ServiceUnavailable, "No forecast.")
	})
	fmt.Println(o.Value)
	for _, w := range o.Warnings {
		fmt.Println(w)
	}
	// Output:
	// [rain sun sun]
	// This answer is not live: it is 1 second old.
	// Only 3 of 5 days.
}

// How are the answers to different users kept apart?
func ExampleCache_Put() {
	type key struct{ user, city string }
	var c recourse.Cache[key, string]
	c.Put(key{"ada", "Berlin"}, "rain")
	_, ok := c.Last(context.Background(), key{"bob", "Berlin"})
	fmt.Println(ok)
	// Output: false
}

// How much does a Cache keep?
func ExampleCache() {
	c := recourse.Cache[int, string]{Entries: 2, MaxAge: time.Hour}
	for i, s := range []string{"zero", "one", "two"} {
		c.Put(i, s)
	}
	for i := range 3 {
		s, ok := c.Last(context.Background(), i)
		fmt.Println(i, s, ok)
	}
	// Output:
	// 0  false
	// 1 one true
	// 2 two true
}
