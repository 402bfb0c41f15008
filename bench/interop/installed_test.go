//go:build interop

package interop

import (
	"os"
	"path/filepath"
	"testing"
)

// cache is where .ci/interop puts Node packages and the Python environment.
func cache(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("XDG_CACHE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Join(home, ".cache")
	}
	dir = filepath.Join(dir, "recourse-interop")
	for _, need := range []string{"node_modules", "venv/bin/python"} {
		if _, err := os.Stat(filepath.Join(dir, need)); err != nil {
			t.Fatalf("%v: run .ci/interop, which installs it", err)
		}
	}
	return dir
}

func TestInstalledPairs(t *testing.T) {
	dir := cache(t)
	python := filepath.Join(dir, "venv/bin/python")
	scripts := nodeScripts(t, dir)
	both := []string{"legacy", "auto"}
	clients := []client{
		goClient(),
		{"ts1", []string{"node", filepath.Join(scripts, "ts1.mjs")}, []string{"legacy"}},
		{"ts2", []string{"node", filepath.Join(scripts, "ts2.mjs")}, both},
		{"python", []string{python, "clients/client.py"}, both},
	}
	packages := filepath.Join(dir, "node_modules/@modelcontextprotocol")
	installed := []server{
		{"everything", []string{"node", filepath.Join(packages, "server-everything/dist/index.js")}, "everything", false},
		{"filesystem", []string{"node", filepath.Join(packages, "server-filesystem/dist/index.js"), "$DIR"}, "filesystem", false},
		{"python", []string{python, "servers/sdk.py"}, "own", true},
		{"fastmcp", []string{python, "servers/fast.py"}, "own", true},
	}
	for i, c := range clients {
		for _, s := range installed {
			runPair(t, c, s)
		}
		if i > 0 {
			for _, s := range goServers() {
				runPair(t, c, s)
			}
		}
	}
}

// nodeScripts copies the clients to where Node finds their packages: a module
// is looked for beside and above the file that imports it.
func nodeScripts(t *testing.T, dir string) string {
	t.Helper()
	scripts := filepath.Join(dir, "clients")
	if err := os.MkdirAll(scripts, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("clients/*.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err == nil {
			err = os.WriteFile(filepath.Join(scripts, filepath.Base(f)), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return scripts
}
