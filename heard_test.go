package recourse

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// A pgError has the method by which drivers tell SQLSTATE.
type pgError string

func (p pgError) Error() string    { return "SQLSTATE " + string(p) }
func (p pgError) SQLState() string { return string(p) }

// What an answer proves of the dependency, and of the connection to it.
func TestHeardAndLost(t *testing.T) {
	status := func(n int) error {
		return CheckResponse(&http.Response{StatusCode: n, Body: http.NoBody})
	}
	dialing := func(err error) error {
		return &url.Error{Op: "Get", URL: "http://x", Err: &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}}
	}
	reading := func(err error) error { return &url.Error{Op: "Get", URL: "http://x", Err: err} }
	for _, tt := range []struct {
		err         error
		heard, lost bool
	}{
		{status(400), true, false},
		{status(404), true, false},
		{status(407), false, false}, // a proxy on the way
		{status(408), false, false},
		{status(429), true, false},
		{status(500), false, false},
		{status(503), false, false},
		{CheckResponse(&http.Response{StatusCode: http.StatusInternalServerError, Body: io.NopCloser(strings.NewReader(`{"code":"lock_timeout"}`))}), true, false},
		{&Error{Message: "No.", Err: status(404)}, true, false},
		{sql.ErrNoRows, true, false},
		{pgError("23505"), true, false},
		{pgError("42601"), true, false},
		{pgError("40001"), true, false},
		{pgError("40003"), false, false},
		{pgError("08006"), false, true},
		{pgError("53100"), false, false},
		{pgError("57014"), false, false},
		{pgError("57P01"), false, true},
		{pgError("XX000"), false, false},
		{driver.ErrBadConn, false, true},
		{dialing(syscall.ECONNREFUSED), false, true},
		{dialing(syscall.EHOSTUNREACH), false, false},
		{reading(io.EOF), false, true},
		{reading(syscall.ECONNRESET), false, true},
		{&Error{Err: reading(syscall.EPIPE)}, false, true},
		{reading(context.DeadlineExceeded), false, false},
		{errors.New("odd"), false, false},
	} {
		r := classify(tt.err).inherit()
		if r.heard != tt.heard || r.lost != tt.lost {
			t.Errorf("%v: heard %t, lost %t; want %t, %t", tt.err, r.heard, r.lost, tt.heard, tt.lost)
		}
	}
}

// The request that can't be sent comes after one that was answered.
func TestRedirectedMayHaveRun(t *testing.T) {
	err := &url.Error{Op: "Post", URL: "http://x", Err: redirected{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}}
	if e := Classify(err); e.Code != ServiceUnavailable || e.NotRun {
		t.Errorf("%s, NotRun %t", e.Code, e.NotRun)
	}
}

// What a tool's own code meets outside of a Call, no service has said.
func TestClassifyOwn(t *testing.T) {
	var v struct{ N int }
	reading := func(err error) error { return &url.Error{Op: "Get", URL: "http://x", Err: err} }
	for _, tt := range []struct {
		err  error
		want Code
	}{
		{json.Unmarshal([]byte(`{`), &v), InternalError},
		{fmt.Errorf("the filter: %w", json.Unmarshal([]byte(`{"n":"x"}`), &v)), InternalError},
		{io.EOF, InternalError},
		{io.ErrUnexpectedEOF, InternalError},
		{&fs.PathError{Op: "open", Path: "/srv/x", Err: syscall.ENOENT}, InternalError},
		{&fs.PathError{Op: "open", Path: "/srv/x", Err: syscall.EACCES}, InternalError},
		{&fs.PathError{Op: "open", Path: "/srv/x", Err: syscall.EISDIR}, InternalError},
		{os.ErrNotExist, InternalError},
		{os.ErrExist, InternalError},
		{&fs.PathError{Op: "write", Path: "/srv/x", Err: syscall.ENOSPC}, ResourceExhausted},
		{&fs.PathError{Op: "fork/exec", Path: "/bin/x", Err: syscall.ENOENT}, ConfigurationError},
		{reading(io.EOF), ServiceUnavailable},
		{reading(&net.OpError{Op: "dial", Net: "unix", Err: syscall.ENOENT}), ServiceUnavailable},
		{context.DeadlineExceeded, Timeout},
		{sql.ErrNoRows, NotFound},
		{pgError("23505"), DuplicateEntry},
		{&Error{Code: NotFound, Err: fs.ErrNotExist}, NotFound},
		{fmt.Errorf("x: %w", Errorf(InvalidArgument, "No: %w", io.EOF)), InvalidArgument},
		{errors.New("odd"), UnknownError},
	} {
		if e := classifyOwn(tt.err); e.Code != tt.want || strings.Contains(e.Envelope(), "/srv") {
			t.Errorf("%v: got %s, want %s: %s", tt.err, e.Code, tt.want, e.Envelope())
		}
	}
}

// An endless error unwraps to itself, a fan to two of itself.
type (
	endless struct{}
	fan     struct{}
)

func (endless) Error() string { return "endless" }
func (endless) Unwrap() error { return endless{} }
func (fan) Error() string     { return "fan" }
func (fan) Unwrap() []error   { return []error{fan{}, fan{}} }
func (fan) Is(error) bool     { return false }
func (fan) As(any) bool       { return false }

// No tree holds a call up, nor does one whose methods panic end the server.
func TestHostileTrees(t *testing.T) {
	var none *url.Error
	for _, err := range []error{endless{}, fan{}, errors.Join(fan{}, endless{}), none, fmt.Errorf("x: %w", error(none)), (*Error)(nil)} {
		if ours(err) != nil || is(err, context.Canceled) {
			t.Errorf("%T has in it what it has not", err)
		}
		if e := classify(err); e.Code != UnknownError {
			t.Errorf("%T is %s", err, e.Code)
		}
		if textOf(err) == "" {
			t.Errorf("%T has no text", err)
		}
	}
	mine := &Error{Code: NotFound}
	if e := ours(errors.Join((*Error)(nil), fmt.Errorf("x: %w", mine))); e != mine {
		t.Errorf("got %v", e)
	}
	if !is(fmt.Errorf("x: %w", errors.Join(errors.New("y"), io.EOF)), io.EOF) {
		t.Error("a sibling is not seen")
	}
}

// noon is 1772366400 seconds after 1970 began.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestWindow(t *testing.T) {
	for _, tt := range []struct {
		header map[string]string
		end    time.Duration
		spent  bool
	}{
		{map[string]string{}, 0, false},
		{map[string]string{"X-RateLimit-Reset": "30"}, 30 * time.Second, false},
		{map[string]string{"X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "30"}, 0, false},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1772366430"}, 30 * time.Second, true},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1772366430000"}, 30 * time.Second, true},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2026-03-01T12:00:30Z"}, 30 * time.Second, true},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"}, 0, true},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1772366000"}, time.Second, true},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-1"}, time.Second, true},
		{map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999999999999"}, 0, true},
		{map[string]string{"RateLimit": `"a";r=0;t=5, "b";r=0;t=50`}, 50 * time.Second, true},
		{map[string]string{"RateLimit": `"a";r=0`}, 0, true},
		{map[string]string{"RateLimit": `"a";r=1;t=5`}, 0, false},
		{map[string]string{"RateLimit": `"a;r=0";t=x`}, 0, false},
		{map[string]string{"RateLimit": `limit=10, remaining=3, reset=7`}, 0, false},
	} {
		h := http.Header{}
		for name, value := range tt.header {
			h.Set(name, value)
		}
		if end, spent := window(h, noon); end != tt.end || spent != tt.spent {
			t.Errorf("%v: got %v, %t; want %v, %t", tt.header, end, spent, tt.end, tt.spent)
		}
	}
}

func TestSnake(t *testing.T) {
	for in, want := range map[string]string{
		"com.amazonaws.dynamodb.v20120810#ThrottlingException": "throttling",
		"NoSuchKey":                            "no_such_key",
		"ResourceNotFoundException:http://x/":  "resource_not_found",
		"https://api.example/errors/slow-down": "slow_down",
		"RESOURCE_EXHAUSTED":                   "resource_exhausted",
		"rate_limit_error":                     "rate_limit",
		"userRateLimitExceeded":                "user_rate_limit_exceeded",
		"":                                     "",
	} {
		if got := snake(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	for in, want := range map[string]string{
		"":                             "",
		" a\n\tb\x00c ":                "a b c",
		"no route to 10.0.0.5":         "no route to [address]",
		"[::1]:443 and fe80::1 failed": "[address] and [address] failed",
		"at app.js:12:7, at 12:30":     "at [address] at 12:30",
		"see https://docs.example.com/errors#rate":    "see https://docs.example.com/errors#rate",
		"ada@example.com is taken":                    "ada@example.com is taken",
		"user ada@db.internal":                        "user [address]",
		"token " + token:                              "token [redacted]",
		"half a " + strings.Repeat(" ", 6380) + token: "half a",
		"bad\xff":                   "bad\uFFFD",
		"boom\n\tat com.example.Db": "boom",
	} {
		if got := quote(in, maxUpstream); got != want {
			t.Errorf("%.60q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{
		"30", "0.5", "-1", "1e9", "0x10", "NaN", "+Inf", "Sun, 01 Mar 2026 12:01:30 GMT", "Sunday, 01-Mar-26 12:01:30 GMT",
		"Sun Mar  1 12:01:30 2026", `"default";r=0;t=30`, "limit=1, remaining=0, reset=9", "1772366460", "9223372036854775807",
	} {
		f.Add("Retry-After", s)
		f.Add("X-RateLimit-Reset", s)
		f.Add("RateLimit", s)
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		h := http.Header{}
		h.Set(name, value)
		after := retryAfter(h, noon)
		end, _ := window(h, noon)
		for _, d := range []time.Duration{after, end} {
			if d != 0 && (d < time.Second || d > maxAsked || d%time.Second != 0) {
				t.Errorf("%s: %s is %v", name, value, d)
			}
		}
	})
}

func FuzzParseProblem(f *testing.F) {
	f.Add([]byte(`{"error":{"errors":[{"reason":"a"}],"details":[{"@type":"x.RetryInfo","retryDelay":"1.5s"}]}}`))
	f.Add([]byte(`{"errors":{"email":["taken"]},"retry_after":1e400,"detail":[{"loc":["body",0],"msg":"m"}]}`))
	f.Add([]byte(`[{"message":"m","extensions":{"code":"C"}}]`))
	f.Add([]byte("\xef\xbb\xbf<Error><Code>A</Code><Message>\xff</Message></Error>"))
	f.Add([]byte(`{"message":"postgres://a:b@10.0.0.1:5432/x [::1]:80 localhost a\u0000b \ud800"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p := parseProblem(body)
		if len(p.fields) > maxFaults || p.wait < 0 || p.wait > maxAsked || p.depth != 0 {
			t.Errorf("%+v", p)
		}
		text := quote(p.text, maxUpstream)
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxUpstream || strings.ContainsAny(text, "\n\r\t\x00") {
			t.Errorf("%q", text)
		}
		if p.id != "" && !plainName(p.id) {
			t.Errorf("%q", p.id)
		}
	})
}
