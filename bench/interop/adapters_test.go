//go:build interop

package interop

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/recourse-dev/recourse/bench/interop/installed"
)

// TestAdapters has every client call tools that are guarded with gosdk and with
// mcpgo. The servers are the adapters' own tests, started as one.
func TestAdapters(t *testing.T) {
	dir := installed.Dir(t)
	scripts := installed.Scripts(t, "clients", "clients/*.mjs")
	clients := []client{
		goClient(),
		{"ts1", []string{"node", filepath.Join(scripts, "ts1.mjs")}, []string{"legacy"}},
		{"ts2", []string{"node", filepath.Join(scripts, "ts2.mjs")}, []string{"legacy", "auto"}},
		{"python", []string{filepath.Join(dir, "venv/bin/python"), "clients/client.py"}, []string{"legacy", "auto"}},
	}
	for _, adapter := range []string{"gosdk", "mcpgo"} {
		program := filepath.Join(bin, adapter+".test")
		if out, err := exec.Command("go", "test", "-c", "-o", program, "github.com/recourse-dev/recourse/"+adapter).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, c := range clients {
			runPair(t, c, server{adapter + "-stage", []string{"env", "RECOURSE_TEST_STAGE=both", program}, "guarded", true})
		}
	}
}
