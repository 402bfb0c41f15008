//go:build faults && linux

package pressure

import (
	"bytes"
	"slices"
)

// Many calls at once: 16,384 may run, of which recourse itself needs a few.

const few = 4

const release = `{"jsonrpc":"2.0","method":"notifications/release"}` + "\n"

var crowdScenes = []scene{
	{name: "10,000 calls at once", kept: 10_000 << 10, run: crowd(10_000)},
	{name: "20,000 calls at once", kept: 20_000 << 10, run: crowd(20_000)},
	{name: "10,000 calls are cancelled", kept: 10_000 << 10, run: cancel},
	{name: "batch of 10,000 calls, 2025-03-26", version: "2025-03-26", kept: 20_000 << 10, run: batch(10_000, 1)},
	{name: "batch of 20,000 calls, 2025-03-26", version: "2025-03-26", kept: 40_000 << 10, run: batch(20_000, 1)},
	{name: "batch of 10,000 calls, 2025-06-18", kept: 20_000 << 10, run: batch(10_000, 0)},
	{name: "large calls run for long", kept: backRoom + 48*mib, line: mib, logs: 4000 * mib, run: heavy},
}

// crowd has the server answer all in one go, the last one first.
func crowd(n int) func(*client) {
	return func(c *client) {
		calls := c.plan(n, "keep", order{})
		c.ask(calls, release)
		found := endings(calls)
		if found[data]+found["RESOURCE_BUSY"] != n || found[data] < min(n, maxCalls-few) || found[data] > maxCalls {
			c.t.Errorf("%v", found)
		}
		slices.Reverse(c.order)
		c.inOrder()
		c.order = nil
		c.one("text", order{})
	}
}

// cancel has the server answer all that it has heard of, though it has heard too
// that nobody wants that any more.
func cancel(c *client) {
	calls := c.plan(10_000, "keep", order{})
	done := c.pour(calls, c.cancels(calls))
	c.poured(done)
	var r report
	c.tell("report", &r)
	if r.Cancelled != r.Kept {
		c.t.Errorf("the server was told of %d calls and of %d that they were cancelled", r.Kept, r.Cancelled)
	}
	c.dropped = r.Kept
	c.write(release)
	c.one("text", order{})
}

func batch(n, arrays int) func(*client) {
	return func(c *client) {
		calls := c.plan(n, "text", order{})
		line := []byte("[")
		for i, k := range calls {
			if i > 0 {
				line = append(line, ',')
			}
			line = bytes.TrimSuffix(k.appendTo(line), []byte("\n"))
		}
		done := c.pour(nil, string(line)+"]\n")
		c.answered(calls)
		c.poured(done)
		found := endings(calls)
		if found[data]+found["RESOURCE_BUSY"] != n || found[data] < min(n, maxCalls-few) {
			c.t.Errorf("%v", found)
		}
		if c.arrays != arrays {
			c.t.Errorf("%d arrays of answers came, want %d", c.arrays, arrays)
		}
		c.one("text", order{})
	}
}

// heavy has calls with large arguments run for long. Copies of them are kept in
// case the server dies, but not without limit.
func heavy(c *client) {
	rounds := max(256, scaled(2000))
	var all []*call
	for range rounds / 32 {
		calls := c.planLarge(32, "keep", order{}, 1000<<10)
		c.poured(c.pour(calls))
		all = append(all, calls...)
		c.one("text", order{}) // with which all of that has been read
	}
	c.ask(nil, release)
	c.answered(all)
	c.want(all, map[string]int{data: len(all)})
}
