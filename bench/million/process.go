package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// through runs the soak with a process, which must end well when its input does.
func (s *soak) through(argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	start, done := time.Now(), make(chan struct{})
	go s.watch(start, done, func() { out.Close(); in.Close() })
	err = s.run(in, out)
	close(done)
	fmt.Fprintln(s.log, s.progress(time.Since(start)))
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return err
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("all answers were right, but %s ended with %w", argv[0], err)
	}
	return nil
}

// stalled is how long no answer may come.
const stalled = 30 * time.Second

// watch prints the progress every second and hangs up when there is none.
func (s *soak) watch(start time.Time, done <-chan struct{}, hangUp func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	last, lastCalls := start, 0
	for {
		select {
		case <-done:
			return
		case now := <-tick.C:
			fmt.Fprintln(s.log, s.progress(now.Sub(start)))
			if calls := s.answered(); calls != lastCalls {
				last, lastCalls = now, calls
			} else if now.Sub(last) > stalled {
				s.fail(errors.New(s.waiting()))
				hangUp()
				return
			}
		}
	}
}

func (s *soak) answered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

func (s *soak) progress(t time.Duration) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("%6.1f s: %d of %d calls answered, %.0f/s, %.2f GB, %d notifications, %d questions, %d in flight",
		t.Seconds(), s.calls, s.n, float64(s.calls)/t.Seconds(), float64(s.bytes)/1e9, s.notices, s.asked, len(s.byID))
}

// waiting says what is missing.
func (s *soak) waiting() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, f := range s.byID {
		return fmt.Sprintf("no answer in %s; %d calls wait, one is call %d (id %s)", stalled, len(s.byID), f.n, id)
	}
	return fmt.Sprintf("no progress in %s, and no call waits", stalled)
}
