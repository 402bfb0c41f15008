package relay

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
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
	if c.method == methodCall && c.tool != "" {
		return c.tool
	}
	return c.name
}

// checkFirst tells how to find out whether a call that may have run took effect,
// and names the tool for that where one fits.
func (r *Relay) checkFirst(c *call, e *recourse.Error) string {
	e.MaxRetries = -1
	e.Related["outcome"] = "unknown"
	tool, ok := diagnose.Check(c.tool, r.table.readers())
	if !ok {
		return "It may have run. Check with a tool that reads whether it took effect before you repeat it. "
	}
	e.Related["verify_with"] = tool
	return fmt.Sprintf("It may have run. Check with %s whether it took effect before you repeat it. ", tool)
}

// notRun says so of a call that was never read.
func (c *call) notRun() string {
	if c.ran {
		return "" // a first attempt may have; to repeat it does no harm
	}
	return "It did not run. "
}

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
	case !sent && r.state != ready:
		e.NotRun, e.MaxRetries = !c.ran, 1
		e.Message = fmt.Sprintf("The server %s is being started again: %s was not sent within %s.", r.Server, c.what(), waited)
		e.Suggestion = c.notRun() + "Repeat it once, later; if that fails too, tell the user that the server does not start."
		e.Related["state"] = r.state.String()
	case !sent:
		e.NotRun = !c.ran
		e.Message = fmt.Sprintf("The server does not read its input: %s was not sent within %s.", c.what(), waited)
		e.Suggestion = c.notRun() + "Repeat it once, later; if that fails too, tell the user that the server hangs."
	case hints.repeatable() || c.method != methodCall:
		e.MaxRetries = 1
		e.Suggestion = "Repeat it once at most. " + more
	default:
		e.Suggestion = r.checkFirst(c, e) + more
	}
	if line, open := r.illegible(c); sent && len(line) > 0 {
		what := " The server has printed something that is no message; received is the last of it."
		if open {
			what = " The server has begun a line that has no end yet; received is its start."
		}
		e.Message += what
		e.Related["received"] = r.quote(line)
	}
	f := &fault{err: e, outcome: outcomeOf(sent), blame: "upstream"}
	if !sent && r.state != ready {
		f.blame = "process"
	}
	return f
}

func outcomeOf(sent bool) string {
	if sent {
		return "failed"
	}
	return "short_circuited"
}

// lostError is for a call that was with a server when it ended.
func (r *Relay) lostError(c *call, d *down, unread bool, now time.Time) *fault {
	if unread && c.frame != nil || d.start && (unread || c.method.reads()) {
		return r.downError(c, d, now)
	}
	e := &recourse.Error{
		Code:    d.code,
		Message: fmt.Sprintf("The server ended while %s ran: %s.%s", c.what(), d.detail, d.said()),
		Related: d.related(),
	}
	sure, again := "", "Repeat it once."
	harmless := c.method.reads()
	if c.method == methodCall {
		harmless = r.table.hints(c.tool).repeatable() && !c.task
	}
	switch {
	case unread:
		e.Message = fmt.Sprintf("The server ended before it had read %s: %s.%s", c.what(), d.detail, d.said())
		e.NotRun, e.MaxRetries = !c.ran, 1
		sure = c.notRun()
	case !harmless && (d.final || d.start):
		e.Related["outcome"] = "unknown"
		sure = "It may have run, and this server can't tell any more. "
	case !harmless:
		sure, again = r.checkFirst(c, e), ""
	case c.ran:
		e.MaxRetries = 1
		e.Message = fmt.Sprintf("The server ended twice while %s ran: %s.%s", c.what(), d.detail, d.said())
		again = "The call itself may be what ends it: change the arguments, or repeat it once, later."
	default:
		e.MaxRetries = 1
	}
	switch {
	case d.final || d.start:
		e.MaxRetries = -1
		e.Suggestion = sure + d.wayOut()
	case r.ends.stopping:
		e.Suggestion = sure + "The session is over."
	default:
		e.Suggestion = strings.TrimSpace(sure + "The server is being started again; what it kept in memory is gone. " + again)
		r.isTold(c)
	}
	return &fault{err: e, outcome: "failed", blame: "process", cause: d.stderr}
}

// isTold notes that an answer has told of the end of the server. Where calls build
// on each other, the next one has to fail all the same.
func (r *Relay) isTold(c *call) {
	if c.method == methodCall && r.Rules.OnRestart != rules.Fail {
		r.untold = false
	}
}

// downError is for a call that was not sent, or not read, since there is no
// server: it did not run, unless this was to be its second attempt.
func (r *Relay) downError(c *call, d *down, now time.Time) *fault {
	e := &recourse.Error{
		Code:    d.code,
		Message: cmp.Or(d.message, fmt.Sprintf("The server %s ended: %s.", r.Server, d.detail)),
		NotRun:  !c.ran,
		Related: d.related(),
	}
	if !d.start {
		e.Related["state"] = r.state.String()
	}
	switch {
	case d.start, d.final:
		e.MaxRetries = -1
		e.Suggestion = d.wayOut()
	default:
		wait := max(time.Second, r.untilTry(now).Round(time.Second))
		if n := r.revival.Failures(); n > 1 {
			e.Message = sentence(e.Message) + fmt.Sprintf(" It has failed %d times in a row.", n)
		}
		next := fmt.Sprintf(" The next try to start it is in %v.", wait)
		if r.revival.Next(now).Sub(now) > wait+time.Second {
			next = fmt.Sprintf(" It is started again with the next call after %v.", wait)
		}
		e.Message = sentence(e.Message) + next
		e.RetryAfter, e.MaxRetries = wait, 3
		e.Suggestion = c.notRun() + fmt.Sprintf("Wait %v and repeat the call, or go on without this server. If it stays down, tell the user.", wait)
	}
	return &fault{err: e, outcome: "short_circuited", blame: "process", cause: d.stderr}
}

// restartedError is for the first call after a restart, where the rules say that
// calls build on each other.
func (r *Relay) restartedError(c *call) *fault {
	r.untold = false
	return &fault{err: &recourse.Error{
		Code:       recourse.PreconditionFailed,
		Message:    fmt.Sprintf("The server restarted, and what it kept in memory is gone. %s was not sent to it.", c.what()),
		Suggestion: "Start over: repeat the earlier steps that this call builds on (open, log in, begin), then the call itself.",
		NotRun:     true,
		MaxRetries: -1,
		Related:    map[string]any{"reason": "server_restarted"},
	}, outcome: "short_circuited", blame: "process"}
}

// sentence returns a text that may be a stranger's with a full stop.
func sentence(text string) string {
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?…") {
		text += "."
	}
	return text
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

// largeAnswerError is for an answer over the limit that flag sets.
func largeAnswerError(c *call, size, most int, flag string, narrower []string) *fault {
	less := "a narrower filter, a page, a part of the file"
	if len(narrower) > 0 {
		less = "set " + strings.Join(narrower, " or ")
	}
	return &fault{err: &recourse.Error{
		Code:       recourse.PayloadTooLarge,
		Message:    fmt.Sprintf("%s ran, but its answer of %s is over the limit of %s.", c.what(), sizeOf(size), sizeOf(most)),
		Suggestion: "Don't repeat the same call. Ask for less: " + less + ".",
		MaxRetries: -1,
		Related:    map[string]any{"outcome": "completed", "size_bytes": size, "cap_bytes": most, "limit": flag},
	}, outcome: "failed", blame: "upstream"}
}

func largeRequestError(size, limit int) *recourse.Error {
	return &recourse.Error{
		Code:       recourse.PayloadTooLarge,
		Message:    fmt.Sprintf("This message of %s is over the limit of %s.", sizeOf(size), sizeOf(limit)),
		Suggestion: "Send less at a time, in several calls.",
		NotRun:     true,
	}
}

// unreadableError is for a call whose answer came, but can't be read.
func (r *Relay) unreadableError(c *call, f *wire.Frame) *fault {
	why := "there is neither a result nor an error in it"
	if f.Err != nil {
		why = f.Err.Error()
	}
	e := &recourse.Error{
		Code:    recourse.BadUpstreamResponse,
		Message: fmt.Sprintf("The server's answer to %s can't be read: %s.", c.what(), why),
		Related: map[string]any{"received": r.quote(f.Bytes)},
	}
	if c.method == methodCall && !r.table.hints(c.tool).repeatable() {
		e.Suggestion = r.checkFirst(c, e) + "Tell the user that this server's answer was broken."
	}
	return &fault{err: e, outcome: "failed", blame: "upstream"}
}

// broken is for an answer that was read, and has a form that means nothing.
func broken(c *call, why string) *recourse.Error {
	return &recourse.Error{
		Code:       recourse.BadUpstreamResponse,
		Message:    fmt.Sprintf("The server answered %s, but %s.", c.what(), why),
		Suggestion: "Don't repeat it: the server would answer in the same way. Tell the user that this server's answer is broken.",
		MaxRetries: -1,
		Related:    map[string]any{},
	}
}

// brokenError is for such an answer of a tool, which may have run.
func (r *Relay) brokenError(c *call, result []byte, why string) *fault {
	e := broken(c, why)
	e.Related["received"] = r.quote(result)
	if !r.table.hints(c.tool).repeatable() {
		e.Suggestion = r.checkFirst(c, e) + "Tell the user that this server's answer is broken."
	}
	return &fault{err: e, outcome: "failed", blame: "upstream"}
}

func cancelledError(c *call) *fault {
	if c.life == nil || !c.life.back.left(c.from) {
		return &fault{err: &recourse.Error{
			Code:       recourse.Cancelled,
			Message:    fmt.Sprintf("recourse was told to end before %s was sent.", c.what()),
			Suggestion: "Don't repeat it now: the session is over.",
			MaxRetries: -1,
			NotRun:     !c.ran,
		}, outcome: "cancelled", blame: "none"}
	}
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

// maxQuote is how much of a line is quoted, in bytes.
const maxQuote = 200

// quote returns the start of what a server said, without secrets, and with nothing
// in it that would change a terminal.
func (r *Relay) quote(line []byte) string {
	text := cut(r.Redact.Text(string(line[:min(len(line), 64<<10)])), maxQuote)
	if !strings.ContainsFunc(text, unprintable) {
		return strings.ToValidUTF8(text, "\ufffd")
	}
	var b strings.Builder
	for _, c := range text {
		if unprintable(c) {
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func unprintable(c rune) bool { return c < ' ' || 0x7f <= c && c < 0xa0 || c == 0x2028 || c == 0x2029 }

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// sizeOf writes a number of bytes for people.
func sizeOf(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
