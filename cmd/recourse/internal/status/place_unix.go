//go:build unix

package status

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

const refused = syscall.ECONNREFUSED

// Places returns the folders in which sockets may be, best first. The first one
// depends on the environment, and the MCP SDKs start servers without
// XDG_RUNTIME_DIR and TMPDIR (getDefaultEnvironment in client/stdio.ts, the same
// in Python); so the usual places are among them whatever the environment says.
func Places() []string {
	user := strconv.Itoa(os.Geteuid())
	runtime := filepath.Join("/run/user", user)
	places := []string{filepath.Join(runtime, "recourse"), "/tmp/recourse-" + user}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) && filepath.Clean(dir) != runtime {
		places = append([]string{filepath.Join(dir, "recourse")}, places...)
	}
	return places
}

// trusted returns an error unless dir is a folder that nobody else can write to
// or look into.
func trusted(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", dir)
	case !ok || int64(of.Uid) != int64(os.Geteuid()):
		return fmt.Errorf("%s belongs to another user", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to other users; remove it, recourse makes it anew", dir)
	}
	return nil
}

// alive reports whether there is a process with this number.
func alive(pid int) bool {
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
