package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/faulty"
)

// fickle is an MCP server that nobody directs, as a test's command: each of its
// processes exits with 1 instead of answering a call. Its starts are counted in
// the file starts. An argument changes it:
//
//	once  the first process exits after it has answered a call; the others say
//	      why and exit at once
//	busy  it works on its first call for 2.5 s, looks at nothing meanwhile,
//	      and lives
func fickle() {
	starts, err := os.OpenFile("starts", os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	recourse.Fatal(err)
	fmt.Fprintln(starts, "start")
	now, err := starts.Seek(0, io.SeekCurrent)
	recourse.Fatal(err)
	leave := func() { os.Exit(1) }
	out := moody{before: leave}
	switch {
	case len(os.Args) < 2:
	case os.Args[1] == "busy":
		out = moody{before: work}
	case now > int64(len("start\n")):
		fmt.Fprintln(os.Stderr, "Error: the licence server does not answer.")
		leave()
	default:
		out = moody{after: leave}
	}
	faulty.Echo(os.Stdin, &out)
}

// moody is standard output, where something happens before or after the first
// answer to tools/call.
type moody struct{ before, after func() }

func (m *moody) Write(line []byte) (int, error) {
	if !bytes.Contains(line, []byte(`"content":`)) {
		return os.Stdout.Write(line)
	}
	now := *m
	*m = moody{}
	if now.before != nil {
		now.before()
	}
	n, err := os.Stdout.Write(line)
	if now.after != nil {
		now.after()
	}
	return n, err
}

// work takes a fifth of a processor for 2.5 s.
func work() {
	for end := time.Now().Add(2500 * time.Millisecond); time.Now().Before(end); <-time.After(8 * time.Millisecond) {
		for busy := time.Now().Add(2 * time.Millisecond); time.Now().Before(busy); {
			sha256.Sum256(nil)
		}
	}
}
