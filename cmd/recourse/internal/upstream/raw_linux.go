package upstream

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// rawRead reads from a descriptor that does not block.
func rawRead(fd uintptr, b []byte) (int, error) { return raw(unix.SYS_READ, fd, b) }

// rawWrite writes to a descriptor that does not block.
func rawWrite(fd uintptr, b []byte) (int, error) { return raw(unix.SYS_WRITE, fd, b) }

func raw(call, fd uintptr, b []byte) (int, error) {
	for {
		n, _, errno := unix.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}
