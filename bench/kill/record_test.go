//go:build linux

package kill

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// unflushed is how long before its death recourse may have answered a call whose
// record was not in the file yet: records leave in batches, after the answers.
const unflushed = 100 * time.Millisecond

// check compares what a session's calls were told with what the server and the
// log have written down. It is for the time after the end of both.
func (s *session) check() error {
	ran, err := s.ran()
	if err != nil {
		return err
	}
	records, err := s.records()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.unsent {
			continue
		}
		name := s.argument(c.n)
		wrong := s.unanswered(c)
		if wrong == "" && strings.Contains("pay put get", c.tool) {
			wrong = misrun(c, ran[name])
			if wrong == "" {
				wrong = s.misrecorded(c, records[name])
			}
		}
		if wrong != "" {
			s.soak.faultf(s, "%s, began %s, ended %s as %q: %s", s.call(c),
				c.began.Format("15:04:05.000"), c.ended.Format("15:04:05.000"), c.ending, wrong)
		}
	}
	if s.changes > 1 {
		s.soak.faultf(s, "%d list changes were told, and the list never changed", s.changes)
	}
	s.soak.ledger(s, ran)
	return nil
}

func (s *session) unanswered(c *call) string {
	if c.answers == 0 && !c.cancelled && s.murdered.IsZero() {
		return "no answer"
	}
	return ""
}

// misrun says what is wrong with how often a call has run.
func misrun(c *call, times int) string {
	switch {
	case times > 1 && c.tool == "pay":
		return fmt.Sprintf("it ran %d times", times)
	case times > 2:
		return fmt.Sprintf("it ran %d times, and may be repeated once", times)
	case c.ending == data && times == 0:
		return "it has never run"
	case c.ending == refused && times > 0 && c.tool == "pay":
		return "the error does not say that it may have run, and it has"
	}
	return ""
}

// misrecorded says what is wrong with the number of a call's records.
func (s *session) misrecorded(c *call, records int) string {
	if !s.murdered.IsZero() && (c.answers == 0 || s.murdered.Sub(c.ended) < unflushed) && records == 0 {
		return ""
	}
	if records != 1 {
		return fmt.Sprintf("%d records", records)
	}
	return ""
}

// ran counts how often the server has run each call.
func (s *session) ran() (map[string]int, error) {
	found := map[string]int{}
	err := eachLine(s.ledger(), func(line []byte) error {
		_, call, ok := strings.Cut(string(line), " ")
		if !ok {
			return fmt.Errorf("%s: %q", s.ledger(), line)
		}
		found[call]++
		return nil
	})
	return found, err
}

// records counts the records of each call in all segments of the log.
func (s *session) records() (map[string]int, error) {
	found := map[string]int{}
	err := filepath.WalkDir(s.log(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return eachLine(path, func(line []byte) error {
			var r struct {
				Type, Method string
				Args         struct{ Call string }
			}
			if err := json.Unmarshal(line, &r); err != nil {
				return fmt.Errorf("%s: %w in %q", path, err, line)
			}
			if r.Type == "call" && r.Args.Call != "" {
				found[r.Args.Call]++
			}
			return nil
		})
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // no call was made
	}
	return found, err
}

func eachLine(path string, do func([]byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := do(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// stderr returns the end of what recourse and the server have said.
func (s *session) stderr() string {
	b, _ := os.ReadFile(filepath.Join(s.dir, "stderr"))
	return strconv.Quote(string(b[max(0, len(b)-300):]))
}
