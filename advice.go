package recourse

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// longWait is what a model can't be expected to sit out.
const longWait = 5 * time.Minute

// message says in our words what the answer means.
func (a *reply) message(e *Error) string {
	answered := "The API answered " + strconv.Itoa(a.status)
	if a.usable {
		return answered + " with a web page instead of data."
	}
	meaning := e.Code.fallback().phrase
	switch {
	case e.Code == InvalidCredentials && a.expired():
		meaning = "The credentials have expired."
	case e.Code == Conflict:
		meaning = "This clashes with what is there now."
	case a.status >= 100 && a.status < 200:
		return answered + ", which is not an answer to this request."
	case e.Code == BadUpstreamResponse:
		return answered + ", which is no HTTP status."
	}
	return answered + ": " + strings.ToLower(meaning[:1]) + meaning[1:]
}

func (a *reply) expired() bool {
	return strings.Contains(a.words+strings.ToLower(a.header.Get("WWW-Authenticate")), "expired")
}

// suggestion says what to do, "" for the code's default. Where a call may have
// run, what to do depends on the tool, and the default knows that.
func (a *reply) suggestion(e *Error) string {
	wait := inSeconds(e.RetryAfter)
	refused := e.MaxRetries >= 0 && a.refused(e.Code)
	switch {
	case e.Code == QuotaExceeded && e.RetryAfter > 0:
		return "Tell the user that the allowance is used up for another " + wait + ", or do with less."
	case (e.Code == RateLimited || e.Code == ServiceUnavailable) && e.RetryAfter > longWait && refused:
		return "Go on without this call, or tell the user; the API takes calls again in " + wait + "."
	case e.Code == RateLimited && e.RetryAfter > 0 && refused:
		return "Wait " + wait + ", then repeat the call; send fewer calls at a time."
	case e.Code == ServiceUnavailable && e.RetryAfter > 0 && refused:
		return "Wait " + wait + ", then repeat the call; if the service stays down, tell the user."
	case e.Code == DuplicateEntry && a.problem.id != "":
		return "Use or update the entry that existing_id names, or choose another name."
	case strings.HasPrefix(a.slug(), "idempotency"):
		return "Look up, with a tool that only reads, what the first call with this idempotency key did; don't repeat this one."
	case len(a.problem.fields) > 0 && (e.Code == InvalidArgument || e.Code == MissingArgument || e.Code == OutOfRange):
		return "Correct the arguments that match upstream.fields, and call again."
	case e.Code == InvalidArgument && a.problem.text != "":
		return "Correct the argument that upstream.text tells of, and call again."
	}
	return ""
}

func (a *reply) slug() string {
	if len(a.problem.codes) == 0 {
		return ""
	}
	return snake(a.problem.codes[0])
}

// maxRelated is how many bytes of an API's own words fit into an envelope
// beside ours: it drops a member that is too long as a whole.
const maxRelated = 1300

// related holds what the API says itself.
func (a *reply) related(e *Error) map[string]any {
	upstream := map[string]any{"status": a.status}
	for _, c := range a.problem.codes {
		if plainName(c) {
			upstream["code"] = c
			break
		}
	}
	text := quote(a.problem.text, maxUpstream)
	if text != "" {
		upstream["text"] = text
	}
	var fields []fault
	for _, f := range a.problem.fields {
		f = fault{quote(f.Field, maxLabel), quote(f.Code, maxLabel), quote(f.Text, maxLabel)}
		fields = append(fields, f)
	}
	if fields != nil {
		upstream["fields"] = fields
	}
	for len(encode(upstream)) > maxRelated {
		if n := len(fields); n > 0 {
			fields = fields[:n-1]
			upstream["fields"] = fields
		} else {
			text = cut(text, maxUpstream/2)
			upstream["text"] = text
		}
	}
	related := map[string]any{"upstream": upstream}
	if e.Code == InvalidCredentials && a.expired() {
		related["reason"] = "expired"
	}
	if e.Code == DuplicateEntry && a.problem.id != "" {
		related["existing_id"] = a.problem.id
	}
	return related
}

// inSeconds returns whole seconds in words, so that they agree with
// retry_after_seconds.
func inSeconds(d time.Duration) string {
	n := seconds(d)
	if d > longWait {
		return fmt.Sprintf("%d seconds (%s)", n, spell(d))
	}
	return plural(int(n), "second")
}
