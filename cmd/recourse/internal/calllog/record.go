package calllog

import (
	"encoding/json"
	"time"

	"github.com/recourse-dev/recourse/internal/redact"
)

// A Record is one line of the call log. Empty fields are left out of the line,
// but a call always has its tool, outcome, fault and duration.
type Record struct {
	Version int       `json:"v"`    // set by the log
	Type    string    `json:"type"` // if empty, "call"; others are "process", "late", "tools", "drop"
	Time    time.Time `json:"ts"`   // when the call arrived; if zero, when it is written
	ID      string    `json:"id"`   // if empty, a new one made from Time; see [NewID]

	Server    string `json:"server,omitempty"`
	Tool      string `json:"tool,omitempty"`
	Method    string `json:"method,omitempty"`
	Client    string `json:"client,omitempty"` // name/version
	Session   string `json:"session,omitempty"`
	Protocol  string `json:"protocol,omitempty"`   // negotiated revision, such as 2025-11-25
	Transport string `json:"transport,omitempty"`  // "stdio"
	RequestID string `json:"request_id,omitempty"` // as the client spelled it
	Mode      string `json:"mode,omitempty"`       // "observe"; empty when guarding

	Args       json.RawMessage `json:"args,omitempty"`       // as sent; see [Args]
	ArgsForm   string          `json:"args_form,omitempty"`  // set by the log: "shape" if only that is written, "none" if nothing
	ArgsBytes  int             `json:"args_bytes,omitempty"` // if zero, the length of Args
	Redactions []string        `json:"redactions,omitempty"` // set by the log: JSON Pointers into Args
	ArgsSent   json.RawMessage `json:"args_sent,omitempty"`  // only if a repair changed them

	// Declared are the arguments that the tool's schema calls secret; nil: none.
	Declared *redact.Declared `json:"-"`

	Outcome string `json:"outcome,omitempty"` // ok, retried, degraded, failed, short_circuited, cancelled, input_required, unknown
	Fault   string `json:"fault,omitempty"`   // none, caller, upstream, network, process, policy
	Code    string `json:"code,omitempty"`    // a recourse.Code
	RPCCode int    `json:"rpc_code,omitempty"`
	Would   string `json:"would,omitempty"` // when observing: what guarding would have done
	Message string `json:"message,omitempty"`
	Cause   string `json:"cause,omitempty"` // never shown to a model

	Micros      int64     `json:"dur_us"`
	Attempts    []Attempt `json:"attempts,omitempty"`
	Warnings    []string  `json:"warnings,omitempty"`
	Breakers    []string  `json:"breakers,omitempty"` // "github closed→open"
	ResultBytes int       `json:"result_bytes,omitempty"`
	Blank       bool      `json:"blank,omitempty"`

	State string `json:"state,omitempty"` // of a "process": the server's, from then on
	Count int    `json:"n,omitempty"`     // of a "drop": records lost
	Host  string `json:"host,omitempty"`
	PID   int    `json:"pid,omitempty"`
}

// An Attempt is one try at the server.
type Attempt struct {
	Micros int64  `json:"dur_us"`
	Code   string `json:"code,omitempty"` // empty: it worked
	Via    string `json:"via,omitempty"`  // "cache" and the like; empty: the server itself
}

// tooBig is the size of arguments that are not even kept until they are written.
const tooBig = 1 << 20

// trim drops arguments that are too big, so that the record itself is kept.
func (r *Record) trim() {
	if r.ArgsBytes == 0 {
		r.ArgsBytes = len(r.Args)
	}
	if len(r.Args) > tooBig || len(r.ArgsSent) > tooBig {
		r.Args, r.ArgsSent, r.ArgsForm = nil, nil, "none"
	}
}

// size is about what r holds in memory.
func (r *Record) size() int {
	n := 512 + len(r.Args) + len(r.ArgsSent) + len(r.Message) + len(r.Cause) + 64*len(r.Attempts)
	for _, s := range r.Warnings {
		n += len(s)
	}
	for _, s := range r.Breakers {
		n += len(s)
	}
	return n
}
