//go:build faults

package fault

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/recourse-dev/recourse/bench/fault/table"
)

func TestRaw(t *testing.T) { play(t, "raw", rawClient, false) }

func TestGo(t *testing.T) { play(t, "go", goClient, false) }

// TestBadClient has good servers.
func TestBadClient(t *testing.T) { play(t, "raw", rawClient, true) }

// play goes through all rows with a client, good or bad.
func play(t *testing.T, name string, run client, bad bool) {
	all, err := table.Load(rowsPattern)
	if err != nil {
		t.Fatal(err)
	}
	var score tally
	t.Cleanup(func() { t.Log(score.summary(name)) })
	for _, row := range all {
		if (row.Client != nil) != bad || row.Clients != nil && !slices.Contains(row.Clients, name) || row.Linux && runtime.GOOS != "linux" {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			if !row.Large { // the time of others suffers
				t.Parallel()
			}
			h, v := again(row, run)
			score.add(h, v)
			line := fmt.Sprintf("%-6s %-4s %5.0f ms, next %5.0f ms  %s", row.ID, name, longest(h.Asks), h.Next.Ms, row.Title)
			if *direct {
				t.Logf("%s: %s; next: %s", line, ending(h.Asks), ending([]outcome{h.Next}))
				return
			}
			t.Log(line)
			for _, wrong := range v.all() {
				t.Error(wrong)
			}
		})
	}
}

// again plays a row, and once or twice more if nothing but the time was wrong: the
// machine may have had much else to do.
func again(row table.Row, run client) (h heard, v verdict) {
	for range 3 {
		h = run(newSession(row))
		v = judge(row, h)
		if *direct || v.late == nil || v.fault != nil || v.next != nil {
			break
		}
	}
	return h, v
}

func longest(all []outcome) (ms float64) {
	for _, o := range all {
		ms = max(ms, o.Ms)
	}
	return ms
}

// ending says in a word how requests ended.
func ending(all []outcome) string {
	words := []string{"not asked"}
	for i, o := range all {
		word := "nothing"
		switch {
		case o.Error != nil:
			word = "error"
		case o.Result != nil:
			word = "result"
		case o.Failed != "" && o.Failed != "no answer":
			word = "failure"
		}
		if i == 0 {
			words = nil
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// A tally counts the faults that a client has survived.
type tally struct {
	mu                           sync.Mutex
	all, well, next, heard, both int
}

func (s *tally) add(h heard, v verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all++
	if v.all() == nil {
		s.well++
	}
	if v.next == nil {
		s.next++
	}
	if h.Asks != nil && !slices.ContainsFunc(h.Asks, func(o outcome) bool { return !o.answered() }) {
		s.heard++
		if v.next == nil {
			s.both++
		}
	}
}

func (s *tally) summary(name string) string {
	if *direct {
		return fmt.Sprintf("%s without recourse: %d faults: answered in any way %d, next call well %d, both %d", name, s.all, s.heard, s.next, s.both)
	}
	return fmt.Sprintf("%s: %d of %d faults: answered well, next call well", name, s.well, s.all)
}

func TestTable(t *testing.T) {
	all, err := table.Load(rowsPattern)
	if err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(rowsPattern); len(files) < 5 {
		t.Fatalf("the table is in %d files", len(files))
	}
	seen := map[string]string{}
	faults := 0
	for _, r := range all {
		if r.ID == "" || r.Title == "" {
			t.Errorf("row %q %q has no name", r.ID, r.Title)
		}
		if other, ok := seen[r.ID]; ok {
			t.Errorf("two rows are %s: %s, %s", r.ID, other, r.Title)
		}
		seen[r.ID] = r.Title
		if r.Client == nil {
			faults++
		}
		for _, hear := range r.Hear {
			if !json.Valid(hear) {
				t.Errorf("%s: %s", r.ID, hear)
			}
		}
	}
	if faults < 75 {
		t.Errorf("%d faults of servers", faults)
	}
}
