package recourse

import (
	"context"
	"sync"
	"time"
)

// A deadline is a context that whoever waits for the work under it ends. One of
// package context would start a timer for each call, which costs as much as all
// the rest; here only a waiter that really has to wait starts one.
type deadline struct {
	context.Context           // the caller's
	at              time.Time // if zero, none

	mu   sync.Mutex
	done chan struct{} // made when first asked for
	err  error
}

func (d *deadline) Deadline() (time.Time, bool) {
	theirs, ok := d.Context.Deadline()
	if d.at.IsZero() || ok && theirs.Before(d.at) {
		return theirs, ok
	}
	return d.at, true
}

func (d *deadline) Done() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done == nil {
		d.done = make(chan struct{})
		if d.err != nil {
			close(d.done)
		}
	}
	return d.done
}

// Err asks the caller's context too: a call that has been cancelled knows it at
// once, even if its waiter has not been scheduled yet.
func (d *deadline) Err() error {
	d.mu.Lock()
	err := d.err
	d.mu.Unlock()
	if err == nil {
		if err = d.Context.Err(); err != nil {
			d.end(err)
			return d.Err() // or the waiter's, if that was first
		}
	}
	return err
}

// end cancels the context, once.
func (d *deadline) end(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err == nil {
		d.err = err
		if d.done != nil {
			close(d.done)
		}
	}
}
