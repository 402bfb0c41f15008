//go:build unix

package upstream

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func shell(t *testing.T, script string) *Process {
	t.Helper()
	var g Guard
	p, err := g.Start([]string{"sh", "-c", script}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Stop(Grace{})
		p.Close()
	})
	return p
}

func TestExit(t *testing.T) {
	for script, want := range map[string]Exit{
		"exit 0":        {},
		"exit 78":       {Status: 78},
		"kill -9 $$":    {Status: 137, Signal: "killed"},
		"kill -TERM $$": {Status: 143, Signal: "terminated"},
	} {
		p := shell(t, script)
		<-p.Gone()
		if got := p.Exit(); got != want {
			t.Errorf("%s: %+v, want %+v", script, got, want)
		}
	}
}

func TestStartFailures(t *testing.T) {
	var g Guard
	if _, err := g.Start([]string{"/no/such/program"}, io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := g.Start([]string{"no-such-program"}, io.Discard); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("%v", err)
	}
	file := t.TempDir() + "/plain"
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Start([]string{file}, io.Discard); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
}

// What a server says last is there when its end is known.
func TestTailIsCompleteAtTheEnd(t *testing.T) {
	for range 20 {
		p := shell(t, "echo last words >&2; exit 3")
		<-p.Gone()
		if got, _ := p.Tail(); got != "last words\n" {
			t.Fatalf("tail %q", got)
		}
	}
}

// The steps of the ladder, each with a server that only the next one ends.
func TestStop(t *testing.T) {
	quick := Grace{Ask: 50 * time.Millisecond, Force: 100 * time.Millisecond}
	for script, want := range map[string]Exit{
		"echo up; read x; exit 5":                          {Status: 5},
		"echo up; exec sleep 100":                          {Status: 143, Signal: "terminated", Asked: true},
		"trap '' TERM; echo up; while :; do sleep 1; done": {Status: 137, Signal: "killed", Asked: true},
	} {
		p := shell(t, script)
		if _, err := bufio.NewReader(p).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		g := quick
		if want.Signal == "" {
			g = Grace{Ask: time.Minute, Force: time.Minute}
		}
		p.Stop(g)
		if got := p.Exit(); got != want {
			t.Errorf("%s: %+v, want %+v", script, got, want)
		}
	}
}

// A descendant that holds the pipes and ignores what it is asked goes too.
func TestStopEndsTheGroup(t *testing.T) {
	p := shell(t, "sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait")
	line, err := bufio.NewReader(p).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.Stop(Grace{Ask: 10 * time.Millisecond, Force: 50 * time.Millisecond})
	stat, err := os.ReadFile("/proc/" + strings.TrimSpace(line) + "/stat")
	if err == nil && !strings.Contains(string(stat), ") Z ") {
		t.Errorf("the grandchild lives: %s", stat)
	}
}

func TestGroupIsItsOwn(t *testing.T) {
	p := shell(t, "read x")
	group, err := syscall.Getpgid(p.PID())
	if err != nil || group != p.PID() {
		t.Errorf("process %d is in group %d, %v", p.PID(), group, err)
	}
}

// Nobody has to read what we write: what fits is taken, the rest is not waited
// for.
func TestPipeTakesWhatFits(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	p := OpenFile(w)
	if !p.Polls() {
		t.Fatal("a pipe does not poll")
	}
	wrote := 0
	chunk := make([]byte, 1<<20)
	for range 3 {
		err := p.Await(func(fd uintptr) bool {
			n, err := WriteNow(fd, chunk)
			if err != nil {
				t.Error(err)
			}
			wrote += n
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if wrote == 0 || wrote >= len(chunk) {
		t.Errorf("%d bytes fitted into a pipe", wrote)
	}
}

func TestAbandoned(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p := OpenFile(w)
	stop := make(chan struct{})
	close(stop)
	if p.Abandoned(stop) {
		t.Error("abandoned while somebody can read")
	}
	r.Close()
	if !p.Abandoned(make(chan struct{})) {
		t.Error("not abandoned although nobody can read")
	}
}
