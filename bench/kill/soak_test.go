//go:build linux

package kill

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	length  = flag.Duration("for", time.Minute, "how long to kill")
	clients = flag.Int("clients", 16, "sessions at a time")
	every   = flag.Duration("every", 3*time.Second, "mean time between kills in one session")
	seed    = flag.Uint64("seed", 1, "of what is killed when, and of what is called")
)

const (
	inFlight = 4 // calls of one session
	share    = 95
	maxTold  = 20 // faults that are told one by one
)

// A soak is one run of the test.
type soak struct {
	t     testing.TB
	begun time.Time

	mu       sync.Mutex
	faults   int
	between  tally            // calls during which nothing was killed
	during   tally            // the others
	shapes   map[string]tally // of between
	killed   map[string]int
	told     int // answers that say more than the server's
	pays     int
	repeated int // other calls that ran twice

	orphans time.Duration // the longest that any lived after a kill of recourse
}

// A tally counts calls by how they ended.
type tally struct {
	all     int
	endings map[string]int
	longest time.Duration
}

func (t *tally) add(ending string, took time.Duration) {
	if t.endings == nil {
		t.endings = map[string]int{}
	}
	t.all++
	t.endings[ending]++
	t.longest = max(t.longest, took)
}

func (t *tally) share() float64 {
	if t.all == 0 {
		return 0
	}
	return 100 * float64(t.endings[data]) / float64(t.all)
}

func (t *tally) String() string {
	var said []string
	for _, ending := range slices.Sorted(maps.Keys(t.endings)) {
		said = append(said, fmt.Sprintf("%d %s", t.endings[ending], ending))
	}
	return fmt.Sprintf("%d (%s; longest %s)", t.all, strings.Join(said, ", "), t.longest.Round(time.Millisecond))
}

// faultf fails the test, but lets it go on.
func (k *soak) faultf(s *session, format string, args ...any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.faults++; k.faults <= maxTold {
		k.t.Errorf("session %s: "+format, append([]any{s.name}, args...)...)
	}
}

// count notes how a call has ended.
func (k *soak) count(m message, shape string, struck bool, c *call) {
	k.mu.Lock()
	defer k.mu.Unlock()
	ending := c.ending
	if ending != data {
		ending += " " + m.code()
	}
	if m.told() {
		k.told++
	}
	if struck {
		k.during.add(ending, c.ended.Sub(c.began))
	} else {
		k.between.add(ending, c.ended.Sub(c.began))
		one := k.shapes[shape]
		one.add(ending, c.ended.Sub(c.began))
		k.shapes[shape] = one
	}
}

// ledger notes what a server has run.
func (k *soak) ledger(s *session, ran map[string]int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for n, c := range s.calls {
		switch times := ran[s.argument(n)]; {
		case c.tool == "pay":
			k.pays += times
		case times > 1:
			k.repeated++
		}
	}
}

func (k *soak) kill(what string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.killed[what]++
}

// orphaned notes how long something outlived recourse.
func (k *soak) orphaned(took time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.orphans = max(k.orphans, took)
}

func (k *soak) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return fmt.Sprintf("%4.0f s: killed %v; calls with nothing killed meanwhile: %s, %.2f%% good; others: %s; %d told of a restart; %d faults",
		time.Since(k.begun).Seconds(), k.killed, &k.between, k.between.share(), &k.during, k.told, k.faults)
}

func TestSessionsOutliveTheirServers(t *testing.T) {
	k := &soak{t: t, begun: time.Now(), killed: map[string]int{}, shapes: map[string]tally{}}
	t.Logf("%s, %d clients, a kill each %s, -seed %d", *length, *clients, *every, *seed)
	var all sync.WaitGroup
	for n := range *clients {
		c := &client{n: n, soak: k, shape: shapes[n%len(shapes)]}
		all.Go(c.run)
	}
	ended := make(chan struct{})
	go func() { all.Wait(); close(ended) }()
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for done := false; !done; {
		select {
		case <-tick.C:
			t.Log(k)
		case <-ended:
			done = true
		}
	}
	t.Log(k)
	t.Logf("%d payments were made; %d other calls ran twice; recourse was outlived by %s at most",
		k.pays, k.repeated, k.orphans.Round(time.Millisecond))
	for _, sh := range shapes {
		if one := k.shapes[sh.name]; one.all > 0 {
			t.Logf("%s: %s with nothing killed meanwhile, %.2f%% good", sh.name, &one, one.share())
		}
	}
	if k.killed["the child"] == 0 || k.killed["a descendant"] == 0 {
		t.Errorf("only %v was killed", k.killed)
	}
	if k.between.share() < share {
		t.Errorf("%.2f%% of the calls between kills succeeded, want %d%%", k.between.share(), share)
	}
	if t.Failed() {
		t.Logf("%d faults; the logs are in %s", k.faults, scratch)
	}
}
