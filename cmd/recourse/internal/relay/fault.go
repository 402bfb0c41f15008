package relay

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// A fault is an error of ours, and how the log judges it.
type fault struct {
	err     *recourse.Error
	outcome string // for the log
	blame   string // the log's fault
	cause   string // for the log only
}

// what names a request in a sentence.
func (c *call) what() string {
	if c.method == methodCall {
		return c.tool
	}
	return c.name
}

const checkFirst = "It may have run. Check with a tool that reads whether it took effect before you repeat it. "

// timeoutError is for a call whose limit has passed.
func (r *Relay) timeoutError(c *call, cause policy.Cause, sent bool, now time.Time) *fault {
	waited := c.Waited(now).Round(100 * time.Millisecond)
	flag, silence := "--timeout", "gave no answer and no sign of progress"
	if cause == policy.Cap {
		flag, silence = "--max-time", "was not finished"
	}
	e := &recourse.Error{
		Code:    recourse.Timeout,
		Message: fmt.Sprintf("%s %s within %s.", c.what(), silence, waited),
		Related: map[string]any{"waited_seconds": waited.Seconds(), "limit": flag},
	}
	more := fmt.Sprintf("Ask for less at once: narrow the arguments. If it always takes this long, the operator can allow more with %s.", flag)
	switch hints := r.table.hints(c.tool); {
	case !sent:
		e.NotRun = true
		e.Message = fmt.Sprintf("The server does not read its input: %s was not sent within %s.", c.what(), waited)
		e.Suggestion = "It did not run. Repeat it once, later; if that fails too, tell the user that the server hangs."
	case hints.repeatable() || c.method != methodCall:
		e.MaxRetries = 1
		e.Suggestion = "Repeat it once at most. " + more
	default:
		e.MaxRetries = -1
		e.Related["outcome"] = "unknown"
		e.Suggestion = checkFirst + more
	}
	return &fault{err: e, outcome: outcomeOf(sent), blame: "upstream"}
}

func outcomeOf(sent bool) string {
	if sent {
		return "failed"
	}
	return "short_circuited"
}

// lostError is for a call at whose time there was, or came to be, no server.
func (r *Relay) lostError(c *call, d *down, heard bool) *fault {
	e := &recourse.Error{
		Code:       d.code,
		Message:    d.message,
		MaxRetries: -1,
		NotRun:     !heard || d.start,
		Related:    d.related(),
	}
	e.Suggestion = "Don't call this server's tools again in this session. Tell the user what happened and that the server has to be started anew."
	if e.Message == "" {
		e.Message = fmt.Sprintf("The server %s ended: %s.", r.Server, d.detail)
	}
	if heard && c.method == methodCall && !d.start {
		e.Message = fmt.Sprintf("The server ended while %s ran: %s.%s", c.what(), d.detail, d.said())
		e.Related["outcome"] = "unknown"
		if r.table.hints(c.tool).readOnly {
			delete(e.Related, "outcome")
		} else {
			e.Suggestion = "It may have run: tell the user to check whether it took effect. The server has to be started anew before its tools can be called again."
		}
	}
	if d.start {
		e.Suggestion = "Tell the user: the server can't be started. Its message says what the operator has to set or install."
	}
	if d.told != nil {
		e.Suggestion = d.told.Suggestion
		if e.Related["outcome"] != nil {
			e.Suggestion = "It may have run: tell the user to check whether it took effect. " + e.Suggestion
		}
	}
	outcome := "failed"
	if !heard {
		outcome = "short_circuited"
	}
	return &fault{err: e, outcome: outcome, blame: "process", cause: d.stderr}
}

func busyError(c *call) *fault {
	return &fault{err: &recourse.Error{
		Code:       recourse.ResourceBusy,
		Message:    fmt.Sprintf("%s was not sent: too much is waiting for this server already.", c.what()),
		Suggestion: "Wait until earlier calls have been answered, then repeat it.",
		NotRun:     true,
	}, outcome: "short_circuited", blame: "policy"}
}

func refusalError(c *call, refusal policy.Refusal) *fault {
	if refusal.Reason != policy.CircuitOpen {
		return busyError(c)
	}
	return &fault{err: &recourse.Error{
		Code:       recourse.ServiceUnavailable,
		Message:    fmt.Sprintf("%s has not answered several times in a row; it is left alone for %.0fs.", c.tool, math.Ceil(refusal.Wait.Seconds())),
		Suggestion: "Use another tool meanwhile, or repeat the call when that time is over.",
		RetryAfter: refusal.Wait,
		NotRun:     true,
		Related:    map[string]any{"reason": string(refusal.Reason)},
	}, outcome: "short_circuited", blame: "policy"}
}

func largeAnswerError(c *call, size int) *fault {
	return &fault{err: &recourse.Error{
		Code:       recourse.PayloadTooLarge,
		Message:    fmt.Sprintf("%s ran, but its answer of %s is over the %s that clients can read.", c.what(), megabytes(size), megabytes(maxAnswer)),
		Suggestion: "Don't repeat the same call. Ask for less: a narrower filter, a page, a part of the file.",
		MaxRetries: -1,
		Related:    map[string]any{"outcome": "completed", "size_bytes": size, "cap_bytes": maxAnswer},
	}, outcome: "failed", blame: "upstream"}
}

func largeRequestError(size, limit int) *recourse.Error {
	return &recourse.Error{
		Code:       recourse.PayloadTooLarge,
		Message:    fmt.Sprintf("This message of %s is over the limit of %s.", megabytes(size), megabytes(limit)),
		Suggestion: "Send less at a time, in several calls.",
		NotRun:     true,
	}
}

func (r *Relay) unreadableError(c *call, f *wire.Frame) *fault {
	e := &recourse.Error{
		Code:    recourse.BadUpstreamResponse,
		Message: fmt.Sprintf("The server's answer to %s can't be read: %v.", c.what(), f.Err),
		Related: map[string]any{"received": r.quote(f.Bytes, 200)},
	}
	if c.method == methodCall && !r.table.hints(c.tool).repeatable() {
		e.MaxRetries = -1
		e.Related["outcome"] = "unknown"
		e.Suggestion = checkFirst + "Tell the user that this server's answer was broken."
	}
	return &fault{err: e, outcome: "failed", blame: "upstream"}
}

func cancelledError(c *call) *fault {
	e := &recourse.Error{
		Code:       recourse.Cancelled,
		Message:    fmt.Sprintf("recourse was told to end while %s ran.", c.what()),
		Suggestion: "Don't repeat it now: the session is over.",
		MaxRetries: -1,
		Related:    map[string]any{"outcome": "unknown"},
	}
	return &fault{err: e, outcome: "cancelled", blame: "none"}
}

// excerpt makes a server's text fit to be shown: no secrets, no stack, 400
// bytes.
func (r *Relay) excerpt(text string) string {
	text = text[:min(len(text), 64<<10)]
	return cut(upstream.Excerpt(r.Redact.Text(text)), 400)
}

// quote returns the start of what a server said, without secrets.
func (r *Relay) quote(line []byte, most int) string {
	return cut(r.Redact.Text(string(line[:min(len(line), 64<<10)])), most)
}

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func megabytes(n int) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// A down says why there is no server.
type down struct {
	start   bool // it never answered initialize
	code    recourse.Code
	message string
	detail  string          // exit status, or what else happened
	stderr  string          // excerpt, redacted
	last    string          // the line of it that says most, if it is about the end
	told    *recourse.Error // the reason that it gave with recourse.Fatal, if it did
	exit    upstream.Exit
	exited  bool
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
	select {
	case <-l.conn.Gone():
		d.exit, d.exited = l.conn.Exit(), true
		d.detail = d.exit.String()
	default:
		d.detail = "it closed its output"
	}
	if l.late {
		d.exited = false
		d.detail = fmt.Sprintf("no answer to initialize within %s", r.Rules.StartMax.Or(rules.Start))
	}
	// Redacted before it is cut: half a secret has no look any more.
	raw, at := l.conn.Tail()
	text := r.Redact.Text(raw)
	d.stderr = upstream.Excerpt(text)
	if time.Since(at) < lastWords {
		d.last = upstream.Headline(text)
	}
	switch {
	case d.start && l.late:
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
		d.code = recourse.ConfigurationError
		d.told = r.told(raw)
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
