//go:build faults && linux

// Package pressure holds the proof that a recourse run bears what its client and
// its server can do to it: neither reads, both shout, and all at once. Each scene
// is one recourse run between a client and a server of this package; what it
// costs in memory, threads and time is printed.
package pressure

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var (
	given = flag.String("recourse", "", "recourse binary (default: build it)")
	scale = flag.Float64("scale", 0.1, "share of the full load, which is 1: a million lines, answers of 2 GiB")
)

var (
	recourse string // the binary under test
	scratch  string // for what the scenes write; after a failure it stays
)

// scaled returns the share of a full load that is asked for.
func scaled(full int64) int64 { return max(1, int64(float64(full)**scale)) }

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "server" {
		if err := serve(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil { // these wait more than they work
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	patience += time.Duration(*scale * float64(patience))
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if scratch, err = os.MkdirTemp("", "recourse-pressure-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if recourse = *given; recourse == "" {
		recourse = filepath.Join(scratch, "recourse")
		build := exec.Command("go", "build", "-o", recourse, "github.com/recourse-dev/recourse/cmd/recourse")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build recourse: %v\n%s", err, out)
			os.RemoveAll(scratch)
			return 1
		}
	}
	if recourse, err = filepath.EvalSymlinks(recourse); err == nil {
		recourse, err = filepath.Abs(recourse)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status := m.Run()
	if status == 0 {
		os.RemoveAll(scratch)
	}
	return status
}
