//go:build unix && !linux

package upstream

import "golang.org/x/sys/unix"

func rawRead(fd uintptr, b []byte) (int, error) {
	n, err := unix.Read(int(fd), b)
	return max(n, 0), err
}

func rawWrite(fd uintptr, b []byte) (int, error) {
	n, err := unix.Write(int(fd), b)
	return max(n, 0), err
}
