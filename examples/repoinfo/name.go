package main

import (
	"context"
	"net/url"
	"regexp"
	"slices"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema"
)

// A name may start with a dot, but "." and ".." would be other places in the API.
var (
	repoName = regexp.MustCompile(`^([\w-]+)/(\.?[\w-][\w.-]*)$`)
	repoURL  = regexp.MustCompile(`github\.com[/:]([\w-]+/\.?[\w-][\w.-]*?)(\.git)?(/.*)?$`)
)

func split(repo string) (owner, name string, err error) {
	if m := repoName.FindStringSubmatch(repo); m != nil {
		return m[1], m[2], nil
	}
	right := "the repository's owner and name with a slash between them, such as golang/go"
	if m := repoURL.FindStringSubmatch(repo); m != nil {
		right = m[1]
	}
	return "", "", &recourse.Error{
		Code:       recourse.InvalidArgument,
		Message:    "repo must be owner/name.",
		Field:      "/repo",
		Value:      repo,
		Constraint: "owner/name, such as golang/go",
		Suggestion: "Set repo to " + right + ".",
	}
}

// missing names repositories that may be meant: the owner's that are spelt alike,
// and others' of the same name. Where GitHub doesn't tell, it names none.
func missing(ctx context.Context, owner, name string) error {
	list, _ := recourse.DoJSON[[]struct{ Name string }](&api, hub.Get(ctx, url.Values{"per_page": {"100"}}, "users", owner, "repos"))
	var names, near []string
	for _, r := range list {
		names = append(names, r.Name)
	}
	for _, n := range schema.Nearest(name, names) {
		near = append(near, owner+"/"+n)
	}
	found, _ := recourse.DoJSON[struct{ Items []info }](&api, hub.Get(ctx, url.Values{"q": {name + " in:name"}, "per_page": {"3"}}, "search", "repositories"))
	for _, i := range found.Items {
		if !slices.Contains(near, i.FullName) {
			near = append(near, i.FullName)
		}
	}
	e := &recourse.Error{
		Code:       recourse.NotFound,
		Message:    "GitHub has no repository of this name, or hides it from the server's GITHUB_TOKEN.",
		Field:      "/repo",
		Value:      owner + "/" + name,
		Suggestion: "Ask the user who owns the repository and how it is spelt, then set repo to owner/name.",
	}
	if near != nil {
		e.Related = map[string]any{"near_names": near}
		e.Suggestion = "Set repo to the one of near_names that the user means; ask the user if none fits."
	}
	return e
}
