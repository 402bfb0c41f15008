package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
)

const (
	helloRequest = idFirst + `"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{}},"clientInfo":{"name":"million","version":"1.0.0"}}}` + "\n"
	helloResult  = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"logging":{}},"serverInfo":{"name":"mirror","version":"1.0.0"}}`
	helloDone    = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	listResult   = `{"tools":[{"name":"mirror","description":"Returns what it is given, and more.","inputSchema":{"type":"object"}}]}`
)

// held is how many answers the child keeps back at most, to send them in
// another order than that of the requests.
const held = 32

// A child is the server. It compares what it gets too: a request that is not
// as the client wrote it is answered with the difference.
type child struct {
	seed    uint64
	corpus  *corpus
	rng     *rand.Rand
	out     *bufio.Writer
	ready   [][]byte          // answers kept back
	waiting map[string]errand // calls that wait for the client, by the id of its request
	asked   int
	line    []byte // scratch
}

// An errand is a call that waits for the client's answer.
type errand struct {
	call
	answer []byte
}

func serve(seed uint64, in io.Reader, out io.Writer) error {
	c := &child{seed: seed, corpus: newCorpus(seed), rng: rand.New(rand.NewPCG(seed, 1)), out: bufio.NewWriterSize(out, 64<<10), waiting: map[string]errand{}}
	r := bufio.NewReaderSize(in, 4*longest)
	for {
		line, err := r.ReadSlice('\n')
		if err == io.EOF {
			return c.release()
		}
		if err != nil {
			return err
		}
		if err := c.receive(line); err != nil {
			return err
		}
		if r.Buffered() == 0 || len(c.ready) >= held {
			if err := c.release(); err != nil {
				return err
			}
		}
	}
}

// release sends what was kept back, shuffled.
func (c *child) release() error {
	c.rng.Shuffle(len(c.ready), func(i, j int) { c.ready[i], c.ready[j] = c.ready[j], c.ready[i] })
	for _, answer := range c.ready {
		c.out.Write(answer)
	}
	c.ready = c.ready[:0]
	return c.out.Flush()
}

func (c *child) receive(line []byte) error {
	head, rest, _ := bytes.Cut(line, []byte(`"params"`))
	params, tail, isCall := bytes.Cut(rest, []byte(paramsEnd))
	if !isCall {
		return c.other(line)
	}
	var n int
	_, number, _ := bytes.Cut(params, []byte(`"n":`))
	if _, err := fmt.Sscan(string(number[:min(len(number), 20)]), &n); err != nil {
		return fmt.Errorf("%.200q has no number: %w", line, err)
	}
	k := c.corpus.call(c.seed, n)
	k.id = cmp.Or(idIn(head), idIn(tail))
	c.line = k.request(c.line[:0], c.corpus)
	if err := compare("the request of call "+fmt.Sprint(n), line, c.line); err != nil {
		return json.NewEncoder(c.out).Encode(map[string]any{"id": json.RawMessage(k.id), "error": err.Error()})
	}
	for i := range k.notices {
		c.out.Write(k.notice(nil, i))
	}
	answer := k.answer(make([]byte, 0, len(line)+k.tail.to-k.tail.from), c.corpus)
	if k.asks {
		c.ask(k, answer)
	} else {
		c.ready = append(c.ready, answer)
	}
	return nil
}

// ask makes a request of its own to the client, on which the answer waits.
func (c *child) ask(k call, answer []byte) {
	c.asked++
	id := fmt.Sprint(c.asked)
	if c.asked%2 == 0 {
		id = `"ask-` + id + `"`
	}
	c.waiting[id] = errand{k, answer}
	fmt.Fprintf(c.out, "%s%s%s\n", idFirst, id, k.question())
}

// other handles everything that is not one of the calls.
func (c *child) other(line []byte) error {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("%.200q: %w", line, err)
	}
	switch {
	case m.Method == "initialize":
		fmt.Fprintf(c.out, "%s%s,\"result\":%s}\n", idFirst, m.ID, helloResult)
	case m.Method == "tools/list":
		fmt.Fprintf(c.out, "%s%s,\"result\":%s}\n", idFirst, m.ID, listResult)
	case m.Method == "ping":
		fmt.Fprintf(c.out, "%s%s,\"result\":{}}\n", idFirst, m.ID)
	case m.Method != "" && m.ID != nil:
		fmt.Fprintf(c.out, "%s%s,\"error\":{\"code\":-32601,\"message\":\"unknown\"}}\n", idFirst, m.ID)
	case m.Method == "":
		return c.replied(string(m.ID), line)
	}
	return nil
}

func (c *child) replied(id string, line []byte) error {
	e, ok := c.waiting[id]
	if want := idFirst + id + e.reply() + "\n"; !ok || string(line) != want {
		return fmt.Errorf("the client's answer to %s is %q, want %q", id, line, want)
	}
	delete(c.waiting, id)
	c.ready = append(c.ready, e.answer)
	return nil
}
