//go:build unix

package upstream

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// groupLives reports whether anybody is left in the group; zombies are nobody:
// where init does not reap, they stay for ever.
func groupLives(group int) bool { return unix.Kill(-group, 0) == nil && groupHolds(group) }

// signalGroups asks or kills all in the groups, without a look at who they are,
// and reports whether there was anybody.
func signalGroups(groups []int, do deed) (left bool) {
	sig := map[deed]syscall.Signal{ask: unix.SIGTERM, kill: unix.SIGKILL}[do]
	for _, group := range groups {
		left = unix.Kill(-group, sig) == nil || left
	}
	return left
}

func exitOf(state *os.ProcessState) Exit {
	ws, ok := state.Sys().(syscall.WaitStatus)
	if ok && ws.Signaled() {
		return Exit{Status: 128 + int(ws.Signal()), Signal: ws.Signal().String()}
	}
	return Exit{Status: state.ExitCode()}
}
