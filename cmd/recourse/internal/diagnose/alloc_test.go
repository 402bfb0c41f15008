//go:build !race

package diagnose

import (
	"strings"
	"testing"
)

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

func TestGoodListsAllocateNothing(t *testing.T) {
	for _, c := range listCases(t) {
		if c.want != "same" || strings.Contains(c.result, `\u`) || strings.Contains(c.result, "resultType") || strings.HasPrefix(c.result, `{"tools":"`) || strings.HasPrefix(c.result, `{"tools":{`) {
			continue
		}
		result := []byte(c.result)
		if n := testing.AllocsPerRun(5, func() { List(result, c.list) }); n != 0 {
			t.Errorf("%s: %v allocations", c.result, n)
		}
	}
}
