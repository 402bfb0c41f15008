package main

import (
	"math"
	"testing"
)

func TestMacroF1(t *testing.T) {
	for _, c := range []struct {
		pairs []pair
		want  float64
	}{
		{nil, 0},
		{[]pair{{"A", "A"}, {"B", "B"}}, 1},
		{[]pair{{"A", "A"}, {"A", ""}}, 2.0 / 3},                          // precision 1, recall 1/2
		{[]pair{{"A", "A"}, {"A", "B"}}, (2.0/3 + 0) / 2},                 // B was said, and never right
		{[]pair{{"A", "A"}, {"B", "A"}, {"B", "B"}}, (2.0/3 + 2.0/3) / 2}, // A: 1/2 and 1; B: 1 and 1/2
	} {
		if got := macroF1(c.pairs); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: got %v, want %v", c.pairs, got, c.want)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		c    count
		b    bound
		want bool
	}{
		{count{95, 100}, atLeast(.95), true},
		{count{94, 100}, atLeast(.95), false},
		{count{0, 100}, atMost(0), true},
		{count{1, 100}, atMost(0), false},
		{count{0, 0}, atLeast(.95), true}, // no case, no claim
		{count{0, 100}, bound{}, true},
	} {
		var r report
		r.add("x", c.c, c.b)
		if r.holds() != c.want {
			t.Errorf("%v %s: got %t", c.c, c.b.text, !c.want)
		}
	}
}
