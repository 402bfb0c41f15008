package upstream

import (
	"sync"
	"time"
)

// tailSize is what is kept of a server's standard error.
const tailSize = 64 << 10

// A tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
	at  time.Time // of the last write
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	t.at = time.Now()
	if len(p) > tailSize {
		p = p[len(p)-tailSize:]
	}
	// Twice the size, so that moving bytes down is rare.
	if len(t.buf)+len(p) > 2*tailSize {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)+len(p)-tailSize:]...)
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

func (t *tail) end() (text string, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf[max(0, len(t.buf)-tailSize):]), t.at
}
