//go:build faults && linux

package pressure

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// An operator is who has our standard error, and tells what recourse says from
// what the server does.
type operator struct {
	mu      sync.Mutex
	heard   chan struct{} // closed when there is more
	said    []byte        // by recourse
	shown   int64         // bytes of the server
	end     []byte        // the last of these, or why recourse has crashed
	pending []byte        // not told apart yet
	done    chan struct{}
}

// maxSaid is more than anybody reads.
const maxSaid = 64 << 10

// ours begins whatever recourse says.
const ours = "recourse: "

func newOperator() *operator {
	return &operator{heard: make(chan struct{}), done: make(chan struct{})}
}

// read listens to the end.
func (o *operator) read(f *os.File) {
	defer close(o.done)
	buf := make([]byte, 256<<10)
	for {
		n, err := f.Read(buf)
		o.mu.Lock()
		o.pending = append(o.pending, buf[:n]...)
		o.sort(err != nil)
		close(o.heard)
		o.heard = make(chan struct{})
		o.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// sort takes what can be told apart out of pending.
func (o *operator) sort(end bool) {
	for len(o.pending) > 0 {
		i := bytes.Index(o.pending, []byte(ours))
		if i < 0 {
			rest := len(ours) - 1 // may be a part of it
			if end {
				rest = 0
			}
			o.show(max(0, len(o.pending)-rest))
			return
		}
		o.show(i)
		n := bytes.IndexByte(o.pending, '\n') + 1
		if n == 0 && !end {
			return
		}
		if n == 0 {
			n = len(o.pending)
		}
		o.said = append(o.said, o.pending[:n]...)
		o.pending = o.pending[n:]
	}
}

func (o *operator) show(n int) {
	o.shown += int64(n)
	o.end = append(o.end, o.pending[max(0, n-4<<10):n]...)
	o.end = o.end[max(0, len(o.end)-4<<10):]
	o.pending = o.pending[n:]
	if len(o.pending) == 0 {
		o.pending = nil
	}
}

// text returns what recourse has said so far, and the end of what else there was.
func (o *operator) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return fmt.Sprintf("%.2000s%.2000q", o.said, o.end)
}

// await waits until recourse has said something.
func (o *operator) await(t *testing.T, text string) {
	t.Helper()
	late := time.After(patience)
	for {
		o.mu.Lock()
		said, heard := string(o.said), o.heard
		o.mu.Unlock()
		if strings.Contains(said, text) {
			return
		}
		select {
		case <-heard:
		case <-late:
			t.Fatalf("recourse has not said %q in %s, but: %s", text, patience, o.text())
		case <-o.done:
			t.Fatalf("recourse has ended and not said %q, but: %s", text, o.text())
		}
	}
}

var hidden = regexp.MustCompile(`recourse: (\d+) bytes of the server's stderr were not shown`)

// account returns, when all has been heard, what recourse has said, and how many
// bytes of the server it has shown and how many it says it has not.
func (o *operator) account() (said string, shown, counted int64) {
	<-o.done
	for _, m := range hidden.FindAllSubmatch(o.said, -1) {
		n, _ := strconv.ParseInt(string(m[1]), 10, 64)
		counted += n
	}
	return string(o.said), o.shown, counted
}

// stderr opens what recourse gets as its standard error, and returns what ends
// the operator's part.
func (o *operator) stderr(how string) (w *os.File, end func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	switch how {
	case "closed":
		r.Close()
		close(o.done)
		return w, func() {}, nil
	case "unread":
		return w, func() { r.Close(); close(o.done) }, nil
	}
	go o.read(r)
	return w, func() { <-o.done; r.Close() }, nil
}
