// Package installed finds what .ci/interop has installed.
package installed

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"
)

// Dir returns where Node packages are, in node_modules, and the Python
// environment, in venv. It fails the test if they are not.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(dir, ".cache")), "recourse-interop")
	for _, need := range []string{"node_modules", "venv/bin/python"} {
		if _, err := os.Stat(filepath.Join(dir, need)); err != nil {
			t.Fatalf("%v: run .ci/interop, which installs it", err)
		}
	}
	return dir
}

// Scripts copies files to a folder of that name where Node finds their packages,
// and returns it: a module is looked for beside and above the file that imports
// it.
func Scripts(t testing.TB, name, pattern string) string {
	t.Helper()
	scripts := filepath.Join(Dir(t), name)
	if err := os.MkdirAll(scripts, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(pattern)
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
