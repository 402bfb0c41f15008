//go:build linux

// Package kill holds the proof that a client's session outlives its server: under
// many clients at once, each with a recourse run of its own, servers, launchers
// and recourse itself are ended with SIGKILL at random moments.
package kill

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/recourse-dev/recourse/bench/built"
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
	os.Exit(built.Main(m, "kill", prepare))
}

// prepare says what is tested, and where there is room.
func prepare(dir string) (err error) {
	scratch = dir
	recourse, err = built.Command(dir, "recourse", built.Recourse, *given)
	return err
}
