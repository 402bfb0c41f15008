//go:build linux

// Package kill holds the proof that a client's session outlives its server: under
// many clients at once, each with a recourse run of its own, servers, launchers
// and recourse itself are ended with SIGKILL at random moments.
package kill

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// roles is what this binary is when it starts itself.
var roles = map[string]func(args []string) error{
	"server":   serve,
	"idler":    idle,
	"wrapper":  wrap,
	"launcher": launch,
}

var given = flag.String("recourse", "", "recourse binary (default: build it)")

var (
	recourse string // the binary under test
	scratch  string // for what sessions write; after a failure it stays
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if role, ok := roles[os.Args[1]]; ok {
			if err := role(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if scratch, err = os.MkdirTemp("", "recourse-kill-"); err != nil {
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
