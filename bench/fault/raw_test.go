//go:build faults

package fault

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/bench/fault/table"
)

// A raw client reads lines, and judges each of them.
type raw struct {
	row   table.Row
	in    chan []byte // to the server; closed: no more
	ended chan struct{}

	mu      sync.Mutex
	pending map[string]*waiting // by the literal of the id
	answers [][]byte            // to what a bad client has sent
	more    chan struct{}       // one of those has come
	wrong   []string
}

type waiting struct {
	begun time.Time
	ended chan outcome
}

func rawClient(s session) (h heard) {
	p, err := s.start()
	if err != nil {
		h.Hello.Failed = err.Error()
		return h
	}
	c := &raw{row: s.row, in: make(chan []byte, 1000), ended: make(chan struct{}), pending: map[string]*waiting{}, more: make(chan struct{}, 1000)}
	go func() {
		for b := range c.in {
			p.in.Write(b) // a process that has ended hears nothing
		}
	}()
	go c.listen(bufio.NewReader(p.out))
	c.session(s, &h)
	if !p.end() {
		c.complainf("the process did not end within 5 s after its input")
	}
	<-c.ended
	close(c.in)
	if said := p.stderr.String(); !strings.Contains(said, s.row.Told) {
		c.complainf("standard error has nothing of %q: %s", s.row.Told, short(said))
	} else if strings.Contains(said, "UNFIT") || strings.Contains(said, "recourse/cmd/recourse/") { // a stack
		c.complainf("standard error: %s", short(said))
	}
	for id := range c.pending {
		c.complainf("request %s has no answer", id)
	}
	h.wrong = c.wrong
	return h
}

func (c *raw) session(s session, h *heard) {
	version := cmp.Or(c.row.Protocol, "2025-06-18")
	h.Hello = c.ask("1", "initialize", fmt.Appendf(nil, `{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"raw","version":"1"}}`, version)).wait(s.wait)
	if h.Hello.Result == nil {
		return
	}
	c.in <- []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	h.List = c.ask(`"list"`, "tools/list", nil).wait(s.wait)
	if s.row.On == "echoed" {
		h.Before = c.ask(`"before"`, "tools/call", echoArgs("before")).wait(s.wait)
	}
	if s.row.Client != nil {
		c.misbehave(s.wait)
	} else {
		var all []*waiting
		for i, a := range s.row.All() {
			method, params := a.Request()
			all = append(all, c.ask(fmt.Sprint(10+i), method, params))
		}
		for _, w := range all {
			h.Asks = append(h.Asks, w.wait(s.wait))
		}
	}
	for ; ; h.Tries++ {
		h.Next = c.ask(fmt.Sprintf(`"next %d"`, h.Tries), "tools/call", echoArgs("next")).wait(s.wait)
		if good(h.Next, "next") || h.Tries >= s.row.Tries {
			return
		}
		<-time.After(h.Next.pause())
	}
}

// ask sends a request.
func (c *raw) ask(id, method string, params json.RawMessage) *waiting {
	w := &waiting{ended: make(chan outcome, 1)}
	c.mu.Lock()
	c.pending[id] = w
	c.mu.Unlock()
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%q`, id, method)
	if params != nil {
		line = append(append(line, `,"params":`...), params...)
	}
	w.begun = time.Now()
	c.in <- append(line, "}\n"...)
	return w
}

func (w *waiting) wait(most time.Duration) outcome {
	var o outcome
	select {
	case o = <-w.ended:
	case <-time.After(time.Until(w.begun.Add(most))):
		o.Failed = "no answer"
		o.Ms = most.Seconds() * 1000
	}
	return o
}

// misbehave sends what the row has, and waits until as much has come as must.
func (c *raw) misbehave(wait time.Duration) {
	deadline := time.After(wait)
	for _, step := range c.row.Client {
		switch text := (table.Text{}); {
		case step.Say != "":
			c.in <- append(text.Expand(step.Say), '\n')
		case step.Put != "":
			c.in <- text.Expand(step.Put)
		case step.Drip != "":
			for _, b := range text.Expand(step.Drip) {
				c.in <- []byte{b}
				<-time.After(time.Millisecond)
			}
		case step.Pause != "":
			d, _ := time.ParseDuration(step.Pause)
			<-time.After(d)
		}
	}
	for range c.row.Hear {
		select {
		case <-c.more:
		case <-deadline:
			return
		}
	}
}

func (c *raw) complainf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// listen reads until the end. What a bad client must hear is compared then.
func (c *raw) listen(in *bufio.Reader) {
	defer close(c.ended)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if len(line) > 0 {
				c.complainf("the last line has no end: %s", short(string(line)))
			}
			break
		}
		if wrong := fault(line, c.row.Protocol == "2025-03-26"); wrong != "" {
			c.complainf("%s: %s", wrong, short(string(line)))
			continue
		}
		c.take(line)
	}
	if c.row.Client == nil {
		return
	}
	left := c.answers
	for _, want := range c.row.Hear {
		i := slices.IndexFunc(left, func(line []byte) bool { return like(want, line) })
		if i < 0 {
			c.complainf("nothing came that is like %s", want)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, line := range left {
		c.complainf("this came as well: %s", short(string(line)))
	}
}

// take sees to one line, of which fault has found nothing.
func (c *raw) take(line []byte) {
	now := time.Now()
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Logger string }
		Result json.RawMessage
		Error  *rpcError
	}
	json.Unmarshal(line, &m) // an array, or params that are one, leave it empty
	var w *waiting
	if m.Method == "" {
		c.mu.Lock()
		w = c.pending[string(m.ID)]
		delete(c.pending, string(m.ID))
		c.mu.Unlock()
	}
	switch {
	case m.Method != "" && !slices.Contains(c.row.Also, m.Method):
		c.complainf("nobody wants this: %s", short(string(line)))
	case m.Method != "" && m.ID != nil:
		c.in <- append(table.Answer(string(m.ID), "result", []byte("{}")), '\n')
	case m.Method != "":
	case w != nil:
		w.ended <- outcome{Result: m.Result, Error: m.Error, Ms: now.Sub(w.begun).Seconds() * 1000, bytes: true}
	case c.row.Client != nil:
		c.answers = append(c.answers, line)
		c.more <- struct{}{}
	default:
		c.complainf("nobody has asked for this: %s", short(string(line)))
	}
}
