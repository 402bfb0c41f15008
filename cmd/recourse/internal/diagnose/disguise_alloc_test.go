//go:build !race

package diagnose

import (
	"strings"
	"testing"
)

func TestPlainAnswersAllocateNothing(t *testing.T) {
	var m Memory
	for name, result := range disguises() {
		if strings.HasPrefix(name, "error/") || strings.HasPrefix(name, "word/") || strings.HasPrefix(name, "traceback/") {
			continue
		}
		if n := testing.AllocsPerRun(5, func() { Disguised(result, Unknown, &m, false, nil); m.Learn(result) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
