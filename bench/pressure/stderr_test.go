//go:build faults && linux

package pressure

import (
	"fmt"
	"slices"
	"time"
)

// A server that writes 100 MB a second to its standard error. Its calls go on,
// whatever becomes of ours.

var stderrScenes = func() (all []scene) {
	for _, kind := range []string{"lines", "one line", "binary"} {
		for _, how := range []string{"", "unread", "closed"} {
			name := "100 MB a second of stderr, " + kind
			if how != "" {
				name += ", ours " + how
			}
			all = append(all, scene{name: name, stderr: how, kept: mib, run: loud(kind, loudRate)})
		}
	}
	return append(all, scene{name: "20 MB a second of noise", kept: mib, logs: 2000 << 10, run: loud("noise", noiseRate)})
}()

// The collapse that is looked for is one of seconds. On a busy machine the copy
// alone takes some of the time, and who runs next is chance.
const (
	loudRate   = 100_000_000 // bytes a second
	noiseRate  = 20_000_000  // 330,000 lines
	mostRatio  = 20
	slow       = 100 * time.Millisecond
	leastShare = 20 // one of so many bytes has to get through
)

func loud(kind string, rate int64) func(*client) {
	return func(c *client) {
		length := time.Duration(scaled(int64(3 * time.Second)))
		quiet := c.median(length / 2)
		c.one("scream", order{Kind: kind, Size: rate})
		loud := c.median(length)
		var s screamed
		c.tell("hush", &s)
		if kind == "noise" {
			c.dropped = int(s.Bytes) / len(screamLine)
		} else {
			c.screamed = s.Bytes
		}
		ratio := float64(loud) / float64(quiet)
		got := float64(s.Bytes) / s.Seconds
		c.note = fmt.Sprintf("p50 %s, quiet %s: %.1f×; %.0f MB/s", loud.Round(time.Microsecond), quiet.Round(time.Microsecond), ratio, got/1e6)
		if ratio > mostRatio && loud > slow || got < float64(rate)/leastShare {
			c.t.Error(c.note)
		}
	}
}

// median returns that of the latencies of calls, one after the other.
func (c *client) median(length time.Duration) time.Duration {
	c.t.Helper()
	var all []time.Duration
	for end := time.Now().Add(length); time.Now().Before(end); {
		k := c.one("text", order{Size: 100})
		all = append(all, k.ended.Sub(k.asked))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
