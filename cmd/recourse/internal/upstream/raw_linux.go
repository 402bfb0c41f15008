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

// deceased returns a child that has died and was not yet waited for; 0 if there
// is none. It stays as it is.
func deceased() int {
	var info unix.Siginfo
	if unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil) != nil {
		return 0
	}
	// The pid is the first of the fields that x/sys leaves out: they begin after
	// three numbers, where a pointer could stand.
	const begin = (3*4 + unsafe.Sizeof(uintptr(0)) - 1) &^ (unsafe.Sizeof(uintptr(0)) - 1)
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), begin)))
}
