// Command codebase is an MCP server with one tool, analyze_codebase, that reads
// every source file in a directory. It shows how long work ends in time: with
// progress, when it is cancelled, and with smaller work to ask for instead.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

// analysis is the work itself. A repository that is too large says nothing about
// the next one, so there is no breaker; Limit keeps the disk usable.
var analysis = recourse.Dependency{Name: "analysis", Trip: -1, Limit: 4}

var tool = &mcp.Tool{
	Name:        "analyze_codebase",
	Description: "Count a repository's languages, lines, biggest files and open TODOs. Skips .git, node_modules, vendor and binary files.",
	Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	InputSchema: json.RawMessage(`{"type": "object", "additionalProperties": false, "required": ["repo_path"], "properties": {
		"repo_path": {"type": "string", "minLength": 1, "description": "Absolute path of a directory: a repository, or one part of it"}}}`),
}

type query struct {
	RepoPath string `json:"repo_path"`
}

func analyze(ctx context.Context, req *mcp.CallToolRequest, q query) (*mcp.CallToolResult, report, error) {
	s := &scan{path: q.RepoPath, notify: func(message string, done, total float64) {
		if token := req.Params.GetProgressToken(); token != nil {
			// A client that no longer listens is told nothing; the work goes on.
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Message: message, Progress: done, Total: total,
			})
		}
	}}
	r, err := recourse.Call(ctx, &analysis, s.run)
	if recourse.CodeOf(err) == recourse.Timeout {
		return nil, r, s.tooLarge(err)
	}
	if n, example := s.failed(); n > 0 && err == nil {
		recourse.Warn(ctx, "%d files or directories could not be read and are not counted, such as %s.", n, example)
	}
	return nil, r, err
}

// tooLarge offers the directories in it, the biggest first. The same call would
// end in the same way, so it is not to be repeated.
func (s *scan) tooLarge(cause error) error {
	e := &recourse.Error{
		Code:       recourse.Timeout,
		Message:    fmt.Sprintf("The directory is too large to be analyzed within %s.", analysis.Timeout),
		Field:      "/repo_path",
		Value:      s.path,
		Suggestion: "Call analyze_codebase for one part of the repository that is smaller.",
		MaxRetries: -1,
		Err:        cause,
	}
	if dirs := s.directories(8); len(dirs) > 0 {
		e.Suggestion = "Call analyze_codebase for one directory instead of the whole repository: set repo_path to one of directories."
		e.Related = map[string]any{"directories": dirs}
	}
	return e
}

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "codebase serves analyze_codebase(repo_path) over standard input and output.")
		flag.PrintDefaults()
	}
	flag.DurationVar(&analysis.Timeout, "timeout", 30*time.Second, "how long one analysis may take")
	flag.Parse()
	if flag.NArg() > 0 {
		recourse.Fatal(recourse.Errorf(recourse.ConfigurationError, "There is no argument %q; -help lists the flags.", flag.Arg(0)))
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "codebase", Version: "1"}, nil)
	g := &recourse.Guard{Log: recourse.LogTo(os.Stderr)}
	s.AddReceivingMiddleware(gosdk.Middleware(g)) // answers names of tools that don't exist
	gosdk.AddTool(s, g, tool, analyze)
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
