//go:build linux

package main

import (
	"fmt"
	"os"
	"time"
)

// A cell holds what all contenders did at one size and concurrency.
type cell struct {
	size, conc int
	entries    []*entry // in the order of the field
}

// An entry is one contender's part of a cell.
type entry struct {
	contender
	err          error // why there are no figures
	idle, loaded memory
	turns        []turn // one a round
	client       *client
	complaints   *os.File // its standard error
}

// measure lets the contenders take turns for the plan's rounds, each with a
// process of its own that lives through all of them.
func measure(p plan, field []contender, size, conc int) cell {
	c := cell{size: size, conc: conc}
	for _, f := range field {
		e := &entry{contender: f, err: f.broken}
		c.entries = append(c.entries, e)
		e.try(e.open)
		e.try(func() error { _, err := e.client.load(size, conc, p.slice/4); return err })
	}
	for range p.rounds {
		for _, e := range c.entries {
			e.try(func() error {
				t, err := e.client.load(size, conc, p.slice)
				e.turns = append(e.turns, t)
				return err
			})
		}
	}
	for _, e := range c.entries {
		e.try(func() (err error) { e.loaded, err = memoryOf(e.client.cmd.Process.Pid); return err })
		if e.client != nil {
			e.client.close()
		}
		if e.complaints != nil {
			e.complaints.Close()
			os.Remove(e.complaints.Name())
		}
	}
	return c
}

// try runs one step unless an earlier one failed; a failure is kept with what
// the process said about it.
func (e *entry) try(step func() error) {
	if e.err != nil {
		return
	}
	if e.err = step(); e.err == nil || e.complaints == nil {
		return
	}
	if said, _ := os.ReadFile(e.complaints.Name()); len(said) > 0 {
		e.err = fmt.Errorf("%w (it said: …%s)", e.err, firstLines(said[max(0, len(said)-160):]))
	}
}

func (e *entry) open() (err error) {
	if e.complaints, err = os.CreateTemp("", "recourse-bench-stderr-"); err != nil {
		return err
	}
	if e.client, _, err = dial(e.argv, e.complaints); err != nil {
		return err
	}
	if err = e.client.list(); err != nil {
		return err
	}
	e.idle, err = memoryOf(e.client.cmd.Process.Pid)
	return err
}

// A start is how long one contender took from its launch to its answer to
// initialize, once a round.
type start struct {
	contender
	err   error
	times []time.Duration
}

// A contender slower than this has its start-up measured slowTimes only.
const (
	slow      = 500 * time.Millisecond
	slowTimes = 5
)

func starts(p plan, field []contender) []start {
	all := make([]start, len(field))
	for i, f := range field {
		all[i] = start{contender: f, err: f.broken}
	}
	for round := range p.starts {
		for i := range all {
			s := &all[i]
			if s.err != nil || round >= slowTimes && median(s.times) > slow {
				continue
			}
			c, took, err := dial(s.argv, nil)
			if s.err = err; err == nil {
				s.times = append(s.times, took)
				c.close()
			}
		}
	}
	return all
}
