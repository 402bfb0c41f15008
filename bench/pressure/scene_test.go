//go:build faults && linux

package pressure

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

// A scene is one recourse run under one kind of pressure.
type scene struct {
	name     string
	limit    time.Duration // of recourse run's --timeout; if zero, nearly all of patience
	waits    bool          // mostly; it may run beside another
	version  string        // of the protocol; empty: 2025-06-18
	stderr   string        // what becomes of ours: read, if empty; "unread", or "closed"
	kept     int64         // bytes that recourse has to keep at once
	line     int64         // the longest line that it has to read
	logs     int64         // bytes that the call log may have; if zero, 1 KiB for each call and 64 KiB
	early    int           // notifications that come before the answer to initialize
	restarts bool          // the server is started again
	run      func(*client)
}

// The sizes that recourse run promises, in bytes.
const (
	frontRoom  = 32 * mib // answers that wait for the client
	backRoom   = 64 * mib // requests that wait for the server
	maxAnswer  = 10 * mib
	maxRequest = 64 * mib
	maxCalls   = 16384 // requests in flight
	maxAsked   = 4096  // the same of the server's
)

func TestPressure(t *testing.T) {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "scene\tpeak MiB\tbound\tthreads\ttime\tCPU\tstderr\tlog KiB\tcalls\t\t\n")
	scenes := slices.Concat(unreadScenes, deafScenes, stderrScenes, floodScenes, crowdScenes, sizeScenes)
	rows := make([]string, len(scenes))
	slow := slowness(t)
	t.Logf("this machine is %.1f times as slow as one should be", slow)
	patience = time.Duration(slow * float64(patience))
	t.Run("scene", func(t *testing.T) {
		for i, s := range scenes {
			t.Run(s.name, func(t *testing.T) {
				if s.waits {
					t.Parallel()
				}
				s.limit = time.Duration(slow * float64(s.limit))
				c := start(t, s)
				s.run(c)
				rows[i] = c.leave()
			})
		}
	})
	for _, row := range rows {
		if row != "" {
			fmt.Fprintln(w, row)
		}
	}
	w.Flush()
	t.Logf("-scale %g, which is the share of lines, and of answers of 2 GiB and the like\n%s", *scale, &table)
}

// slowness is how much longer than 1.5 s it takes to send 48 MiB there and back, of
// which two free CPUs need half. Scenes with a short limit wait for that much more.
func slowness(t *testing.T) float64 {
	c := start(t, scene{name: "measure"})
	calls := c.planLarge(48, "echo", order{}, large)
	begun := time.Now()
	c.ask(calls)
	took := time.Since(begun)
	c.in.Close()
	c.exited()
	return min(max(1, took.Seconds()/1.5), 5)
}

// leave ends the session, holds it to what is promised in all scenes, and
// returns the scene's line of the table.
func (c *client) leave() string {
	c.t.Helper()
	took := time.Since(c.begun)
	c.usage.end()
	c.in.Close()
	c.out.SetReadDeadline(time.Now().Add(patience))
	for {
		line, err := c.next()
		if err != nil {
			break
		}
		c.take(line)
	}
	c.exited()
	if rest, _ := c.tree.Gone(2 * time.Second); rest != "" {
		c.t.Errorf("2s after the end of recourse there is %s", rest)
	}
	if c.faults > maxTold {
		c.t.Errorf("and %d more faults", c.faults-maxTold)
	}
	for _, k := range c.calls {
		if k.cancelled != (k.ending == open) {
			c.t.Errorf("call %d (%s) has ended as %q; cancelled: %v", k.n, k.tool, k.ending, k.cancelled)
			break
		}
	}
	if limit := c.scene.bound(); c.usage.peak > limit {
		c.t.Errorf("recourse had %d MiB in RAM, more than the %d that keeping %d and lines of %d may cost", c.usage.peak/mib, limit/mib, c.scene.kept/mib, c.scene.line/mib)
	}
	if c.usage.threads > maxThreads {
		c.t.Errorf("recourse had %d threads", c.usage.threads)
	}
	said := c.heardByOperator()
	j := c.logged()
	if told := j.counted["late"] + j.counted["noise"]; told < c.dropped && !strings.Contains(said, strconv.Itoa(c.dropped)) {
		c.t.Errorf("of %d lines that were dropped, the log counts %d; the operator hears: %.500s", c.dropped, told, said)
	}
	if !c.t.Failed() {
		os.RemoveAll(c.dir)
	}
	found := endings(c.calls)
	var ends []string
	for _, ending := range slices.Sorted(maps.Keys(found)) {
		name := ending
		if ending == open {
			name = "cancelled"
		}
		ends = append(ends, fmt.Sprintf("%d %s", found[ending], name))
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%.1fs\t%.1fs\t%d\t%d\t%s\t%s\t", c.scene.name, c.usage.peak/mib, c.scene.bound()/mib,
		c.usage.threads, took.Seconds(), c.usage.cpu.Seconds(), len(said), j.bytes>>10, strings.Join(ends, ", "), c.note)
}

var unlogged = regexp.MustCompile(`(\d+) calls are not in the log`)

func (c *client) exited() {
	c.t.Helper()
	late := time.AfterFunc(patience, func() { c.cmd.Process.Kill() })
	defer late.Stop()
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("recourse ended with %v; it says: %s", err, c.operator.text())
	}
}

// heardByOperator returns what recourse itself has told the operator.
// All that the server wrote has to be shown, or counted.
func (c *client) heardByOperator() string {
	c.t.Helper()
	if c.scene.stderr != "" {
		return ""
	}
	said, shown, counted := c.operator.account()
	if len(said) > maxSaid {
		c.t.Errorf("recourse has told the operator %d bytes: %.500s", len(said), said)
	}
	if written := c.screamed; shown+counted != written {
		c.t.Errorf("the server wrote %d bytes to its stderr; %d were shown and %d counted, which is %d less", written, shown, counted, written-shown-counted)
	}
	return said
}

// logged holds the log to one record for each call, or to counting those that
// it lost.
func (c *client) logged() journal {
	c.t.Helper()
	j, err := readJournal(filepath.Join(c.dir, "log"))
	if err != nil {
		c.t.Error(err)
	}
	n, lost, said := j.records["call"], j.counted["drop"], c.operator.text()
	if m := unlogged.FindStringSubmatch(said); m != nil { // at the end, when no line could count them
		more, _ := strconv.Atoi(m[1])
		lost += more
	}
	if strings.Contains(said, "the call log is not written yet") {
		lost = len(c.calls) // a slow disk, or machine
	}
	if entered := len(c.calls) - endings(c.calls)["rpc -32600"]; n > entered || n+lost < entered {
		c.t.Errorf("the log tells of %d calls and has lost %d records; there were %d calls", n, lost, entered)
	}
	most := c.scene.logs
	if most == 0 {
		most = int64(len(c.calls))<<10 + 64<<10
	}
	if j.bytes > most {
		c.t.Errorf("the log has %d KiB, more than %d: %v", j.bytes>>10, most>>10, j.records)
	}
	return j
}
