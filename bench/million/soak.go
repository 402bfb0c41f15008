package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
)

// most is how many calls are in flight at most; every phase calls the limit
// changes, down to one.
const (
	most  = 64
	phase = 500
)

// A soak makes n calls and compares every line that comes back.
type soak struct {
	seed   uint64
	n      int
	corpus *corpus
	log    io.Writer // of the progress

	mu       sync.Mutex
	room     sync.Cond // signalled when inFlight shrinks
	byID     map[string]*flight
	byNumber map[int]*flight
	calls    int // answered
	bytes    int // received
	notices  int
	asked    int
	err      error

	writing sync.Mutex // held for one whole line
}

// A flight is a call that has no answer yet.
type flight struct {
	call
	notices, asked int // seen so far
}

func newSoak(seed uint64, n int) *soak {
	s := &soak{seed: seed, n: n, corpus: newCorpus(seed), log: os.Stderr, byID: map[string]*flight{}, byNumber: map[int]*flight{}}
	s.room.L = &s.mu
	return s
}

// run speaks to a server until all calls are answered and its output has
// ended. It returns the first difference.
func (s *soak) run(w io.WriteCloser, r io.ReadCloser) error {
	in := bufio.NewReaderSize(r, 4*longest)
	if err := s.hello(w, in); err != nil {
		return err
	}
	replies := make(chan string, most)
	var writers sync.WaitGroup
	writers.Go(func() { s.fail(s.send(w)) })
	writers.Go(func() {
		for line := range replies {
			err := s.write(w, []byte(line))
			s.fail(err)
		}
	})
	s.fail(s.receive(in, replies))
	close(replies)
	w.Close()
	writers.Wait()
	if s.err != nil {
		return s.err
	}
	if line, err := in.ReadSlice('\n'); err != io.EOF {
		return fmt.Errorf("after the last answer: %.300q, %v", line, err)
	}
	return nil
}

func (s *soak) hello(w io.Writer, in *bufio.Reader) error {
	if _, err := io.WriteString(w, helloRequest); err != nil {
		return err
	}
	line, err := in.ReadSlice('\n')
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	if err := compare("the answer to initialize", line, []byte(idFirst+`"hello","result":`+helloResult+"}\n")); err != nil {
		return err
	}
	_, err = io.WriteString(w, helloDone)
	return err
}

// fail keeps the first error and ends the sending.
func (s *soak) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && err != nil {
		s.err = err
	}
	s.room.Broadcast()
}

func (s *soak) write(w io.Writer, line []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := w.Write(line)
	return err
}

func (s *soak) send(w io.Writer) error {
	var line []byte
	var limit int
	rng := rand.New(rand.NewPCG(s.seed, 2))
	for n := range s.n {
		if n%phase == 0 {
			limit = 1 + rng.IntN(most)
		}
		f := &flight{call: s.corpus.call(s.seed, n)}
		if !s.enter(f, limit) {
			return nil
		}
		line = f.request(line[:0], s.corpus)
		if err := s.write(w, line); err != nil {
			return err
		}
	}
	return nil
}

// enter waits until fewer than limit calls are in flight; it returns false
// when the soak has failed.
func (s *soak) enter(f *flight, limit int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.byID) >= limit && s.err == nil {
		s.room.Wait()
	}
	s.byID[f.id], s.byNumber[f.n] = f, f
	return s.err == nil
}

// receive compares lines until every call is answered.
func (s *soak) receive(in *bufio.Reader, replies chan<- string) error {
	var want []byte
	for answered := 0; answered < s.n; {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("after %d answers: %w", answered, err)
		}
		id, n, kind := read(line)
		f := s.find(id, n, kind)
		if f == nil {
			return fmt.Errorf("a line that belongs to no call in flight: %.300q", line)
		}
		what := fmt.Sprintf("%s of call %d (id %s)", kind, f.n, f.id)
		switch kind {
		case notice:
			want = f.notice(want[:0], f.notices)
			f.notices++
		case question:
			want = append(want[:0], idFirst+id+f.question()+"\n"...)
			f.asked++
			replies <- idFirst + id + f.reply() + "\n"
		case answer:
			if f.notices != f.call.notices || f.asked == 0 && f.asks {
				return fmt.Errorf("%s: it came after %d of its %d notifications, and %d questions", what, f.notices, f.call.notices, f.asked)
			}
			want = f.answer(want[:0], s.corpus)
			answered++
			s.done(f, len(line))
		}
		if err := compare(what, line, want); err != nil {
			return err
		}
	}
	return nil
}

func (s *soak) find(id string, n int, kind kind) *flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kind == answer {
		return s.byID[id]
	}
	return s.byNumber[n]
}

func (s *soak) done(f *flight, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, f.id)
	delete(s.byNumber, f.n)
	s.calls++
	s.bytes += size
	s.notices += f.notices
	s.asked += f.asked
	s.room.Signal()
}
