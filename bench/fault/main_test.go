//go:build faults

// Package fault holds the proof that nothing which a server prints ends a
// connection: a table of faults, each of them real processes, under a client that
// checks every byte and under clients of the SDKs. With the tag interop, and what
// .ci/interop installs, those of TypeScript too.
package fault

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/bench/built"
)

const rowsPattern = "testdata/*.jsonl"

var (
	given  = flag.String("recourse", "", "recourse binary (default: build it)")
	limit  = flag.Duration("limit", 2*time.Second, "--timeout of recourse run")
	direct = flag.Bool("direct", false, "without recourse, for the record: nothing fails")
	at     = flag.Int("sessions", 6, "how many sessions there are at once")
)

var (
	bin      string // what TestMain has built
	recourse string // the binary under test
	rows     string // the pattern for a server that runs elsewhere
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Sessions mostly wait: more of them than CPUs.
	if err := flag.Set("test.parallel", strconv.Itoa(*at)); err != nil {
		panic(err)
	}
	os.Exit(built.Main(m, "fault", prepare))
}

func prepare(dir string) (err error) {
	bin = dir
	if rows, err = filepath.Abs(rowsPattern); err != nil {
		return err
	}
	if recourse, err = built.Command(dir, "recourse", built.Recourse, *given); err == nil {
		_, err = built.Command(dir, "server", "./server", "")
	}
	return err
}
