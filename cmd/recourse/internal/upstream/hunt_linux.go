package upstream

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// A hunt is after processes and all that descend from them.
type hunt struct {
	groups  []int  // process groups
	mark    string // what they have in their environment; if empty, nobody is marked
	orphans bool   // those that this process has adopted
	since   uint64 // marked ones and orphans have not begun earlier

	mu    sync.Mutex
	prey  map[int]uint64 // start by pid: once found, found for good
	asked map[int]uint64
	clean map[int]uint64 // those without the mark; nobody gets it later
	buf   []byte
}

// step takes one look at the machine and reports whether anybody was there. It
// asks those to end who were not asked before, kills all, or does nothing.
func (h *hunt) step(do deed) (left bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found, ok := h.find()
	if !ok { // as when no file can be opened any more
		return signalGroups(h.groups, do)
	}
	if do == kill {
		signalGroups(h.groups, do) // nobody in there can fork in between
	}
	for _, e := range found {
		switch {
		case do == kill:
			_ = unix.Kill(e.pid, unix.SIGKILL)
		case do == ask && h.asked[e.pid] != e.start:
			h.asked[e.pid] = e.start
			_ = unix.Kill(e.pid, unix.SIGTERM)
			_ = unix.Kill(e.pid, unix.SIGCONT) // or one that is stopped would not hear of it
		}
	}
	return len(found) > 0
}

// find returns those who live; not ok if it can't know.
func (h *hunt) find() (found []entry, ok bool) {
	if h.prey == nil {
		h.prey, h.asked, h.clean = map[int]uint64{}, map[int]uint64{}, map[int]uint64{}
	}
	table := processes()
	for _, e := range table {
		if e.pid != os.Getpid() && (slices.Contains(h.groups, e.group) || h.orphans && e.start >= h.since && orphaned(e) || h.marked(e)) {
			h.prey[e.pid] = e.start
		}
	}
	h.descend(table)
	for _, e := range table {
		if !e.zombie && h.prey[e.pid] == e.start {
			found = append(found, e)
		}
	}
	return found, len(table) > 0
}

// descend adds the children of those who were found, and theirs.
func (h *hunt) descend(table []entry) {
	is := map[int]bool{}
	for _, e := range table {
		is[e.pid] = h.prey[e.pid] == e.start
	}
	for more := true; more; {
		more = false
		for _, e := range table {
			if is[e.parent] && !is[e.pid] {
				is[e.pid], more = true, true
				h.prey[e.pid] = e.start
			}
		}
	}
}

// marked reads the environment with which the process was started: it is
// handed down to daemons too, who have left both the group and their parents.
func (h *hunt) marked(e entry) bool {
	if h.mark == "" || e.zombie || e.start < h.since || e.parent == kthreadd || h.clean[e.pid] == e.start || h.prey[e.pid] == e.start {
		return false
	}
	environ, _ := slurp("/proc/"+strconv.Itoa(e.pid)+"/environ", h.buf[:0])
	h.buf = environ
	if bytes.Contains(environ, []byte(h.mark)) {
		return true
	}
	if len(environ) > 0 { // else it may be amid its exec
		h.clean[e.pid] = e.start
	}
	return false
}

// kthreadd is the parent of all that the kernel runs for itself.
const kthreadd = 2
