package upstream

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// unreadGrace is what those who are killed may take to let go of the pipe. On an
// idle machine it is two or three milliseconds.
const unreadGrace = 100 * time.Millisecond

// Unread implements [Conn]. A write that has succeeded says only that the bytes
// fitted into the pipe. What is still in there when nobody is left who could
// read it was never read.
func (p *Process) Unread() (n int) {
	p.in.control(func(fd uintptr) {
		gone, _ := deserted(fd, 0)
		for end := time.Now().Add(unreadGrace); !gone && time.Now().Before(end); {
			p.step(kill) // it would only be asked first otherwise, and killed a little later
			gone, _ = deserted(fd, unreadGrace/10)
		}
		if !gone {
			return
		}
		n, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ)
	})
	return max(n, 0)
}

// pending returns how many bytes lie in the pipe that f reads.
func pending(f *os.File) (n int) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	}
	return n
}

// Ending implements [Conn]. A process closes its files before it can be waited
// for.
func (p *Process) Ending() bool {
	e, ok := process(p.PID())
	return !ok || e.zombie || e.ending
}
