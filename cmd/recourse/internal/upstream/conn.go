// Package upstream runs one MCP server and carries bytes to and from it.
package upstream

import (
	"io"
	"strconv"
	"time"
)

// A Conn is one life of a server: one process. Read
// returns what the server says and [io.EOF] once it can say no more; Write
// takes whole frames. Reading and writing may go on at the same time. Close ends
// both, whatever is left to read after the server's end; it may be called twice.
type Conn interface {
	io.ReadWriteCloser

	// Stop ends the server: it closes the server's input, asks it to end after
	// Grace.Ask, forces it after Grace.Force, and returns when it is gone with
	// all its descendants that can be found. With no time to ask, the input stays
	// open until Close, so that Unread can tell what was never read. Concurrent
	// calls are fine; the least patient one decides.
	Stop(Grace)

	// Gone is closed when the server has ended; Exit then says how.
	Gone() <-chan struct{}
	Exit() Exit

	// Tail returns the end of what the server wrote to its standard error, at
	// most 64 KiB, and when it last did.
	Tail() (text string, at time.Time)

	// PID is the process that leads the server's group.
	PID() int

	// Unread returns how many of the bytes written last the server has never
	// read and nobody ever will; 0 where that can't be known. It is asked once
	// the server has ended and before Close. It kills what is left of
	// the server if that could still read, and takes at most 100 ms.
	Unread() int

	// Ending reports whether the process that leads the group is on its way out
	// though its status is not there yet; false where that can't be known.
	Ending() bool

	// CPU returns the processor time that the server's group and its
	// descendants have used so far; false where that is unknown. It counts
	// nanoseconds, so the timers of an idle runtime move it too; and it falls
	// when one has ended whom no other of them has waited for.
	CPU() (time.Duration, bool)
}

// A Grace is the patience of [Conn.Stop], counted from its call.
type Grace struct {
	Ask   time.Duration // until SIGTERM
	Force time.Duration // until SIGKILL
}

// Ladder fits into the 2 s that the TypeScript SDK's client leaves between
// closing our input and its SIGTERM (client/stdio.ts, close); its SIGKILL comes
// 2 s later.
var Ladder = Grace{Ask: 1000 * time.Millisecond, Force: 1700 * time.Millisecond}

// An Exit says how a server ended.
type Exit struct {
	Status int    // as a shell would report it: exit status, or 128 + signal
	Signal string // name of the signal that ended it; empty if it left by itself
	Asked  bool   // we had signalled it
}

// String returns a phrase such as "exit status 1" or "signal: killed".
func (e Exit) String() string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return "exit status " + strconv.Itoa(e.Status)
}
