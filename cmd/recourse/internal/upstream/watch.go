package upstream

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"
)

// GuardWord is the single argument that makes recourse the guard process.
const GuardWord = "_guard"

// dismissed is the line that ends the guard process without a hunt.
const dismissed = "."

// What the guard process does: SIGTERM at once, SIGKILL to what is left, and no
// end to that before nothing is left or another second has passed.
const (
	watchForce = time.Second
	watchEnd   = 2 * time.Second
)

// Watch is the guard process. It reads lines from in: "+7" and "-7" add and
// remove a process group, "=text" names a mark of the environment. At the end of
// in, which comes with the end of the process that writes it, Watch ends the
// groups, the marked ones and all their descendants, and returns the process's
// exit status.
//
// The mark finds those that a killed recourse has lost sight of: its server dies
// in the same moment, and with it the line from parent to child to what is not
// in the group. A process with an environment made anew and in a session of its
// own is not found.
func Watch(in io.Reader) int {
	detach()
	var h hunt
	groups := map[int]bool{}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		line := lines.Text()
		if line == dismissed {
			return 0
		}
		if line == "" {
			continue
		}
		switch group, err := strconv.Atoi(line[1:]); {
		case line[0] == '=':
			h.mark = line[1:]
		case err != nil, group <= 1: // -1 means everybody
		case line[0] == '+':
			groups[group] = true
		case line[0] == '-':
			delete(groups, group)
		}
	}
	h.groups = slices.Collect(maps.Keys(groups))
	h.run(watchForce, watchEnd)
	return 0
}
