package upstream

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestCPU(t *testing.T) {
	for name, script := range map[string]string{
		"the server":           "while :; do :; done",
		"a launcher's server":  "bash -c 'while :; do :; done' & wait",
		"one outside":          "setsid bash -c 'while :; do :; done' & wait",
		"a daemon":             "(setsid bash -c 'while :; do :; done' &); exec sleep 1000",
		"those who have ended": "while :; do (for i in {1..5000}; do :; done); done",
	} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, &Guard{}, script)
			until(t, "it has used a tenth of a second", func() bool {
				used, ok := p.CPU()
				return ok && used > 100*time.Millisecond
			})
		})
	}
}

// The clock of a server that was stopped stands still; at the end there is none.
func TestCPUStandsStill(t *testing.T) {
	p := shell(t, "while :; do :; done")
	until(t, "it has begun", func() bool { used, _ := p.CPU(); return used > 0 })
	syscall.Kill(-p.PID(), syscall.SIGSTOP)
	until(t, "it has stopped", func() bool {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.PID()))
		return strings.Contains(string(stat), ") T ")
	})
	a, ok := p.CPU()
	other := shell(t, "while :; do :; done")
	until(t, "another one works", func() bool { used, _ := other.CPU(); return used > 20*time.Millisecond })
	if b, ok2 := p.CPU(); a != b || !ok || !ok2 {
		t.Errorf("from %v to %v", a, b)
	}
	p.Stop(Grace{})
	if used, ok := p.CPU(); ok {
		t.Errorf("%v after the end", used)
	}
}
