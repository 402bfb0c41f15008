//go:build !unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

const sigpipe = syscall.Signal(0xd) // never sent here

// bypass runs the server on our own input and output.
func (c *run) bypass() error {
	cmd := exec.Command(c.command[0], c.command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &exitError{status: exit.ExitCode()}
	}
	if err != nil {
		return refuse(c.command[0], err)
	}
	return nil
}
