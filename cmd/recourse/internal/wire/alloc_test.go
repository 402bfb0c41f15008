//go:build !race

package wire

import (
	"bytes"
	"testing"
)

func TestNoAllocations(t *testing.T) {
	var out []byte
	for name, frame := range load() {
		r := NewReader(&endless{line: append(bytes.Clone(frame), '\n')}, 0)
		relay := func() {
			f, err := r.Next()
			if err != nil || f.Err != nil {
				t.Fatal(err, f.Err)
			}
			out = AppendSplice(out[:0], f.Bytes, Edit{f.Msg.ID, []byte("42")}, Edit{f.Msg.Subscription, nil}, Edit{f.Msg.Token, nil})
		}
		if n := testing.AllocsPerRun(20, relay); n != 0 {
			t.Errorf("%s: %v allocations for each frame", name, n)
		}
	}
	r := NewReader(&endless{line: []byte(`{"\u0069d":1,"\u006dethod":"ping","x":[[[{"a":1.5e3}]]]}` + "\n")}, 0)
	if n := testing.AllocsPerRun(20, func() { r.Next() }); n != 0 {
		t.Errorf("escaped keys: %v allocations for each frame", n)
	}
}

func TestWalkAllocatesNothing(t *testing.T) {
	value := []byte(`{"a":[1,{"b":"c"},[[]]],"d":null}`)
	n := 0
	walk := func() {
		for _, at := range Members(value) {
			for range Elements(at.Of(value)) {
				n++
			}
		}
	}
	if allocs := testing.AllocsPerRun(20, walk); allocs != 0 || n == 0 {
		t.Errorf("%v allocations for %d elements", allocs, n)
	}
}
