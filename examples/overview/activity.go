package main

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/github"
)

var (
	hub github.Client
	api = recourse.Dependency{Name: "GitHub API", Attempts: 2}
)

func countCommits(ctx context.Context, owner, name string) (*commits, error) {
	repo, err := recourse.DoJSON[struct {
		Stars      int `json:"stargazers_count"`
		OpenIssues int `json:"open_issues_count"`
	}](&api, hub.Get(ctx, nil, "repos", owner, name))
	if err != nil {
		return nil, err
	}
	weeks, err := recourse.DoJSON[struct{ All []int }](&api, hub.Get(ctx, nil, "repos", owner, name, "stats", "participation"))
	if err != nil {
		return nil, err
	}
	if weeks.All == nil {
		// The first answer is an empty one with status 202, and starts a job.
		// https://docs.github.com/rest/metrics/statistics
		return nil, &recourse.Error{Code: recourse.ResourceBusy, Message: "GitHub is still computing the statistics.", RetryAfter: time.Second}
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
	list, err := recourse.DoJSON[[]struct {
		ID               int
		SHA, Environment string
		CreatedAt        time.Time `json:"created_at"`
	}](&api, hub.Get(ctx, url.Values{"per_page": {"3"}}, "repos", owner, name, "deployments"))
	if err != nil {
		return nil, err
	}
	var all []deployment
	for _, d := range list {
		states, err := recourse.DoJSON[[]struct{ State string }](&api, hub.Get(ctx, url.Values{"per_page": {"1"}}, "repos", owner, name, "deployments", strconv.Itoa(d.ID), "statuses"))
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
