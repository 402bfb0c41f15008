//go:build faults && linux

package pressure

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// A usage is what a process has needed at most.
type usage struct {
	pid     int
	peak    int64 // bytes in RAM
	threads int
	cpu     time.Duration // in steps of 10 ms
	stop    chan struct{}
	done    chan struct{}
}

// watch counts threads from time to time; the kernel keeps the peak of memory.
func watch(pid int) *usage {
	u := &usage{pid: pid, stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(u.done)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			u.threads = max(u.threads, int(u.field("Threads")))
			select {
			case <-tick.C:
			case <-u.stop:
				return
			}
		}
	}()
	return u
}

// end must be called while the process lives.
func (u *usage) end() {
	close(u.stop)
	<-u.done
	u.peak = u.field("VmHWM") << 10
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", u.pid))
	_, rest, _ := bytes.Cut(stat, []byte(") ")) // the name before it may have blanks
	if fields := bytes.Fields(rest); len(fields) > 12 {
		user, _ := strconv.Atoi(string(fields[11]))
		system, _ := strconv.Atoi(string(fields[12]))
		u.cpu = time.Duration(user+system) * 10 * time.Millisecond
	}
}

// field returns a number of /proc/PID/status.
func (u *usage) field(key string) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", u.pid))
	_, rest, _ := bytes.Cut(status, []byte("\n"+key+":"))
	digits := bytes.TrimLeft(rest, " \t")
	end := bytes.IndexAny(digits, " \n")
	n, _ := strconv.ParseInt(string(digits[:max(0, end)]), 10, 64)
	return n
}

const (
	mib = 1 << 20

	// idle is what recourse has in RAM when nothing waits: 11 MiB after small
	// calls, the executable's pages included; as much again for a collector that
	// has not run yet, and for what it has not given back.
	idle = 33 * mib

	maxThreads = 24
)

// bound is what recourse may have in RAM. The collector lets the heap double; and
// the buffer that a line is read into is three times as large as the line for a
// moment: it doubles, and what it held is copied.
func (s scene) bound() int64 { return idle + 2*(s.kept+3*s.line) }
