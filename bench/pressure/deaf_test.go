//go:build faults && linux

package pressure

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A server that does not read: 64 MiB of requests wait for it, the others are
// refused at once, and what has waited too long was not sent.

// There may be a copy of each request, to send it again after a restart.
const queued = 2*backRoom + 2*mib

// large is as much text as a call can have of which recourse keeps a copy.
const large = mib - 1<<10

var deafScenes = []scene{
	{name: "server reads nothing, then again", limit: 3 * time.Second, waits: true, kept: queued, line: mib, logs: 300 * mib, run: deaf},
	{name: "server reads nothing and hangs", limit: 3 * time.Second, waits: true, kept: queued, line: mib, logs: 300 * mib, restarts: true, run: hung},
	{name: "neither reads", limit: 5 * time.Second, waits: true, kept: queued + frontRoom, line: mib, logs: 300 * mib, run: neither},
	{name: "1 MiB both ways", kept: queued + frontRoom, line: mib, logs: 2000 * mib, run: duplex},
	{name: "notifications to a server that reads nothing", limit: 2 * time.Second, waits: true, kept: 2*backRoom + mib, line: mib, run: noticed},
	{name: "notifications to a server that hangs", limit: 3 * time.Second, waits: true, kept: 2*backRoom + mib, line: mib, restarts: true, run: unnoticed},
	{name: "10,000 queued calls are cancelled", kept: queued, line: mib, logs: 300 * mib, run: retract},
	{name: "10,000 queued calls time out", limit: 3 * time.Second, kept: queued, line: mib, logs: 300 * mib, run: outdated},
}

func deaf(c *client) {
	path, open := c.gate()
	c.one("deaf", order{Gate: path, Kind: "alive"})
	calls := c.planLarge(100, "echo", order{}, large)
	c.ask(calls)
	judgeQueued(c, calls)
	open()
	c.one("text", order{}) // for which it reads what it was sent before
}

// judgeQueued judges calls of 1 MiB that a deaf server has left alone.
func judgeQueued(c *client, calls []*call) {
	c.t.Helper()
	limit, found := c.scene.limit, endings(calls)
	waited := found["TIMEOUT"] + found["TIMEOUT unknown"]
	switch {
	case waited+found["RESOURCE_BUSY"] != len(calls):
		c.t.Errorf("%v", found)
	case waited < backRoom/mib || waited > backRoom/mib+2:
		c.t.Errorf("%d calls of 1 MiB have waited: %v", waited, found)
	case found["TIMEOUT unknown"] != 1:
		c.t.Errorf("only the call that was half sent may have run: %v", found)
	}
	for _, k := range calls {
		took := k.ended.Sub(k.asked)
		if busy := k.ending == "RESOURCE_BUSY"; busy && took > limit/2 || !busy && (took < limit-100*time.Millisecond || took > 2*limit+time.Second) {
			c.faultf("call %d: %s after %s", k.n, k.ending, took)
		}
	}
}

// hung is found out when the limit has passed twice, and replaced.
func hung(c *client) {
	path, _ := c.gate()
	c.one("deaf", order{Gate: path})
	calls := c.planLarge(100, "echo", order{}, large)
	c.ask(calls)
	if found := endings(calls); found["TIMEOUT"]+found["TIMEOUT unknown"]+found["RESOURCE_BUSY"] != len(calls) || found["TIMEOUT unknown"] > few {
		c.t.Errorf("%v", found)
	}
	c.operator.await(c.t, "hung")
	after := c.plan(1, "text", order{})
	c.ask(after)
	c.want(after, map[string]int{data: 1})
}

// neither has the server wait for the client, so that it does not read either.
// Nothing is lost to the time that passes.
func neither(c *client) {
	answers := c.plan(45, "text", order{Size: mib})
	queued := c.planLarge(80, "echo", order{}, large)
	done := c.pour(append(answers, queued...))
	c.operator.await(c.t, throttled)
	c.poured(done)
	c.hold(c.scene.limit + time.Second)
	c.answered(c.calls)
	c.want(answers, map[string]int{data: len(answers)})
	c.inOrder()
	found := endings(queued)
	if found[data]+found["RESOURCE_BUSY"] != len(queued) || found[data] < backRoom/mib {
		c.t.Errorf("%v", found)
	}
	c.one("text", order{})
}

func duplex(c *client) {
	for range scaled(40) {
		calls := c.planLarge(48, "echo", order{}, large)
		c.ask(calls)
		c.want(calls, map[string]int{data: len(calls)})
	}
	c.inOrder()
}

// notices returns lines that nobody may refuse, more than recourse keeps.
func notices() (lines string, n int) {
	line := `{"jsonrpc":"2.0","method":"notifications/pressure","params":{"text":"` + phrases[:60<<10] + "\"}}\n"
	n = (2*backRoom + 40*mib) / len(line)
	return strings.Repeat(line, n), n
}

// noticed is a client that has to wait then, until the server reads again.
func noticed(c *client) {
	path, open := c.gate()
	c.one("deaf", order{Gate: path, Kind: "alive"})
	lines, n := notices()
	done := c.pour(nil, lines)
	c.hold(c.scene.limit)
	open()
	c.poured(done)
	c.room()
	var r report
	c.tell("report", &r)
	if r.Notices != n {
		c.t.Errorf("the server got %d of %d notifications", r.Notices, n)
	}
}

// room makes calls until one is not refused any more.
func (c *client) room() {
	c.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.Now().Add(patience); ; <-tick.C {
		calls := c.plan(1, "text", order{})
		c.ask(calls)
		if calls[0].ending != "RESOURCE_BUSY" || time.Now().After(late) {
			c.want(calls, map[string]int{data: 1})
			return
		}
	}
}

// unnoticed is one that has to wait until the server has been replaced.
func unnoticed(c *client) {
	path, _ := c.gate()
	c.one("deaf", order{Gate: path})
	calls := c.plan(1, "text", order{})
	lines, n := notices()
	done := c.pour(calls, lines)
	c.answered(calls)
	if found := endings(calls); found["TIMEOUT"]+found["TIMEOUT unknown"] != 1 {
		c.t.Errorf("%v", found)
	}
	c.poured(done)
	c.operator.await(c.t, "hung")
	c.room()
	var r report
	c.tell("report", &r)
	told := 0
	for _, m := range lostNotices.FindAllStringSubmatch(c.operator.text(), -1) {
		lost, _ := strconv.Atoi(m[1])
		told += lost
	}
	if r.Notices+told < n-inPipe || r.Notices+told > n+few {
		c.t.Errorf("of %d notifications, the server that came after got %d, and %d are said to be lost; recourse says: %s", n, r.Notices, told, c.operator.text())
	}
}

var lostNotices = regexp.MustCompile(`(\d+) notifications? of the client`)

// inPipe is how many of them the server before may have had in its input.
const inPipe = 2

// crowded is a deaf server and 10,000 calls that wait for it.
func crowded(c *client) (calls []*call, open func()) {
	path, open := c.gate()
	c.one("deaf", order{Gate: path, Kind: "alive"})
	return c.planLarge(10_000, "echo", order{}, 6<<10), open
}

func retract(c *client) {
	calls, open := crowded(c)
	done := c.pour(calls, c.cancels(calls), "?\n")
	c.hear(func() bool { return c.nulls > 0 }, func() string { return "the answer to what is no message" })
	c.poured(done)
	open()
	c.one("text", order{})
}

func outdated(c *client) {
	calls, open := crowded(c)
	c.ask(calls)
	found := endings(calls)
	if found["TIMEOUT"]+found["TIMEOUT unknown"] != len(calls) || found["TIMEOUT unknown"] > 20 {
		c.t.Errorf("%v", found)
	}
	var longest time.Duration
	for _, k := range calls {
		longest = max(longest, k.ended.Sub(k.asked))
	}
	if longest > c.scene.limit+10*time.Second {
		c.t.Errorf("a call with a limit of %s was answered after %s", c.scene.limit, longest)
	}
	open()
	c.one("text", order{})
}
