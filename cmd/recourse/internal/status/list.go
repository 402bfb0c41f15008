package status

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
)

const (
	most     = 64 << 10 // bytes of an answer; a long one has 2 KiB
	together = 32       // processes asked at a time; each takes a file descriptor
)

// List asks all processes in these places how they are, and returns what they
// said by the name of their server. A process has a second to answer. The errors
// are about places that can't be trusted or read; one that does not exist is
// none.
func List(ctx context.Context, places []string) ([]Process, []error) {
	var all []Process
	var faults []error
	var mu sync.Mutex
	var asked sync.WaitGroup
	room := make(chan struct{}, together)
	for _, place := range places {
		found, err := sockets(place)
		if err != nil {
			faults = append(faults, err)
		}
		for _, s := range found {
			room <- struct{}{}
			asked.Go(func() {
				defer func() { <-room }()
				if p, ok := s.ask(ctx); ok {
					mu.Lock()
					defer mu.Unlock()
					all = append(all, p)
				}
			})
		}
	}
	asked.Wait()
	slices.SortFunc(all, func(a, b Process) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.PID, b.PID))
	})
	return all, faults
}

// ask returns what a process says of itself, false if there is no process.
func (s socket) ask(ctx context.Context) (Process, bool) {
	p, err := s.read(ctx)
	if errors.Is(err, syscall.ECONNRESET) {
		p, err = s.read(ctx) // it was about to end
	}
	if errors.Is(err, refused) {
		s.bury(err)
		return p, false
	}
	if err != nil {
		if _, gone := os.Lstat(s.path); errors.Is(gone, fs.ErrNotExist) {
			return p, false // it has just ended
		}
		p = Process{Problem: s.explain(err)}
		p.Server, p.State = s.server, Unresponsive
	}
	p.PID = s.pid
	return p, true
}

func (s socket) read(ctx context.Context) (p Process, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", s.path)
	if err != nil {
		return p, err
	}
	defer conn.Close()
	end, _ := ctx.Deadline()
	_ = conn.SetReadDeadline(end)
	text, err := io.ReadAll(io.LimitReader(conn, most))
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil || p.Server == "" || p.State == "" || p.Problem != "" {
		return p, errForeign
	}
	return p, nil
}

var errForeign = errors.New("what it answers is no status")

func (s socket) explain(err error) string {
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return fmt.Sprintf("no answer within %s: process %d is too busy or stopped (kill -CONT %d lets it go on)", patience, s.pid, s.pid)
	}
	if errors.Is(err, errForeign) {
		return fmt.Sprintf("%v; process %d may be another version of recourse", err, s.pid)
	}
	return "it can't be asked: " + err.Error()
}
