//go:build !linux

package upstream

import "os/exec"

func birth(cmd *exec.Cmd) error { return cmd.Start() }

func await(cmd *exec.Cmd) { _ = cmd.Wait() }
