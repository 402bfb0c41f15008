// Package interop checks that clients and servers which others wrote notice
// nothing of recourse between them: same exercises, directly and through
// recourse run, same answers. See .ci/interop for what the tag interop needs.
package interop

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// bin holds what TestMain built.
var bin string

func TestMain(m *testing.M) {
	log.SetFlags(0)
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "interop"); err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(bin)
	for name, pkg := range map[string]string{
		"recourse":     "github.com/recourse-dev/recourse/cmd/recourse",
		"goclient":     "./clients/go",
		"mcpgo":        "./servers/mcpgo",
		"goeverything": "github.com/modelcontextprotocol/go-sdk/conformance/everything-server",
	} {
		if err := build(name, pkg); err != nil {
			log.Print(err)
			return 1
		}
	}
	return m.Run()
}

func build(name, pkg string) error {
	if b, err := exec.Command("go", "build", "-o", filepath.Join(bin, name), pkg).CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, b)
	}
	return nil
}

// through returns the command line that puts recourse before a server.
func through(server []string) []string {
	return append([]string{filepath.Join(bin, "recourse"), "run", "--no-log", "--quiet", "--"}, server...)
}
