package status

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A socket is where one process listens: PLACE/PID-SERVER.
type socket struct {
	path   string
	pid    int
	server string
}

// longest is how many bytes of a server's name are in that of its socket, whose
// path must not be longer than about 100.
const longest = 24

// socketIn returns the socket of this process.
func socketIn(place, server string) (socket, error) {
	s := socket{pid: os.Getpid(), server: fileName(server)}
	s.path = filepath.Join(place, fmt.Sprintf("%d-%s", s.pid, s.server))
	if len(s.path) >= len(syscall.RawSockaddrUnix{}.Path) {
		return s, fmt.Errorf("the path %s is too long for a socket", s.path)
	}
	return s, nil
}

// fileName returns a server's name as part of a file name on any system.
func fileName(server string) string {
	b := []byte(server[:min(len(server), longest)])
	for i, c := range b {
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '-') {
			b[i] = '_'
		}
	}
	return string(b)
}

// sockets returns those in a place, none if there is no such place for us.
func sockets(place string) ([]socket, error) {
	if err := trusted(place); err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil, nil
		}
		return nil, err
	}
	entries, err := os.ReadDir(place)
	if err != nil {
		return nil, err
	}
	var found []socket
	for _, e := range entries {
		number, server, _ := strings.Cut(e.Name(), "-")
		if pid, err := strconv.Atoi(number); err == nil && pid > 0 && e.Type()&fs.ModeSocket != 0 {
			found = append(found, socket{filepath.Join(place, e.Name()), pid, server})
		}
	}
	return found, nil
}

// sweep removes the sockets that were left in a place.
func sweep(place string) {
	found, _ := sockets(place)
	for _, s := range found {
		if s.pid != os.Getpid() && alive(s.pid) {
			continue
		}
		conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: s.path, Net: "unix"})
		if err != nil {
			s.bury(err)
			continue
		}
		conn.Close()
	}
}

// bury removes the socket of a dead process. It takes both signs of death: the
// socket of a living one refuses too, before it listens, and a process that
// listens may have its number in a container that shares the place with us.
func (s socket) bury(err error) {
	if errors.Is(err, refused) && (s.pid == os.Getpid() || !alive(s.pid)) {
		_ = os.Remove(s.path)
	}
}

// patience is how long a process may take to tell its state. One that is well
// takes less than a millisecond.
const patience = time.Second
