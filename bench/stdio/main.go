//go:build linux

// Stdio compares ways to reach an MCP server over stdin and stdout: directly,
// through a process that only copies bytes, through recourse, and through
// other proxies from the package registries. All of them take turns in one
// run, so that a noisy machine disturbs them alike.
//
//	go run ./bench/stdio            # everything, on all CPUs
//	go run ./bench/stdio -cpu 1     # driver, proxies and servers share one CPU
//	go run ./bench/stdio -quick     # under a minute, without other proxies
//
// CPU time and memory are those of the proxy process alone, not of the driver
// or the server behind it.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "stdio:", err)
		os.Exit(1)
	}
}

// run is the driver, or one of the two small programs that it starts.
func run(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "echo":
			return echo(pollable(0), pollable(1))
		case "copy":
			return hop(args[1:])
		}
	}
	p, err := parse(args)
	if err != nil {
		return err
	}
	if err := confine(p.cpus); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "recourse-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	field, err := enter(p, dir)
	if err != nil {
		return err
	}
	r := report{plan: p, out: os.Stdout}
	r.opening(field)
	for _, size := range p.sizes {
		for _, conc := range p.concs {
			c := measure(p, field, size, conc)
			r.cell(c)
			if err := cmp.Or(c.entries[direct].err, c.entries[floor].err); err != nil {
				return fmt.Errorf("nothing to compare with: %w", err)
			}
		}
	}
	if p.starts > 0 {
		r.startups(starts(p, field))
	}
	return r.err
}

// A plan is what the flags ask for.
type plan struct {
	sizes, concs []int
	rounds       int           // turns of each contender in each cell
	slice        time.Duration // length of one turn
	starts       int           // start-ups of each contender
	only         []string      // names of contenders beside direct and copy; empty means all
	cpus         int           // CPUs for all processes together; 0 means all there are
	recourse     string        // the binary; empty means build it
	before       string        // another one, to compare with; empty means none
	peers        bool
	markdown     bool
}

func parse(args []string) (plan, error) {
	p := plan{peers: true}
	fs := flag.NewFlagSet("stdio", flag.ExitOnError)
	sizes := fs.String("sizes", "100,10KiB,1MiB", "lengths of the text that each call sends and gets back")
	concs := fs.String("conc", "1,16,64", "calls in flight")
	only := fs.String("only", "", "contenders to run beside direct and copy, such as recourse,mcpmon (default all)")
	fs.IntVar(&p.rounds, "rounds", 7, "turns of each contender in each cell")
	fs.DurationVar(&p.slice, "slice", 400*time.Millisecond, "length of one turn")
	fs.IntVar(&p.starts, "starts", 20, "start-ups of each contender; those slower than 500 ms get 5")
	fs.IntVar(&p.cpus, "cpu", 0, "CPUs that all processes share (default all)")
	fs.StringVar(&p.recourse, "recourse", "", "recourse binary (default: build it)")
	fs.StringVar(&p.before, "before", "", "another recourse binary, such as one of an older commit, to take turns with it")
	fs.BoolVar(&p.markdown, "md", false, "print Markdown")
	quick := fs.Bool("quick", false, "3 rounds of 150 ms and no other proxies: under a minute")
	fs.Parse(args)
	if *quick {
		p.rounds, p.slice, p.peers = 3, 150*time.Millisecond, false
	}
	if *only != "" {
		p.only = strings.Split(*only, ",")
	}
	var err error
	if p.sizes, err = parseSizes(*sizes); err != nil {
		return p, err
	}
	p.concs, err = parseSizes(*concs)
	return p, err
}

// parseSizes reads numbers such as 100, 10KiB and 1MiB.
func parseSizes(list string) ([]int, error) {
	var sizes []int
	for s := range strings.SplitSeq(list, ",") {
		digits, unit := strings.TrimSuffix(s, "KiB"), 1<<10
		if digits == s {
			digits, unit = strings.TrimSuffix(s, "MiB"), 1<<20
		}
		if digits == s {
			unit = 1
		}
		n, err := strconv.Atoi(strings.TrimSpace(digits))
		if err != nil || n < 1 || n*unit > maxLine/2 {
			return nil, fmt.Errorf("%q is not a number from 1 to %d, with KiB or MiB or without", s, maxLine/2)
		}
		sizes = append(sizes, n*unit)
	}
	return sizes, nil
}

// sizeText is the reverse of parseSizes for one number.
func sizeText(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
