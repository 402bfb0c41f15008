package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/github"
)

var (
	hub github.Client
	api = recourse.Dependency{Name: "GitHub API", Attempts: 2}
)

func countCommits(ctx context.Context, owner, name string) (*commits, error) {
	repo, err := get[struct {
		Name       string `json:"full_name"`
		Stars      int    `json:"stargazers_count"`
		OpenIssues int    `json:"open_issues_count"`
	}](ctx, nil, "repos", owner, name)
	if err != nil {
		return nil, err
	}
	weeks, err := get[struct{ All []int }](ctx, nil, "repos", owner, name, "stats", "participation")
	if err != nil {
		return nil, err
	}
	if repo.Name == "" || weeks.All == nil {
		// The first answer is an empty one with status 202, and starts a job.
		// https://docs.github.com/rest/metrics/statistics
		return nil, &recourse.Error{Code: recourse.ResourceBusy, Message: "GitHub is still computing them; call get_project_overview again in a minute.", RetryAfter: time.Second}
	}
	c := commits{Stars: repo.Stars, OpenIssues: repo.OpenIssues}
	for i, n := range weeks.All {
		c.Year += n
		if i >= len(weeks.All)-4 {
			c.Month += n
		}
	}
	return &c, nil
}

// listDeployments returns the latest three.
func listDeployments(ctx context.Context, owner, name string) ([]deployment, error) {
	list, err := get[[]struct {
		ID               int
		SHA, Environment string
		CreatedAt        time.Time `json:"created_at"`
	}](ctx, url.Values{"per_page": {"3"}}, "repos", owner, name, "deployments")
	if err != nil {
		return nil, err
	}
	var all []deployment
	for _, d := range list {
		states, err := get[[]struct{ State string }](ctx, url.Values{"per_page": {"1"}}, "repos", owner, name, "deployments", strconv.Itoa(d.ID), "statuses")
		if err != nil {
			return nil, err
		}
		state := "pending"
		if len(states) > 0 {
			state = states[0].State
		}
		all = append(all, deployment{d.Environment, d.SHA[:min(7, len(d.SHA))], state, d.CreatedAt})
	}
	return all, nil
}

// get asks GitHub. A warning shows only the message of an error, so what to do
// about it has to stand there.
func get[T any](ctx context.Context, query url.Values, path ...string) (T, error) {
	v, err := recourse.DoJSON[T](&api, hub.Get(ctx, query, path...))
	if err == nil {
		return v, nil
	}
	e := recourse.Classify(err)
	text, advice := e.Error(), "tell the user if they matter"
	// Who is told no time should wait for a minute at least.
	// https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
	switch wait := cmp.Or(e.RetryAfter.Round(time.Second), time.Minute); {
	case e.Code == recourse.InvalidCredentials:
		text, advice = "GitHub refuses this server's token", "tell the user that the operator must renew GITHUB_TOKEN"
	case e.Code == recourse.PermissionDenied:
		text, advice = "This server's token may not read them", "tell the user that the operator must give GITHUB_TOKEN more rights"
	case e.Code == recourse.NotFound:
		text, advice = "GitHub has no such repository, or hides it from GITHUB_TOKEN", "tell the user that the project's repository may be out of date"
	case e.Code == recourse.RateLimited:
		text, advice = "GitHub's rate limit is used up", fmt.Sprintf("call get_project_overview again in %d seconds", wait/time.Second)
	case e.Retryable():
		advice = "call get_project_overview again in a minute if they matter"
	}
	return v, &recourse.Error{Message: strings.TrimSuffix(text, ".") + "; " + advice + ".", Related: e.Related, Err: err}
}
