//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

const sigpipe = syscall.SIGPIPE

// bypass becomes the server: nothing of recourse remains that could disturb.
func (c *run) bypass() error {
	path, err := exec.LookPath(c.command[0])
	if err == nil {
		err = syscall.Exec(path, c.command, os.Environ())
	}
	return refuse(c.command[0], err)
}
