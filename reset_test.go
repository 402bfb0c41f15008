package recourse_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

// try makes one call that ends with err.
func try(t *testing.T, d *recourse.Dependency, err error) error {
	t.Helper()
	_, err = recourse.Call(t.Context(), d, func(context.Context) (int, error) { return 0, err })
	return err
}

// What makes a pool's connections suspect, and what doesn't.
func TestResetWhenDue(t *testing.T) {
	overslept := context.DeadlineExceeded
	for _, tt := range []struct {
		name string
		ends []error
		want int
	}{
		{"an answer", []error{nil}, 0},
		{"reset", []error{syscall.ECONNRESET}, 1},
		{"refused", []error{syscall.ECONNREFUSED}, 1},
		{"broken off", []error{io.ErrUnexpectedEOF}, 1},
		{"a driver that found a dead connection", []error{driver.ErrBadConn}, 1},
		{"twice", []error{syscall.ECONNRESET, nil, syscall.ECONNRESET}, 2},
		{"one time-out", []error{overslept, nil, overslept}, 0},
		{"two time-outs in a row", []error{overslept, overslept}, 1},
		{"an API that says twice that it was too slow", []error{recourse.Errorf(recourse.Timeout, "a"), recourse.Errorf(recourse.Timeout, "b")}, 0},
		{"a refusal", []error{recourse.Errorf(recourse.NotFound, "none"), recourse.Errorf(recourse.RateLimited, "wait")}, 0},
		{"a cancelled call", []error{context.Canceled, context.Canceled}, 0},
		{"an unknown error", []error{errors.New("odd"), errors.New("odd")}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				resets := 0
				d := &recourse.Dependency{Trip: -1, Reset: func() { resets++ }}
				for _, err := range tt.ends {
					if got := try(t, d, err); (got == nil) != (err == nil) {
						t.Errorf("got %v, want %v", got, err)
					}
				}
				synctest.Wait()
				if resets != tt.want {
					t.Errorf("%d resets, want %d", resets, tt.want)
				}
			})
		})
	}
}

// One Reset for all calls that a loss has hit; those that come meanwhile wait.
func TestResetOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var resets int
		var done bool
		d := &recourse.Dependency{Trip: -1, Reset: func() {
			resets++
			time.Sleep(3 * time.Second)
			done = true
		}}
		lost := make(chan struct{})
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				_, err := recourse.Call(t.Context(), d, func(context.Context) (int, error) {
					<-lost
					return 0, syscall.ECONNRESET
				})
				if recourse.CodeOf(err) != recourse.ServiceUnavailable {
					t.Errorf("got %v", err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		close(lost)
		calls.Wait()
		if took := time.Since(began); took != 0 {
			t.Errorf("the calls that failed were told after %v, want at once: the Reset is not theirs to wait for", took)
		}
		for range 20 {
			calls.Go(func() {
				seen, err := recourse.Call(t.Context(), d, func(context.Context) (bool, error) { return done, nil })
				if err != nil || !seen {
					t.Errorf("a call that came during the Reset: ran after it %v, %v", seen, err)
				}
			})
		}
		calls.Wait()
		if resets != 1 {
			t.Errorf("%d resets for one loss", resets)
		}
	})
}

// A Reset that panics is told once and stops nobody.
func TestResetPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &recourse.Dependency{Reset: func() { panic("no such database") }}
		_ = try(t, d, syscall.ECONNRESET)
		if err := try(t, d, nil); recourse.CodeOf(err) != recourse.InternalError {
			t.Errorf("after a Reset that panics: %v, want an INTERNAL_ERROR", err)
		}
		if err := try(t, d, nil); err != nil {
			t.Errorf("the call after that: %v", err)
		}
	})
}

// A Reset that hangs holds the calls up that wait for it already, until their
// time-out, but not the next ones; and it is not joined by another one.
func TestResetHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resets := 0
		release := make(chan struct{})
		d := &recourse.Dependency{Timeout: time.Second, Trip: -1, Reset: func() {
			resets++
			<-release
		}}
		_ = try(t, d, syscall.ECONNRESET)
		began := time.Now()
		err := try(t, d, nil)
		if e := recourse.Classify(err); e.Code != recourse.Timeout || !e.NotRun || time.Since(began) != time.Second {
			t.Errorf("got %v after %v, want a TIMEOUT that did not run after 1s", err, time.Since(began))
		}
		for range 2 {
			if err := try(t, d, nil); err != nil {
				t.Errorf("a call after that: %v", err)
			}
		}
		_ = try(t, d, syscall.ECONNRESET)
		close(release)
		synctest.Wait()
		if err := try(t, d, nil); err != nil {
			t.Errorf("after the Reset has ended: %v", err)
		}
		synctest.Wait()
		if resets != 1 {
			t.Errorf("%d resets, want the one that hung", resets)
		}
	})
}
