package recourse

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxAsked is the longest wait that is believed; a year is the longest period
// that allowances are given for.
const maxAsked = 400 * 24 * time.Hour

// ceil rounds d up to whole seconds, and to one if nothing is left of it. It
// returns zero, unknown, for a wait past belief.
func ceil(d time.Duration) time.Duration {
	if d > maxAsked {
		return 0
	}
	n := max(1, seconds(d))
	return time.Duration(n) * time.Second
}

// delay reads a decimal number of units.
func delay(s string, unit time.Duration) (time.Duration, bool) {
	n, ok := number(s)
	if !ok {
		return 0, false
	}
	return times(n, unit), true
}

// times returns n units, or what is over maxAsked.
func times(n float64, unit time.Duration) time.Duration {
	if d := n * float64(unit); math.Abs(d) < float64(2*maxAsked) {
		return time.Duration(d)
	}
	if n < 0 {
		return 0
	}
	return 2 * maxAsked
}

// number reads plain decimals only, no "NaN", "0x1p4" or "1e9".
func number(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789.+-") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// date reads a date in any of HTTP's three forms.
func date(s string) (time.Time, bool) {
	if s == "" {
		return time.Time{}, false
	}
	at, err := http.ParseTime(s)
	return at, err == nil
}

// retryAfter returns how long the headers ask to wait; zero if they don't say.
// The finer Retry-After-Ms comes from Azure and OpenAI; AWS has its own name.
func retryAfter(h http.Header, now time.Time) time.Duration {
	for _, name := range []string{"Retry-After-Ms", "X-Ms-Retry-After-Ms"} {
		if d, ok := delay(h.Get(name), time.Millisecond); ok {
			return ceil(d)
		}
	}
	for _, name := range []string{"Retry-After", "X-Amz-Retry-After"} {
		s := h.Get(name)
		if d, ok := delay(s, time.Second); ok {
			return ceil(d)
		}
		if at, ok := date(s); ok {
			return ceil(at.Sub(now))
		}
	}
	return 0
}

// window returns when a spent window ends according to the rate limit headers,
// and whether they say that it is spent. Where nothing is said of what remains,
// the caller knows better.
//
// Services use RateLimit as in draft-ietf-httpapi-ratelimit-headers, its older
// RateLimit-Reset, GitHub's X-RateLimit-Reset, or Discord's -Reset-After.
func window(h http.Header, now time.Time) (end time.Duration, spent bool) {
	left := true
	for _, name := range []string{"X-RateLimit-Remaining", "RateLimit-Remaining", "X-Rate-Limit-Remaining"} {
		if n, ok := number(h.Get(name)); ok {
			spent = spent || n <= 0
			left = spent
		}
	}
	if end, ok := policies(strings.Join(h.Values("Ratelimit"), ",")); ok {
		return end, true
	}
	if !left {
		return 0, false
	}
	if d, ok := delay(h.Get("X-Ratelimit-Reset-After"), time.Second); ok {
		return ceil(d), spent
	}
	for _, name := range []string{"X-RateLimit-Reset", "RateLimit-Reset", "X-Rate-Limit-Reset"} {
		if d, ok := reset(h.Get(name), now); ok {
			return ceil(d), spent
		}
	}
	return 0, spent
}

// reset reads a time to wait, or a point in time in seconds or milliseconds
// since 1970. The size tells them apart: 1e9 seconds are 31 years, 1e9 seconds
// since 1970 was in 2001, and 1e11 milliseconds in 1973.
func reset(s string, now time.Time) (time.Duration, bool) {
	n, ok := number(s)
	switch {
	case s == "":
		return 0, false
	case !ok:
		at, err := time.Parse(time.RFC3339, strings.TrimSpace(s))
		return at.Sub(now), err == nil
	case n < 1e9:
		return times(n, time.Second), true
	case n >= 1e11:
		n /= 1000
	}
	return times(n-float64(now.UnixMilli())/1000, time.Second), true
}

// policies reads the RateLimit field: `"burst";r=0;t=30, "day";r=10`, or in
// drafts before 2024 "limit=100, remaining=0, reset=30". It returns the longest
// wait among the policies of which nothing remains.
func policies(field string) (end time.Duration, spent bool) {
	if strings.Contains(field, "remaining=") {
		field = strings.NewReplacer(",", ";", "remaining=", "r=", "reset=", "t=").Replace(field)
	}
	for policy := range strings.SplitSeq(field, ",") {
		r, t := 1.0, 0.0
		for part := range strings.SplitSeq(policy, ";") {
			key, s, _ := strings.Cut(strings.TrimSpace(part), "=")
			n, ok := number(s)
			if ok && key == "r" {
				r = n
			}
			if ok && key == "t" {
				t = n
			}
		}
		if r <= 0 {
			spent = true
			if t > 0 {
				end = max(end, ceil(times(t, time.Second)))
			}
		}
	}
	return end, spent
}
