package relay

import (
	"bytes"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// pieceGrace is how long the next line of a value that began in an earlier one may
// take.
const pieceGrace = time.Second

// hear takes one line from the server, whatever it is. Only messages get past it.
func (r *Relay) hear(f *wire.Frame, now time.Time) {
	switch good := single(f); {
	case r.Observe:
		r.overhear(f, now)
	case good && !r.credible(f):
		r.breakOff(r.server, now)
		r.noise(f, now)
	case good && (f.Msg.Depth > maxDepth || unstructured(f)):
		r.breakOff(r.server, now)
		r.unfit(f, now)
	case good:
		r.breakOff(r.server, now)
		if !f.Clean() {
			f = wire.Mend(f, false)
		}
		r.answer(r.mended(f), now)
	case f.Err == nil && f.Msg.Kind == wire.Batch && f.Bytes != nil:
		r.breakOff(r.server, now)
		for at := range wire.Elements(f.Bytes) {
			r.hearElement(wire.Scan(at.Of(f.Bytes)), now)
		}
	case f.Bytes == nil:
		r.unreadable(f, now)
	default:
		r.decipher(f, now)
	}
}

// single reports whether a frame is one message.
func single(f *wire.Frame) bool {
	return f.Err == nil && f.Msg.Kind != wire.Invalid && f.Msg.Kind != wire.Batch
}

// credible reports whether an object that has the members of a message is one. Log
// records have an error, a result, a method and an id as well: without jsonrpc it
// has to be an answer to a request in flight, or a method that servers use.
func (r *Relay) credible(f *wire.Frame) bool {
	m := f.Msg
	switch {
	case m.JSONRPC.Ok() || f.Bytes == nil:
		return true
	case m.Kind == wire.Result, m.Kind == wire.Failure:
		return r.awaited(f) && f.ID[0] != '"' && bare(f) // our ids are numbers
	}
	_, name := methodOf(m.Method.Of(f.Bytes))
	switch name {
	case "ping", "roots/list", "sampling/createMessage", "elicitation/create":
		return m.Kind == wire.Request
	}
	return strings.HasPrefix(name, "notifications/")
}

// bare reports whether an answer has no members but those of one.
func bare(f *wire.Frame) bool {
	for key := range wire.Members(f.Bytes) {
		switch wire.Unquote(key.Of(f.Bytes)) {
		case "id", "result", "error", "method", "params":
		default:
			return false
		}
	}
	return true
}

// mended tells the operator of the first message that had to be corrected. One that
// has become too long by that is treated as if it had come so.
func (r *Relay) mended(f *wire.Frame) *wire.Frame {
	if len(f.Notes) == 0 {
		return f
	}
	if !r.din.mended {
		r.din.mended = true
		r.say("a message of the server was corrected: " + strings.Join(f.Notes, "; "))
	}
	if n := len(f.Bytes); n > r.maxFrame() {
		f.Method = f.Msg.Method.Of(f.Bytes)
		f.Bytes, f.Size = nil, n
	}
	return f
}

// hearElement takes one element of an array. None of them is another array.
func (r *Relay) hearElement(f *wire.Frame, now time.Time) {
	if single(f) {
		r.hear(f, now)
	} else {
		r.unreadable(f, now)
	}
}

// overhear passes on what observing has not to judge.
func (r *Relay) overhear(f *wire.Frame, now time.Time) {
	if single(f) {
		r.answer(f, now)
		return
	}
	c := r.calls[parseID(f.ID)]
	if c == nil || !f.Msg.ID.Ok() || f.Msg.Method.Ok() {
		r.front.splice(f.Bytes)
		return
	}
	r.front.splice(f.Bytes, wire.Edit{At: f.Msg.ID, With: c.id}) // it is ours that the server has spoilt
	c.would = string(recourse.BadUpstreamResponse)               // a good one may still come
	r.ends.check(r)
}

// decipher looks for messages in a line that is none: one with something around it
// that shows nothing, a part of a longer one, or some between other text.
func (r *Relay) decipher(f *wire.Frame, now time.Time) {
	if g := wire.Mend(f, false); g.Err == nil && g.Msg.Kind != wire.Invalid {
		r.hear(g, now)
		return
	}
	l := r.server
	if l.fragment.Size() > 0 {
		if l.fragment.Size()+len(f.Bytes) <= r.maxFrame() && l.fragment.Add(f) {
			r.pieceTogether(l, now)
			return
		}
		r.breakOff(l, now)
	}
	switch {
	case r.salvage(f, now):
	case f.Torn: // its death answers for what it began to say
	case f.Err != nil && r.begins(l, f):
		r.pieceTogether(l, now)
	default:
		r.unreadable(f, now)
	}
}

// begins reports whether a value of several lines begins with this one: with its
// first byte, or behind other text with its last.
func (r *Relay) begins(l *life, f *wire.Frame) bool {
	line := wire.Undecorate(f.Bytes)
	last := len(line) - 1
	switch {
	case last < 0:
		return false
	case line[0] == '{' || line[0] == '[':
		return l.fragment.Add(&wire.Frame{Bytes: line})
	case line[last] == '{' || line[last] == '[':
		l.fragment.Mixed = true
		l.lead = bytes.Clone(line[:last])
		return l.fragment.Add(&wire.Frame{Bytes: line[last:]})
	}
	return false
}

// pieceTogether takes what is complete now, or waits for the next line.
func (r *Relay) pieceTogether(l *life, now time.Time) {
	if !l.fragment.Whole() {
		r.waits.End(&l.pause.Clock)
		r.after(pieceGrace, &l.pause, func(now time.Time) {
			l.waited = true
			r.breakOff(l, now)
			l.waited = false
		}, now)
		return
	}
	mixed := l.fragment.Mixed
	switch f := r.takePieces(l); {
	case single(f) && (!mixed || r.awaited(f)), f.Err == nil && f.Msg.Kind == wire.Batch && !mixed:
		r.noteLead(l, nil, now)
		r.hear(f, now)
	case mixed:
		r.noteLead(l, f, now)
	default:
		r.unreadable(f, now)
	}
}

func (r *Relay) takePieces(l *life) *wire.Frame {
	r.waits.End(&l.pause.Clock)
	return l.fragment.Take()
}

// noteLead tells of the text before a value of several lines, and of that if it
// was none.
func (r *Relay) noteLead(l *life, f *wire.Frame, now time.Time) {
	line := l.lead
	if f != nil {
		line = append(line, f.Bytes...)
	}
	if l.lead = nil; len(line) > 0 {
		r.noise(wire.Scan(line), now)
	}
}

// breakOff gives up a value that began in earlier lines and does not go on.
func (r *Relay) breakOff(l *life, now time.Time) {
	if l.fragment.Size() == 0 {
		return
	}
	mixed := l.fragment.Mixed
	switch f := r.takePieces(l); {
	case l != r.server:
	case r.salvage(f, now):
		r.noteLead(l, nil, now)
	case mixed:
		r.noteLead(l, f, now)
	default:
		r.unreadable(f, now)
	}
}

// salvage takes the messages out of a line that holds more than one thing. If that
// is nothing but messages, all count; next to other text only answers that
// somebody waits for do, since servers also print what they have heard.
func (r *Relay) salvage(f *wire.Frame, now time.Time) bool {
	found, between := parts(f.Bytes, false)
	took := false
	for i := range found {
		g := &found[i].Frame
		switch {
		case single(g) && (len(between) == 0 || r.awaited(g)):
			r.hear(g, now)
			took = true
		case g.Msg.Kind == wire.Batch:
			for at := range wire.Elements(g.Bytes) {
				if e := wire.Scan(at.Of(g.Bytes)); single(e) && r.awaited(e) {
					r.hear(e, now)
					took = true
				}
			}
		}
	}
	if took {
		for _, gap := range between {
			r.unreadable(wire.Scan(gap), now)
		}
	}
	return took
}

// parts returns what wire.Pieces finds in a line, and what can be seen between.
func parts(line []byte, strict bool) (found []wire.Piece, between [][]byte) {
	end := 0
	gap := func(to int) {
		if text := wire.Undecorate(line[end:to]); len(text) > 0 {
			between = append(between, text)
		}
	}
	for p := range wire.Pieces(line, strict) {
		gap(p.At.Start)
		found, end = append(found, p), p.At.End
	}
	gap(len(line))
	return found, between
}

// awaited reports whether a frame is an answer to a request in flight.
func (r *Relay) awaited(f *wire.Frame) bool {
	kind := f.Msg.Kind
	return (kind == wire.Result || kind == wire.Failure) && len(f.ID) > 0 && r.calls[parseID(f.ID)] != nil
}

// unreadable answers for a line that is no message, as far as is certain whom it
// was for.
func (r *Relay) unreadable(f *wire.Frame, now time.Time) {
	m := f.Msg
	switch legible := m.JSONRPC.Ok() && len(f.ID) > 0; {
	case legible && m.Method.Ok():
		// A request of the server's; its ids have nothing to do with ours.
		r.tellServer(protocolError(f.ID, wire.InvalidRequest, "Invalid Request: "+flaw(f)))
	case m.Method.Ok():
	case f.Err == nil && m.JSONRPC.Ok() && m.Result.Ok() && !m.ID.Ok() && f.Bytes != nil:
		// An answer that lost its id, good if only one call can be meant.
		if c := r.answered(nil); c != nil {
			r.hear(wire.Scan(compose(r.number(c.n), "result", m.Result.Of(f.Bytes))), now)
			return
		}
	case legible:
		if c := r.answered(f.ID); c != nil && !c.own {
			r.giveUpOn(c, f, now)
			return
		}
	}
	r.noise(f, now)
}

// giveUpOn fails the call whose answer can't be read. It may come whole yet: there are
// servers that print the start of what they send, or that they will.
func (r *Relay) giveUpOn(c *call, f *wire.Frame, now time.Time) {
	e := r.unreadableError(c, f)
	l, n := r.server, c.n
	busy := l.short.Running()
	if l.waited || busy && !c.short {
		r.fail(c, e, policy.Failure, now)
		return
	}
	if r.noise(f, now); busy {
		return
	}
	c.short = true
	r.after(pieceGrace, &l.short, func(now time.Time) {
		if r.calls[n] == c {
			r.fail(c, e, policy.Failure, now)
		}
	}, now)
}
