package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	patience = 3 * time.Second         // of the client with a call; 60 s in the TypeScript SDK
	courtesy = 20 * time.Second        // of the client with everything else, on a busy machine
	limit    = 1500 * time.Millisecond // of recourse, its --timeout; 50 s if nobody sets it
	farewell = 3 * time.Second         // a process that is still there so long after the end of its input is killed

	// A frozen server has a limit's time to answer a ping, and is replaced after
	// that. It has been when this time has passed.
	thought = limit + 500*time.Millisecond

	// The pauses between the starts of a server that dies are random. After this
	// time no call waits for its turn longer than the limit.
	settled = 2500 * time.Millisecond
)

// A client is a small MCP client: lines of JSON to and from a process, and the
// patience of the big ones.
type client struct {
	in    io.WriteCloser
	lines <-chan []byte // closed when the process can say no more
	id    int
	asked time.Time
	late  []time.Time // of answers to what nobody waits for
}

// play starts the command, makes the case's call and tells what it saw. When it
// returns, the process is gone.
func play(ctx context.Context, c *Case, command []string) (Sight, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = farewell
	dir, err := os.MkdirTemp("", "recourse-demo-")
	if err != nil {
		return Sight{}, err
	}
	defer os.RemoveAll(dir)
	cmd.Dir = dir
	// A demonstration of nothing, otherwise.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "RECOURSE_BYPASS=") })
	in, err := cmd.StdinPipe()
	if err != nil {
		return Sight{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Sight{}, err
	}
	if err := cmd.Start(); err != nil {
		return Sight{}, err
	}
	lines := make(chan []byte)
	go read(out, lines)
	s := (&client{in: in, lines: lines}).play(ctx, c)
	s.parse()
	in.Close()
	grace := farewell
	if s.Next != nil && !s.Open {
		grace = 0 // it has shown twice that it is frozen, or has ended
	}
	kill := time.AfterFunc(grace, func() { _ = cmd.Process.Kill() })
	for range lines {
	}
	_ = cmd.Wait()
	kill.Stop()
	return s, ctx.Err()
}

// read passes lines on, until there are no more.
func read(out io.Reader, lines chan<- []byte) {
	defer close(lines)
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		lines <- line
	}
}

func (c *client) play(ctx context.Context, k *Case) (s Sight) {
	start := time.Now()
	_, open := c.ask(ctx, courtesy, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"demo","version":"1"}}`)
	s.Ready = time.Since(start)
	if !open {
		s.Closed = true
		return s
	}
	c.tell("notifications/initialized", `{}`)
	c.ask(ctx, courtesy, "tools/list", `{}`)

	s.call(ctx, c, patience, k.tool, k.args)
	called := c.asked
	left := patience
	seen := &s
	for next := k.next; next != nil; next = next.next {
		if seen.Answer == nil {
			left /= 2
		}
		wait(ctx, next.pause)
		seen.Next = new(Sight)
		seen = seen.Next
		seen.call(ctx, c, left, next.tool, next.args)
	}
	if seen != &s && seen.Answer == nil {
		return s
	}
	// Whatever the server still says to the call, it says before its pong.
	// While it is at work it may not even answer that.
	for tries := 0; tries < 3 && !s.Open; tries++ {
		var pong message
		line, open := c.ask(ctx, courtesy, "ping", `{}`)
		if !open || json.Unmarshal(line, &pong) != nil {
			break
		}
		s.Open = pong.Error == nil
	}
	for _, at := range c.late {
		s.Late = append(s.Late, at.Sub(called))
	}
	return s
}

// call makes one call of a tool.
func (s *Sight) call(ctx context.Context, c *client, patience time.Duration, tool, args string) {
	line, open := c.ask(ctx, patience, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
	s.Answer, s.Closed, s.Took = line, !open, time.Since(c.asked)
	if line == nil && open {
		c.tell("notifications/cancelled", fmt.Sprintf(`{"requestId":%d,"reason":"timed out"}`, c.id))
	}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// ask sends a request and waits for its answer: nil if the client loses
// patience, and not open if the connection ends.
func (c *client) ask(ctx context.Context, patience time.Duration, method, params string) (line []byte, open bool) {
	c.id++
	c.asked = time.Now()
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", c.id, method, params); err != nil {
		return nil, false
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case line, open = <-c.lines:
			if !open {
				return nil, false
			}
		case <-timer.C:
			return nil, true
		case <-ctx.Done():
			return nil, true
		}
		var m message
		switch err := json.Unmarshal(line, &m); {
		case err != nil || m.Method != "":
		case string(m.ID) == fmt.Sprint(c.id):
			return line, true
		default:
			c.late = append(c.late, time.Now())
		}
	}
}

// tell sends a notification. That nobody reads it shows at the next request.
func (c *client) tell(method, params string) {
	fmt.Fprintf(c.in, `{"jsonrpc":"2.0","method":%q,"params":%s}`+"\n", method, params)
}
