package recourse_test

import (
	"context"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse"
)

var (
	database    = recourse.Dependency{Name: "project database"}
	github      = recourse.Dependency{Name: "GitHub statistics"}
	deployments = recourse.Dependency{Name: "deployments", Timeout: 10 * time.Millisecond}
)

// How is an answer put together from several sources, of which some may fail?
func ExampleGather() {
	overview := func(ctx context.Context) (p struct {
		Title  string
		Stars  int
		Deploy []string
	}, err error,
	) {
		g := recourse.Gather(ctx)
		recourse.Required(g, &database, &p.Title, func(context.Context) (string, error) { return "recourse", nil })
		recourse.Optional(g, &github, &p.Stars, func(context.Context) (int, error) { return 42, nil })
		recourse.Optional(g, &deployments, &p.Deploy, func(ctx context.Context) ([]string, error) {
			<-ctx.Done() // no answer
			return nil, ctx.Err()
		})
		return p, g.Wait()
	}

	o := recourse.Run(context.Background(), nil, recourse.Request{Tool: "get_project_overview"}, overview)
	fmt.Println(o.Value.Title, o.Value.Stars, o.Value.Deploy, o.Completeness)
	fmt.Println(len(o.Warnings), o.Warnings[0][:len("Missing from this answer: deployments, which did not answer")])
	// Output:
	// recourse 42 [] partial
	// 1 Missing from this answer: deployments, which did not answer
}

// What if the part fails that the answer is about?
func ExampleRequired() {
	var title string
	g := recourse.Gather(context.Background())
	recourse.Required(g, &database, &title, func(context.Context) (string, error) {
		return "", recourse.Errorf(recourse.NotFound, "There is no project 7.")
	})
	recourse.Optional(g, &github, nil, func(context.Context) (int, error) { return 42, nil })
	fmt.Println(g.Wait())
	// Output: There is no project 7.
}

// What does the model learn of a part that it has to do without?
func ExampleOptional() {
	o := recourse.Run(context.Background(), nil, recourse.Request{Tool: "get_project_overview"}, func(ctx context.Context) (int, error) {
		stars := -1
		g := recourse.Gather(ctx)
		recourse.Required(g, &database, nil, func(context.Context) (string, error) { return "recourse", nil })
		recourse.Optional(g, &github, &stars, func(context.Context) (int, error) {
			return 0, recourse.Errorf(recourse.RateLimited, "The hourly limit is used up.")
		})
		err := g.Wait()
		return stars, err
	})
	fmt.Println(o.Value, o.Warnings)
	// Output: -1 [Missing from this answer: GitHub statistics. The hourly limit is used up.]
}

// When is a gathered answer an error?
func ExampleGathering_Wait() {
	down := func(context.Context) (int, error) {
		return 0, recourse.Errorf(recourse.ServiceUnavailable, "It is down for repairs.")
	}
	g := recourse.Gather(context.Background())
	recourse.Optional(g, &recourse.Dependency{Name: "news"}, nil, down)
	recourse.Optional(g, &recourse.Dependency{Name: "weather"}, nil, down)
	fmt.Println(g.Wait())
	// Output: Every part of the answer failed. news: It is down for repairs. weather: It is down for repairs.
}
