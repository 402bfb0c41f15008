//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A report prints results as they come.
type report struct {
	plan
	out io.Writer
	err error // what of ours could not be measured
}

func (r *report) opening(field []contender) {
	fmt.Fprintf(r.out, "%s, %d CPUs used, Linux %s, %s, load average %s; %d rounds of %s\n\n",
		processor(), runtime.NumCPU(), word("/proc/sys/kernel/osrelease"), runtime.Version(), word("/proc/loadavg"), r.rounds, r.slice)
	rows := [][]string{{"contender", "what it is"}}
	for _, c := range field {
		if c.broken != nil {
			rows = append(rows, []string{c.name, c.what + ": NOT MEASURED: " + c.broken.Error()})
			continue
		}
		rows = append(rows, []string{c.name, c.what})
	}
	r.table(rows)
	if !r.peers {
		fmt.Fprintf(r.out, "Other proxies: NOT MEASURED in a quick run.\n\n")
	}
}

func (r *report) cell(c cell) {
	r.heading(fmt.Sprintf("%s each way, %d in flight", sizeText(c.size), c.conc))
	rows := [][]string{{"contender", "p50", "p99", "calls/s", "added p50", "÷ copy (min–max)", "CPU s/1,000", "RSS idle → loaded", "own data"}}
	for i, e := range c.entries {
		if e.err != nil {
			rows = append(rows, r.failed(i, e.contender, e.err))
			continue
		}
		f := c.figures(e)
		row := []string{e.name, micros(f.p50), micros(f.p99), fmt.Sprintf("%.0f", f.rate), "", "", "", "", ""}
		if i != direct {
			row = append(row[:4], micros(f.added), f.ratio.String(), fmt.Sprintf("%.4f", f.cpu),
				mebi(e.idle.resident)+" → "+mebi(e.loaded.resident), mebi(e.idle.anonymous)+" → "+mebi(e.loaded.anonymous))
		}
		rows = append(rows, row)
	}
	r.table(rows)
}

func (r *report) startups(all []start) {
	r.heading("Start-up, launch to the answer of initialize")
	rows := [][]string{{"contender", "median", "added", "min–max", "starts"}}
	for i, s := range all {
		if s.err != nil {
			rows = append(rows, r.failed(i, s.contender, s.err))
			continue
		}
		var added []time.Duration
		for round, t := range s.times {
			if base := all[direct].times; round < len(base) {
				added = append(added, t-base[round])
			}
		}
		rows = append(rows, []string{s.name, micros(median(s.times)), micros(median(added)), micros(slices.Min(s.times)) + "–" + micros(slices.Max(s.times)), fmt.Sprint(len(s.times))})
	}
	r.table(rows)
}

// failed is the row of a contender without figures. Ours must have them.
func (r *report) failed(i int, c contender, err error) []string {
	if i <= floor || strings.HasPrefix(c.name, "recourse") {
		r.err = errors.Join(r.err, fmt.Errorf("%s: %w", c.name, err))
	}
	why := strings.ReplaceAll(err.Error(), "\n", " ")
	if c.broken != nil {
		why = "see above"
	}
	return []string{c.name, "NOT MEASURED: " + why}
}

func (r *report) heading(s string) {
	if r.markdown {
		s = "### " + s
	}
	fmt.Fprintf(r.out, "%s\n\n", s)
}

// table prints rows, of which the first is the header; a last cell may reach
// over the columns that its row lacks.
func (r *report) table(rows [][]string) {
	if r.markdown {
		for i, row := range rows {
			fmt.Fprintf(r.out, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(r.out, "|%s\n", strings.Repeat(" --- |", len(row)))
			}
		}
	} else {
		w := tabwriter.NewWriter(r.out, 0, 0, 3, ' ', 0)
		for _, row := range rows {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
		w.Flush()
	}
	fmt.Fprintln(r.out)
}

func (s spread) String() string {
	if s == (spread{}) {
		return "noise"
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", s.mid, s.low, s.high)
}

func micros(d time.Duration) string {
	if d.Abs() < 10*time.Millisecond {
		return fmt.Sprintf("%d µs", d.Microseconds())
	}
	return fmt.Sprintf("%.1f ms", d.Seconds()*1000)
}

func mebi(n int) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	_, rest, _ := bytes.Cut(info, []byte("model name\t: "))
	name, _, _ := strings.Cut(string(rest), "\n")
	return name
}

// word returns the first word of a file.
func word(name string) string {
	b, _ := os.ReadFile(name)
	first, _, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	return first
}
