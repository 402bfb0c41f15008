package main

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/github"
	"github.com/recourse-dev/recourse/examples/session"
)

func TestMain(m *testing.M) { session.Main(m, main) }

type args map[string]any

// A stage is a session with overview, and the two things that it depends on.
type stage struct {
	*session.Session
	fake  github.Fake
	asked atomic.Int32 // requests to GitHub
	file  string       // of the database
}

func start(t *testing.T) *stage {
	st := &stage{file: filepath.Join(t.TempDir(), "projects.db")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		st.asked.Add(1)
		st.fake.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	cmd := session.Command(t, "-upstream", "github", "-base-url", server.URL, "-db", st.file, "-timeout", "1s")
	cmd.Env = append(cmd.Env, "GITHUB_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a")
	st.Session = session.Start(t, cmd)
	return st
}

// whole fails the test unless the answer lacks nothing.
func (st *stage) whole(t *testing.T) {
	t.Helper()
	a := st.Call(t, "get_project_overview", args{"project_id": "shop-api"})
	var o overview
	a.Decode(t, &o)
	if a.Warnings != nil || len(o.Tasks) != 3 || o.Statistics == nil || len(o.Deployments) != 3 {
		t.Fatalf("not whole: %s", a.Text)
	}
}

func TestWhole(t *testing.T) {
	st := start(t)
	a := st.Call(t, "get_project_overview", args{"project_id": "shop-api"})
	var o overview
	a.Decode(t, &o)
	if a.Warnings != nil || a.Completeness == "partial" {
		t.Errorf("it lacks something: %s", a.Text)
	}
	if want := (project{"shop-api", "Shop API", "Ada Novak", "acme/shop-api"}); o.Project != want {
		t.Errorf("project: got %+v, want %+v", o.Project, want)
	}
	if want := (task{"Prices per country", "2026-12-01"}); len(o.Tasks) != 3 || o.Tasks[0] != want {
		t.Errorf("tasks: got %+v, want 3 with %+v first", o.Tasks, want)
	}
	if s := o.Statistics; s == nil || s.Stars != 54 || s.OpenIssues != 14 || s.Month < 1 || s.Year < s.Month {
		t.Errorf("statistics: got %+v", s)
	}
	if d := o.Deployments; len(d) != 3 || d[0].Environment != "production" || d[0].Commit != "a84d88e" || d[0].State != "success" || d[2].State != "inactive" {
		t.Errorf("deployments: got %+v", d)
	}
	st.Close(t)
}

// One session sees each part of GitHub fail in each way; what else there is, is
// always there.
func TestParts(t *testing.T) {
	st := start(t)
	for _, how := range github.Failures {
		var fail []string
		switch how {
		case github.None:
		case github.Computing: // GitHub computes nothing else
			fail = []string{github.Statistics}
		case github.Hang:
			fail = []string{github.Statistics, github.Deployments, ""} // "" is both
		default:
			fail = []string{github.Statistics, github.Deployments}
		}
		for _, part := range fail {
			t.Run(string(how)+" "+part, func(t *testing.T) {
				st.fake.Fail("", github.None)
				st.whole(t) // no failure comes second in a row
				st.fake.Fail(part, how)
				a := st.Call(t, "get_project_overview", args{"project_id": "shop-api"})
				var o overview
				a.Decode(t, &o)
				a.Hides(t, "ghp_")
				if a.Completeness != "partial" || len(o.Tasks) != 3 {
					t.Errorf("no partial answer: %s", a.Text)
				}
				for _, p := range []struct {
					name    string
					missing bool
				}{
					{github.Statistics, o.Statistics == nil},
					{github.Deployments, o.Deployments == nil},
				} {
					want := part == "" || part == p.name
					said := slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "GitHub "+p.name) })
					if p.missing != want || said != want {
						t.Errorf("%s: missing %v, said %v, want both %v: %s", p.name, p.missing, said, want, a.Text)
					}
				}
			})
		}
	}
	st.Close(t)
}

// A warning is all that is seen of a part's failure, so it says what to do.
func TestAdvice(t *testing.T) {
	st := start(t)
	for how, want := range map[github.Failure]string{
		github.BadCredentials: "renew GITHUB_TOKEN",
		github.Forbidden:      "GITHUB_TOKEN more rights",
		github.Missing:        "project's repository",
		github.SecondaryLimit: "again in 60 seconds",
		github.Unavailable:    "again in a minute",
		github.Reset:          "again in a minute",
	} {
		st.fake.Fail(github.Deployments, how)
		a := st.Call(t, "get_project_overview", args{"project_id": "shop-api"})
		if len(a.Warnings) != 1 || !strings.HasPrefix(a.Warnings[0], "Missing from this answer: GitHub deployments") || !strings.Contains(a.Warnings[0], want) {
			t.Errorf("%s: nothing of %q: %s", how, want, a.Text)
		}
	}
	st.Close(t)
}

// GitHub computes statistics when they are first asked for, which takes a
// moment: the second attempt has them.
func TestComputing(t *testing.T) {
	st := start(t)
	st.fake.Fail(github.Statistics, github.Computing, github.None)
	st.whole(t)
	if log := st.Close(t); log[0].Outcome != "retried" {
		t.Errorf("the outcome is %q", log[0].Outcome)
	}
}

// A project without a repository lacks nothing, and GitHub is not asked.
func TestWithoutRepository(t *testing.T) {
	st := start(t)
	a := st.Call(t, "get_project_overview", args{"project_id": "onboarding"})
	var o overview
	a.Decode(t, &o)
	if a.Warnings != nil || o.Statistics != nil || len(o.Tasks) != 1 || st.asked.Load() != 0 {
		t.Errorf("%d requests for %s", st.asked.Load(), a.Text)
	}
	st.Close(t)
}

// Without the local part there is no answer, however well GitHub is.
func TestDatabase(t *testing.T) {
	st := start(t)
	call := func(id any) session.Answer { return st.Call(t, "get_project_overview", args{"project_id": id}) }
	call("shop_api").Want(t, recourse.Error{
		Code: recourse.NotFound, Field: "/project_id", Value: "shop_api", Suggestion: "near_ids",
		Related: args{"near_ids": []string{"shop-api", "shop"}},
	}, false)
	call("zzyzx").Want(t, recourse.Error{
		Code: recourse.NotFound, Related: args{"near_ids": []string{"billing", "onboarding", "shop", "shop-api"}},
	}, false)
	call(nil).Want(t, recourse.Error{Code: recourse.InvalidArgument, Field: "/project_id"}, false)

	other, err := sql.Open("sqlite", st.file)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1) // one connection takes the lock and gives it back
	exec := func(statement string) {
		t.Helper()
		if _, err := other.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	exec("BEGIN EXCLUSIVE")
	a := call("shop")
	a.Want(t, recourse.Error{Code: recourse.ResourceBusy, Message: "Another program"}, true)
	a.Hides(t, "SQLITE", st.file)
	exec("ROLLBACK")
	call("shop").Decode(t, &overview{})

	exec("DROP TABLE tasks")
	a = call("shop")
	a.Want(t, recourse.Error{Code: recourse.InternalError, Message: "project database", Suggestion: "operator must check"}, false)
	a.Hides(t, "tasks", "SQL")
	log := st.Close(t)
	if cause := log[len(log)-1].Cause; !strings.Contains(cause, "no such table") {
		t.Errorf("the log has the cause %q", cause)
	}
}

func TestConfiguration(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no such folder", []string{"-db", filepath.Join(t.TempDir(), "absent", "projects.db")}, "-db"},
		{"no database", []string{"-db", "main_test.go"}, "-db"},
		{"address for the fake", []string{"-base-url", "https://github.example/api/v3"}, "-base-url"},
		{"superfluous", []string{"shop"}, "shop"},
		{"no address", []string{"-upstream", "github", "-base-url", "github"}, "-base-url"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := session.Command(t, tt.args...)
			cmd.Env = append(cmd.Env, "GITHUB_TOKEN=x")
			var stderr strings.Builder
			cmd.Stderr = &stderr
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != recourse.ExitConfig || !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("exit %d\n%s", code, &stderr)
			}
		})
	}
}
