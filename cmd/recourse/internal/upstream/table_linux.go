package upstream

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// An entry is one process in the kernel's table.
type entry struct {
	pid, parent, group int
	zombie             bool
	ending             bool
	start              uint64        // with the pid, a name that is not used twice
	waited             time.Duration // processor time of the children it has waited for
}

// processes returns the table of processes, nil if it can't be read.
func processes() []entry {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	table := make([]entry, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if e, ok := process(pid); ok {
				table = append(table, e)
			}
		}
	}
	return table
}

// process returns one entry of the table.
func process(pid int) (e entry, ok bool) {
	var buf [1024]byte // a line of 52 numbers and a name of 15 bytes
	stat, _ := slurp("/proc/"+strconv.Itoa(pid)+"/stat", buf[:0])
	// pid (name) state ppid pgrp …; the name may hold spaces and brackets.
	var fields [20][]byte
	rest := bytes.TrimLeft(stat[bytes.LastIndexByte(stat, ')')+1:], " ")
	for i := range fields {
		if fields[i], rest, ok = bytes.Cut(rest, []byte(" ")); !ok {
			return entry{}, false // it has gone
		}
	}
	number := func(field int) int { // as proc(5) counts them
		n, _ := strconv.Atoi(string(fields[field-3]))
		return n
	}
	start, err := strconv.ParseUint(string(fields[22-3]), 10, 64)
	return entry{
		pid:    pid,
		parent: number(4),
		group:  number(5),
		zombie: fields[0][0] == 'Z' || fields[0][0] == 'X',
		ending: number(9)&exiting != 0,
		start:  start,
		waited: time.Duration(number(16)+number(17)) * tick,
	}, err == nil
}

// exiting is PF_EXITING of linux/sched.h.
const exiting = 0x4

// tick is the unit of processor time in the table. It is the same on every
// architecture that Go runs on.
const tick = time.Second / 100

// slurp appends a file of the kernel's to buf, at most a megabyte. It takes
// no part in the runtime's polling, which os.ReadFile would look into.
func slurp(name string, buf []byte) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return buf, err
	}
	defer unix.Close(fd)
	for len(buf) < 1<<20 {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := unix.Read(fd, buf[len(buf):cap(buf)])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return buf, err
		case n == 0:
			return buf, nil
		default:
			buf = buf[:len(buf)+n]
		}
	}
	return buf, nil
}

// groupHolds reports whether anybody lives in the process group.
func groupHolds(group int) bool {
	table := processes()
	return table == nil || slices.ContainsFunc(table, func(e entry) bool { return e.group == group && !e.zombie })
}
