//go:build faults && linux

package pressure

import (
	"bytes"
	"io"
	"os"
	"time"
)

// A scream is what a server writes to its standard error, beside its work, at
// Size bytes a second: "lines", "one line" without an end, or "binary"; or, as
// "noise", to its standard output.
type scream struct {
	to   io.Writer
	stop chan struct{}
	done chan screamed
}

// A screamed is how much it was.
type screamed struct {
	Bytes   int64
	Seconds float64
}

func (s *server) newScream(o order) *scream {
	sc := &scream{os.Stderr, make(chan struct{}), make(chan screamed, 1)}
	if o.Kind == "noise" {
		sc.to = between{s}
	}
	go sc.write(screamText(o.Kind), o.Size)
	return sc
}

const screamLine = "2026-11-30T12:00:00Z debug cache: key 4711 missed, 12 of 64\n"

// screamText returns 64 KiB, in which nothing looks as if recourse had said it.
func screamText(kind string) []byte {
	switch kind {
	case "lines", "noise":
		return bytes.Repeat([]byte(screamLine), 64<<10/len(screamLine))
	case "one line":
		return bytes.Repeat([]byte("."), 64<<10)
	}
	b := make([]byte, 64<<10)
	for i := range b {
		b[i] = byte(i*7)&0x7f | 0x80 // no ASCII
		if i%1000 == 0 {
			b[i] = 0
		}
	}
	return b
}

func (s *scream) write(text []byte, rate int64) {
	begun := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	var n int64
	for {
		select {
		case <-s.stop:
			s.done <- screamed{n, time.Since(begun).Seconds()}
			return
		case <-tick.C:
		}
		for due := int64(time.Since(begun).Seconds() * float64(rate)); n < due; {
			written, err := s.to.Write(text)
			n += int64(written)
			if err != nil {
				break
			}
		}
	}
}

// between writes whole texts between a server's messages.
type between struct{ s *server }

func (b between) Write(text []byte) (int, error) {
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	n, err := b.s.out.Write(text)
	if err == nil {
		err = b.s.out.Flush()
	}
	return n, err
}

func (s *scream) hush() screamed {
	close(s.stop)
	return <-s.done
}
