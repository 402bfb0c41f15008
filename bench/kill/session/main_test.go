//go:build interop && linux

// Package session holds the proof that one session of clients which others wrote
// outlives fifty deaths of servers which others wrote, and that npx and uvx leave
// nothing behind. See .ci/interop for what the tag interop needs.
package session

import (
	"flag"
	"os"
	"testing"

	"github.com/recourse-dev/recourse/bench/built"
)

var (
	kills = flag.Int("kills", 50, "how often the server is killed in each session")
	given = flag.String("recourse", "", "recourse binary (default: build it)")
)

var (
	bin      string // holds what TestMain has built
	recourse string // the binary under test
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(built.Main(m, "session", prepare))
}

func prepare(dir string) (err error) {
	bin = dir
	if recourse, err = built.Command(dir, "recourse", built.Recourse, *given); err == nil {
		_, err = built.Command(dir, "goeverything", "github.com/modelcontextprotocol/go-sdk/conformance/everything-server", "")
	}
	return err
}
