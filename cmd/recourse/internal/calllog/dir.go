package calllog

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Dir returns where calls are logged unless the user says otherwise:
// recourse/calls under $XDG_STATE_HOME, which is ~/.local/state by default, or
// under %LOCALAPPDATA% on Windows. Without a home it is in [os.TempDir].
func Dir() string {
	base := os.Getenv("XDG_STATE_HOME")
	if runtime.GOOS == "windows" {
		base = os.Getenv("LOCALAPPDATA")
	}
	if filepath.IsAbs(base) {
		return filepath.Join(base, "recourse", "calls")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return filepath.Join(os.TempDir(), fmt.Sprintf("recourse-%d", os.Getuid()), "calls")
	}
	return filepath.Join(home, ".local", "state", "recourse", "calls")
}
