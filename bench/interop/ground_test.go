//go:build interop

package interop

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// ground returns a folder with files, some of them about errors, that is a Git
// repository; its folder plain is none.
func ground(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "ground")
	for name, content := range map[string]string{
		"a.txt":        "a\n",
		"plain/b.txt":  "b\n",
		"a/one.txt":    "the one\n",
		"a/edit.txt":   "one\n",
		"a/lines.txt":  strings.Repeat("line\n", 9),
		"a/empty.txt":  "",
		"a/error.json": `{"error":{"code":500,"message":"what was saved of a failure"}}`,
		"a/failed.log": "Error: connection refused\nError: connection refused\nTraceback (most recent call last):\nValueError: x\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"init -q -b main", "add a/one.txt", "commit -q -m error:_not_found"} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
			"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
			"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return dir
}

// pages serves a page, a note, an error as data, and any status; it returns where.
func pages(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/note", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "Prune the roses in March.")
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<html><head><title>Roses</title></head><body><h1>Roses</h1><p>On the error of pruning roses too early.</p></body></html>")
	})
	mux.HandleFunc("/error.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"error":"not_found","message":"There is no such rose."}`)
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.WriteHeader(code)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}
