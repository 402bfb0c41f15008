package relay

import (
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
)

// A verdict is how a call ended, in the words of the log.
type verdict struct {
	outcome, fault, code string
	message, cause       string
	warnings             []string
	blank                bool // there was nothing to see in it
	own                  bool // a text of ours stands in it
	cut                  bool // its text was shortened
	rpc                  int
	bytes                int // of the answer
}

// maxLogged is the size above which the log keeps no arguments.
const maxLogged = 1 << 20

// record writes the call's one line. Only tool calls have one.
func (r *Relay) record(c *call, v verdict, now time.Time) {
	if c.method != methodCall {
		return
	}
	r.done++
	if v.outcome == "failed" || v.outcome == "short_circuited" || v.outcome == "unknown" {
		r.failures++
	}
	if r.Log == nil {
		return
	}
	rec := calllog.Record{
		Time:        c.at,
		Server:      r.Server,
		Tool:        c.tool,
		Method:      c.name,
		Client:      r.client.label,
		Session:     r.client.session,
		Protocol:    r.client.protocol,
		Transport:   "stdio",
		RequestID:   string(c.id),
		Args:        c.arguments(),
		Declared:    r.study(r.toolOf(c)).secret,
		ArgsBytes:   c.size,
		Outcome:     v.outcome,
		Fault:       v.fault,
		Code:        v.code,
		RPCCode:     v.rpc,
		Message:     v.message,
		Cause:       v.cause,
		Micros:      now.Sub(c.at).Microseconds(),
		ResultBytes: v.bytes,
		Would:       c.would,
		Warnings:    append(c.notes, v.warnings...),
		Blank:       v.blank,
	}
	if c.original != nil {
		rec.Args, rec.ArgsBytes, rec.ArgsSent = c.original, len(c.original), c.arguments()
	}
	if r.Observe {
		rec.Mode = "observe"
	}
	if c.tries != nil {
		last := calllog.Attempt{Code: v.code}
		if c.life != nil {
			last.Micros = now.Sub(c.sentAt).Microseconds()
			c.tries = append(c.tries, last)
		}
		rec.Attempts = c.tries
	}
	r.records = append(r.records, rec)
}

// remark returns a record that is about no single call.
func (r *Relay) remark(kind, message string, now time.Time) calllog.Record {
	return calllog.Record{
		Type: kind, Time: now, Server: r.Server, Session: r.client.session, Client: r.client.label, Message: message,
	}
}

// arguments returns the call's arguments for the record, which owns them then;
// nil if they are too large, or no copy was kept.
func (c *call) arguments() []byte {
	if c.size > maxLogged || c.frame == nil {
		return nil
	}
	return c.args.Of(c.frame)
}

// log hands the finished records to the log. It is done when their answers have
// left, since it costs more than most of what a call costs otherwise.
func (r *Relay) log() {
	r.mu.Lock()
	records := r.records
	r.records, r.room = r.room[:0], nil
	r.mu.Unlock()
	for i := range records {
		r.Log.Append(&records[i])
	}
	clear(records)
	r.mu.Lock()
	r.room = records[:0]
	r.mu.Unlock()
}
