//go:build !unix

package status

import (
	"os"
	"path/filepath"
	"syscall"
)

const refused = syscall.Errno(10061) // WSAECONNREFUSED; syscall.ECONNREFUSED is another number

// Places returns the folders in which sockets may be: one, in the user's own
// part of the system, which the environment of every program names.
func Places() []string {
	if dir := os.Getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
		return []string{filepath.Join(dir, "recourse")}
	}
	return nil
}

// trusted returns an error if there is no such folder. Its access list is
// inherited from the user's profile, which others can't enter.
func trusted(dir string) error {
	_, err := os.Stat(dir)
	return err
}

// alive reports whether there is a process with this number.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
