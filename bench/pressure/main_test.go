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
	"testing"
	"time"

	"github.com/recourse-dev/recourse/bench/built"
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
	os.Exit(built.Main(m, "pressure", prepare))
}

// prepare says what is tested, and where there is room.
func prepare(dir string) (err error) {
	scratch = dir
	recourse, err = built.Command(dir, "recourse", built.Recourse, *given)
	return err
}
