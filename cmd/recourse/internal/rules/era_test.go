package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	noon = time.Date(2026, 11, 1, 12, 0, 0, 700, time.UTC)
	old  = []string{"npx", "-y", "old-server", "--token", "hunter2"}
)

// kept returns the files of a directory.
func kept(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestErasLastADay(t *testing.T) {
	e := Eras{Dir: filepath.Join(t.TempDir(), "recourse", "eras")}
	if e.Legacy(old, noon) {
		t.Error("known before it was noted")
	}
	if _, err := os.Stat(e.Dir); err == nil {
		t.Error("a question made the directory")
	}
	if err := e.Remember(old, noon); err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	for after, want := range map[time.Duration]bool{0: true, time.Hour: true, day - time.Second: true, day: false, 30 * day: false, -time.Hour: false} {
		if got := (Eras{e.Dir}).Legacy(old, noon.Add(after)); got != want {
			t.Errorf("after %v: %v, want %v", after, got, want)
		}
	}
	for _, other := range [][]string{nil, {"npx"}, {"npx -y old-server --token hunter2"}, slices.Concat(old, []string{""}), old[:4], {"npx", "-y", "old-server", "--token", "hunter3"}} {
		if e.Legacy(other, noon) {
			t.Errorf("%q is taken for another server", other)
		}
	}
	if err := e.Remember(old, noon.Add(day)); err != nil || !e.Legacy(old, noon.Add(day)) {
		t.Errorf("not noted anew: %v", err)
	}
}

func TestErasKeepNoCommandLine(t *testing.T) {
	e := Eras{Dir: filepath.Join(t.TempDir(), "eras")}
	if err := e.Remember(old, noon); err != nil {
		t.Fatal(err)
	}
	files := kept(t, e.Dir)
	if len(files) != 1 {
		t.Fatalf("files %q", files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, arg := range old {
		if bytes.Contains(text, []byte(arg)) || strings.Contains(filepath.Base(files[0]), arg) {
			t.Errorf("%q is in %s: %s", arg, files[0], text)
		}
	}
	if runtime.GOOS == "windows" {
		return // rights are not in the mode there
	}
	for path, want := range map[string]os.FileMode{e.Dir: 0o700, files[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode().Perm(), err, want)
		}
	}
}

func TestBrokenErasAreNotKnown(t *testing.T) {
	for _, text := range []string{"", "\n", "2026-11-01", "2026-11-01T12:00:00Z and more", "\x00\xff", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"} {
		e := Eras{Dir: t.TempDir()}
		if err := e.Remember(old, noon); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(kept(t, e.Dir)[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if e.Legacy(old, noon) {
			t.Errorf("a file with %q counts", text)
		}
		if err := e.Remember(old, noon); err != nil || !e.Legacy(old, noon) {
			t.Errorf("a file with %q can't be replaced: %v", text, err)
		}
	}
}

func TestErasForgetTheOld(t *testing.T) {
	e := Eras{Dir: t.TempDir()}
	foreign := filepath.Join(e.Dir, "notes.txt")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for hour := range 100 {
		argv := []string{"server", "--socket", strings.Repeat("x", hour)}
		if err := e.Remember(argv, noon.Add(time.Duration(hour)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	files := kept(t, e.Dir)
	if len(files) != 24+1 || !slices.Contains(files, foreign) {
		t.Errorf("%d files, want those of 24 hours and the foreign one: %q", len(files), files)
	}
}

func TestErasOff(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := (Eras{}).Remember(old, noon); err != nil || (Eras{}).Legacy(old, noon) || len(kept(t, ".")) != 0 {
		t.Errorf("off, yet it kept something: %v", err)
	}
}

func TestErasWithoutPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e := Eras{Dir: filepath.Join(file, "eras")}
	if err := e.Remember(old, noon); err == nil || e.Legacy(old, noon) {
		t.Errorf("below a file: %v", err)
	}
}
