//go:build linux

package main

import (
	"cmp"
	"slices"
	"time"
)

// figures are what a cell says about one contender: medians over the rounds.
type figures struct {
	p50, p99 time.Duration
	rate     float64 // calls per second
	cpu      float64 // CPU seconds of the proxy per 1,000 calls
	added    time.Duration
	ratio    spread // added p50 over the byte copy's, round by round
}

// A spread is a median and the values around it.
type spread struct{ mid, low, high float64 }

func (c cell) figures(e *entry) figures {
	base, least := c.entries[direct], c.entries[floor]
	var p50, p99, added []time.Duration
	var rate, cpu, ratio []float64
	for i, t := range e.turns {
		calls := float64(len(t.latencies))
		mid := percentile(t.latencies, 50)
		p50 = append(p50, mid)
		p99 = append(p99, percentile(t.latencies, 99))
		rate = append(rate, calls/t.elapsed.Seconds())
		cpu = append(cpu, t.cpu.Seconds()/calls*1000)
		if base.err != nil || least.err != nil {
			continue
		}
		here := percentile(base.turns[i].latencies, 50)
		added = append(added, mid-here)
		if copied := percentile(least.turns[i].latencies, 50) - here; copied > 0 {
			ratio = append(ratio, float64(mid-here)/float64(copied))
		}
	}
	f := figures{p50: median(p50), p99: median(p99), rate: median(rate), cpu: median(cpu), added: median(added)}
	// A copy that seems faster than nothing in most rounds is noise, and so
	// would be what is divided by it.
	if len(ratio)*2 > len(e.turns) {
		f.ratio = spread{median(ratio), slices.Min(ratio), slices.Max(ratio)}
	}
	return f
}

// percentile returns the smallest value that p percent of the sorted values do
// not exceed, or zero if there is none.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*p+99)/100-1]
}

// median returns the middle value, the lower one of two, or zero if there is none.
func median[T cmp.Ordered](values []T) T {
	if len(values) == 0 {
		var zero T
		return zero
	}
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}
