package upstream

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPU implements [Conn]. The clock of a process counts nanoseconds; of those
// that have ended and were waited for, the kernel keeps hundredths of a second.
func (p *Process) CPU() (used time.Duration, ok bool) {
	h := p.prey()
	h.mu.Lock()
	defer h.mu.Unlock()
	found, _ := h.find()
	for _, e := range found {
		var ts unix.Timespec
		if unix.ClockGettime(clockOf(e.pid), &ts) == nil {
			used += time.Duration(ts.Nano()) + e.waited
			ok = true
		}
	}
	return used, ok
}

// clockOf returns the id of a process's clock: see clock_getcpuclockid(3) and
// CPUCLOCK_SCHED in linux/posix-timers.h.
func clockOf(pid int) int32 { return int32(^pid)<<3 | 2 }
