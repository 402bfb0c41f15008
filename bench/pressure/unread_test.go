//go:build faults && linux

package pressure

import "time"

// A client that does not read: recourse keeps 32 MiB of answers, then the server
// waits, and the clocks of its calls stand still.

var unreadScenes = []scene{
	{name: "client reads nothing, 4 KiB", limit: 5 * time.Second, waits: true, kept: frontRoom + maxAnswer, line: maxAnswer, run: unread(10_000, 4<<10)},
	{name: "client reads nothing, 1 MiB", limit: 5 * time.Second, waits: true, kept: frontRoom + maxAnswer, line: maxAnswer, run: unread(48, mib)},
	{name: "client reads nothing, 9 MiB", limit: 5 * time.Second, waits: true, kept: frontRoom + maxAnswer, line: maxAnswer, run: unread(5, 9*mib)},
	{name: "client reads 1 KiB a second", limit: 5 * time.Second, waits: true, kept: frontRoom + maxAnswer, line: maxAnswer, run: trickle},
	{name: "client writes all before it reads", kept: 2*frontRoom + queued, line: mib, logs: 300 * mib, run: writeFirst},
}

const throttled = "the client does not read its answers"

func unread(count int, size int64) func(*client) {
	return func(c *client) {
		calls := c.plan(count, "text", order{Size: size})
		done := c.pour(calls)
		c.operator.await(c.t, throttled)
		c.hold(c.scene.limit + time.Second) // longer than any call may take
		c.answered(calls)
		c.poured(done)
		c.want(calls, map[string]int{data: count})
		c.inOrder()
		c.one("text", order{})
	}
}

func trickle(c *client) {
	calls := c.plan(4000, "text", order{Size: 10 << 10})
	done := c.pour(calls)
	c.operator.await(c.t, throttled)
	c.pace.until = time.Now().Add(c.scene.limit + time.Second)
	c.answered(calls)
	c.poured(done)
	c.want(calls, map[string]int{data: len(calls)})
	c.inOrder()
}

// writeFirst is a client with one thread, to whom the answers are as large as
// its requests: without a queue between them both sides wait for ever.
func writeFirst(c *client) {
	calls := c.planLarge(160, "echo", order{}, large)
	c.poured(c.pour(calls))
	c.answered(calls)
	c.inOrder()
	found := endings(calls)
	if found[data]+found["RESOURCE_BUSY"] != len(calls) || found[data] < backRoom/mib {
		c.t.Errorf("%v", found)
	}
	c.one("text", order{})
}
