package recourse

import (
	"encoding/json"
	"time"
)

// A Record is one line of the call log; the proxy writes the same.
type Record struct {
	Version   int             `json:"v"`
	Type      string          `json:"type"`             // "call"
	Time      time.Time       `json:"ts"`               // when the call arrived
	ID        string          `json:"id"`               // sorts by time
	Server    string          `json:"server,omitempty"` // the program's name
	Tool      string          `json:"tool"`
	Client    string          `json:"client,omitempty"`
	Session   string          `json:"session,omitempty"`
	Args      json.RawMessage `json:"args,omitempty"`       // as sent, redacted; none over 1 MiB
	ArgsBytes int             `json:"args_bytes,omitempty"` // of Arguments, as sent
	ArgsSent  json.RawMessage `json:"args_sent,omitempty"`  // only if repaired
	Outcome   string          `json:"outcome"`              // ok, retried, degraded, failed, short_circuited, cancelled, input_required
	Fault     string          `json:"fault"`                // whose: none, caller, upstream, network, process, policy
	Code      Code            `json:"code,omitempty"`
	Message   string          `json:"message,omitempty"`
	Cause     string          `json:"cause,omitempty"` // never shown to a model
	Duration  time.Duration   `json:"dur_us"`          // microseconds
	Attempts  []Attempt       `json:"attempts,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
	Breakers  []string        `json:"breakers,omitempty"` // "github closed→open"
	Blank     bool            `json:"blank,omitempty"`    // the answer had nothing in it
	Host      string          `json:"host,omitempty"`
	PID       int             `json:"pid,omitempty"`
}

// An Attempt is one try at a dependency.
type Attempt struct {
	Duration time.Duration `json:"dur_us"`
	Code     Code          `json:"code,omitempty"` // empty: it worked
}

// MarshalJSON writes Duration in microseconds.
func (r Record) MarshalJSON() ([]byte, error) {
	type plain Record
	r.Time = stamp(r.Time)
	r.Duration /= time.Microsecond
	return encode(plain(r)), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Record) UnmarshalJSON(b []byte) error {
	type plain Record
	if err := json.Unmarshal(b, (*plain)(r)); err != nil {
		return err
	}
	r.Duration *= 1000 // microseconds were read as nanoseconds
	return nil
}

// stamp returns t as a log writes it.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// MarshalJSON writes Duration in microseconds.
func (a Attempt) MarshalJSON() ([]byte, error) {
	type plain Attempt
	a.Duration /= time.Microsecond
	return json.Marshal(plain(a))
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (a *Attempt) UnmarshalJSON(b []byte) error {
	type plain Attempt
	if err := json.Unmarshal(b, (*plain)(a)); err != nil {
		return err
	}
	a.Duration *= 1000 // as above
	return nil
}
