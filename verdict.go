package recourse

import (
	"cmp"
	"maps"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// verdict is what the failure says about the dependency.
func (e *Error) verdict() policy.Verdict {
	switch r := e.inherit(); {
	case e.counts():
		return policy.Failure
	case r.heard:
		return policy.Success // who answers "not found" is well
	}
	return policy.Ignored
}

// delivery is what is known of the attempt that failed so; e has its code. Who
// answers "not found" has done nothing.
func (e *Error) delivery() policy.Delivery {
	switch {
	case e.NotRun:
		return policy.NotSent
	case e.heard:
		return policy.Answered
	case !e.made && (e.Code == RateLimited || e.Code == ResourceBusy):
		return policy.Refused
	}
	return policy.Unknown
}

// transient reports whether another attempt may work, and how long to wait
// before it at least; e has its code. A wait that a default names is one for
// models, except that a full allowance does not empty itself in a moment.
func (e *Error) transient() (floor time.Duration, ok bool) {
	f := e.Code.fallback()
	floor = max(0, e.RetryAfter)
	if floor == 0 && e.Code == RateLimited {
		floor = f.after
	}
	retry := e.MaxRetries > 0 || e.MaxRetries == 0 && f.retries > 0
	return floor, retry && floor <= maxWait
}

// settle returns e with MaxRetries as it holds for a call that may be repeated
// so: what may have run is retryable only if running it again does no harm.
func (e *Error) settle(how policy.Repeat) *Error {
	r := e.inherit()
	if !r.uncertain() || r.MaxRetries > 0 {
		return e
	}
	if how == policy.Unsafe {
		return e.doubtful()
	}
	if retries := r.Code.fallback().retries; retries > 0 && r.MaxRetries == 0 {
		s := e.revise()
		s.MaxRetries = retries
		return s
	}
	return e
}

// doubtful returns e saying that the call may have run, and is not retryable.
func (e *Error) doubtful() *Error {
	_, told := e.Related["outcome"]
	if told && e.MaxRetries < 0 {
		return e
	}
	r := e.revise()
	r.MaxRetries, r.RetryAfter = -1, -1
	r.Suggestion = cmp.Or(r.Suggestion, checkFirst)
	if !told {
		r.Related = maps.Clone(e.Related)
		if r.Related == nil {
			r.Related = map[string]any{}
		}
		r.Related["outcome"] = "unknown"
	}
	return r
}

// revise returns a copy to change. The original may be somebody's, who looks for
// it with errors.Is: it becomes the cause.
func (e *Error) revise() *Error {
	r := *e
	r.Err = e
	return &r
}

// because returns e with a cause, unless it has one.
func (e *Error) because(err error) *Error {
	if e.Err != nil {
		return e
	}
	r := *e
	r.Err = err
	return &r
}

// fault says whose fault the failure is, in the words of the call log.
func (e *Error) fault() string {
	r := e.inherit()
	switch r.Code {
	case InvalidArgument, MissingArgument, UnknownArgument, OutOfRange, MalformedRequest, InvalidQuery,
		PayloadTooLarge, UnknownTool, NotFound, DuplicateEntry, Conflict, PreconditionFailed, NotSupported:
		return "caller"
	case PolicyBlocked:
		return "policy"
	case HostUnreachable:
		return "network"
	case InternalError, ConfigurationError, ResourceExhausted:
		return "process"
	}
	if r.lost {
		return "network"
	}
	return "upstream"
}

// reason returns why the call was refused here, also if its author has put the
// refusal into words of his own.
func (e *Error) reason() string {
	for range maxChain {
		if reason, ok := e.Related["reason"].(string); ok {
			return reason
		}
		if e.Code != "" {
			break
		}
		if e = ours(e.Err); e == nil {
			break
		}
	}
	return ""
}

// passes reports whether the reason of the failure may pass without anybody
// doing anything: then an older answer is better than none.
func (e *Error) passes() bool {
	r := e.inherit()
	switch r.Code {
	case RateLimited, QuotaExceeded, ResourceBusy, ServiceUnavailable, HostUnreachable, Timeout, UpstreamError, BadUpstreamResponse:
		return true
	}
	return r.MaxRetries > 0
}
