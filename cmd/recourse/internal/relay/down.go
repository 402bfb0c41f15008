package relay

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

// A down says why there is no server.
type down struct {
	start   bool // it never answered initialize
	final   bool // starting it again would change nothing
	idle    bool // it left by itself when it had nothing to do
	slow    bool // it did not answer initialize in time
	foreign bool // it speaks only another era now
	code    recourse.Code
	message string
	detail  string          // exit status, or what else happened
	stderr  string          // excerpt, redacted
	last    string          // the line of it that says most, if it is about the end
	told    *recourse.Error // the reason that it gave with recourse.Fatal, if it did
	exit    upstream.Exit
	exited  bool
	mute    bool // its output has ended, and no status came
}

func (d *down) related() map[string]any {
	m := map[string]any{}
	if d.told != nil {
		maps.Copy(m, d.told.Related)
	}
	if d.exited {
		m["exit_status"] = d.exit.Status
	}
	if d.exit.Signal != "" {
		m["signal"] = d.exit.Signal
	}
	if d.stderr != "" && d.told == nil {
		m["stderr"] = d.stderr
	}
	return m
}

// crashed reports whether the server ended by itself, and not because somebody or the
// kernel's want of memory made it.
func (d *down) crashed() bool {
	switch d.exit.Signal {
	case "killed", "terminated", "interrupt", "hangup":
		return false
	}
	return d.exited && !d.exit.Asked
}

// wayOut says what can be done about a server that is not started again.
func (d *down) wayOut() string {
	switch {
	case d.told != nil:
		return d.told.Suggestion
	case d.foreign:
		return "Tell the user: the server speaks another version of the protocol since its restart. The client has to reconnect."
	case d.slow:
		return "Tell the user: the server takes too long to start. The operator can allow it more time with --start-timeout."
	case d.last == "" && d.exited:
		return "Tell the user: the server can't be started. It has not said why; the operator should run its command by hand."
	case d.start:
		return "Tell the user: the server can't be started. Its message says what the operator has to set or install."
	}
	return "Don't call this server's tools again in this session. Tell the user: the message says what the operator has to set or install."
}

// said quotes the line of its standard error that says most.
func (d *down) said() string {
	if d.last != "" {
		return " It said: " + d.last
	}
	return ""
}

// lastWords is how long before its end a server may have said what is taken for
// the reason.
const lastWords = 5 * time.Second

// describe composes why a life ended.
func (r *Relay) describe(l *life) *down {
	d := &down{start: !r.client.opened && (!r.ends.closing || r.greeting()), code: recourse.ServiceUnavailable}
	switch {
	case l.exited:
		d.exit, d.exited = l.conn.Exit(), true
		d.detail = d.exit.String()
	case l.why != "":
		d.detail, d.slow = l.why, l.slow
	default:
		d.detail, d.mute = "it closed its output", true
	}
	// Redacted before it is cut: half a secret has no look any more.
	raw, at := l.conn.Tail()
	text := r.Redact.Text(raw)
	d.stderr = upstream.Excerpt(text)
	if time.Since(at) < lastWords {
		d.last = upstream.Headline(text, d.exit.Signal == "")
	}
	switch {
	case d.start && l.why != "":
		d.message = fmt.Sprintf("The server %s did not start: %s.", r.Server, d.detail)
	case d.start:
		if d.exited && d.exit.Signal == "" {
			d.code = recourse.ConfigurationError
		}
		d.message = fmt.Sprintf("The server %s ended before it had answered initialize: %s.", r.Server, d.detail)
	default:
		d.message = fmt.Sprintf("The server %s has ended: %s.", r.Server, d.detail)
	}
	if d.exited && d.exit.Status == recourse.ExitConfig {
		d.code, d.final = recourse.ConfigurationError, true
		d.told = r.told(raw)
	}
	if l.foreign {
		d.code, d.final, d.foreign = recourse.ConfigurationError, true, true
	}
	if d.told != nil {
		d.message, d.last = d.told.Message, d.told.Message
		return d
	}
	d.message += d.said()
	return d
}

// told returns the reason that a server's standard error gives in the form of
// recourse.Fatal, or nil. Of all that a server says, its advice alone is passed
// on: its author has written it for that. The cause in it is for operators.
func (r *Relay) told(stderr string) *recourse.Error {
	lines := strings.Split(strings.TrimRight(stderr, "\r\n"), "\n")
	for _, line := range slices.Backward(lines[max(0, len(lines)-20):]) {
		if !strings.HasPrefix(line, `{"error":`) {
			continue // a runtime may add a word of its own
		}
		// Redacted as JSON, so that it stays so.
		safe, _ := r.Redact.AppendJSON(nil, []byte(line))
		e := new(recourse.Error)
		if json.Unmarshal(safe, e) == nil {
			delete(e.Related, "cause")
			delete(e.Related, "outcome") // that of another call
			return e
		}
	}
	return nil
}
