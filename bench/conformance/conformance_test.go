//go:build interop

// Package conformance runs the official conformance suite against go-sdk's own
// reference server, as it is and with its tools under gosdk, and wants no check
// to be lost.
//
// The guarded servers are made from the reference server's source in the module
// cache at test time: copying it would be a second version to keep.
package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const reference = "github.com/modelcontextprotocol/go-sdk/conformance/everything-server"

// edits make a guarded server's source from the reference server's.
var edits = map[string][2]string{
	"imports": {"import (\n", `import (
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
`},
	// It logs to standard error, so that the test sees that it was there.
	"guard": {"func main() {\n", `var guard = &recourse.Guard{Log: func(r recourse.Record) { log.Printf("guarded %s %s", r.Tool, r.Outcome) }}

func main() {
`},
	"AddTool":    {"mcp.AddTool(server, ", "gosdk.AddTool(server, guard, "},
	"Middleware": {"\tregisterTools(server)\n", "\tserver.AddReceivingMiddleware(gosdk.Middleware(guard))\n\tregisterTools(server)\n"},
}

// guarded are the ways to guard a server.
var guarded = map[string][]string{
	"AddTool":              {"imports", "guard", "AddTool"},
	"Middleware":           {"imports", "guard", "Middleware"},
	"AddToolAndMiddleware": {"imports", "guard", "AddTool", "Middleware"},
}

func TestGuardedServerLosesNoCheck(t *testing.T) {
	suite := installed(t)
	direct := build(t, nil)
	programs := map[string]string{}
	for way, names := range guarded {
		programs[way] = build(t, names)
	}
	for _, era := range []struct{ version, stateless string }{
		{"2025-11-25", "false"},
		{"2026-07-28", "true"},
	} {
		want, _ := suite.run(t, direct, era.version, era.stateless)
		t.Logf("%s direct: %d checks pass", era.version, total(want))
		// go-sdk v1.8.0 passes 82 and 165; far fewer would mean that the suite did
		// not run.
		if total(want) < 80 {
			t.Fatalf("%s: only %d checks pass without a guard", era.version, total(want))
		}
		for name, program := range programs {
			t.Run(era.version+"/"+name, func(t *testing.T) {
				got, calls := suite.run(t, program, era.version, era.stateless)
				t.Logf("%d checks pass, %d calls under guard", total(got), calls)
				for check, n := range want {
					if got[check] < n {
						t.Errorf("%s passes %d times, %d without a guard", check, got[check], n)
					}
				}
				if calls == 0 {
					t.Error("no call was logged")
				}
			})
		}
	}
}

func total(passed map[string]int) (n int) {
	for _, times := range passed {
		n += times
	}
	return n
}

// build returns the reference server's executable, edited.
func build(t *testing.T, names []string) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "server")
	args := []string{"build", "-o", program}
	if names == nil {
		args = append(args, reference)
	} else {
		args = append(args, "-overlay", overlay(t, dir, names), "./guarded")
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return program
}

// overlay writes the edited source, and what makes the go command take it for a
// package beside this one.
func overlay(t *testing.T, dir string, names []string) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", reference).Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	source := string(text)
	for _, name := range names {
		e := edits[name]
		if !strings.Contains(source, e[0]) {
			t.Fatalf("the reference server has no %q", e[0])
		}
		source = strings.ReplaceAll(source, e[0], e[1])
	}
	if slices.Contains(names, "AddTool") && strings.Contains(source, "mcp.AddTool(") {
		t.Fatal("some tools of the reference server are added in a way that is unknown here")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	edited := filepath.Join(dir, "main.go")
	file := filepath.Join(dir, "overlay.json")
	content, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(here, "guarded", "main.go"): edited}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(edited, []byte(source), 0o600), os.WriteFile(file, content, 0o600)); err != nil {
		t.Fatal(err)
	}
	return file
}

// A suite is the installed conformance program.
type suite struct{ node, script string }

func installed(t *testing.T) suite {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	modules := filepath.Join(cache, "recourse-conformance", "node_modules")
	s := suite{"node", filepath.Join(modules, "@modelcontextprotocol/conformance/dist/index.js")}
	if own, _ := filepath.Glob(filepath.Join(modules, "node-linux-*/bin/node")); len(own) > 0 {
		s.node = own[0]
	}
	if _, err := os.Stat(s.script); err != nil {
		t.Fatalf("%v: run .ci/conformance, which installs it", err)
	}
	return s
}

// run starts a server, runs the suite of one revision against it, and returns
// how often each check passed and how many calls the server logged.
func (s suite) run(t *testing.T, program, version, stateless string) (passed map[string]int, calls int) {
	t.Helper()
	address, stop := serve(t, program, stateless)
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	suite := exec.CommandContext(ctx, s.node, s.script, "server", "--url", "http://"+address+"/mcp", "--requirements", version, "-o", dir)
	out, err := suite.CombinedOutput() // fails if a check does
	files, _ := filepath.Glob(filepath.Join(dir, "*/checks.json"))
	if len(files) == 0 {
		t.Fatalf("the suite wrote no checks: %v\n%s", err, out)
	}
	passed = map[string]int{}
	for _, file := range files {
		scenario := filepath.Base(filepath.Dir(file))
		scenario = regexp.MustCompile(`-\d{4}-\d\d-\d\dT.*$`).ReplaceAllString(scenario, "")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var checks []struct{ ID, Name, Status string }
		if err := json.Unmarshal(text, &checks); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range checks {
			if c.Status == "SUCCESS" {
				passed[scenario+": "+c.ID+" ("+c.Name+")"]++
			}
		}
	}
	return passed, strings.Count(stop(), "guarded ")
}

// serve starts a server and returns its address, and what ends it and returns
// its standard error.
func serve(t *testing.T, program, stateless string) (address string, stop func() string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	l.Close()
	server := exec.Command(program, "-http", address, "-stateless="+stateless)
	log, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	text := make(chan string, 1)
	ready := make(chan struct{})
	go func() {
		var all strings.Builder
		for scan := bufio.NewScanner(log); scan.Scan(); {
			if all.Len() == 0 {
				close(ready)
			}
			all.WriteString(scan.Text() + "\n")
		}
		text <- all.String()
	}()
	stop = func() string {
		server.Process.Kill()
		defer server.Wait()
		return <-text
	}
	<-ready // it says so, and listens right after
	for deadline := time.Now().Add(10 * time.Second); ; <-time.After(5 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return address, stop
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server does not listen: %v\n%s", err, stop())
		}
	}
}
