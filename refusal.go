package recourse

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// refusal returns the error of a call that d's policy did not let through.
func (d *Dependency) refusal(r policy.Refusal, orphans int) *Error {
	related := map[string]any{"reason": string(r.Reason)}
	if r.Reason == policy.CircuitOpen {
		wait := whole(r.Wait)
		return &Error{
			Code:       ServiceUnavailable,
			Message:    fmt.Sprintf("%s failed several times in a row, so it is not called for now.", capital(d.label())),
			Suggestion: fmt.Sprintf("Wait %s, then repeat the call; if the service stays down, tell the user.", spell(wait)),
			RetryAfter: wait,
			NotRun:     true,
			Related:    related,
		}
	}
	e := &Error{
		Code:    ResourceBusy,
		Message: fmt.Sprintf("As many calls as %s is given at a time are at work.", d.label()),
		NotRun:  true,
		Related: related,
	}
	if orphans > 0 {
		related["unanswered"] = orphans // nobody waits for these any more
	}
	return e
}

// stopped returns the error of an attempt that did not get to its end: that was
// given up after the time spent, or, if that is negative, not even begun.
func (c *caller) stopped(ctx context.Context, cut error, spent time.Duration) *Error {
	begun := spent >= 0
	if errors.Is(ctx.Err(), context.Canceled) {
		return &Error{Code: Cancelled, NotRun: !begun, Err: context.Cause(ctx)}
	}
	e := &Error{Code: Timeout, Suggestion: c.d.Suggestion, NotRun: !begun, Err: cut}
	if limit := c.d.limit(); limit > 0 {
		spent = min(spent, limit)
	}
	if begun {
		e.Message = fmt.Sprintf("%s did not answer within %s.", capital(c.d.label()), spell(spent))
	} else {
		e.Message = fmt.Sprintf("There was no time left to call %s.", c.d.label())
	}
	return e
}

// unopened returns the error of an attempt that waited for a Reset in vain. The
// next ones don't: maybe it hangs, and what it opens is open.
func (c *caller) unopened(ctx context.Context, cut error) *Error {
	d := c.d
	d.mu.Lock()
	d.hung = c.reset
	d.mu.Unlock()
	e := c.stopped(ctx, cut, -1)
	if e.Code == Timeout {
		e.Message = fmt.Sprintf("%s was not opened again in time after a connection failure.", capital(d.label()))
	}
	return e
}

// whole rounds a wait up to whole seconds.
func whole(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}

// spell writes a duration as one would say it.
func spell(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Second && d%time.Second > 50*time.Millisecond:
		return d.Round(100 * time.Millisecond).String()
	case d < 2*time.Minute:
		return plural(int(d.Round(time.Second)/time.Second), "second")
	case d < 2*time.Hour:
		return plural(int(d.Round(time.Minute)/time.Minute), "minute")
	case d < 48*time.Hour:
		return plural(int(d.Round(time.Hour)/time.Hour), "hour")
	}
	return plural(int(d.Round(24*time.Hour)/(24*time.Hour)), "day")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// capital returns s as the beginning of a sentence, if it is no name of its own.
func capital(s string) string {
	if after, ok := strings.CutPrefix(s, "the "); ok {
		return "The " + after
	}
	return s
}
