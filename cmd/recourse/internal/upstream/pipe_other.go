//go:build !unix

package upstream

import (
	"errors"
	"os"
)

// A Pipe is an end of a pipe. Here it only blocks: the relay then writes from
// a goroutine of its own.
type Pipe struct{ *os.File }

// Open takes over a descriptor that this process was started with.
func Open(fd int, name string) *Pipe { return &Pipe{os.NewFile(uintptr(fd), name)} }

// OpenFile returns a Pipe of a file that [os.Pipe] has made.
func OpenFile(f *os.File) *Pipe { return &Pipe{f} }

// Restore does nothing: no mode was changed.
func (p *Pipe) Restore() {}

// Polls reports that Await does not work here.
func (p *Pipe) Polls() bool { return false }

// Await fails.
func (p *Pipe) Await(func(fd uintptr) bool) error { return errors.ErrUnsupported }

// WriteNow fails.
func WriteNow(uintptr, []byte) (int, error) { return 0, errors.ErrUnsupported }

// Abandoned can't tell here and waits for stop.
func (p *Pipe) Abandoned(stop <-chan struct{}) bool {
	<-stop
	return false
}
