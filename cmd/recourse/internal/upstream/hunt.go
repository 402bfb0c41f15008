package upstream

import "time"

// A deed is what a step of a hunt does to those whom it finds.
type deed int

const (
	look deed = iota
	ask
	kill
)

// huntTick is the time between two looks at the table of processes, which take
// some 10 µs for each process of the machine.
const huntTick = 20 * time.Millisecond

// run asks all to end, kills after force what is left, and gives up at end.
func (h *hunt) run(force, end time.Duration) {
	begun := time.Now()
	for {
		do := ask
		spent := time.Since(begun)
		if spent >= force {
			do = kill
		}
		if !h.step(do) || spent > end {
			return
		}
		time.Sleep(huntTick)
	}
}
