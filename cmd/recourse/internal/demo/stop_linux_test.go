package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// processes returns the command lines that name the binary.
func processes(t *testing.T, binary string) (found []string) {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if text, _ := os.ReadFile(name); bytes.Contains(text, []byte(binary)) {
			found = append(found, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return found
}

// clone gives a test a binary of its own, whose processes are its own.
func clone(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recourse")
	if script == "" {
		if err := os.Link(binary, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Ctrl-C in the middle of the two stubborn cases leaves no process. What guards a
// recourse learns of its end by that, and so ends after it.
func TestStopLeavesNothing(t *testing.T) {
	t.Parallel()
	self := clone(t, "")
	d := Demo{Self: self, Cases: []Case{*find("hang"), *find("freeze")}, Out: io.Discard, Width: 80}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- d.Run(ctx) }()
	for range time.Tick(5 * time.Millisecond) {
		// For each case a server, a recourse, and the server behind that.
		if len(processes(t, self)) >= 6 {
			break
		}
	}
	stop()
	start := time.Now()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for range time.Tick(5 * time.Millisecond) {
		left := processes(t, self)
		if left == nil {
			break
		}
		if time.Since(start) > farewell {
			t.Fatalf("after %v there is left:\n%s", time.Since(start), strings.Join(left, "\n"))
		}
	}
}

// A recourse that does nothing fails the demonstration where the server is bad,
// and only there.
func TestBypassedRecourseFails(t *testing.T) {
	t.Parallel()
	self := clone(t, "#!/bin/sh\nRECOURSE_BYPASS=1 exec "+binary+" \"$@\"\n")
	cases := []Case{*find("exit"), *find("exception"), *find("strings"), *find("promise"), *find("large")}
	d := Demo{Self: self, Cases: cases, Out: io.Discard, Width: 80}
	err := d.Run(context.Background())
	if err == nil {
		t.Fatal("it passes")
	}
	for _, c := range cases {
		failed := strings.Contains(err.Error(), c.Name+": ")
		if bad := c.harm != ""; failed != bad {
			t.Errorf("%s: failed is %t: %v", c.Name, failed, err)
		}
	}
}
