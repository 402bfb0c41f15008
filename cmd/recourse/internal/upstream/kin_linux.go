package upstream

import (
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// kin are the children of this process that it has started here and not yet
// waited for. All others in foreign groups are orphans that it has adopted.
var kin struct {
	mu   sync.Mutex
	pids map[int]bool
}

// birth starts a command. A server dies with us: the signal that the kernel
// sends it for that is tied to the thread that has started it, so all are
// started by one thread that never ends.
func birth(cmd *exec.Cmd) error {
	adopt()
	done := make(chan error)
	births <- func() {
		// Under the lock: no orphan is told from a child not yet known.
		kin.mu.Lock()
		defer kin.mu.Unlock()
		err := cmd.Start()
		if err == nil {
			kin.pids[cmd.Process.Pid] = true
		}
		done <- err
	}
	return <-done
}

// await waits for a command that birth has started.
func await(cmd *exec.Cmd) {
	_ = cmd.Wait()
	kin.mu.Lock()
	delete(kin.pids, cmd.Process.Pid)
	kin.mu.Unlock()
	reapOrphans()
}

var births = make(chan func())

// adopt makes this process the parent of what its descendants leave behind, so
// that daemons can be found at the end, and buries those that die before.
var adopt = sync.OnceFunc(func() {
	kin.pids = map[int]bool{}
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	go func() {
		runtime.LockOSThread()
		for f := range births {
			f()
		}
	}()
	died := make(chan os.Signal, 1)
	signal.Notify(died, unix.SIGCHLD)
	go func() {
		for range died {
			reapOrphans()
		}
	}()
})

// reapOrphans waits for the orphans that have died. It looks before it waits, and each
// time for one process: a wait for anybody would take a status away from who has
// started the process. One that is somebody's own hides the orphans behind it
// until its end is noticed, at which reapOrphans is called again.
func reapOrphans() {
	kin.mu.Lock()
	defer kin.mu.Unlock()
	for {
		pid := deceased()
		if pid == 0 || kin.pids[pid] || !foreign(pid) {
			return
		}
		if _, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); err != nil {
			return
		}
	}
}

// foreign reports whether a child is in another group than this process:
// others are none of a server's, which leads a group of its own.
func foreign(pid int) bool {
	group, err := unix.Getpgid(pid)
	return err == nil && group != unix.Getpgrp()
}

// orphaned reports whether a process is one that we have adopted.
func orphaned(e entry) bool {
	if e.parent != os.Getpid() || e.group == unix.Getpgrp() {
		return false
	}
	kin.mu.Lock()
	defer kin.mu.Unlock()
	return !kin.pids[e.pid]
}

// lead makes the command lead a process group, so that a launcher such as npx
// can be ended together with the server that it has started; and die with us.
func lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// self returns the binary that runs: at path there may be another by now.
func self(path string) string {
	const running = "/proc/self/exe"
	if now, err := os.Stat(path); err == nil {
		if ours, err := os.Stat(running); err != nil || os.SameFile(now, ours) {
			return path // which looks better in lists of processes
		}
	}
	return running
}

// marked returns our environment with the mark that all descendants of a server
// hand down, beside those that we bear ourselves.
func marked(mark string) []string {
	if outer := os.Getenv(markName); outer != "" {
		mark = outer + "," + mark
	}
	return append(os.Environ(), markName+"="+mark)
}

// birthday returns when a process has begun, for [hunt].
func birthday(pid int) uint64 {
	e, _ := process(pid)
	return e.start
}
