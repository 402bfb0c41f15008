//go:build unix

package upstream

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

const terminate = unix.SIGTERM

// group makes the child lead a process group, so that a launcher such as npx
// can be ended together with the server it started.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup signals the group also when its leader is gone.
func signalGroup(leader *os.Process, sig os.Signal) {
	if s, ok := sig.(syscall.Signal); ok {
		_ = unix.Kill(-leader.Pid, s)
	}
}

// groupLives reports whether anybody is left in the group. Zombies count for the
// kernel but not for us: where init does not reap, they stay for ever.
func groupLives(leader *os.Process) bool {
	return unix.Kill(-leader.Pid, 0) == nil && !onlyZombies(leader.Pid)
}

func exitOf(state *os.ProcessState) Exit {
	ws, ok := state.Sys().(syscall.WaitStatus)
	if ok && ws.Signaled() {
		return Exit{Status: 128 + int(ws.Signal()), Signal: ws.Signal().String()}
	}
	return Exit{Status: state.ExitCode()}
}
