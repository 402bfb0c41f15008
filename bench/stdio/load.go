//go:build linux

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

// batch is how much the client writes at once at most, unless one request is
// longer, bytes.
const batch = 64 << 10

// A turn is what one contender did in one round of one cell.
type turn struct {
	elapsed   time.Duration
	latencies []time.Duration // sorted
	cpu       time.Duration   // of the proxy process
}

// A slot is one of the calls in flight: its request is written by the writer
// and checked by the reader, and the channel between them passes it on. Its
// clock runs from when the caller wants the call, not from its write: else a
// server that is slow to read would look faster than a proxy that queues.
type slot struct {
	id    int
	text  []byte
	since time.Time
}

// load keeps inflight calls with a text of size bytes going for the given
// time, waits for the last answers and checks each: every id once, every text
// as it was sent.
func (c *client) load(size, inflight int, span time.Duration) (turn, error) {
	before, err := cpuTime(c.cmd.Process.Pid)
	if err != nil {
		return turn{}, err
	}
	slots := make([]slot, inflight)
	free := make(chan int, inflight)
	written := make(chan error, 1)
	start := time.Now()
	for i := range slots {
		slots[i].since = start
		free <- i
	}
	go func() { written <- c.write(slots, free, size) }()
	t, err := c.read(slots, free, start.Add(span))
	if err != nil {
		c.close()
		return turn{}, err
	}
	if err := <-written; err != nil {
		return turn{}, err
	}
	t.elapsed = time.Since(start)
	after, err := cpuTime(c.cmd.Process.Pid)
	t.cpu = after - before
	slices.Sort(t.latencies)
	return t, err
}

// write sends a request for each free slot, several in one write if several
// are free, until the channel is closed.
func (c *client) write(slots []slot, free <-chan int, size int) error {
	var buf []byte
	for i := range free {
		buf = c.request(buf[:0], &slots[i], i, len(slots), size)
		for more := len(free); more > 0 && len(buf)+size < batch; more-- {
			i := <-free
			buf = c.request(buf, &slots[i], i, len(slots), size)
		}
		if _, err := c.in.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// request appends a request for slot i of n, whose number is the id modulo n.
func (c *client) request(buf []byte, s *slot, i, n, size int) []byte {
	c.next = (c.next/n+1)*n + i
	s.id, s.text = c.next, textFor(c.next, size)
	buf = append(buf, `{"jsonrpc":"2.0","id":`...)
	buf = strconv.AppendInt(buf, int64(s.id), 10)
	buf = append(buf, `,"method":"tools/call","params":{"name":"echo","arguments":{"text":"`...)
	buf = append(buf, s.text...)
	return append(buf, "\"}}}\n"...)
}

// read checks the answers and frees their slots; when the time is over it
// waits for those still in flight and closes the channel.
func (c *client) read(slots []slot, free chan<- int, end time.Time) (turn, error) {
	defer close(free)
	t := turn{latencies: make([]time.Duration, 0, 1<<16)}
	open := len(slots)
	for open > 0 {
		unwatch := c.watch()
		line, err := c.out.ReadSlice('\n')
		unwatch()
		if err != nil {
			return t, cause(err)
		}
		f, err := dissect(line)
		if err != nil || f.id == nil || f.method != nil {
			continue
		}
		id, err := strconv.Atoi(string(f.id))
		if err != nil || slots[id%len(slots)].id != id {
			return t, fmt.Errorf("an answer to no call: %.200s", line)
		}
		s := &slots[id%len(slots)]
		if !bytes.Equal(f.text, s.text) {
			return t, fmt.Errorf("a wrong answer to call %d: %.200s", id, line)
		}
		now := time.Now()
		t.latencies = append(t.latencies, now.Sub(s.since))
		s.id, s.since = 0, now
		if now.Before(end) {
			free <- id % len(slots)
		} else {
			open--
		}
	}
	return t, nil
}

var letters = sync.OnceValue(func() []byte {
	b := make([]byte, maxLine)
	for i, x := 0, uint32(1); i < len(b); i++ {
		x = x*1664525 + 1013904223
		b[i] = "abcdefghijklmnopqrstuvwxyz ABCDE"[x>>27]
	}
	return b
})

// textFor returns the text of call id: neighbours differ.
func textFor(id, size int) []byte {
	from := id * 7919 % (maxLine / 4)
	return letters()[from : from+size]
}
