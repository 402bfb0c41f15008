package relay

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// Frames of all sizes, from several goroutines, arrive whole and in order at a
// reader that is slower than they come, through a pipe that can be tried and
// through any other writer.
func TestQueue(t *testing.T) {
	for _, polls := range []bool{true, false} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		broken := func(err error) { t.Error(err) }
		q := newQueue(struct{ io.Writer }{w}, broken)
		if polls {
			q = newQueue(upstream.OpenFile(w), broken)
		}
		const writers, each = 4, 150
		var all sync.WaitGroup
		for n := range writers {
			random := rand.New(rand.NewPCG(1, uint64(n)))
			all.Go(func() {
				for i := range each {
					name := strconv.Itoa(n) + "." + strconv.Itoa(i)
					size := random.IntN(200)
					if i%10 == 0 {
						size = random.IntN(300 << 10)
					}
					frame := []byte("?" + strings.Repeat("x", size))
					q.splice(frame, wire.Edit{At: wire.Span{Start: 0, End: 1}, With: []byte(name + " ")})
					q.flush()
					if q.size() > 1<<20 {
						_ = q.await(1 << 19)
					}
				}
			})
		}
		go func() {
			all.Wait()
			_ = q.await(0)
			w.Close()
		}()
		next := [writers]int{}
		lines := bufio.NewReaderSize(r, 4<<10)
		for {
			line, err := lines.ReadBytes('\n')
			if errors.Is(err, io.EOF) {
				break
			}
			name, rest, _ := bytes.Cut(line, []byte(" "))
			n, i, _ := bytes.Cut(name, []byte("."))
			writer, _ := strconv.Atoi(string(n))
			if strconv.Itoa(next[writer]) != string(i) || strings.Trim(string(rest), "x") != "\n" {
				t.Fatalf("polls %t: frame %s came after %d of its writer", polls, name, next[writer])
			}
			next[writer]++
		}
		for n, i := range next {
			if i != each {
				t.Errorf("polls %t: %d of %d frames of writer %d", polls, i, each, n)
			}
		}
	}
}

// What waits can be taken out again, what has begun to leave can't; and the reader's
// end breaks the queue, once.
func TestQueueBreaks(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	broken := make(chan error, 2)
	q := newQueue(upstream.OpenFile(w), func(err error) { broken <- err })
	large, _ := q.put(bytes.Repeat([]byte("l"), 10*linkSize))
	q.flush()
	from, to := q.put([]byte("taken out\n"))
	after, _ := q.put([]byte("stays\n"))
	switch {
	case !q.left(large) || q.remove(large, from):
		t.Error("a frame that has begun to leave was taken out")
	case !q.remove(from, to):
		t.Error("a frame that waits could not be taken out")
	case q.left(after) || q.sent() > from:
		t.Errorf("%d bytes have left, of a pipe that nobody reads", q.sent())
	}
	head := make([]byte, 10*linkSize)
	if _, err := io.ReadFull(r, head); err != nil {
		t.Fatal(err)
	}
	rest := make([]byte, 6)
	if _, err := io.ReadFull(r, rest); err != nil || string(rest) != "stays\n" {
		t.Errorf("after the large frame came %q, %v", rest, err)
	}
	r.Close()
	for range 3 {
		q.put([]byte("x\n"))
		q.flush()
	}
	if err := <-broken; err == nil {
		t.Error("broken by nothing")
	}
	if q.await(0) == nil || q.size() != 0 || len(broken) != 0 {
		t.Errorf("%d bytes wait, broken %d times more", q.size(), len(broken))
	}
}
