package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/session"
)

func TestMain(m *testing.M) {
	session.Main(m, func() {
		becomeNobody()
		main()
	})
}

type args map[string]any

// analyzed wants a report with nothing missing.
func analyzed(t *testing.T, s *session.Session, path string) report {
	t.Helper()
	var r report
	answer := s.Call(t, "analyze_codebase", args{"repo_path": path})
	answer.Decode(t, &r)
	if answer.Warnings != nil || answer.Completeness != "" {
		t.Error(answer.Text)
	}
	return r
}

// write makes a directory with these files, each by its path.
func write(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReport(t *testing.T) {
	dir := write(t, map[string]string{
		"main.go":             "package main\n\n// TODO(ada): greet\nfunc main() {}\n",
		"web/app.ts":          "let a = 1 // FIXME\nlet todos = []; // no marker: TODOS\n",
		"web/last.ts":         "no newline at the end",
		"README.md":           "# Title\n",
		"Makefile":            "all:\n\tgo build\n",
		"notes":               "XXX \xff not UTF-8\n",
		"empty.py":            "",
		"image.png":           "\x89PNG\r\n\x1a\n\x00\x00TODO\n",
		"long.json":           `{"a":"` + strings.Repeat("x", 200_000) + "\"}\n{}\n",
		".git/config":         "TODO\n",
		"node_modules/x/x.js": "// TODO\n",
		"a/vendor/y/y.go":     "// TODO\n",
	})
	if err := os.Symlink("..", filepath.Join(dir, "web", "loop")); err != nil {
		t.Skip(err) // on Windows it takes a privilege
	}
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "outside.go")); err != nil {
		t.Fatal(err)
	}
	r := analyzed(t, session.Start(t, session.Command(t)), dir)
	want := report{
		Files: 8, Lines: 13, Binary: 1, TodoCount: 3,
		Languages: []share{
			{"Go", 1, 4, 30.7}, {"TypeScript", 2, 3, 23}, {"JSON", 1, 2, 15.3}, {"Makefile", 1, 2, 15.3},
			{"Markdown", 1, 1, 7.6}, {"Text", 1, 1, 7.6}, {"Python", 1, 0, 0},
		},
		Todos: []todo{{"main.go", 3, "TODO(ada): greet"}, {"notes", 1, "XXX \uFFFD not UTF-8"}, {"web/app.ts", 1, "FIXME"}},
	}
	biggest := r.Biggest
	r.Biggest = nil
	if got, want := fmt.Sprintf("%+v", r), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(biggest) != 8 || biggest[0] != (file{"main.go", 4, 49}) || biggest[7].Path != "empty.py" {
		t.Errorf("biggest: %+v", biggest)
	}
}

func TestLimits(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("f%02d.go", i)] = strings.Repeat("// TODO: "+strings.Repeat("long ", 100)+"\n", i)
	}
	r := analyzed(t, session.Start(t, session.Command(t)), write(t, files))
	if len(r.Biggest) != mostFiles || r.Biggest[0].Path != "f29.go" || r.Biggest[9].Path != "f20.go" {
		t.Errorf("%+v", r.Biggest)
	}
	if r.TodoCount != 29*30/2 || len(r.Todos) != mostMarkers || len(r.Todos[0].Text) != 120 {
		t.Errorf("%d in all, %d shown, %q", r.TodoCount, len(r.Todos), r.Todos[0].Text)
	}
}

func TestNothingThere(t *testing.T) {
	if r := analyzed(t, session.Start(t, session.Command(t)), t.TempDir()); r.Files != 0 || r.Languages == nil || r.Biggest == nil || r.Todos == nil {
		t.Errorf("%+v", r)
	}
}

func TestPaths(t *testing.T) {
	s := session.Start(t, session.Command(t))
	dir := write(t, map[string]string{"payments/api/main.go": "package main\n", "payroll/x.go": "", "website/x.go": ""})
	file := filepath.Join(dir, "payroll", "x.go")
	near := func(names ...string) args {
		return args{"near_names": []string{filepath.Join(append([]string{dir}, names...)...)}}
	}
	for _, tt := range []struct {
		path any
		want recourse.Error
	}{
		{"payments", recourse.Error{Code: recourse.InvalidArgument, Constraint: "must be an absolute path", Suggestion: "whole path"}},
		{"", recourse.Error{Code: recourse.OutOfRange}},
		{7, recourse.Error{Code: recourse.InvalidArgument}},
		{file, recourse.Error{
			Code: recourse.InvalidArgument, Constraint: "must be a directory", Suggestion: "directory that holds the file",
			Related: args{"directory": filepath.Dir(file)},
		}},
		{filepath.Join(dir, "paymets"), recourse.Error{Code: recourse.NotFound, Suggestion: "near_names", Related: near("payments")}},
		{filepath.Join(dir, "Payments2", "api"), recourse.Error{Code: recourse.NotFound, Suggestion: "near_names", Related: near("payments", "api")}},
		{filepath.Join(dir, "zzzzzzzz"), recourse.Error{Code: recourse.NotFound, Suggestion: "Ask the user", Related: args{"near_names": nil}}},
	} {
		tt.want.Field, tt.want.Value = "/repo_path", tt.path
		s.Call(t, "analyze_codebase", args{"repo_path": tt.path}).Want(t, tt.want, false)
	}
	s.Call(t, "analyze_codebase", args{}).Want(t, recourse.Error{Code: recourse.MissingArgument, Field: "/repo_path"}, false)
	s.Close(t)
}

// huge makes a directory that takes minutes to read and no space on the disk.
func huge(t *testing.T) string {
	dir := write(t, map[string]string{
		"small/a.go": "package a\n", "middle/b.go": strings.Repeat("// b\n", 100), "top.go": "package top\n",
		"a_large/log.txt": strings.Repeat("text\n", 2000), "nothing/c.go": "",
	})
	if err := os.Truncate(filepath.Join(dir, "a_large", "log.txt"), 1<<40); err != nil {
		t.Skip(err) // a file system without sparse files
	}
	return dir
}

func TestTooLarge(t *testing.T) {
	dir := huge(t)
	s := session.Start(t, session.Command(t, "-timeout", "700ms"))
	s.Call(t, "analyze_codebase", args{"repo_path": dir}).Want(t, recourse.Error{
		Code: recourse.Timeout, Field: "/repo_path", Value: dir, Suggestion: "one directory instead of the whole repository",
		Related: args{"directories": []string{filepath.Join(dir, "a_large"), filepath.Join(dir, "middle"), filepath.Join(dir, "small")}},
	}, false)
	// What is suggested works; a part that is too large again has no parts to offer.
	if r := analyzed(t, s, filepath.Join(dir, "middle")); r.Lines != 100 {
		t.Errorf("%+v", r)
	}
	s.Call(t, "analyze_codebase", args{"repo_path": filepath.Join(dir, "a_large")}).Want(t, recourse.Error{
		Code: recourse.Timeout, Suggestion: "smaller", Related: args{"directories": nil},
	}, false)
	s.Close(t)
}

func TestProgressAndCancel(t *testing.T) {
	dir := huge(t)
	progress := make(chan mcp.ProgressNotificationParams, 1000)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, n *mcp.ProgressNotificationClientRequest) { progress <- *n.Params },
	})
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: session.Command(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(ctx context.Context, path string) (*mcp.CallToolResult, error) {
		params := &mcp.CallToolParams{Name: "analyze_codebase", Arguments: args{"repo_path": path}}
		params.SetProgressToken(path)
		return s.CallTool(ctx, params)
	}
	// More in turn than may run at once: a call that goes on after its end would
	// keep the next ones out.
	for range 2 * analysis.Limit {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := call(ctx, dir)
			done <- err
		}()
		p := <-progress
		if p.ProgressToken != dir || p.Progress <= 0 || p.Total < 1<<40 || !strings.Contains(p.Message, "files so far") {
			t.Errorf("%+v", p)
		}
		cancel()
		if err := <-done; err == nil {
			t.Error("a cancelled call was answered")
		}
	}
	if r, err := call(t.Context(), filepath.Join(dir, "small")); err != nil || r.IsError {
		t.Errorf("%+v, %v", r, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestUnreadable(t *testing.T) {
	dir := write(t, map[string]string{"a.go": "package a\n", "secret/b.go": "package b\n", "c.go": "package c\n"})
	for name, mode := range map[string]os.FileMode{"secret": 0, "c.go": 0, ".": 0o755, "..": 0o755} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(filepath.Join(dir, "secret"), 0o700) // so that it can be removed
	if _, err := os.ReadDir(filepath.Join(dir, "secret")); err == nil && os.Getuid() != 0 {
		t.Skip("nothing is unreadable here")
	}
	cmd := session.Command(t)
	cmd.Env = append(cmd.Env, "BE_NOBODY=1")
	s := session.Start(t, cmd)
	var r report
	answer := s.Call(t, "analyze_codebase", args{"repo_path": dir})
	answer.Decode(t, &r)
	if r.Files != 1 || answer.Completeness != "partial" || len(answer.Warnings) != 1 || !strings.Contains(answer.Warnings[0], "2 files or directories could not be read") {
		t.Error(answer.Text)
	}
	s.Call(t, "analyze_codebase", args{"repo_path": filepath.Join(dir, "secret")}).Want(t, recourse.Error{
		Code: recourse.PermissionDenied, Field: "/repo_path", Suggestion: "Choose another directory",
	}, false)
	s.Close(t)
}

// What the system shows of itself as files is no codebase, and no part of one.
func TestRunningSystem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there are such files on Linux only")
	}
	s := session.Start(t, session.Command(t, "-timeout", "500ms"))
	for _, path := range []string{"/proc", "/proc/self/task", "/sys"} {
		s.Call(t, "analyze_codebase", args{"repo_path": path}).Want(t, recourse.Error{
			Code: recourse.InvalidArgument, Field: "/repo_path", Value: path, Message: "running system", Suggestion: "people keep files",
			Related: args{"directories": nil},
		}, false)
	}
	if a := s.Call(t, "analyze_codebase", args{"repo_path": "/"}); a.Error != nil {
		a.Want(t, recourse.Error{Code: recourse.Timeout}, false)
		if strings.Contains(a.Text, `"/proc`) || strings.Contains(a.Text, `"/sys"`) {
			t.Error(a.Text)
		}
	}
	s.Close(t)
}

func TestSuperfluous(t *testing.T) {
	cmd := session.Command(t, "/srv/shop")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != recourse.ExitConfig || !strings.Contains(stderr.String(), "/srv/shop") {
		t.Errorf("exit %d: %s", code, &stderr)
	}
}

func TestHelp(t *testing.T) {
	if help, err := session.Command(t, "-help").CombinedOutput(); err != nil || !strings.Contains(string(help), "analyze_codebase(repo_path)") {
		t.Errorf("%v: %s", err, help)
	}
}
