package policy

import "time"

// A heap orders clocks by deadline. An entry may name an earlier instant than
// its Clock: progress only ever moves a deadline away, so an entry is put right
// when it comes up. Instants are kept beside the pointers, which saves most
// cache misses; container/heap would allocate and call through an interface.
type heap []entry

type entry struct {
	at time.Duration
	*Clock
}

// first returns the Clock with the earliest deadline, or nil.
func (h *heap) first() *Clock {
	for len(*h) > 0 {
		e := (*h)[0]
		if due := e.due(); due != e.at {
			h.down(0, entry{due, e.Clock})
			continue
		}
		return e.Clock
	}
	return nil
}

func (h *heap) push(c *Clock) {
	*h = append(*h, entry{})
	h.up(len(*h)-1, entry{c.due(), c})
}

func (h *heap) remove(c *Clock) {
	if c.place == 0 {
		return
	}
	hole, end := c.place-1, len(*h)-1
	last := (*h)[end]
	(*h)[end] = entry{}
	*h = (*h)[:end]
	c.place = 0
	if hole == end {
		return
	}
	if hole > 0 && last.at < (*h)[(hole-1)/4].at {
		h.up(hole, last)
	} else {
		h.down(hole, last)
	}
}

// up puts e into the hole at i or above it.
func (h *heap) up(i int, e entry) {
	for i > 0 {
		parent := (i - 1) / 4
		if (*h)[parent].at <= e.at {
			break
		}
		h.set(i, (*h)[parent])
		i = parent
	}
	h.set(i, e)
}

// down puts e into the hole at i or below it.
func (h *heap) down(i int, e entry) {
	for {
		child, end := 4*i+1, min(4*i+5, len(*h))
		if child >= end {
			break
		}
		for k := child + 1; k < end; k++ {
			if (*h)[k].at < (*h)[child].at {
				child = k
			}
		}
		if (*h)[child].at >= e.at {
			break
		}
		h.set(i, (*h)[child])
		i = child
	}
	h.set(i, e)
}

func (h *heap) set(i int, e entry) {
	(*h)[i] = e
	e.place = i + 1
}
