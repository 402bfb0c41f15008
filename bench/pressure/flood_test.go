//go:build faults && linux

package pressure

import (
	"fmt"
	"strconv"
	"strings"
)

// A million lines that nobody has asked for. What is the client's comes in
// order and whole; what is not is dropped, and counted in the log or to the
// operator, in a few words.

var floodScenes = []scene{
	{name: "flood of notifications", kept: frontRoom, run: flood("notifications", passed)},
	{name: "flood of progress", kept: frontRoom, run: flood("progress of a running call", passed)},
	{name: "flood of log messages", kept: frontRoom, run: flood("log messages", passed)},
	{name: "flood of progress of no call", kept: mib, logs: quiet, run: flood("progress of no call", counted)},
	{name: "flood of noise", kept: mib, logs: quiet, run: flood("noise", counted)},
	{name: "flood of JSON that never ends", line: maxAnswer, logs: quiet, run: flood("JSON that never ends", joined)},
	{name: "flood of open braces", kept: mib, logs: quiet, run: flood("open braces", counted)},
	{name: "flood of late answers", kept: mib, logs: quiet + 1000<<10, run: late},
	{name: "flood of answers to nothing", kept: mib, logs: quiet, run: flood("answers to nothing", counted)},
	{name: "flood of echoed requests", kept: mib, logs: quiet, run: flood("echoes of a request", counted)},
	{name: "flood of pings", kept: maxAsked<<10 + 2*backRoom, run: pings},
	{name: "flood before the handshake", early: 50_000, kept: 2 * mib, run: early},
	{name: "flood of broken lines of the client", kept: 2 * frontRoom, run: broken},
	{name: "flood of questions, unanswered", kept: maxAsked<<10 + backRoom, run: questions},
}

// quiet is what the log may need for things that nobody has asked for.
const quiet = 1 * mib

// A fate is what becomes of a flood.
type fate int

const (
	passed  fate = iota
	counted      // and dropped
	joined       // counted in pieces of many lines
)

func flood(kind string, what fate) func(*client) {
	return func(c *client) {
		n := int(scaled(1_000_000))
		calls := c.plan(1, "flood", order{Kind: kind, Count: n})
		calls[0].token = liveToken
		want := 0
		switch what {
		case passed:
			want, c.flood = n, kind
		case counted:
			c.dropped = n
		case joined:
			c.dropped = 1
		}
		c.ask(calls)
		c.want(calls, map[string]int{data: 1})
		if c.floods != want || len(c.others) > 0 {
			c.t.Errorf("%d of %d lines came to the client in order, and %v", c.floods, want, c.others)
		}
		c.flood = ""
		c.one("text", order{})
	}
}

// late has the server answer calls that were cancelled, again and again.
func late(c *client) {
	calls := c.plan(1000, "keep", order{})
	c.poured(c.pour(calls, c.cancels(calls)))
	c.one("text", order{}) // with which all of that has been read
	flood("answers to ended calls", counted)(c)
}

// cancels returns the lines that cancel calls.
func (c *client) cancels(calls []*call) string {
	var lines strings.Builder
	for _, k := range calls {
		k.cancelled = true
		fmt.Fprintf(&lines, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", k.n)
	}
	return lines.String()
}

// pings are all answered by the client; those that are too many at once, by
// recourse. What the server has no room for, since it writes first and reads
// later, is counted.
func pings(c *client) {
	n := int(scaled(1_000_000))
	c.one("flood", order{Kind: "pings", Count: n})
	c.room() // behind the answers
	var r report
	c.tell("report", &r)
	c.dropped = n - r.Answered
	if came := c.others["ping"]; came < min(n, maxAsked) || came+r.Refused > n || r.Answered > n {
		c.t.Errorf("of %d pings, %d came to the client; %d were answered, %d of them with an error", n, came, r.Answered, r.Refused)
	}
}

// questions stay open at a client that is in no hurry. The server is told when
// they are too many.
func questions(c *client) {
	n := int(scaled(1_000_000))
	c.one("flood", order{Kind: "questions that nobody answers", Count: n})
	c.room() // behind the refusals
	var r report
	c.tell("report", &r)
	came := c.others["sampling/createMessage"]
	c.dropped = n - came - r.Refused
	if came != maxAsked || c.dropped < 0 {
		c.t.Errorf("of %d questions, %d came to the client and %d were refused", n, came, r.Refused)
	}
}

// early notifications wait for the answer to initialize; there is room for 1 MiB
// of them.
func early(c *client) {
	c.flood = "notifications"
	c.one("text", order{})
	said := c.operator.text()
	if c.floods < mib/100 || c.floods > mib/50 || !strings.Contains(said, strconv.Itoa(c.scene.early-c.floods)+" messages") {
		c.t.Errorf("%d of %d notifications came; recourse says: %s", c.floods, c.scene.early, said)
	}
}

func broken(c *client) {
	n := int(scaled(1_000_000))
	done := c.pour(nil, strings.Repeat("GET / HTTP/1.1\n", n))
	c.hear(func() bool { return c.nulls == n }, func() string { return fmt.Sprintf("%d errors", n) })
	c.poured(done)
	if !strings.Contains(c.null, "-32700") {
		c.t.Errorf("a line that is no JSON was answered with %s", c.null)
	}
	c.one("text", order{})
}
