package diagnose

import (
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"HTTP 429, Retry-After: 2":                                        2 * time.Second,
		"429 Too Many Requests (retry-after: 52)":                         52 * time.Second,
		"Rate limit reached. Please try again in 20s.":                    20 * time.Second,
		"Rate limit reached. Please try again in 1m30s.":                  90 * time.Second,
		"Rate limit reached. Please try again in 6m0s.":                   6 * time.Minute,
		"Rate limit reached. Please try again in 1.2s.":                   2 * time.Second,
		"Rate limit reached. Please try again in 1.5 seconds.":            2 * time.Second,
		"Rate limit reached, try again in 250ms":                          time.Second,
		"Throttled; retry after 2 minutes":                                2 * time.Minute,
		"Throttled; retry after 2 minutes and 5 seconds":                  125 * time.Second,
		"Throttled. Wait 60 seconds.":                                     time.Minute,
		"Throttled. Wait a minute.":                                       time.Minute,
		"Throttled. Try again in half an hour.":                           30 * time.Minute,
		"Too many requests. Available again in 3 hours":                   3 * time.Hour,
		`{"error":{"code":"rate_limited","retry_after_ms":1500}}`:         2 * time.Second,
		`{"message":"Too many requests","retry_after":7}`:                 7 * time.Second,
		`{"message":"You are being rate limited.","retry_after":0.6}`:     time.Second,
		"The service is down for maintenance and will be back in 1 hour.": time.Hour,
		"Too many requests: wait 30 second(s)":                            30 * time.Second,
		`{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Quota exceeded for metric 'Reads per minute'","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"22.4s"}]}}`: 23 * time.Second,

		// These say something else.
		"Request timed out after 30s":                               0,
		"timeout of 12000ms exceeded":                               0,
		"Your session expired 5 minutes ago":                        0,
		"Rate limit exceeded: 100 requests per 60 s":                0,
		"Rate limit exceeded; answers are cached for 60 seconds":    0,
		"Rate limit exceeded. Please try again later.":              0,
		"Rate limit exceeded. Please try again in a few minutes.":   0,
		"Too many requests. Retry after 3 attempts failed":          0,
		"Too many requests. The limit resets at 1767225600":         0,
		"Too many requests since 10 minutes":                        0,
		"No such file. Try again in 20s.":                           0,
		"Rate limit exceeded, wait 99999999999 hours":               0,
		"Rate limit exceeded, try again in 0 seconds":               0,
		"Rate limit exceeded, try again in -5 seconds or so":        0,
		"Too many requests: 12 in 60 seconds, 10 are allowed":       0,
		"The queue is full, the oldest job has been in it for 20 s": 0,
	} {
		if got := Read(text).RetryAfter; got != want {
			t.Errorf("%q: wait %v, want %v", text, got, want)
		}
	}
}
