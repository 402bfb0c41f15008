//go:build !unix

package upstream

import (
	"os"
	"os/exec"
)

// Here no process can be asked to end, so the first step of the ladder kills,
// and descendants of the child are not reached.
var terminate = os.Kill

func group(*exec.Cmd) {}

func signalGroup(leader *os.Process, sig os.Signal) { _ = leader.Signal(sig) }

func groupLives(*os.Process) bool { return false }

func exitOf(state *os.ProcessState) Exit { return Exit{Status: state.ExitCode()} }
