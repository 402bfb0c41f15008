package relay

import (
	"bytes"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A batch collects the answers to requests that came as one array. Only revision
// 2025-03-26 has them; whoever sends one under another gets each answer by itself.
type batch struct {
	open int // requests that have not ended, and one while the array is read
	buf  []byte
}

const batchRevision = "2025-03-26"

// askAll takes an array of messages from the client. The server gets them one by
// one: most have never heard of arrays, and some end over one.
func (r *Relay) askAll(f *wire.Frame, now time.Time) {
	if r.client.protocol == batchRevision {
		r.batch = &batch{open: 1}
	}
	empty := true
	for at := range wire.Elements(f.Bytes) {
		empty = false
		e := wire.Scan(at.Of(f.Bytes))
		if e.Msg.Kind == wire.Batch {
			e.Msg.Kind = wire.Invalid // arrays don't nest
		}
		r.askOne(e, now)
	}
	b := r.batch
	r.batch = nil
	switch {
	case empty && r.Observe:
		r.refuse(f, now)
	case empty:
		r.put(protocolError(nil, wire.InvalidRequest, "Invalid Request: the array is empty"))
	case b != nil:
		r.leave(b)
	}
}

// give hands a whole line to the client that has made the request c.
func (r *Relay) give(c *call, line []byte) {
	if c.batch == nil {
		r.put(line)
		return
	}
	r.add(c.batch, line)
}

// refusal answers what is no request that could be entered.
func (r *Relay) refusal(line []byte) {
	if r.batch == nil {
		r.put(line)
		return
	}
	r.add(r.batch, line)
}

// giveSpliced is give for a line that is made from another.
func (r *Relay) giveSpliced(c *call, frame []byte, edits ...wire.Edit) {
	if c.batch == nil {
		r.front.splice(frame, edits...)
		return
	}
	r.add(c.batch, wire.AppendSplice(nil, frame, edits...))
}

func (r *Relay) add(b *batch, line []byte) {
	if len(b.buf) > 0 && len(b.buf)+len(line) > r.maxFrame() {
		r.putBatch(b) // no client could read it all in one line
	}
	mark := byte(',')
	if len(b.buf) == 0 {
		mark = '['
	}
	b.buf = append(append(b.buf, mark), bytes.TrimSuffix(line, []byte("\n"))...)
}

// leave notes that a request of a batch has ended.
func (r *Relay) leave(b *batch) {
	if b.open--; b.open == 0 && len(b.buf) > 0 {
		r.putBatch(b)
	}
}

func (r *Relay) putBatch(b *batch) {
	r.put(append(b.buf, "]\n"...))
	b.buf = nil
}
