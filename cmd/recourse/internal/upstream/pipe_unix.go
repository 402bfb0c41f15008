//go:build unix

package upstream

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Pipe is an end of a pipe or socket that can be tried without blocking. One
// goroutine may read it and one may write.
type Pipe struct {
	*os.File
	raw     syscall.RawConn // nil: the runtime's poller does not take it
	restore bool

	// The read under way, and the function that tries it: a closure for each
	// would be an allocation for each.
	try func(fd uintptr) (done bool)
	b   []byte
	n   int
	err error
}

// Open takes over a descriptor that this process was started with. A pipe or
// socket is made non-blocking, so that it waits in the runtime's poller: on one
// CPU a blocking read costs a thread switch of some 200 µs for each message.
// Files and terminals stay as they are.
func Open(fd int, name string) *Pipe {
	var st unix.Stat_t
	restore := false
	if unix.Fstat(fd, &st) == nil && (st.Mode&unix.S_IFMT == unix.S_IFIFO || st.Mode&unix.S_IFMT == unix.S_IFSOCK) {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
		restore = err == nil && flags&unix.O_NONBLOCK == 0 && unix.SetNonblock(fd, true) == nil
	}
	p := OpenFile(os.NewFile(uintptr(fd), name))
	p.restore = restore
	return p
}

// OpenFile returns a Pipe of a file that [os.Pipe] has made.
func OpenFile(f *os.File) *Pipe {
	p := &Pipe{File: f}
	if raw, err := f.SyscallConn(); err == nil && f.SetWriteDeadline(time.Time{}) == nil {
		p.raw = raw
		p.try = func(fd uintptr) bool {
			p.n, p.err = rawRead(fd, p.b)
			return !errors.Is(p.err, unix.EAGAIN)
		}
	}
	return p
}

// Read implements [io.Reader]. On Linux it tries without telling the runtime of
// a system call: what wakes the other side of a pipe is often followed by a
// thread switch, at which the runtime would think the call blocked and start
// another thread.
func (p *Pipe) Read(b []byte) (int, error) {
	if p.raw == nil || len(b) == 0 {
		return p.File.Read(b)
	}
	p.b = b
	if err := p.raw.Read(p.try); err != nil {
		return 0, err
	}
	if p.n == 0 && p.err == nil {
		return 0, io.EOF
	}
	if p.err != nil {
		return 0, os.NewSyscallError("read", p.err)
	}
	return p.n, nil
}

// Restore gives the descriptor back the mode it came in: the flag belongs to
// the open file, which other processes may share.
func (p *Pipe) Restore() {
	if p.restore {
		p.control(func(fd uintptr) { _ = unix.SetNonblock(int(fd), false) })
	}
}

// Polls reports whether Await works on p; if not, only Write does.
func (p *Pipe) Polls() bool { return p.raw != nil }

// Await calls write until it reports that it is done, and waits for room
// between the calls.
func (p *Pipe) Await(write func(fd uintptr) (done bool)) error { return p.raw.Write(write) }

// WriteNow writes to a non-blocking descriptor what fits.
func WriteNow(fd uintptr, b []byte) (int, error) {
	for {
		n, err := rawWrite(fd, b)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return 0, nil
		case err == nil && n == 0 && len(b) > 0:
			return 0, io.ErrUnexpectedEOF
		}
		return max(n, 0), err
	}
}

// Abandoned blocks until nobody can read what is written to p, and reports
// true; or until stop is closed.
func (p *Pipe) Abandoned(stop <-chan struct{}) bool {
	var fd uintptr
	p.control(func(f uintptr) { fd = f })
	for {
		select {
		case <-stop:
			return false
		default:
		}
		// No portable call waits for both a channel and a hang-up.
		gone, err := deserted(fd, 100*time.Millisecond)
		if gone || err != nil {
			return gone
		}
	}
}

// deserted waits at most d until nobody can read what is written to a pipe or
// socket, and reports whether that is so.
func deserted(fd uintptr, d time.Duration) (bool, error) {
	fds := []unix.PollFd{{Fd: int32(fd)}}
	end := time.Now().Add(d)
	for {
		_, err := unix.Poll(fds, int(max(0, time.Until(end)).Milliseconds()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0, err
	}
}

func (p *Pipe) control(f func(fd uintptr)) {
	if raw, err := p.SyscallConn(); err == nil {
		_ = raw.Control(f)
	}
}
