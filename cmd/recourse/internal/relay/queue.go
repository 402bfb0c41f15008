package relay

import (
	"io"
	"sync"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A queue is the one writer of a direction. Frames are appended whole. Flush
// writes what fits without blocking, which spares a hand-over to a goroutine
// for nearly every frame; only a rest that does not fit gets a goroutine that
// waits for room. Positions count the bytes of the stream, so that a call knows
// whether its request has left; they count also what was taken out again since.
type queue struct {
	w      io.Writer
	pipe   *upstream.Pipe // w, if it can be tried; else nil
	broken func(error)    // called once, on a goroutine of its own
	try    func(fd uintptr) (done bool)

	mu      sync.Mutex
	changed sync.Cond // the queue got shorter, or broke
	bytes   chain     // that wait
	gaps    gaps      // of what was taken out again
	lost    int       // line ends that were never written, once it is broken
	written int64     // bytes that have left since the start
	handed  int       // of those that wait, how many a blocking Write has at present
	busy    bool      // drain runs
	err     error
}

func newQueue(w io.Writer, broken func(error)) *queue {
	q := &queue{w: w, broken: broken}
	q.try = func(fd uintptr) bool {
		// A few small frames may lie across two links; what is longer is for drain.
		if q.step(fd) {
			q.step(fd)
		}
		return true
	}
	q.changed.L = &q.mu
	if p, ok := w.(interface{ Pipe() *upstream.Pipe }); ok {
		w = p.Pipe()
	}
	if p, ok := w.(*upstream.Pipe); ok && p.Polls() {
		q.pipe = p
	}
	return q
}

// splice appends a frame with edits and returns where it lies in the stream.
func (q *queue) splice(frame []byte, edits ...wire.Edit) (from, to int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	from = q.end()
	if q.err == nil {
		q.bytes.splice(frame, edits...)
	}
	return from, q.end()
}

// put appends a whole frame.
func (q *queue) put(frame []byte) (from, to int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	from = q.end()
	if q.err == nil {
		q.bytes.append(frame)
	}
	return from, q.end()
}

func (q *queue) end() int64 { return q.written + int64(q.bytes.size) + q.gaps.sum() }

// flush writes what fits now.
func (q *queue) flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy || q.bytes.size == 0 || q.err != nil {
		return
	}
	if q.pipe != nil {
		if err := q.pipe.Await(q.try); err != nil {
			q.fail(err)
		}
	}
	if q.bytes.size > 0 && q.err == nil {
		q.busy = true
		go q.drain()
	}
}

// step writes the head, with q.mu held: the descriptor does not block. It reports
// whether all of that fitted, and so more might.
func (q *queue) step(fd uintptr) bool {
	head := q.bytes.head()
	n, err := upstream.WriteNow(fd, head)
	q.took(n)
	if err != nil {
		q.fail(err)
	}
	return n == len(head) && q.bytes.size > 0
}

// took notes that n bytes have left.
func (q *queue) took(n int) {
	q.bytes.take(n)
	q.written += int64(n)
	q.gaps.forget(q.written - maxPipe)
	q.changed.Broadcast()
}

func (q *queue) fail(err error) {
	if q.err == nil {
		q.lost = q.bytes.lines()
		q.err, q.bytes = err, chain{}
		q.changed.Broadcast()
		go q.broken(err)
	}
}

// drain writes until nothing is left.
func (q *queue) drain() {
	var err error
	if q.pipe != nil {
		err = q.pipe.Await(q.pour)
	} else {
		err = q.drainBlocking()
	}
	if err != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.busy = false
		q.fail(err)
	}
}

// pour writes until nothing is left or nothing fits, and reports which. The lock is
// free between the writes: those who append must not wait for who reads.
func (q *queue) pour(fd uintptr) (done bool) {
	for more := true; more; {
		q.mu.Lock()
		more = q.step(fd)
		q.busy = q.bytes.size > 0
		done = !q.busy
		q.mu.Unlock()
	}
	return done
}

// drainBlocking serves writers that can't be tried. What it has handed to
// Write counts as gone only when Write returns.
func (q *queue) drainBlocking() error {
	var chunk []byte
	for {
		q.mu.Lock()
		chunk = append(chunk[:0], q.bytes.head()...)
		n := len(chunk)
		q.busy, q.handed = n > 0, n
		q.mu.Unlock()
		if n == 0 {
			return nil
		}
		n, err := q.w.Write(chunk)
		q.mu.Lock()
		q.handed = 0
		if q.err == nil {
			q.took(n)
		}
		q.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// remove takes a frame out again if none of it has left.
func (q *queue) remove(from, to int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := q.gaps.place(from)
	if at < q.written+int64(q.handed) || q.err != nil {
		return false
	}
	q.bytes.cut(int(at-q.written), int(to-from))
	q.gaps.add(from, to-from)
	return true
}

// left reports whether any of a frame that begins at from has left.
func (q *queue) left(from int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.written+int64(q.handed) > q.gaps.place(from)
}

// place returns where a position lies in what has been written or will be.
func (q *queue) place(pos int64) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.gaps.place(pos)
}

// lines returns the line ends that have not been written.
func (q *queue) lines() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lost + q.bytes.lines()
}

// sent returns how many bytes may have left.
func (q *queue) sent() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.written + int64(q.handed)
}

// size returns the bytes that wait.
func (q *queue) size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.bytes.size
}

// await blocks until at most n bytes wait, or the queue is broken.
func (q *queue) await(n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.bytes.size > n && q.err == nil {
		q.changed.Wait()
	}
	return q.err
}

// empty returns a channel that is closed once nothing waits, or the queue is
// broken.
func (q *queue) empty() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		_ = q.await(0)
		close(done)
	}()
	return done
}
