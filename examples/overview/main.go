// Command overview is an MCP server with one tool, get_project_overview: a
// project from a local SQLite database, with commits and deployments from GitHub.
// Without GitHub the answer is a partial one; without the database there is none.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/github"
	"github.com/recourse-dev/recourse/gosdk"
)

// The parts of an answer: their names, and how long each may take. One request
// to GitHub is api's affair; a part may need several.
var (
	projects    = recourse.Dependency{Name: "project database", Timeout: 3 * time.Second}
	statistics  = recourse.Dependency{Name: "GitHub statistics", Timeout: 8 * time.Second, Attempts: 2}
	deployments = recourse.Dependency{Name: "GitHub deployments", Timeout: 8 * time.Second}
)

type query struct {
	ProjectID string `json:"project_id" jsonschema:"id of the project, such as shop-api"`
}

type overview struct {
	Project     project      `json:"project"`
	Tasks       []task       `json:"open_tasks"`
	Statistics  *commits     `json:"statistics,omitempty"`
	Deployments []deployment `json:"deployments,omitempty"`
}

type project struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Lead       string `json:"lead"`
	Repository string `json:"repository,omitempty"`
}

type task struct {
	Title string `json:"title"`
	Due   string `json:"due"`
}

type commits struct {
	Stars      int `json:"stars"`
	OpenIssues int `json:"open_issues"`
	Year       int `json:"commits_in_52_weeks"`
	Month      int `json:"commits_in_4_weeks"`
}

type deployment struct {
	Environment string    `json:"environment"`
	Commit      string    `json:"commit"`
	State       string    `json:"state"`
	At          time.Time `json:"at"`
}

func getProjectOverview(ctx context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, overview, error) {
	p, err := findProject(ctx, q.ProjectID)
	if err != nil {
		return nil, overview{}, err
	}
	o := overview{Project: p}
	g := recourse.Gather(ctx)
	recourse.Required(g, &projects, &o.Tasks, func(ctx context.Context) ([]task, error) { return openTasks(ctx, p.ID) })
	if owner, name, ok := strings.Cut(p.Repository, "/"); ok {
		recourse.Optional(g, &statistics, &o.Statistics, func(ctx context.Context) (*commits, error) { return countCommits(ctx, owner, name) })
		recourse.Optional(g, &deployments, &o.Deployments, func(ctx context.Context) ([]deployment, error) { return listDeployments(ctx, owner, name) })
	}
	err = g.Wait()
	return nil, o, err
}

func main() {
	file := flag.String("db", ":memory:", "`file` of the project database; if it is new, it gets a few projects")
	upstream := flag.String("upstream", "fake", "`API` to ask: fake, which needs no network, or github, which needs GITHUB_TOKEN")
	base := flag.String("base-url", "", "`URL` of GitHub's API for -upstream github (default "+github.Base+")")
	fail := flag.String("fail", "none", "how the fake fails, as in statistics=hang,deployments=reset: one of "+github.Failures.String())
	flag.DurationVar(&api.Timeout, "timeout", 3*time.Second, "how long GitHub may take to answer one request")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "overview serves get_project_overview(project_id) over standard input and output.")
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
	if err := open(ctx, *file); err != nil {
		recourse.Fatal(err)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "overview", Version: "1"}, nil)
	g := &recourse.Guard{Map: explain, Log: recourse.LogTo(os.Stderr)}
	s.AddReceivingMiddleware(gosdk.Middleware(g)) // answers names of tools that don't exist
	gosdk.AddTool(s, g, &mcp.Tool{
		Name:        "get_project_overview",
		Description: "A project's lead, open tasks, commits and latest deployments.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, getProjectOverview)
	if err := s.Run(ctx, &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
