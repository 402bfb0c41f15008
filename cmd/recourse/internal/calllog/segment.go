package calllog

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// largest is the size at which a segment is followed by the next.
const largest = 64 << 20

// A segment is the file being written: DIR/2026-11-30/02-<host>-<pid>-<n>.jsonl,
// a new one each hour (UTC) or 64 MiB. No two processes share one.
type segment struct {
	dir, host string

	file *os.File
	hour string // date and hour the file is for
	next int    // number of the next file
	size int
	torn bool // the last write ended inside a line
}

// append writes lines, each ended by a line end, and returns how many of them
// are not in the file whole. After a write that was cut short the next one begins
// on a new line.
func (s *segment) append(lines []byte, now time.Time) (int, error) {
	if err := s.open(now, len(lines)); err != nil {
		return bytes.Count(lines, []byte{'\n'}), err
	}
	if s.torn {
		lines = append([]byte{'\n'}, lines...)
	}
	n, err := s.file.Write(lines)
	s.size += n
	if n == len(lines) {
		s.torn = false
		return 0, err
	}
	lost := bytes.Count(lines[n:], []byte{'\n'})
	if n > 0 {
		s.torn = lines[n-1] != '\n'
	} else if s.torn {
		lost-- // the line end of ours before them
	}
	return lost, err
}

// open makes sure that there is a file for this hour with room for more bytes.
func (s *segment) open(now time.Time, more int) error {
	hour := now.UTC().Format("2006-01-02/15")
	if s.file != nil && s.hour == hour && (s.size == 0 || s.size+more <= largest) {
		return nil
	}
	prefix := filepath.Join(s.dir, filepath.FromSlash(hour))
	if err := os.MkdirAll(filepath.Dir(prefix), 0o700); err != nil {
		return err
	}
	for {
		s.next++
		name := fmt.Sprintf("%s-%s-%d-%d.jsonl", prefix, fileName(s.host), os.Getpid(), s.next)
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue // left by an earlier process of our number
		}
		if err != nil {
			return err
		}
		s.close()
		s.file, s.hour, s.size, s.torn = file, hour, 0, false
		return nil
	}
}

func (s *segment) close() {
	if s.file != nil {
		s.file.Close()
	}
}

// fileName returns host as part of a file name on any system.
func fileName(host string) string {
	b := []byte(host[:min(len(host), 64)])
	for i, c := range b {
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '_') {
			b[i] = '_'
		}
	}
	return string(b)
}
