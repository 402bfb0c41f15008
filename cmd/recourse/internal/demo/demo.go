// Package demo shows what recourse does: a bad server, the same calls made
// directly and through recourse, and what the client saw.
//
// Nothing is staged: the servers, and the recourse before them, are processes
// of their own, started from the running binary. A [Case] is one entry in
// [Cases], with the server's conduct and the facts that must hold.
package demo

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A Demo runs cases and shows them on a screen, or as JSON.
type Demo struct {
	Self  string // the path of recourse's binary
	Cases []Case
	Out   io.Writer
	Width int  // of Out, in characters
	Color bool // Out shows colours
	Live  bool // Out is a terminal, whose last line may be rewritten
	JSON  bool // for machines
}

// A Result is how a case went.
type Result struct {
	Case            *Case
	Direct, Through Sight
}

// Run runs cases side by side and shows them in order. Its error says
// which facts did not hold.
func (d *Demo) Run(ctx context.Context) error {
	start := time.Now()
	s := &screen{w: d.Out, width: min(d.Width, widest), color: d.Color}
	if d.JSON {
		s.w = io.Discard
	}
	s.head()
	results, err := d.follow(ctx, s, start)
	if err != nil {
		return err
	}
	took := time.Since(start)
	s.summary(results, took)
	if d.JSON {
		if err := writeJSON(d.Out, results, took); err != nil {
			return err
		}
	}
	return verdict(results)
}

// follow shows each result as soon as those before it are shown, and meanwhile
// how time goes by.
func (d *Demo) follow(ctx context.Context, s *screen, start time.Time) (results []Result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var running []<-chan outcome
	places := make(chan struct{}, atOnce)
	for i := range d.Cases {
		running = append(running, d.start(ctx, &d.Cases[i], places))
	}
	defer func() { // no process outlives us
		cancel()
		for _, ch := range running {
			<-ch
		}
	}()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for i := range d.Cases {
		for len(results) == i {
			select {
			case o := <-running[i]:
				if d.Live {
					s.clear()
				}
				if o.err != nil {
					return nil, fmt.Errorf("%s: %w", d.Cases[i].Name, o.err)
				}
				results = append(results, o.Result)
				s.result(i, len(d.Cases), o.Result)
			case <-tick.C:
				if d.Live {
					s.progress(d.Cases[i:], time.Since(start))
				}
			}
		}
	}
	return results, nil
}

type outcome struct {
	Result
	err error
}

// atOnce is how many cases run at the same time. Each has up to five processes, and
// a small machine that starts all of them at once is late with everything.
const atOnce = 8

// start plays a case on both ways as soon as there is a place for it. The channel is
// closed after the outcome.
func (d *Demo) start(ctx context.Context, c *Case, places chan struct{}) <-chan outcome {
	direct := []string{d.Self, "demo", "--serve", c.Name}
	through := append([]string{d.Self, "run", "--quiet", "--no-log", "--name", "shop", "--timeout", limit.String(), "--"}, direct...)
	ch := make(chan outcome, 1)
	go func() {
		defer close(ch)
		places <- struct{}{}
		defer func() { <-places }()
		o := outcome{Result: Result{Case: c}}
		var err1, err2 error
		var both sync.WaitGroup
		both.Go(func() { o.Direct, err1 = play(ctx, c, direct) })
		both.Go(func() { o.Through, err2 = play(ctx, c, through) })
		both.Wait()
		o.err = cmp.Or(err1, err2)
		ch <- o
	}()
	return ch
}

// A check is a fact and whether it held.
type check struct {
	Fact string `json:"fact"`
	OK   bool   `json:"ok"`
}

// checks holds the case's expectations against what the client saw. The first
// is how the call had to end.
func (r Result) checks() []check {
	var all []check
	for _, f := range append([]fact{ends(r.Case.code)}, r.Case.facts()...) {
		all = append(all, check{f.says, f.holds(r)})
	}
	return all
}

// verdict returns an error that names what did not hold.
func verdict(results []Result) error {
	var missing []string
	for _, r := range results {
		for _, c := range r.checks() {
			if !c.OK {
				missing = append(missing, r.Case.Name+": "+c.Fact)
			}
		}
	}
	if missing == nil {
		return nil
	}
	return fmt.Errorf("this should have held, and did not: %s", strings.Join(missing, "; "))
}
