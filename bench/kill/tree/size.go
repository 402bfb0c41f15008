//go:build linux

package tree

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A Size is what a process holds.
type Size struct {
	Threads, Files int
	Zombies        int // children that it has not waited for
	Resident       int // KiB
}

// SizeOf returns zeros for a process that has ended.
func SizeOf(pid int) Size {
	var s Size
	s.Threads, _ = strconv.Atoi(status(pid, "Threads"))
	s.Resident, _ = strconv.Atoi(strings.TrimSuffix(status(pid, "VmRSS"), " kB"))
	files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	s.Files = len(files)
	for _, child := range all() {
		if Parent(child) == pid && strings.HasPrefix(status(child, "State"), "Z") {
			s.Zombies++
		}
	}
	return s
}

// Within reports whether s is not larger than before, but for the pipes of a server
// that was just being started, and what a garbage collector has not given back.
func (s Size) Within(before Size) bool {
	return s.Files <= before.Files+4 && s.Threads <= before.Threads+4 && s.Zombies <= 1 &&
		s.Resident <= before.Resident+before.Resident/4+4<<10
}

func (s Size) String() string {
	return fmt.Sprintf("%d threads, %d files, %d zombies, %.1f MiB", s.Threads, s.Files, s.Zombies, float64(s.Resident)/1024)
}
