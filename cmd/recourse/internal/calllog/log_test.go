package calllog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// logged returns the lines of all segments under dir, in order of their names.
func logged(t *testing.T, dir string) (lines []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func call(n int) *Record { return &Record{Tool: fmt.Sprint("tool", n), Args: []byte(`{"n":1}`)} }

func closeLog(t *testing.T, l *Log) {
	t.Helper()
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestPace(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		l := &Log{Dir: dir}
		l.Append(call(0))
		synctest.Wait()
		if n := len(logged(t, dir)); n != 1 {
			t.Errorf("a lone record: %d lines at once, want 1", n)
		}
		for n := range 100 {
			l.Append(call(n))
		}
		synctest.Wait()
		if n := len(logged(t, dir)); n != 1 {
			t.Errorf("%d lines within the pace, want still 1", n)
		}
		<-time.After(pace)
		synctest.Wait()
		if n := len(logged(t, dir)); n != 101 {
			t.Errorf("%d lines after the pace, want 101", n)
		}
		l.Append(call(0))
		closeLog(t, l)
		if n := len(logged(t, dir)); n != 102 {
			t.Errorf("%d lines after Close, want 102", n)
		}
	})
}

// A segment is for one hour, private, and not made before there is a record.
func TestSegments(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "state", "calls")
	synctest.Test(t, func(t *testing.T) { // the clock starts at 2000-01-01T00:00Z
		l := &Log{Dir: dir}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Error("there is a directory before the first record")
		}
		for range 2 {
			l.Append(call(0))
			<-time.After(time.Hour)
		}
		closeLog(t, l)
	})
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for n, hour := range []string{"00", "01"} {
		name := fmt.Sprintf("2000-01-01/%s-%s-%d-%d.jsonl", hour, fileName(host), os.Getpid(), n+1)
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "2000-01-01")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v, %v", info, err)
	}
}

// A file that an earlier process with our number left is not touched, and a
// segment that is full is followed by another.
func TestNextSegment(t *testing.T) {
	dir := t.TempDir()
	s := segment{dir: dir, host: "a/b c"}
	left := filepath.Join(dir, "2026-11-30", fmt.Sprintf("12-a_b_c-%d-1.jsonl", os.Getpid()))
	if err := os.MkdirAll(filepath.Dir(left), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(left, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one\n", "two\n"} {
		if lost, err := s.append([]byte(text), noon); lost != 0 || err != nil {
			t.Error(lost, err)
		}
	}
	s.size = largest - 3
	if lost, err := s.append([]byte("three\nfour\n"), noon); lost != 0 || err != nil {
		t.Error(lost, err)
	}
	s.close()
	got := strings.Join(logged(t, dir), " ")
	if got != "old one two three four" || s.next != 3 {
		t.Errorf("got %q in %d files", got, s.next)
	}
}

func TestManyWriters(t *testing.T) {
	const writers, each = 8, 500
	l := &Log{Dir: t.TempDir()}
	var wg sync.WaitGroup
	for n := range writers {
		wg.Go(func() {
			for range each {
				l.Append(call(n))
			}
		})
	}
	wg.Wait()
	closeLog(t, l)
	l.Append(call(0))
	ids := map[string]bool{}
	for _, line := range logged(t, l.Dir) {
		var r Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		ids[r.ID] = true
	}
	if len(ids) != writers*each {
		t.Errorf("%d different records, want %d", len(ids), writers*each)
	}
}

// What finds 16 MiB waiting is lost, but counted, and Append never waits.
func TestOverflow(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		l := &Log{Dir: dir, Args: None}
		l.Append(call(0))
		synctest.Wait()
		for range 20 {
			l.Append(&Record{Tool: "big", Args: bytes.Repeat([]byte(" "), tooBig)})
		}
		l.Append(&Record{Tool: "huge", Args: bytes.Repeat([]byte(" "), tooBig+1)}) // kept without its arguments
		closeLog(t, l)
	})
	lines := logged(t, dir)
	last := lines[len(lines)-1]
	if len(lines) != 1+15+1+1 || !strings.Contains(last, `"type":"drop"`) || !strings.Contains(last, `"n":5,`) {
		t.Errorf("%d lines, the last is %s", len(lines), last)
	}
	if huge := lines[1]; !strings.Contains(huge, `"tool":"huge","args_form":"none","args_bytes":1048577,`) {
		t.Errorf("got %s", huge)
	}
}

// A directory that can't be written is told of once; when it can be written
// again, the log goes on and says how much is missing.
func TestUnwritable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "calls")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var errs []error
		l := &Log{Dir: dir, OnError: func(err error) { errs = append(errs, err) }}
		for range 3 {
			l.Append(call(0))
			<-time.After(afterFail)
		}
		synctest.Wait()
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), dir) {
			t.Errorf("told %v, want one error with the place", errs)
		}
		if err := os.Remove(dir); err != nil {
			t.Fatal(err)
		}
		l.Append(call(3))
		<-time.After(afterFail)
		closeLog(t, l)
	})
	lines := logged(t, dir)
	if len(lines) != 2 || !strings.Contains(lines[0], "tool3") || !strings.Contains(lines[1], `"n":3`) {
		t.Errorf("got %q", lines)
	}
}

func TestCloseTellsOfLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "calls")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := &Log{Dir: dir}
	l.Append(call(0))
	l.Append(call(1))
	if err := l.Close(t.Context()); err == nil || !strings.Contains(err.Error(), "2 calls") {
		t.Errorf("got %v, want an error that counts 2 calls", err)
	}
}

func TestNoLog(t *testing.T) {
	var none *Log
	none.Append(call(0))
	closeLog(t, none)
	unused := &Log{Dir: filepath.Join(t.TempDir(), "calls")}
	closeLog(t, unused)
	closeLog(t, unused)
	unused.Append(call(0))
	if _, err := os.Stat(unused.Dir); !os.IsNotExist(err) {
		t.Error("a directory was made for no record")
	}
}

func TestDir(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Setenv("LOCALAPPDATA", `C:\Local`)
		if got, want := Dir(), `C:\Local\recourse\calls`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		return
	}
	t.Setenv("HOME", "/home/ada")
	for state, want := range map[string]string{
		"":         "/home/ada/.local/state/recourse/calls",
		"relative": "/home/ada/.local/state/recourse/calls",
		"/state":   "/state/recourse/calls",
	} {
		t.Setenv("XDG_STATE_HOME", state)
		if got := Dir(); got != want {
			t.Errorf("%q: got %s, want %s", state, got, want)
		}
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_STATE_HOME", "")
	if got := Dir(); !strings.HasPrefix(got, os.TempDir()) {
		t.Errorf("without a home: %s", got)
	}
}

func TestIDs(t *testing.T) {
	a, b := NewID(noon), NewID(noon.Add(time.Millisecond))
	if len(a) != 26 || a >= b || a == NewID(noon) {
		t.Errorf("%s, then %s", a, b)
	}
	if got := NewID(time.UnixMilli(1469918176385))[:10]; got != "01ARYZ6S41" { // the example of the ULID specification's readme
		t.Errorf("time part %s", got)
	}
}
