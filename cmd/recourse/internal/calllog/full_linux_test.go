package calllog

import (
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A disk that fills up in the middle of a line costs that line only: what is
// written later begins on a new one, and the loss is counted. The limit on file
// size stands for the disk; it counts for a whole process, hence the second one.
func TestDiskFull(t *testing.T) {
	dir := os.Getenv("CALLLOG_TEST_DIR")
	if dir == "" {
		dir = t.TempDir()
		child := exec.Command(os.Args[0], "-test.run=^TestDiskFull$")
		child.Env = append(os.Environ(), "CALLLOG_TEST_DIR="+dir)
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var kinds []string
		for _, line := range logged(t, dir) {
			var r Record
			if json.Unmarshal([]byte(line), &r) != nil {
				r.Type = "torn"
			}
			kinds = append(kinds, r.Type)
			if r.Type == "drop" && r.Count != 2 {
				t.Errorf("%d calls counted as lost, want 2", r.Count)
			}
		}
		if got := strings.Join(kinds, " "); got != "call torn call drop" {
			t.Errorf("the log holds: %s", got)
		}
		return
	}

	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	setLimit := func(n uint64) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: limit.Max}); err != nil {
			t.Error(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		l := &Log{Dir: dir, OnError: func(error) { setLimit(limit.Cur) }}
		l.Append(call(0))
		synctest.Wait()
		setLimit(uint64(len(logged(t, dir)[0]) * 3 / 2))
		l.Append(call(1))
		l.Append(call(2))
		<-time.After(afterFail)
		l.Append(call(3))
		closeLog(t, l)
	})
}
