package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/cli"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/faulty"
)

var update = flag.Bool("update", false, "write what was seen into the scripts")

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // the scripts wait more than they work
	testscript.Main(m, map[string]func(){
		"recourse": func() { os.Exit(cli.Main(os.Args[1:])) },
		"faulty":   faulty.Main,
		"fickle":   fickle,
		"strict":   strict,
	})
}

// TestScripts runs every script in testdata. Beside the commands of testscript
// they have mcp, which plays a conversation, status, and records and modes, which show
// the call log.
func TestScripts(t *testing.T) {
	runScripts(t, "testdata")
}

// TestReports runs the failures that users of MCP servers reported, by the
// number that this project gave them.
func TestReports(t *testing.T) {
	runScripts(t, filepath.Join("testdata", "reports"))
}

func runScripts(t *testing.T, dir string) {
	t.Helper()
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:           dir,
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("HOME", env.WorkDir)
			// Not in the script's folder: the path of a socket has to be short.
			runtime, err := os.MkdirTemp("", "run")
			if err != nil {
				return err
			}
			env.Defer(func() { os.RemoveAll(runtime) })
			env.Setenv("XDG_RUNTIME_DIR", runtime)
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Values[scriptDir{}] = dir
			return nil
		},
		Condition: func(cond string) (bool, error) { return cond == "root" && os.Geteuid() == 0, nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mcp":     play,
			"status":  status,
			"records": records,
			"modes":   modes,
		},
	})
}

// scriptDir is the key of a script's folder, as -update needs it.
type scriptDir struct{}
