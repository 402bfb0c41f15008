//go:build interop && linux

// Package session holds the proof that one session of clients which others wrote
// outlives fifty deaths of servers which others wrote, and that npx and uvx leave
// nothing behind. See .ci/interop for what the tag interop needs.
package session

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	kills = flag.Int("kills", 50, "how often the server is killed in each session")
	given = flag.String("recourse", "", "recourse binary (default: build it)")
)

// bin holds what TestMain has built.
var bin string

func recourse() string { return cmp.Or(*given, filepath.Join(bin, "recourse")) }

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "recourse-session-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	for name, pkg := range map[string]string{
		"recourse":     "github.com/recourse-dev/recourse/cmd/recourse",
		"goeverything": "github.com/modelcontextprotocol/go-sdk/conformance/everything-server",
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
