package recourse

import (
	"cmp"
	"time"
)

// An Error is a failure a model can act on. Every field but Err may be shown
// to the model. The zero value of each field but Code means "unknown".
type Error struct {
	Code       Code          // if empty, this and the retry fields come from Err
	Message    string        // what happened; if empty, the code's phrase
	Field      string        // JSON Pointer to the argument at fault
	Value      any           // what was sent; redacted and cut when written
	Constraint string        // what was expected, in plain words
	Suggestion string        // what to do next; if empty, the code's default
	RetryAfter time.Duration // if zero, the code's default; if negative, unknown
	MaxRetries int           // if zero, the code's default; if negative, not retryable
	NotRun     bool          // the call provably did not run: repeating it is safe

	Violations []Violation    // all faults, if there are several
	Related    map[string]any // further members of the object; can't replace one above

	Err error // the cause: logged, never shown

	heard bool // the dependency itself answered: it lives
	lost  bool // the connection failed: others to the same place will too
	made  bool // by Classify or CheckResponse, and not by an author
	bare  bool // made so, and not yet put into words
}

// A Violation is one fault among several.
type Violation struct {
	Field      string `json:"field"`
	Value      any    `json:"value,omitempty"`
	Constraint string `json:"constraint"`
	Suggestion string `json:"suggestion,omitempty"`
}

// Error returns the Message, or the code's phrase, and nothing of Err.
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	return cmp.Or(e.Message, e.inherit().Code.fallback().phrase)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the identical call may succeed later. A [Timeout]
// may have run, so it is retryable only if NotRun or if MaxRetries says so.
func (e *Error) Retryable() bool { return e.resolve().MaxRetries > 0 }

// counts reports whether the failure says something about a dependency, and so
// counts against its breaker.
func (e *Error) counts() bool {
	r := e.resolve()
	_, listed := fallbacks[r.Code]
	return r.Code.fallback().breaker || !listed && r.MaxRetries > 0
}

// uncertain reports whether a call that failed so may nevertheless have done its
// work. Of what is not known or broke in the middle, an author's suggestion may
// know better.
func (e *Error) uncertain() bool {
	if e.NotRun {
		return false
	}
	switch e.Code {
	case InternalError, UnknownError:
		return e.Suggestion == ""
	case Timeout, ServiceUnavailable, HostUnreachable, UpstreamError, BadUpstreamResponse:
		return true
	case RateLimited, ResourceBusy: // an author says it before anything is done; others, not always
		return e.made
	}
	return false
}

// inherit returns e with its code and, if that was empty, its retry fields from
// Err.
func (e *Error) inherit() Error { return e.trace(maxChain) }

// maxChain is how many Errors, each the cause of the one before, are looked at.
// One that is its own cause has no end.
const maxChain = 100

func (e *Error) trace(left int) Error {
	r := *e
	if r.Code == "" && left > 0 {
		cause := classify(r.Err).trace(left - 1)
		r.Code = cause.Code
		r.RetryAfter = cmp.Or(r.RetryAfter, cause.RetryAfter)
		r.MaxRetries = cmp.Or(r.MaxRetries, cause.MaxRetries)
		r.NotRun = r.NotRun || cause.NotRun
		r.heard, r.lost, r.made = cause.heard, cause.lost, cause.made
	}
	if !r.Code.valid() {
		r.Code = UnknownError
	}
	return r
}

// resolve returns e with every default filled in: RetryAfter and MaxRetries are
// then zero for none. Without a retry, only a RetryAfter that the author set
// remains, such as the known reset of a quota.
func (e *Error) resolve() Error {
	r := e.inherit()
	f := r.Code.fallback()
	if r.MaxRetries == 0 && (r.Code != Timeout || r.NotRun) {
		r.MaxRetries = f.retries
	}
	r.MaxRetries = max(r.MaxRetries, 0)
	if r.MaxRetries > 0 {
		r.RetryAfter = cmp.Or(r.RetryAfter, f.after)
		f.suggestion = cmp.Or(f.repeat, f.suggestion)
		if r.RetryAfter > longWait {
			f.suggestion = "Go on without this call, or tell the user; it may be repeated in " + spell(r.RetryAfter) + "."
		}
	}
	r.RetryAfter = max(r.RetryAfter, 0)
	r.Message = cmp.Or(r.Message, f.phrase)
	r.Suggestion = cmp.Or(r.Suggestion, f.suggestion)
	return r
}
