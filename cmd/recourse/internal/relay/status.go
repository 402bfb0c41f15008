package relay

import "time"

// A Status is what is known of the server at one moment.
type Status struct {
	Server   string     `json:"server"`
	State    string     `json:"state"`                // starting, ready, restarting, waiting or failed
	Since    time.Time  `json:"since"`                // of this state
	PID      int        `json:"server_pid,omitempty"` // of the process that was started; 0: there is none, or it was a launcher that has left
	Restarts int        `json:"restarts"`             // tries since the start of recourse, good and bad
	Reason   string     `json:"last_error,omitempty"` // why the server ended last
	NextTry  *time.Time `json:"next_try,omitempty"`   // in state waiting
	Client   string     `json:"client,omitempty"`     // name/version
	Calls    int        `json:"calls"`                // tool calls that have been answered
	Failed   int        `json:"failed"`               // of those, with an error
	Running  int        `json:"in_flight"`            // tool calls that have not
}

// Status returns what is known now. It may be called at any time after Run has
// begun, from any goroutine.
func (r *Relay) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := Status{
		Server: r.Server, State: r.state.String(), Since: r.since, Restarts: r.restarts,
		Client: r.client.label, Calls: r.done, Failed: r.failures,
	}
	if r.server != nil && !r.server.orphan.Load() {
		s.PID = r.server.conn.PID()
	}
	if r.down != nil {
		s.Reason = r.down.message
	}
	if r.state == waiting && !r.idle {
		at := r.revival.Next(time.Now())
		s.NextTry = &at
	}
	for _, c := range r.calls {
		if c.method == methodCall {
			s.Running++
		}
	}
	return s
}
