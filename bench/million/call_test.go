package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

const (
	testSeed = 1
	short    = 20_000
)

// TestCalls reads what the calls write with another JSON library than none.
func TestCalls(t *testing.T) {
	c := newCorpus(testSeed)
	ids, sizes := map[string]bool{}, map[bool]int{}
	empty, asks, notices := 0, 0, 0
	for n := range short {
		k := c.call(testSeed, n)
		if ids[k.id] {
			t.Fatalf("two calls have the id %s", k.id)
		}
		ids[k.id] = true
		sizes[len(c.cut(k.text)) > 1<<20 || len(c.cut(k.tail)) > 1<<20]++
		if k.text == (piece{k.text.from, k.text.from}) {
			empty++
		}
		if k.asks {
			asks++
		}
		notices += k.notices
		if n > 1000 {
			continue
		}
		lines := [][]byte{k.request(nil, c), k.answer(nil, c), []byte(idFirst + k.id + k.question()), []byte(idFirst + k.id + k.reply())}
		for i := range k.notices {
			lines = append(lines, k.notice(nil, i))
		}
		for _, line := range lines {
			checkLine(t, k, line)
		}
	}
	if sizes[true] < 5 || empty < 500 || asks < 100 || notices < 500 {
		t.Errorf("of %d calls %d are over 1 MiB, %d empty, %d ask, with %d notifications: too few", short, sizes[true], empty, asks, notices)
	}
}

func checkLine(t *testing.T, k call, line []byte) {
	t.Helper()
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal(line, &m); err != nil || !utf8.Valid(line) {
		t.Fatalf("call %d: %.200q is no JSON in UTF-8: %v", k.n, line, err)
	}
	if m.ID != nil && string(m.ID) != k.id {
		t.Errorf("call %d: a line has the id %s, want %s", k.n, m.ID, k.id)
	}
	if bytes.IndexByte(bytes.TrimSuffix(line, []byte("\n")), '\n') >= 0 {
		t.Errorf("call %d: a line has another inside", k.n)
	}
}

func TestSeed(t *testing.T) {
	first, again, other := newCorpus(1), newCorpus(1), newCorpus(2)
	for n := range 100 {
		a, b, c := first.call(1, n), again.call(1, n), other.call(2, n)
		line := a.request(nil, first)
		if !bytes.Equal(line, b.request(nil, again)) {
			t.Fatalf("call %d differs between two runs of a seed", n)
		}
		if bytes.Equal(line, c.request(nil, other)) {
			t.Fatalf("call %d is the same for two seeds", n)
		}
	}
}

func TestRead(t *testing.T) {
	c := newCorpus(testSeed)
	for n := range 2000 {
		k := c.call(testSeed, n)
		if id, _, kind := read(k.answer(nil, c)); id != k.id || kind != answer {
			t.Errorf("the answer of call %d (id %s, wrap %d) was read as %s with id %s", n, k.id, k.wrap, kind, id)
		}
		if id, got, kind := read([]byte(idFirst + `"x"` + k.question() + "\n")); id != `"x"` || got != n || kind != question {
			t.Errorf("the question of call %d was read as %s of call %d with id %s", n, kind, got, id)
		}
		for i := range k.notices {
			if _, got, kind := read(k.notice(nil, i)); got != n || kind != notice {
				t.Errorf("a notification of call %d was read as %s of call %d", n, kind, got)
			}
		}
	}
}
