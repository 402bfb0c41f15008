package upstream

import (
	"bufio"
	"io"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Each server is given 1000 bytes, says "up" when it has read what it will, and
// is killed.
func TestUnread(t *testing.T) {
	for _, c := range []struct {
		name, script string
		want         int
	}{
		{"nothing read", "echo up; exec sleep 1000", 1000},
		{"some read", "head -c 123 >/dev/null; echo up; exec sleep 1000", 877},
		{"all read", "head -c 1000 >/dev/null; echo up; exec sleep 1000", 0},
		{"somebody in the group can still read", "exec 3<&0; sleep 1000 <&3 & echo up; wait", 1000},
		// Those outside of the group may not be found in time on a busy machine.
		{"somebody outside can still read", "exec 3<&0; setsid sleep 1000 <&3 & echo up; wait", 1000},
		{"a daemon can still read", "exec 3<&0; (setsid sleep 1000 <&3 &); echo up; exec sleep 1000", 1000},
		{"an heir has read", "exec 3<&0; (head -c 400 <&3 >/dev/null; echo up; sleep 1000) & wait", 600},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := shell(t, c.script)
			if _, err := io.WriteString(p, strings.Repeat("x", 1000)); err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(p).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			syscall.Kill(p.PID(), syscall.SIGKILL)
			<-p.Gone()
			if got := p.Unread(); got != c.want && (got != 0 || !strings.Contains(c.script, "setsid")) {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
			p.Close()
			if got := p.Unread(); got != 0 {
				t.Errorf("%d bytes after Close", got)
			}
		})
	}
}

// What did not fit was not written, and is not counted.
func TestUnreadOfAFullPipe(t *testing.T) {
	p := shell(t, "echo up; exec sleep 1000")
	if _, err := bufio.NewReader(p).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	wrote := 0
	for range 3 {
		err := p.Pipe().Await(func(fd uintptr) bool {
			n, err := WriteNow(fd, make([]byte, 1<<20))
			wrote += n
			return err == nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	p.Stop(Grace{})
	if got := p.Unread(); got != wrote || wrote < 4096 {
		t.Errorf("%d bytes, want %d", got, wrote)
	}
}

// A server that has closed its output is no more, even if it still runs: Unread
// ends it before it can read on.
func TestUnreadEndsTheServer(t *testing.T) {
	p := shell(t, "exec >/dev/null; read x; exec sleep 1000")
	if _, err := io.ReadAll(p); err != nil {
		t.Fatal(err)
	}
	// The shell reads single bytes, so as not to take more than a line.
	if _, err := io.WriteString(p, strings.Repeat("x", 50)+"\n"+strings.Repeat("y", 70)); err != nil {
		t.Fatal(err)
	}
	until(t, "a line is read", func() bool { return filled(t, p) == 70 })
	if got := p.Unread(); got != 70 {
		t.Errorf("%d bytes, want 70", got)
	}
	<-p.Gone()
	if want := (Exit{Status: 137, Signal: "killed", Asked: true}); p.Exit() != want {
		t.Errorf("%+v, want %+v", p.Exit(), want)
	}
}

// filled returns how many bytes wait in a server's input.
func filled(t *testing.T, p *Process) (n int) {
	t.Helper()
	p.in.control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	return n
}
