//go:build faults

// Package fault holds the proof that nothing which a server prints ends a
// connection: a table of faults, each of them real processes, under a client that
// checks every byte and under clients of the SDKs. With the tag interop, and what
// .ci/interop installs, those of TypeScript too.
package fault

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

const rowsPattern = "testdata/*.jsonl"

var (
	given  = flag.String("recourse", "", "recourse binary (default: build it)")
	limit  = flag.Duration("limit", 2*time.Second, "--timeout of recourse run")
	direct = flag.Bool("direct", false, "without recourse, for the record: nothing fails")
	at     = flag.Int("sessions", 6, "how many sessions there are at once")
)

var (
	bin  string // what TestMain has built
	rows string // the pattern for a server that runs elsewhere
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Sessions mostly wait: more of them than CPUs.
	if err := flag.Set("test.parallel", strconv.Itoa(*at)); err != nil {
		panic(err)
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "recourse-fault-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	if rows, err = filepath.Abs(rowsPattern); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for name, pkg := range map[string]string{
		"recourse": "github.com/recourse-dev/recourse/cmd/recourse",
		"server":   "./server",
	} {
		if name == "recourse" && *given != "" {
			continue
		}
		if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, name), pkg).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build %s: %v\n%s", pkg, err, out)
			return 1
		}
	}
	return m.Run()
}
