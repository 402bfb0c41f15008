//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the user and system time of all threads of a process, ended
// ones included, to the nanosecond: /proc/PID/stat counts in 10 ms ticks.
func cpuTime(pid int) (time.Duration, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &ts); err != nil {
		return 0, fmt.Errorf("CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// A memory is what a process has in RAM, in bytes.
type memory struct {
	resident  int // all pages, the executable's included
	anonymous int // its own data
}

func memoryOf(pid int) (memory, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return memory{}, err
	}
	kib := func(key string) int {
		_, rest, _ := bytes.Cut(status, []byte("\n"+key+":"))
		n, _, _ := bytes.Cut(bytes.TrimLeft(rest, " \t"), []byte(" "))
		v, _ := strconv.Atoi(string(n))
		return v << 10
	}
	return memory{kib("VmRSS"), kib("RssAnon")}, nil
}

// confine restricts this process, and so all that it starts, to the first n of
// its CPUs. It does so by starting itself anew, because the Go runtime counts
// CPUs once and has threads already; when they are few enough it does nothing.
func confine(n int) error {
	if n <= 0 || n >= runtime.NumCPU() {
		return nil
	}
	runtime.LockOSThread()
	var have, want unix.CPUSet
	if err := unix.SchedGetaffinity(0, &have); err != nil {
		return err
	}
	for cpu := 0; want.Count() < n; cpu++ {
		if have.IsSet(cpu) {
			want.Set(cpu)
		}
	}
	if err := unix.SchedSetaffinity(0, &want); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return unix.Exec(self, os.Args, os.Environ())
}

// stop ends a process whose input was closed: at once if it leaves within two
// seconds, else with its group.
func stop(cmd *exec.Cmd) {
	late := time.AfterFunc(2*time.Second, func() { unix.Kill(-cmd.Process.Pid, unix.SIGKILL) })
	cmd.Wait()
	late.Stop()
}
