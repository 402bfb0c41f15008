// Command repoinfo is an MCP server with one tool, get_repo_info: what GitHub
// says about a repository.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/github"
	"github.com/recourse-dev/recourse/gosdk"
)

var (
	hub github.Client
	api = recourse.Dependency{Name: "GitHub API", Trip: 3, Suggestion: "Repeat get_repo_info; if it gets no answer either, tell the user that GitHub is slow."}
)

type query struct {
	Repo string `json:"repo" jsonschema:"owner and name of the repository, such as golang/go"`
}

// An info is the part of GitHub's answer that is worth a model's attention.
type info struct {
	FullName      string    `json:"full_name"`
	Description   string    `json:"description"`
	Language      string    `json:"language"`
	Topics        []string  `json:"topics"`
	Stars         int       `json:"stargazers_count"`
	Forks         int       `json:"forks_count"`
	OpenIssues    int       `json:"open_issues_count"`
	DefaultBranch string    `json:"default_branch"`
	Archived      bool      `json:"archived"`
	PushedAt      time.Time `json:"pushed_at"`
	License       *license  `json:"license"`
}

type license struct {
	ID string `json:"spdx_id"`
}

// advice is what some codes mean here, and what a model should then do.
var advice = map[recourse.Code]struct{ message, suggestion string }{
	recourse.RateLimited:        {"The GitHub API rate limit is used up.", "Wait retry_after_seconds, then repeat get_repo_info; ask for no other repo meanwhile."},
	recourse.InvalidCredentials: {"GitHub refuses this server's token; it may have expired.", "Tell the user that the operator must renew GITHUB_TOKEN; don't repeat get_repo_info before."},
	recourse.PermissionDenied:   {"This server's token may not read the repository.", "Tell the user that the operator must allow GITHUB_TOKEN to read repo; don't repeat get_repo_info before."},
}

func getRepoInfo(ctx context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, info, error) {
	owner, name, err := split(q.Repo)
	if err != nil {
		return nil, info{}, err
	}
	i, err := recourse.DoJSON[info](&api, hub.Get(ctx, nil, "repos", owner, name))
	if err == nil && i.FullName == "" { // GitHub answers 202 and {} while it has nothing to show
		err = recourse.Errorf(recourse.BadUpstreamResponse, "GitHub sent an answer that describes no repository.")
	}
	if err == nil {
		return nil, i, nil
	}
	e := recourse.Classify(err)
	if e.Code == recourse.NotFound {
		return nil, i, missing(ctx, owner, name)
	}
	if a, ok := advice[e.Code]; ok {
		err = &recourse.Error{Message: a.message, Suggestion: a.suggestion, Related: e.Related, Err: err}
	}
	return nil, i, err
}

func main() {
	upstream := flag.String("upstream", "fake", "`API` to ask: fake, which needs no network, or github, which needs GITHUB_TOKEN")
	base := flag.String("base-url", "", "`URL` of GitHub's API for -upstream github (default "+github.Base+")")
	fail := flag.String("fail", "none", "how the fake fails: one of "+github.Failures.String())
	flag.DurationVar(&api.Timeout, "timeout", 5*time.Second, "how long GitHub may take to answer")
	flag.DurationVar(&api.Cooldown, "cooldown", time.Minute, "how long to leave it alone after three failures in a row")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "repoinfo serves get_repo_info(repo) over standard input and output.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		recourse.Fatal(recourse.Errorf(recourse.ConfigurationError, "There is no argument %q; -help lists the flags.", flag.Arg(0)))
	}
	ctx := context.Background()
	var err error
	if hub, err = github.Connect(ctx, *upstream, *base, *fail); err != nil {
		recourse.Fatal(err)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "repoinfo", Version: "1"}, nil)
	g := &recourse.Guard{Log: recourse.LogTo(os.Stderr)}
	s.AddReceivingMiddleware(gosdk.Middleware(g)) // answers names of tools that don't exist
	gosdk.AddTool(s, g, &mcp.Tool{
		Name:        "get_repo_info",
		Description: "Description, language, stars, forks, open issues and licence of a repository on GitHub.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, getRepoInfo)
	if err := s.Run(ctx, &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
