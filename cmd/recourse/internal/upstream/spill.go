package upstream

import (
	"io"
	"strconv"
	"sync"
	"time"
)

// A Spill passes a server's standard error on to ours without ever making the
// server wait: what our reader does not take in time is dropped and counted.
type Spill struct {
	W io.Writer // if nil, all is dropped

	mu      sync.Mutex
	buf     []byte // waits
	spare   []byte // room for the next, while buf is being written
	dropped int
	busy    bool
	done    chan struct{} // closed when all is written, if somebody waits
}

// spillSize bounds what waits for a reader of our standard error.
const spillSize = 256 << 10

// Write queues p. It never blocks and never fails.
func (s *Spill) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.W == nil {
		return len(p), nil
	}
	if len(s.buf)+len(p) > spillSize {
		s.dropped += len(p)
		return len(p), nil
	}
	s.buf = append(s.buf, p...)
	if !s.busy {
		s.busy = true
		go s.drain()
	}
	return len(p), nil
}

// Flush waits at most d until all is written.
func (s *Spill) Flush(d time.Duration) {
	s.mu.Lock()
	s.done = make(chan struct{})
	done := s.done
	if !s.busy {
		close(done)
	}
	s.mu.Unlock()
	select {
	case <-done:
	case <-time.After(d):
	}
}

// drain lives as long as there is something to write. A blocked reader keeps
// it until the process ends.
func (s *Spill) drain() {
	for {
		s.mu.Lock()
		if len(s.buf) == 0 && s.dropped == 0 {
			s.rest()
			s.mu.Unlock()
			return
		}
		chunk := s.buf
		s.buf, s.spare = s.spare, nil
		if s.dropped > 0 {
			chunk = append(chunk, "recourse: "+strconv.Itoa(s.dropped)+" bytes of the server's stderr were not shown: nobody read ours\n"...)
			s.dropped = 0
		}
		s.mu.Unlock()
		_, err := s.W.Write(chunk)
		s.mu.Lock()
		s.spare = chunk[:0]
		if err != nil {
			s.W = nil
			s.rest()
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// rest keeps no room for the next flood.
func (s *Spill) rest() {
	s.busy, s.buf, s.spare = false, nil, nil
	if s.done != nil {
		close(s.done)
		s.done = nil
	}
}
