//go:build linux

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
)

// hop runs a command and copies its input and output, nothing else: the least
// that any process between client and server costs.
func hop(argv []string) error {
	if len(argv) == 0 {
		return errors.New("copy: say which command to run: copy COMMAND [ARG…]")
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		io.Copy(in, pollable(0))
		in.Close()
	}()
	if _, err := io.Copy(pollable(1), out); err != nil {
		return err
	}
	return cmd.Wait()
}
