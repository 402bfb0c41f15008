// Package installed finds what .ci/interop has installed.
package installed

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// Tool returns the command and the environment with which uvx runs a package's
// program, given as NAME@VERSION, without a network. What the package needs is
// fetched now, unless it is there from an earlier time; where the Python
// environment has a version of it, so has the program.
func Tool(t testing.TB, spec string) (command, env []string) {
	t.Helper()
	dir := Dir(t)
	command = []string{filepath.Join(dir, "venv/bin/uvx"), spec}
	env = []string{
		"UV_CACHE_DIR=" + filepath.Join(dir, "uv"),
		"UV_TOOL_DIR=" + filepath.Join(dir, "uv-tools"),
		"UV_PYTHON=" + filepath.Join(dir, "venv/bin/python"),
		"UV_PYTHON_DOWNLOADS=never",
		"UV_CONSTRAINT=" + filepath.Join(dir, "python.stamp"), // the requirements as installed
		"UV_NO_CONFIG=1",
	}
	offline := append(slices.Clip(env), "UV_OFFLINE=1")
	if _, err := run(command, offline); err == nil {
		return command, offline
	}
	if out, err := run(command, env); err != nil {
		t.Fatalf("%v could not be fetched: %v\n%s", command, err, out)
	}
	return command, offline
}

func run(command, env []string) ([]byte, error) {
	cmd := exec.Command(command[0], append(command[1:], "--help")...)
	cmd.Env = append(os.Environ(), env...)
	return cmd.CombinedOutput()
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
