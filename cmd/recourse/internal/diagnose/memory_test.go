package diagnose

import (
	"strconv"
	"testing"
)

func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name    string
		learned []string
		text    string
		flips   bool
	}{
		{"no habit", nil, `Failed to load: the disk is full`, true},
		{"twice is no habit", []string{"Failed to load: 1", "Failed to load: 2"}, "Failed to load: the disk is full", true},
		{"a text that begins as they all do", []string{"Failed to load: 1", "Failed to load: 2", "Failed to load: 3"}, "Failed to load: the disk is full", false},
		{"another text", []string{"Failed jobs: 1", "Failed jobs: 2", "Failed jobs: 3"}, "Failed to load: the disk is full", true},
		{"an object as they all are", []string{`{"error":"a","took":1}`, `{"took":3,"error":"b"}`, `{"error":"c","took":2}`}, `{"error":"timed out","took":1}`, false},
		{"members that have something to say now", []string{`{"ok":true,"data":[1],"error":null}`, `{"ok":true,"data":[2],"error":null}`, `{"ok":true,"data":[3],"error":null}`}, `{"ok":false,"data":null,"error":"timed out"}`, true},
		{"a page where pages are usual", []string{"<html>a", "<html>b", "<html>c"}, "<html><title>502 Bad Gateway</title></html>", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m Memory
			for _, text := range c.learned {
				m.Learn(answering(text))
			}
			if s := Disguised(answering(c.text), Unknown, &m, false, nil); s.Tier >= Anchored != c.flips {
				t.Errorf("tier %d by %q", s.Tier, s.Rule)
			}
		})
	}
}

// A habit that is well established does not give way to a hundred others.
func TestMemoryKeepsHabits(t *testing.T) {
	var m Memory
	for range 10 {
		m.Learn(answering("Failed to find: 3"))
	}
	for n := range 100 {
		m.Learn(answering("word" + strconv.Itoa(n) + " and more"))
	}
	if s := Disguised(answering("Failed to find: the index is gone"), Unknown, &m, false, nil); s.Tier != Weak {
		t.Errorf("tier %d", s.Tier)
	}
}
