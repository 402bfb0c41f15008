//go:build interop

package interop

import (
	"path/filepath"
	"testing"

	"github.com/recourse-dev/recourse/bench/interop/installed"
)

func TestInstalledPairs(t *testing.T) {
	dir := installed.Dir(t)
	python := filepath.Join(dir, "venv/bin/python")
	scripts := installed.Scripts(t, "clients", "clients/*.mjs")
	both := []string{"legacy", "auto"}
	clients := []client{
		goClient(),
		{"ts1", []string{"node", filepath.Join(scripts, "ts1.mjs")}, []string{"legacy"}},
		{"ts2", []string{"node", filepath.Join(scripts, "ts2.mjs")}, both},
		{"python", []string{python, "clients/client.py"}, both},
	}
	packages := filepath.Join(dir, "node_modules/@modelcontextprotocol")
	servers := []server{
		{"everything", []string{"node", filepath.Join(packages, "server-everything/dist/index.js")}, "everything", false},
		{"filesystem", []string{"node", filepath.Join(packages, "server-filesystem/dist/index.js"), "$DIR"}, "filesystem", false},
		{"python", []string{python, "servers/sdk.py"}, "own", true},
		{"fastmcp", []string{python, "servers/fast.py"}, "own", true},
	}
	for i, c := range clients {
		for _, s := range servers {
			runPair(t, c, s)
		}
		if i > 0 {
			for _, s := range goServers() {
				runPair(t, c, s)
			}
		}
	}
}
