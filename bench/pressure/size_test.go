//go:build faults && linux

package pressure

import (
	"bytes"
	"strings"
)

// Lines that are too long are read to their end, but not kept.

var sizeScenes = []scene{
	{name: "answer of 2 GiB, id first", line: maxAnswer, run: huge("first")},
	{name: "answer of 2 GiB, id last", line: maxAnswer, run: huge("last")},
	{name: "answers of 10 MiB, one byte more and less", kept: maxAnswer, line: maxAnswer, run: largest},
	{name: "1 GiB in one line of text", line: maxAnswer, run: endless(1<<30, 0, "text")},
	{name: "1 GiB in one notification", line: maxAnswer, run: endless(1<<30, 0, "message")},
	{name: "9 MiB lines of open braces", kept: 2 * maxAnswer, line: maxAnswer, run: endless(9*mib, 30, "braces")},
	{name: "9 MiB lines of broken answers", kept: 2 * maxAnswer, line: maxAnswer, run: endless(9*mib, 30, "answers")},
	{name: "64 KiB lines of broken answers", kept: mib, run: endless(64<<10, 1000, "answers")},
	{name: "1 GiB in one line of the client", line: maxRequest, run: endlessClient},
	{name: "request of 64 MiB and one byte more", kept: maxRequest, line: maxRequest, run: oversize},
	{name: "answer nested 1,000,000 deep", line: 2 * mib, run: nestedAnswer},
	{name: "request nested 1,000,000 deep", line: 2 * mib, logs: 4 * mib, run: nestedRequest},
}

const tooLarge = "PAYLOAD_TOO_LARGE completed" // the tool has run

func huge(id string) func(*client) {
	return func(c *client) {
		calls := c.plan(1, "huge", order{Size: scaled(2 << 30), Kind: id})
		c.ask(calls)
		c.want(calls, map[string]int{tooLarge: 1})
		c.one("text", order{})
	}
}

// largest tries the edge of the cap: the line as the server writes it counts,
// without its end.
func largest(c *client) {
	frame := int64(len(appendAnswer(nil, []byte("9"), 0, 0)) - 1)
	for _, more := range []int64{-1, 0, 1} {
		calls := c.plan(1, "text", order{Size: maxAnswer - frame + more})
		c.ask(calls)
		want := data
		if more > 0 {
			want = tooLarge
		}
		c.want(calls, map[string]int{want: 1})
	}
}

// endless has the server write so many lines of a size; with a count of 0 it is
// one, and the size is that of the full load.
func endless(size int64, lines int64, kind string) func(*client) {
	return func(c *client) {
		size, count := size, 1
		if lines > 0 {
			count = int(scaled(lines))
		} else {
			size = scaled(size)
		}
		c.dropped = count
		c.one("endless", order{Size: size, Count: count, Kind: kind})
		if len(c.others) > 0 {
			c.t.Errorf("the client was told: %v", c.others)
		}
		c.one("text", order{})
	}
}

func endlessClient(c *client) {
	text := strings.Repeat(phrases, int(scaled(1<<30))/len(phrases)+1)
	calls := c.plan(1, "text", order{})
	done := c.pour(nil, text, "\n", string(calls[0].appendTo(nil)))
	c.answered(calls)
	c.poured(done)
	c.want(calls, map[string]int{data: 1})
	if c.nulls != 1 || !strings.Contains(c.null, "-32700") {
		c.t.Errorf("want one parse error, got %d: %s", c.nulls, c.null)
	}
}

func oversize(c *client) {
	for _, more := range []int64{0, 1} {
		calls := c.planLarge(1, "text", order{}, maxRequest)
		over := int64(len(bytes.TrimSuffix(calls[0].appendTo(nil), []byte("\n")))) - maxRequest
		calls[0].weight -= over - more
		c.ask(calls)
		want := data
		if more > 0 {
			want = "PAYLOAD_TOO_LARGE"
		}
		c.want(calls, map[string]int{want: 1})
	}
	c.one("text", order{})
}

// Some clients end the session over what is nested more than 10,000 deep, and so
// do some servers; what is nested less than 1,000 deep is nobody's concern.
const (
	shallow = 900
	deep    = 1_000_000
)

func nestedAnswer(c *client) {
	c.one("nested", order{Count: shallow})
	calls := c.plan(1, "nested", order{Count: deep})
	c.ask(calls)
	if ending := calls[0].ending; !strings.HasPrefix(ending, "BAD_UPSTREAM_RESPONSE") {
		c.t.Errorf("%q", ending)
	}
	c.one("text", order{})
}

func nestedRequest(c *client) {
	for depth, want := range map[int]string{shallow: data, deep: "rpc -32600"} {
		calls := c.plan(1, "text", order{})
		calls[0].nest = depth
		c.ask(calls)
		c.want(calls, map[string]int{want: 1})
	}
	c.one("text", order{})
}
