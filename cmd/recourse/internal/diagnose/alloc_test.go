//go:build !race

package diagnose

import "testing"

func TestGoodResultsAllocateNothing(t *testing.T) {
	good := load()
	for _, c := range shapes(t) {
		if c.name == "all kinds of blocks" {
			good[c.name] = []byte(c.result)
		}
	}
	for name, result := range good {
		if n := testing.AllocsPerRun(5, func() { Examine(result, "find") }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
