// Package status shows the processes of recourse run that are there.
//
// Each of them listens on a socket in a folder that only its user may enter, and
// tells whoever connects how it is, as one JSON object. Nothing is written while
// nobody asks, and there is no daemon. A socket whose process was killed is
// removed by the next one that looks.
package status

import (
	"encoding/json"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/relay"
)

// Unresponsive is the state of a process that does not tell its own.
const Unresponsive = "unresponsive"

// A Process is one recourse run.
type Process struct {
	relay.Status

	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	Uptime  int64     `json:"uptime_seconds"`    // by its own clock, which nobody can set
	Mode    string    `json:"mode"`              // guard or observe
	Command string    `json:"command,omitempty"` // the server's, without secrets
	Log     string    `json:"log,omitempty"`     // pattern of its log files; empty: it keeps none
	Version string    `json:"version,omitempty"` // of recourse

	// Problem says why the process did not answer. Then no more is known than
	// PID and, as far as a file name can hold it, Server.
	Problem string `json:"problem,omitempty"`
}

// MarshalJSON leaves out what is not known.
func (p Process) MarshalJSON() ([]byte, error) {
	if p.Problem == "" {
		type plain Process
		return json.Marshal(plain(p))
	}
	return json.Marshal(struct {
		Server  string `json:"server"`
		State   string `json:"state"`
		PID     int    `json:"pid"`
		Problem string `json:"problem"`
	}{p.Server, p.State, p.PID, p.Problem})
}

// Runs reports whether the process stands before the server of this name.
func (p Process) Runs(server string) bool {
	return p.Server == server || p.Problem != "" && p.Server == fileName(server)
}
