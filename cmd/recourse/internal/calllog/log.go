// Package calllog keeps one line of JSON for every tool call.
//
// The lines are the truth that reports are made from. A [Log] takes a [Record]
// without ever waiting for a disk; one goroutine redacts, encodes and writes,
// whole lines only, to files that no other process writes.
package calllog

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/internal/redact"
)

const (
	maxHeld   = 16 << 20             // bytes of records waiting to be written
	pace      = 5 * time.Millisecond // between batches: at most 200 wake-ups a second at any rate of calls
	afterFail = time.Second          // the same after a failed write
)

// A Log writes Records. Set its fields before first use. The zero value writes
// to [Dir]; a nil Log drops everything in silence.
type Log struct {
	Dir      string           // if empty, the result of [Dir]
	Args     Args             // if empty, Redacted
	Redactor *redact.Redactor // if nil, one without listed secrets
	OnError  func(error)      // called once, by the writing goroutine, at the first failure

	mu      sync.Mutex
	encoder encoder // of lines
	lines   []byte  // records that wait, encoded
	waiting []*Record
	held    int  // bytes of lines and waiting, and of the batch being written
	lost    int  // records not written, of which no line tells yet
	closed  bool // no more records are taken
	wake    chan struct{}
	closing chan struct{}
	done    chan struct{} // nil until the first Append
}

// small is the size of a record, in bytes, up to which it is encoded at once.
// That takes 1 to 2 µs; later, on another CPU, its memory would have to be
// fetched again, and the record be an object of its own.
const small = 4 << 10

// Append takes r over. It does no I/O. The slices of r belong to the log from
// then on; r itself may be used again. A record that finds 16 MiB waiting is
// lost, and so are those of a failed write; a "drop" line counts them as soon as
// one can be written. Large records come after small ones of the same moment.
func (l *Log) Append(r *Record) {
	if l == nil {
		return
	}
	if r.Time.IsZero() {
		r.Time = time.Now()
	}
	r.trim()
	size := r.size()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.held+size > maxHeld {
		l.lost++
		return
	}
	if l.done == nil {
		l.begin()
	}
	if size <= small {
		before := len(l.lines)
		l.lines = l.encoder.encode(l.lines, r, r.Time)
		l.held += len(l.lines) - before
	} else {
		own := *r
		l.waiting = append(l.waiting, &own)
		l.held += size
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *Log) begin() {
	l.wake, l.closing, l.done = make(chan struct{}, 1), make(chan struct{}), make(chan struct{})
	l.encoder = l.newEncoder()
	go l.drain()
}

// Close writes what is waiting and ends the log; later records are lost. It
// fails if ctx is done first, or if records were lost that no line tells of.
func (l *Log) Close(ctx context.Context) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	started := l.done != nil
	if started && !l.closed {
		close(l.closing)
	}
	l.closed = true
	l.mu.Unlock()
	if !started {
		return nil
	}
	select {
	case <-l.done:
	case <-ctx.Done():
		return fmt.Errorf("the call log is not written yet: %w", context.Cause(ctx))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost > 0 {
		return fmt.Errorf("%d calls are not in the log", l.lost)
	}
	return nil
}

// drain writes what Append brings until Close. A lone record is written at
// once; what comes in the next moment is written together.
func (l *Log) drain() {
	defer close(l.done)
	w := newWriter(l)
	defer w.close()
	for open := true; open; {
		select {
		case <-l.wake:
		case <-l.closing:
			open = false
		}
		batch := l.take(w.batch)
		lost := w.write(batch)
		l.settle(batch.held, lost)
		wait := pace
		if lost > 0 {
			wait = afterFail
		}
		if open {
			select {
			case <-time.After(wait):
			case <-l.closing:
			}
		}
	}
}

// A batch is what is written in one go.
type batch struct {
	lines   []byte
	records []*Record
	held    int // its size in memory
}

// take returns what is waiting, with a record that tells of the lost ones. It
// lends the room of the last batch for the next.
func (l *Log) take(room batch) batch {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := batch{l.lines, l.waiting, l.held}
	l.lines, l.waiting = room.lines[:0], room.records[:0]
	if l.lost > 0 {
		b.records = append(b.records, &Record{Type: "drop", Count: l.lost})
		l.lost = 0
	}
	return b
}

// settle ends a batch: its memory is free, and so many records were lost.
func (l *Log) settle(held, lost int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held -= held
	l.lost += lost
}
