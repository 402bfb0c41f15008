//go:build faults && linux

package pressure

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
)

// A message is what the client reads of a line.
type message struct {
	JSONRPC string
	ID      json.RawMessage
	Method  string
	Result  *result
	Error   *failure
}

type result struct {
	Content []struct{ Text string }
	IsError bool
}

type failure struct {
	Code    int
	Message string
	Data    json.RawMessage
}

// An envelope is an error of recourse.
type envelope struct {
	Error struct {
		Code       string
		Suggestion string
		Outcome    string
		Retryable  bool
	}
}

// maxTold bounds what one scene says of its faults.
const maxTold = 5

// faultf fails the test, but lets it go on.
func (c *client) faultf(format string, args ...any) {
	c.t.Helper()
	if c.faults++; c.faults <= maxTold {
		c.t.Errorf(format, args...)
	}
}

// take takes a line from recourse.
func (c *client) take(line []byte) {
	if c.flood != "" {
		c.scratch = appendFlood(c.scratch[:0], c.flood, c.floods, nil)
		if bytes.Equal(line, c.scratch) {
			c.floods++
			return
		}
	}
	if c.exact(line) {
		return
	}
	if line[0] == '[' {
		var all []json.RawMessage
		if err := json.Unmarshal(line, &all); err != nil {
			c.faultf("%v: %.300s", err, line)
		}
		c.arrays++
		for _, one := range all {
			if one = append(one, '\n'); !c.exact(one) {
				c.decode(one)
			}
		}
		return
	}
	c.decode(line)
}

// exact takes a line if it is just what the server must have answered.
func (c *client) exact(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(idFirst))
	if !ok {
		return false
	}
	id, _, _ := bytes.Cut(rest[:min(len(rest), 24)], []byte(","))
	n, err := strconv.Atoi(string(id))
	if err != nil || n < 0 || n >= len(c.calls) {
		return false
	}
	k := c.calls[n]
	switch {
	case k.tool == "nested" || k.nest > 0: // too deep for encoding/json
		if k.nest > 0 {
			c.scratch = appendAnswer(c.scratch[:0], id, n, 0)
		} else {
			c.scratch = appendNested(c.scratch[:0], id, k.order.Count)
		}
	case k.size < 0:
		return false
	default:
		c.scratch = appendAnswer(c.scratch[:0], id, n, k.size)
	}
	if !bytes.Equal(line, c.scratch) {
		return false
	}
	c.end(k, data)
	return true
}

// decode takes any other line.
func (c *client) decode(line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
		c.faultf("no message: %v: %.300s", err, line)
		return
	}
	if m.Method != "" {
		c.others[m.Method]++
		if m.Method == "ping" {
			c.replies.WriteString(idFirst + string(m.ID) + ",\"result\":{}}\n")
		}
		return
	}
	if string(m.ID) == "null" {
		c.nulls++
		c.null = string(line[:min(len(line), 300)])
		return
	}
	n, err := strconv.Atoi(string(m.ID))
	if err != nil || n < 0 || n >= len(c.calls) {
		c.faultf("an answer to nothing: %.300s", line)
		return
	}
	k := c.calls[n]
	ending, fault := k.judge(m, c.scene.restarts)
	if fault != "" {
		c.faultf("call %d (%s): %s: %.300s", n, k.tool, fault, line)
	}
	c.end(k, ending)
}

// judge returns the ending that an answer makes, and what is wrong with it. Only
// where a client is told of a restart may a good one have more than the server's.
func (k *call) judge(m message, restarts bool) (ending, fault string) {
	var e envelope
	switch {
	case m.Error != nil && json.Unmarshal(m.Error.Data, &e) != nil:
		return "rpc " + strconv.Itoa(m.Error.Code), ""
	case m.Error != nil:
	case m.Result == nil || len(m.Result.Content) == 0:
		return wrong, "neither content nor an error"
	case m.Result.IsError:
		if json.Unmarshal([]byte(m.Result.Content[0].Text), &e) != nil {
			return wrong, "an error without an envelope"
		}
	default:
		k.text = m.Result.Content[0].Text
		if k.size < 0 || restarts && k.text == string(appendFill([]byte(strconv.Itoa(k.n)+": "), k.n, k.size)) {
			return data, ""
		}
		return wrong, "not what the server answered"
	}
	ending = e.Error.Code
	if e.Error.Outcome != "" {
		ending += " " + e.Error.Outcome
	}
	switch {
	case e.Error.Code == "" || e.Error.Suggestion == "":
		fault = "an error with no code or suggestion"
	case e.Error.Outcome == "unknown" && e.Error.Retryable:
		fault = "it may have run and is called retryable"
	}
	return ending, fault
}

// end closes the books on a call.
func (c *client) end(k *call, ending string) {
	if k.ending != open {
		c.faultf("call %d (%s) was answered again: %s after %s", k.n, k.tool, ending, k.ending)
		ending = twice
	}
	if ending == data {
		c.order = append(c.order, k.n)
	}
	k.ending = ending
	k.ended = time.Now()
}
