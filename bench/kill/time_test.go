//go:build linux

package kill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/bench/kill/tree"
)

// BenchmarkAnswer measures the time from the kill of a server to the answer of a
// call in flight.
func BenchmarkAnswer(b *testing.B) {
	for _, sh := range shapes {
		b.Run(sh.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				s := begin(b, sh)
				c := s.ask("hold", "")
				s.atWork(c)
				took = append(took, s.untilAnswer(b, c))
				s.hangUp()
			}
			report(b, "", took)
		})
	}
}

// BenchmarkNext measures the time from the kill of a server, with nothing in
// flight, to the answer of the next call; and beside it that from the start of
// such a server to its first answer, with the same handshake. Each kill is the
// first of its session: before a second start recourse waits, since servers that
// die again and again are not to be started all the time.
func BenchmarkNext(b *testing.B) {
	for _, sh := range shapes {
		b.Run(sh.name, func(b *testing.B) {
			var own, next, over []time.Duration
			for b.Loop() {
				s := begin(b, sh)
				o, n := s.ownStart(b, sh), s.untilAnswer(b, nil)
				own, next, over = append(own, o), append(next, n), append(over, n-o)
				s.hangUp()
			}
			report(b, "", next)
			report(b, "own-", own)
			report(b, "over-", over)
		})
	}
}

// begin opens a session with a server whose tools take no time.
func begin(b *testing.B, sh shape) *session {
	b.Helper()
	dir := b.TempDir()
	s := &session{
		name: "0.1", dir: dir, soak: &soak{t: b, shapes: map[string]tally{}},
		tree: tree.Tree{Mark: fmt.Sprintf("%d/%s", os.Getpid(), b.Name()+"/"+filepath.Base(dir)), Recourse: recourse},
	}
	if err := s.open(s.through(sh.command(os.Args[0], "server", s.ledger(), "quick"))); err != nil {
		b.Fatalf("%v; %s", err, s.stderr())
	}
	s.good(b)
	return s
}

// hangUp ends a session in which nothing runs.
func (s *session) hangUp() {
	s.in.Close()
	<-s.over
	s.cmd.Wait()
	s.sweep()
}

// good makes a call that must return data.
func (s *session) good(b *testing.B) {
	b.Helper()
	if c := s.ask("get", ""); !s.wait(c) || c.ending != data {
		b.Fatalf("a call ended as %q; %s", c.ending, s.stderr())
	}
}

// atWork waits until the server has begun a call.
func (s *session) atWork(c *call) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for ; ; <-tick.C {
		if ran, err := s.ran(); err != nil || ran[s.argument(c.n)] > 0 {
			return
		}
	}
}

// untilAnswer kills the server and returns the time to the answer of c, or of a
// call made then.
func (s *session) untilAnswer(b *testing.B, c *call) time.Duration {
	b.Helper()
	s.mu.Lock()
	server := s.server
	s.mu.Unlock()
	want := unknown
	start := time.Now()
	if !s.tree.Kill(server) {
		b.Fatal("the server could not be killed")
	}
	if c == nil {
		c, want = s.ask("get", ""), data
	}
	if !s.wait(c) || c.ending != want {
		b.Fatalf("%s ended as %q, want %q; %s", c.tool, c.ending, want, s.stderr())
	}
	return c.ended.Sub(start)
}

// ownStart returns the time in which a server starts and answers when nothing is
// before it.
func (s *session) ownStart(b *testing.B, sh shape) time.Duration {
	b.Helper()
	own := &session{name: "0.2", dir: filepath.Join(s.dir, "own"), soak: s.soak, tree: s.tree}
	own.tree.Mark += " own"
	start := time.Now()
	if err := own.open(sh.command(os.Args[0], "server", own.ledger(), "quick")); err != nil {
		b.Fatal(err)
	}
	own.good(b)
	took := time.Since(start)
	own.in.Close()
	own.sweep()
	<-own.over
	own.cmd.Wait()
	return took
}

func report(b *testing.B, what string, took []time.Duration) {
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), what+"median-ms")
	b.ReportMetric(ms(took[len(took)-1]), what+"max-ms")
	b.ReportMetric(0, "ns/op")
}
