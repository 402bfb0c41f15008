package main

import "fmt"

// A count is how many of some cases something is true.
type count struct{ hit, of int }

func (c *count) add(hit bool) {
	c.of++
	if hit {
		c.hit++
	}
}

// A bound is what a figure must reach, or must not exceed. The zero bound wants
// nothing.
type bound struct {
	text  string
	holds func(float64) bool
}

func atLeast(x float64) bound {
	return bound{fmt.Sprintf("≥ %g", x), func(v float64) bool { return v >= x }}
}

func atMost(x float64) bound {
	return bound{fmt.Sprintf("≤ %g", x), func(v float64) bool { return v <= x }}
}

// A figure is one row of the report.
type figure struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Hit    int     `json:"hit"` // 0 for a figure that is no share
	Of     int     `json:"of"`  // cases
	Target string  `json:"target,omitempty"`
	OK     bool    `json:"ok"`
}

// A pair is a code and what was said instead.
type pair struct{ want, got string }

// macroF1 is the mean, over all codes that are wanted or said, of F1. A case for
// which none is said counts against the code that is wanted.
func macroF1(pairs []pair) float64 {
	type tally struct{ right, want, got int }
	byCode := map[string]*tally{}
	at := func(code string) *tally {
		if byCode[code] == nil {
			byCode[code] = &tally{}
		}
		return byCode[code]
	}
	for _, p := range pairs {
		at(p.want).want++
		if p.got == "" {
			continue
		}
		at(p.got).got++
		if p.got == p.want {
			at(p.want).right++
		}
	}
	sum := 0.0
	for _, t := range byCode {
		sum += 2 * float64(t.right) / float64(t.want+t.got)
	}
	return sum / float64(max(1, len(byCode)))
}
