//go:build !linux

package upstream

import (
	"os"
	"time"
)

// Unread implements [Conn]. Nothing here tells whether a pipe has readers.
func (p *Process) Unread() int { return 0 }

// pending returns 0: what lies in a pipe is not known here.
func pending(*os.File) int { return 0 }

// Ending implements [Conn].
func (p *Process) Ending() bool { return false }

// CPU implements [Conn].
func (p *Process) CPU() (time.Duration, bool) { return 0, false }
