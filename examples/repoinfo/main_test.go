package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/github"
	"github.com/recourse-dev/recourse/examples/session"
)

func TestMain(m *testing.M) { session.Main(m, main) }

const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

// command is repoinfo with base as its GitHub.
func command(t *testing.T, base string, args ...string) *exec.Cmd {
	cmd := session.Command(t, append([]string{"-upstream", "github", "-base-url", base, "-timeout", "1s"}, args...)...)
	cmd.Env = append(cmd.Env, "GITHUB_TOKEN="+token)
	return cmd
}

type args map[string]any

// One session sees GitHub fail in each way. In between all is well, so that each
// failure is the first in a row.
func TestFailures(t *testing.T) {
	var fake github.Fake
	server := httptest.NewServer(&fake)
	defer server.Close()
	s := session.Start(t, command(t, server.URL))
	for _, tt := range []struct {
		how       github.Failure
		want      recourse.Error
		retryable bool
	}{
		{github.RateLimit, recourse.Error{Code: recourse.RateLimited, RetryAfter: github.LimitReset, Message: "The GitHub API rate limit is used up.", Suggestion: "retry_after_seconds"}, true},
		{github.SecondaryLimit, recourse.Error{Code: recourse.RateLimited, RetryAfter: time.Minute, Suggestion: "ask for no other repo"}, true},
		{github.BadCredentials, recourse.Error{Code: recourse.InvalidCredentials, Suggestion: "GITHUB_TOKEN"}, false},
		{github.Forbidden, recourse.Error{Code: recourse.PermissionDenied, Suggestion: "GITHUB_TOKEN"}, false},
		{github.Broken, recourse.Error{Code: recourse.UpstreamError}, true},
		{github.Unavailable, recourse.Error{Code: recourse.ServiceUnavailable}, true},
		{github.Hang, recourse.Error{Code: recourse.Timeout, Message: "1 second", Suggestion: "Repeat get_repo_info"}, true},
		{github.Reset, recourse.Error{Code: recourse.ServiceUnavailable}, true},
		{github.HTML, recourse.Error{Code: recourse.BadUpstreamResponse}, true},
		{github.Half, recourse.Error{Code: recourse.BadUpstreamResponse}, true},
		{github.Computing, recourse.Error{Code: recourse.BadUpstreamResponse, Message: "no repository"}, true},
	} {
		t.Run(string(tt.how), func(t *testing.T) {
			fake.Fail("", tt.how)
			a := s.Call(t, "get_repo_info", args{"repo": "acme/shop-api"})
			a.Want(t, tt.want, tt.retryable)
			a.Hides(t, token)
			fake.Fail("", github.None)
			var got info
			s.Call(t, "get_repo_info", args{"repo": "acme/shop-api"}).Decode(t, &got)
			if got.FullName != "acme/shop-api" || got.Stars != 54 || got.License == nil || got.License.ID != "BSD-3-Clause" {
				t.Errorf("got %+v", got)
			}
		})
	}
	for _, r := range s.Close(t) {
		if r.Tool != "get_repo_info" || (r.Code == "") != (r.Outcome == "ok") {
			t.Errorf("logged %+v", r)
		}
		if strings.Contains(r.Cause, token) {
			t.Errorf("the token is in the log: %s", r.Cause)
		}
	}
}

func TestArguments(t *testing.T) {
	s := session.Start(t, session.Command(t)) // the fake that it starts itself
	for _, tt := range []struct {
		name string
		args args
		want recourse.Error
	}{
		{"typing error", args{"repo": "octocat/Hello-Wrold"}, recourse.Error{
			Code: recourse.NotFound, Field: "/repo", Value: "octocat/Hello-Wrold", Suggestion: "near_names",
			Related: args{"near_names": []string{"octocat/Hello-World"}},
		}},
		{"half a name", args{"repo": "octocat/hello"}, recourse.Error{Code: recourse.NotFound, Related: args{"near_names": []string{"octocat/Hello-World"}}}},
		{"wrong owner", args{"repo": "github/linguist"}, recourse.Error{
			Code: recourse.NotFound, Suggestion: "near_names", Related: args{"near_names": []string{"octocat/linguist"}},
		}},
		{"nothing like it", args{"repo": "nobody/zzyzx"}, recourse.Error{Code: recourse.NotFound, Suggestion: "Ask the user"}},
		{"no owner", args{"repo": "linguist"}, recourse.Error{Code: recourse.InvalidArgument, Field: "/repo", Value: "linguist", Constraint: "owner/name, such as golang/go"}},
		{"address", args{"repo": "https://github.com/octocat/Spoon-Knife.git"}, recourse.Error{Code: recourse.InvalidArgument, Suggestion: "Set repo to octocat/Spoon-Knife."}},
		{"address of a file", args{"repo": "https://github.com/octocat/.github/blob/main/README.md"}, recourse.Error{Code: recourse.InvalidArgument, Suggestion: "Set repo to octocat/.github."}},
		{"another place", args{"repo": "octocat/.."}, recourse.Error{Code: recourse.InvalidArgument, Field: "/repo"}},
		{"absent", args{}, recourse.Error{Code: recourse.MissingArgument, Field: "/repo"}},
		{"number", args{"repo": 7}, recourse.Error{Code: recourse.InvalidArgument, Field: "/repo", Value: 7}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Call(t, "get_repo_info", tt.args).Want(t, tt.want, false)
		})
	}
	var got info
	s.Call(t, "get_repo_info", args{"repo": "acme/invoices"}).Decode(t, &got)
	if got.FullName != "acme/billing" {
		t.Errorf("the renamed repository is %q", got.FullName)
	}
	s.Close(t)
}

// After three failures in a row GitHub is left alone for a minute, whatever is
// asked for. Before that, what was refused by nobody listening works again with
// the next call once somebody does.
func TestBreaker(t *testing.T) {
	var fake github.Fake
	var asked atomic.Int32
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		fake.ServeHTTP(w, r)
	})
	server := httptest.NewServer(handler)
	s := session.Start(t, command(t, server.URL))
	repo := args{"repo": "octo-org/octo-repo"}
	s.Call(t, "get_repo_info", repo).Decode(t, &info{})

	server.Close()
	for range 2 {
		s.Call(t, "get_repo_info", repo).Want(t, recourse.Error{Code: recourse.ServiceUnavailable}, true)
	}
	var listen net.ListenConfig
	l, err := listen.Listen(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server = &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	server.Start()
	defer server.Close()
	s.Call(t, "get_repo_info", repo).Decode(t, &info{})

	fake.Fail("", github.Unavailable)
	for range 3 {
		s.Call(t, "get_repo_info", repo).Want(t, recourse.Error{Code: recourse.ServiceUnavailable}, true)
	}
	fake.Fail("", github.None)
	before := asked.Load()
	for range 2 {
		s.Call(t, "get_repo_info", args{"repo": "acme/shop"}).Want(t, recourse.Error{
			Code: recourse.ServiceUnavailable, Message: "GitHub API", RetryAfter: time.Minute, Related: args{"reason": "circuit_open"},
		}, true)
	}
	if n := asked.Load() - before; n != 0 {
		t.Errorf("GitHub was asked %d times behind the open breaker", n)
	}
	log := s.Close(t)
	if !slices.ContainsFunc(log, func(r recourse.Record) bool { return len(r.Breakers) > 0 }) {
		t.Error("no record says that the breaker opened")
	}
}

// The call after the minute finds out whether GitHub is back.
func TestRecovery(t *testing.T) {
	var fake github.Fake
	server := httptest.NewServer(&fake)
	defer server.Close()
	s := session.Start(t, command(t, server.URL, "-cooldown", "50ms"))
	fake.Fail("", github.Broken)
	for range 3 {
		s.Call(t, "get_repo_info", args{"repo": "acme/shop"}).Want(t, recourse.Error{Code: recourse.UpstreamError}, true)
	}
	fake.Fail("", github.None)
	a := s.Call(t, "get_repo_info", args{"repo": "acme/shop"})
	for a.Error != nil {
		a.Want(t, recourse.Error{Code: recourse.ServiceUnavailable, Related: args{"reason": "circuit_open"}}, true)
		if t.Failed() {
			return
		}
		a = s.Call(t, "get_repo_info", args{"repo": "acme/shop"})
	}
	s.Close(t)
}

// What only the operator can mend is said before the session starts.
func TestConfiguration(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no token", []string{"-upstream", "github"}, "GITHUB_TOKEN"},
		{"no such upstream", []string{"-upstream", "gitlab"}, "gitlab"},
		{"no such failure", []string{"-fail", "slow"}, "slow"},
		{"address for the fake", []string{"-base-url", "https://github.example/api/v3"}, "-base-url"},
		{"superfluous", []string{"-upstream", "fake", "acme/shop"}, "acme/shop"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := session.Command(t, tt.args...)
			cmd.Env = append(cmd.Env, "GITHUB_TOKEN=")
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != recourse.ExitConfig || stdout.String() != "" || !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("exit %d\n%s%s", code, &stdout, &stderr)
			}
		})
	}
}
