//go:build linux

// Package tree finds and ends the processes behind a recourse run.
package tree

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Tree is all processes that have a certain mark in their environment. They
// inherit it, wherever they go.
type Tree struct {
	Mark     string // a value that no other tree has
	Recourse string // the binary, with no symbolic link in its path
}

// Env returns the variable that makes a process and what it starts members.
func (t Tree) Env() string { return "RECOURSE_BENCH_TREE=" + t.Mark }

// PIDs returns the members, without zombies.
func (t Tree) PIDs() []int {
	var found []int
	for _, pid := range all() {
		if t.has(pid) {
			found = append(found, pid)
		}
	}
	return found
}

// has reports whether a process is a member. A zombie has no environment.
func (t Tree) has(pid int) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(env, []byte(t.Env()+"\x00"))
}

func all() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

// Behind returns the members that are not recourse itself, nor what it starts
// of its own binary.
func (t Tree) Behind() []int {
	var found []int
	for _, pid := range t.PIDs() {
		if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil && exe != t.Recourse {
			found = append(found, pid)
		}
	}
	return found
}

// Children returns those of [Tree.Behind] whose parent is recourse: the server or
// its launcher, and orphans that it has adopted.
func (t Tree) Children() []int {
	var found []int
	for _, pid := range t.Behind() {
		if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", Parent(pid))); err == nil && exe == t.Recourse {
			found = append(found, pid)
		}
	}
	return found
}

// Kill ends one member with SIGKILL, but no other process that has got its number
// meanwhile, and waits until it is dead. It reports whether it did.
//
// On a busy machine that takes a moment, in which a thread that sleeps in read(2)
// may still be woken by what it is sent, and take it along.
func (t Tree) Kill(pid int) bool {
	p, err := os.FindProcess(pid) // holds on to the process, where the kernel lets it
	if err != nil {
		return false
	}
	defer p.Release()
	if !t.has(pid) || p.Kill() != nil {
		return false
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !dead(pid) {
		<-tick.C
	}
	return true
}

// dead reports whether no thread of a process is left.
func dead(pid int) bool {
	state := status(pid, "State")
	return state == "" || state[0] == 'Z' && status(pid, "Threads") == "1"
}

// Gone waits until there are no members. It returns those that remain, as
// [Describe] does, and how long it took.
func (t Tree) Gone(within time.Duration) (rest string, took time.Duration) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for start := time.Now(); ; <-tick.C {
		pids := t.PIDs()
		took = time.Since(start)
		if len(pids) == 0 || took > within {
			return Describe(pids), took
		}
	}
}

// Describe says what processes are.
func Describe(pids []int) string {
	var said []string
	for _, pid := range pids {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // empty: it has just ended
		words := bytes.ReplaceAll(bytes.TrimRight(line, "\x00"), []byte{0}, []byte{' '})
		said = append(said, fmt.Sprintf("%d (child of %d: %s)", pid, Parent(pid), words))
	}
	return strings.Join(said, ", ")
}

// Parent returns a process's parent, or 0 if it has ended.
func Parent(pid int) int {
	n, _ := strconv.Atoi(status(pid, "PPid"))
	return n
}

// status returns a field of /proc/PID/status.
func status(pid int, key string) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := bytes.Cut(text, []byte("\n"+key+":"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return string(bytes.TrimSpace(line))
}
