//go:build linux

package main

import (
	"strings"
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(i+1))
	}
	tests := []struct {
		sorted []time.Duration
		p      int
		want   time.Duration
	}{
		{hundred, 50, 50}, {hundred, 99, 99}, {hundred, 100, 100},
		{hundred[:1], 50, 1}, {hundred[:1], 99, 1},
		{hundred[:3], 50, 2}, {hundred[:4], 50, 2},
		{nil, 50, 0},
	}
	for _, test := range tests {
		if got := percentile(test.sorted, test.p); got != test.want {
			t.Errorf("percentile %d of %d values: %d, want %d", test.p, len(test.sorted), got, test.want)
		}
	}
}

func TestMedian(t *testing.T) {
	if got := median([]int{9, 1, 5}); got != 5 {
		t.Errorf("median of 9, 1, 5 is %d", got)
	}
	if got := median([]int{4, 1}); got != 1 {
		t.Errorf("median of 4, 1 is %d, want the lower", got)
	}
	if got := median[int](nil); got != 0 {
		t.Errorf("median of nothing is %d", got)
	}
}

// rounds makes turns of one call each, with these latencies in µs and 31.25 ms
// of CPU time.
func rounds(latencies ...time.Duration) []turn {
	var turns []turn
	for _, l := range latencies {
		turns = append(turns, turn{elapsed: time.Millisecond, latencies: []time.Duration{l * time.Microsecond}, cpu: 31250 * time.Microsecond})
	}
	return turns
}

func exampleCell() cell {
	made := func(name string, turns []turn) *entry {
		return &entry{contender: contender{name: name}, turns: turns, idle: memory{8 << 20, 1 << 20}, loaded: memory{9 << 20, 2 << 20}}
	}
	return cell{size: 100, conc: 1, entries: []*entry{
		made("direct", rounds(20, 40, 30)),
		made("copy", rounds(70, 80, 80)),
		made("proxy", rounds(120, 90, 100)),
		{contender: contender{name: "absent"}, err: errFrame},
	}}
}

// Added by copy: 50, 40, 50. By proxy: 100, 50, 70, so 2, 1.25 and 1.4 times.
func TestFigures(t *testing.T) {
	c := exampleCell()
	got := c.figures(c.entries[2])
	want := figures{p50: 100e3, p99: 100e3, rate: 1000, cpu: 31.25, added: 70e3, ratio: spread{1.4, 1.25, 2}}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A copy that takes no longer than nothing says that the machine is noisy.
func TestNoise(t *testing.T) {
	c := exampleCell()
	c.entries[floor].turns = rounds(20, 30, 80)
	if got := c.figures(c.entries[2]).ratio.String(); got != "noise" {
		t.Errorf("ratio is %s", got)
	}
}

func TestMarkdown(t *testing.T) {
	var out strings.Builder
	r := report{plan: plan{markdown: true}, out: &out}
	r.cell(exampleCell())
	const want = `### 100 B each way, 1 in flight

| contender | p50 | p99 | calls/s | added p50 | ÷ copy (min–max) | CPU s/1,000 | RSS idle → loaded | own data |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| direct | 30 µs | 30 µs | 1000 |  |  |  |  |  |
| copy | 80 µs | 80 µs | 1000 | 50 µs | 1.00 (1.00–1.00) | 31.2500 | 8.0 MiB → 9.0 MiB | 1.0 MiB → 2.0 MiB |
| proxy | 100 µs | 100 µs | 1000 | 70 µs | 1.40 (1.25–2.00) | 31.2500 | 8.0 MiB → 9.0 MiB | 1.0 MiB → 2.0 MiB |
| absent | NOT MEASURED: a line is not a message of this benchmark |

`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if r.err != nil {
		t.Errorf("an absent peer is no failure of ours: %v", r.err)
	}
}

func TestOursMustBeMeasured(t *testing.T) {
	c := exampleCell()
	c.entries[3].name = "recourse"
	r := report{out: new(strings.Builder)}
	if r.cell(c); r.err == nil {
		t.Error("recourse was not measured, and the run passes")
	}
}
