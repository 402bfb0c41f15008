package recourse

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxProblem = 64 << 10 // bytes of an error's body that are read
	maxDrain   = 4 << 10  // bytes more that are worth keeping the connection for
)

// CheckResponse returns nil for a usable answer, which has a status from 200 to
// 399; else it reads and closes the body and returns an Error from status,
// headers and problem document. The body of a 1xx is closed unread: after a 101
// it is a bare connection. HTML where the request's Accept named JSON, and not
// HTML, is an error too.
//
// The message is never the API's: its own words are in Related as "upstream",
// with status, code, fields and at most 400 characters of text. The body has a
// second. Times to wait
// are reckoned from the response's Date, so that a wrong clock here does not
// matter. The Error is NotRun for 423, 425, 429, a 503 that names a time to
// wait, and a 403 that is a rate limit, but not where a redirect led from a POST
// to a GET: the POST has run.
func CheckResponse(r *http.Response) error {
	if r == nil {
		return &Error{Code: InternalError, Err: errors.New("recourse: CheckResponse of a nil response")}
	}
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	a := reply{status: r.StatusCode, header: r.Header, html: kind == "text/html" || kind == "application/xhtml+xml"}
	a.moved = moved(r.Request)
	a.usable = a.status >= 200 && a.status < 400
	if a.usable && (!a.html || !wantsJSON(r.Request) || r.StatusCode == http.StatusNoContent) {
		return nil
	}
	var body []byte
	if r.Body != nil {
		if kind != "text/event-stream" && a.status >= 200 { // those may have no end
			// Status and headers say the most: a body that drips must not cost them.
			slow := time.AfterFunc(time.Second, func() { _ = r.Body.Close() })
			defer slow.Stop()
			body, _ = io.ReadAll(io.LimitReader(r.Body, maxProblem)) // half of it is better than nothing
			_, _ = io.CopyN(io.Discard, r.Body, maxDrain)
		}
		_ = r.Body.Close()
	}
	now := time.Now()
	if at, ok := date(r.Header.Get("Date")); ok {
		now = at
	}
	a.asked = retryAfter(a.header, now)
	a.end, a.spent = window(a.header, now)
	a.read(body)
	e := a.error()
	e.Err = errors.New(origin(r) + quote(string(body[:min(len(body), maxDrain)]), maxUpstream))
	return e
}

// origin says for the log what was asked for, without the query: keys are sent
// in it.
func origin(r *http.Response) string {
	s := "answer " + strconv.Itoa(r.StatusCode) + ": "
	if r.Request == nil || r.Request.URL == nil {
		return s
	}
	return r.Request.Method + " " + r.Request.URL.Host + r.Request.URL.Path + ": " + s
}

func wantsJSON(r *http.Request) bool {
	if r == nil || r.Method == http.MethodHead {
		return false
	}
	accept := strings.ToLower(strings.Join(r.Header.Values("Accept"), ","))
	return strings.Contains(accept, "json") && !strings.Contains(accept, "html")
}

// A reply is a response that is an error.
type reply struct {
	status       int
	header       http.Header
	usable, html bool
	moved        bool          // the request before it has run
	asked        time.Duration // to wait, by Retry-After; zero if it is not there
	end          time.Duration // of the rate limit's window; zero if unknown
	spent        bool          // the window is
	problem      problem
	words        string // all that its data say, in lower case
	page         string // the beginning of a web page, in lower case
}

func (a *reply) read(body []byte) {
	a.problem = parseProblem(body)
	// Only AWS says it in a header.
	if s := a.header.Get("X-Amzn-Errortype"); s != "" {
		a.problem.codes = append([]string{s}, a.problem.codes...)
	}
	text := a.problem.text
	head := body[:min(len(body), maxDrain)]
	switch {
	case a.html || markup(head):
		a.page = strings.ToLower(string(head))
	case text == "" && len(a.problem.codes) == 0 && readable(body):
		text = string(head)
		if a.status < 500 { // from a 5xx it tends to be a stack trace: read, but not shown
			a.problem.text = text
		}
	}
	all := append([]string{text, a.problem.quota}, a.problem.codes...)
	for _, f := range a.problem.fields {
		all = append(all, f.Text)
	}
	a.words = strings.ToLower(strings.Join(all, "\n"))
}

func (a *reply) error() *Error {
	e := Error{Code: a.code()}
	a.retry(&e)
	e.Message = a.message(&e)
	e.Suggestion = a.suggestion(&e)
	e.Related = a.related(&e)
	// Who says that it is busy is well, also by a 5xx, but may have begun.
	e.heard = !e.Code.fallback().breaker && (a.status < 500 || e.Code == RateLimited || e.Code == ResourceBusy)
	e.NotRun = a.refused(e.Code)
	e.made, e.bare = true, true
	return &e
}

// code judges by machine codes first, then by words, and last by the status.
func (a *reply) code() Code {
	if a.usable {
		return BadUpstreamResponse
	}
	code := byStatus(a.status)
	for _, s := range a.problem.codes {
		c, ok := byWord()[snake(s)]
		if ok && (c != UpstreamError || code == InvalidArgument) {
			return a.allowance(c)
		}
	}
	switch exists := has(a.words, existsWords); {
	case exists && (a.status == 400 || a.status == 409 || a.status == 422 || a.status == 500):
		return DuplicateEntry
	case a.status == 400 && strings.Contains(a.words, "credit balance"), // Anthropic
		a.status == 403 && strings.Contains(a.words, "billing"): // Google
		return PaymentRequired
	case (a.status == 400 || a.status == 403) && has(a.words, keyWords):
		return InvalidCredentials
	case a.status == 403:
		return a.forbidden()
	}
	return a.allowance(code)
}

// forbidden tells what a 403 stands for.
func (a *reply) forbidden() Code {
	switch {
	case a.spent || has(a.words, limitWords):
		return a.allowance(RateLimited)
	case a.header.Get("Cf-Mitigated") != "" || has(a.page, wallWords):
		return PolicyBlocked
	case has(a.words, quotaWords):
		return a.allowance(QuotaExceeded)
	}
	return PermissionDenied
}

// allowance tells a spent quota from a rate limit, whatever the API calls it.
func (a *reply) allowance(c Code) Code {
	wait := a.problem.wait > 0 || a.asked > 0
	switch {
	case c == RateLimited && lasting(a.words, wait):
		return QuotaExceeded
	case c == QuotaExceeded && !lasting(a.words, wait) && (wait || a.status == 429 || has(a.words, passingWords)):
		return RateLimited
	}
	return c
}

// refused reports whether the API turned the request away unserved.
func (a *reply) refused(c Code) bool {
	switch a.status {
	case 423, 425, 429:
		return !a.moved
	case 503:
		return a.asked > 0 && !a.moved
	}
	return c == RateLimited && !a.moved && a.status >= 400 && a.status < 500
}

// retry sets when and whether to repeat the call, where the answer tells.
func (a *reply) retry(e *Error) {
	wait := a.asked
	switch {
	case e.Code == QuotaExceeded:
		wait = cmp.Or(wait, a.end)
	case e.Code == RateLimited:
		wait = cmp.Or(max(wait, a.problem.wait), a.end)
		// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
		if wait == 0 && (strings.Contains(a.words, "secondary rate") || strings.Contains(a.words, "abuse detection")) {
			wait = time.Minute
		}
	case e.Code.fallback().retries > 0 && e.Code != Timeout: // that may have run
		wait = max(wait, a.problem.wait)
	case e.Code == Conflict && a.asked > 0:
		e.MaxRetries = 1
	default:
		wait = 0
	}
	e.RetryAfter = wait
	if a.problem.never || a.header.Get("X-Should-Retry") == "false" || a.header.Get("Stripe-Should-Retry") == "false" {
		e.MaxRetries = -1
		if e.Code != QuotaExceeded {
			e.RetryAfter = 0 // for what?
		}
	}
}
