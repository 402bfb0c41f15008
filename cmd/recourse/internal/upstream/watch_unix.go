//go:build unix

package upstream

import (
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// watcher returns the command of the guard process, nil if there shall be none.
// It is in no group of ours and holds neither our folder nor our streams: a
// client may well wait until nobody has our output any more.
func watcher(path string) *exec.Cmd {
	if path == "" {
		return nil
	}
	cmd := exec.Command(self(path), GuardWord)
	cmd.Args[0] = path
	cmd.Dir = "/"
	// One thread will do, and for the little it does no collector. What marks
	// us marks our guard.
	cmd.Env = []string{"GOMAXPROCS=1", "GOGC=off", markName + "=" + os.Getenv(markName)}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// markName is the variable of a server's environment that holds the marks of all
// who guard it: recourse may stand before a recourse.
const markName = "RECOURSE_GUARD"

// detach makes the guard process deaf to what ends others, and lets go of the
// descriptors that were inherited by mistake: ours are all closed on exec.
func detach() {
	signal.Ignore(unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM)
	dir, err := os.Open("/dev/fd")
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil || fd <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd)
		}
	}
}
