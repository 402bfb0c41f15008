package upstream

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is also the guard process, and a small recourse that stands
// before the server in its environment until it is told to end.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 2 && os.Args[1] == GuardWord:
		os.Exit(Watch(os.Stdin))
	case os.Getenv("UPSTREAM_TEST_SERVER") != "":
		os.Exit(stand(os.Getenv("UPSTREAM_TEST_SERVER")))
	}
	os.Exit(m.Run())
}

// stand runs a server, each process of which says "up", and says so itself when
// all are. It ends at SIGTERM or the end of its input.
func stand(script string) int {
	over := make(chan os.Signal, 1)
	signal.Notify(over, syscall.SIGTERM)
	g := Guard{Path: os.Args[0], Say: func(s string) { fmt.Fprintln(os.Stdout, s) }}
	p, err := g.Start([]string{"bash", "-c", script}, io.Discard)
	if err != nil {
		fmt.Fprintln(os.Stdout, err)
		return 1
	}
	said := bufio.NewReader(p)
	for range strings.Count(script, "echo up") {
		_, _ = said.ReadString('\n')
	}
	fmt.Fprintln(os.Stdout, "up")
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		over <- nil
	}()
	<-over
	p.Stop(Ladder)
	g.Sweep()
	p.Close()
	return 0
}

// running returns the processes whose environment or command line holds a text.
func running(t *testing.T, text string) (pids []int) {
	t.Helper()
	for _, e := range processes() {
		dir := fmt.Sprintf("/proc/%d/", e.pid)
		environ, _ := os.ReadFile(dir + "environ")
		command, _ := os.ReadFile(dir + "cmdline")
		if e.pid != os.Getpid() && !e.zombie && strings.Contains(string(environ)+string(command), text) {
			pids = append(pids, e.pid)
		}
	}
	return pids
}

// until waits for something to become true.
func until(t *testing.T, what string, cond func() bool) {
	t.Helper()
	begun := time.Now()
	for range time.Tick(5 * time.Millisecond) {
		if cond() {
			return
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("never: " + what)
		}
	}
}

func alive(pid int) bool {
	e, ok := process(pid)
	return ok && !e.zombie
}

// descriptors counts the open files of this process.
func descriptors(t *testing.T) int {
	t.Helper()
	names, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// number reads a line with a number.
func number(t *testing.T, r *bufio.Reader) (n int) {
	t.Helper()
	line, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(line, &n); err != nil {
		t.Fatalf("%v: %q", err, line)
	}
	return n
}
