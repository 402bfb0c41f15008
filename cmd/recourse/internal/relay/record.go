package relay

import (
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
)

// A verdict is how a call ended, in the words of the log.
type verdict struct {
	outcome, fault, code string
	message, cause       string
	rpc                  int
	bytes                int // of the answer
}

// maxLogged is the size above which the log keeps no arguments.
const maxLogged = 1 << 20

// record writes the call's one line. Only tool calls have one.
func (r *Relay) record(c *call, v verdict, now time.Time) {
	if r.Log == nil || c.method != methodCall {
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
		Args:        c.args,
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
	}
	if r.Observe {
		rec.Mode = "observe"
	}
	c.args = nil
	r.records = append(r.records, rec)
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
