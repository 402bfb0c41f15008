//go:build unix && !linux

package upstream

import (
	"os/exec"
	"sync"
	"syscall"
)

// lead makes the command lead a process group, so that a launcher such as npx
// can be ended together with the server that it has started.
func lead(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// groupHolds can't tell zombies here.
func groupHolds(int) bool { return true }

// self returns the binary that runs.
func self(path string) string { return path }

// marked returns no environment: no mark could be read here.
func marked(string) []string { return nil }

// A hunt is after process groups. Who has left them is not found here.
type hunt struct {
	groups  []int
	mark    string
	orphans bool
	since   uint64

	mu    sync.Mutex
	asked bool // some end at once when they are asked twice
}

// step asks or kills all, and reports whether there was anybody.
func (h *hunt) step(do deed) (left bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if do == ask && h.asked {
		do = look
	}
	h.asked = h.asked || do == ask
	return signalGroups(h.groups, do)
}

func birthday(int) uint64 { return 0 }
