//go:build !unix

package upstream

import (
	"os"
	"os/exec"
	"sync"
)

func lead(*exec.Cmd) {}

func groupLives(int) bool { return false }

func exitOf(state *os.ProcessState) Exit { return Exit{Status: state.ExitCode()} }

// There is no guard process here: a killed recourse leaves its server behind.
func watcher(string) *exec.Cmd { return nil }

func detach() {}

func marked(string) []string { return nil }

// A hunt is after the leaders of groups.
type hunt struct {
	groups  []int
	mark    string
	orphans bool
	since   uint64
	mu      sync.Mutex
}

// step kills: here no process can be asked to end. The descendants of a child
// are not reached.
func (h *hunt) step(do deed) (left bool) {
	for _, leader := range h.groups {
		if p, err := os.FindProcess(leader); err == nil && do != look {
			_ = p.Kill()
		}
	}
	return false
}

func birthday(int) uint64 { return 0 }
