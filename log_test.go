package recourse_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

// recordOf runs fn under a Guard and returns what is logged of it.
func recordOf[T any](t *testing.T, r recourse.Request, fn func(context.Context) (T, error)) recourse.Record {
	t.Helper()
	var logged []recourse.Record
	g := recourse.Guard{Log: func(r recourse.Record) { logged = append(logged, r) }}
	recourse.Run(t.Context(), &g, r, fn)
	if len(logged) != 1 {
		t.Fatalf("%d records of one call", len(logged))
	}
	return logged[0]
}

func TestRecordOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := recourse.Dependency{Name: "github", Attempts: 3, Trip: 2}
		began := time.Now()
		runs := 0
		request := recourse.Request{
			Tool: "find", Client: "inspector/1", Session: "s1", ReadOnly: true,
			Arguments: json.RawMessage(`{"q":"gears","api_key":"sk-12345678901234567890"}`),
		}
		r := recordOf(t, request, func(ctx context.Context) (string, error) {
			v, err := recourse.Call(ctx, &d, func(context.Context) (string, error) {
				time.Sleep(2 * time.Second)
				if runs++; runs < 2 {
					return "", &recourse.Error{Code: recourse.UpstreamError}
				}
				return "found", nil
			})
			for range 2 {
				_, _ = recourse.Call(ctx, &d, callBroken)
			}
			recourse.Warn(ctx, "No stars: %v.", errBroken)
			return v, err
		})
		if r.Version != 1 || r.Type != "call" || !r.Time.Equal(began) || len(r.ID) != 26 ||
			r.Server != strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") {
			t.Errorf("head: %+v", r)
		}
		if r.Tool != "find" || r.Client != "inspector/1" || r.Session != "s1" ||
			string(r.Args) != `{"q":"gears","api_key":"[redacted:key]"}` || r.ArgsSent != nil {
			t.Errorf("request: %+v, args %s", r, r.Args)
		}
		if r.Outcome != "degraded" || r.Fault != "upstream" || r.Code != "" || r.Message != "" || r.Cause != "" {
			t.Errorf("end: %+v", r)
		}
		if r.Duration != time.Since(began) || r.Duration < 4*time.Second {
			t.Errorf("took %v of %v", r.Duration, time.Since(began))
		}
		var codes []recourse.Code
		for _, a := range r.Attempts {
			codes = append(codes, a.Code)
		}
		if !slices.Equal(codes, []recourse.Code{"UPSTREAM_ERROR", "", "UPSTREAM_ERROR", "UPSTREAM_ERROR"}) ||
			r.Attempts[0].Duration != 2*time.Second {
			t.Errorf("attempts %+v", r.Attempts)
		}
		if !slices.Equal(r.Breakers, []string{"github closed→open"}) {
			t.Errorf("breakers %q", r.Breakers)
		}
		if len(r.Warnings) != 1 || strings.Contains(r.Warnings[0], "gears") {
			t.Errorf("warnings %q", r.Warnings)
		}
	})
}

func TestBreakersInTheRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tripped(t, &recourse.Dependency{Name: "github"})
		r := recordOf(t, recourse.Request{}, func(ctx context.Context) (string, error) { return recourse.Call(ctx, d, callFine) })
		if want := []string{"github open→half-open", "github half-open→closed"}; !slices.Equal(r.Breakers, want) {
			t.Errorf("breakers %q, want %q", r.Breakers, want)
		}
	})
}

// The two axes of the log: how the call ended, and whose fault it was.
func TestOutcomes(t *testing.T) {
	coded := func(code recourse.Code) func(context.Context) (string, error) {
		return func(context.Context) (string, error) { return "", recourse.Errorf(code, "no") }
	}
	under := func(d *recourse.Dependency, fn func(context.Context) (string, error)) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) { return recourse.Call(ctx, d, fn) }
	}
	worded := func(fn func(context.Context) (string, error)) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) {
			_, err := fn(ctx)
			return "", &recourse.Error{Message: "No forecast.", Err: err}
		}
	}
	for _, tt := range []struct {
		name                 string
		fn                   func(context.Context) (string, error)
		outcome, fault, code string
	}{
		{"fine", callFine, "ok", "none", ""},
		{"argument", coded(recourse.InvalidArgument), "failed", "caller", "INVALID_ARGUMENT"},
		{"absent", coded(recourse.NotFound), "failed", "caller", "NOT_FOUND"},
		{"rule", coded(recourse.PolicyBlocked), "failed", "policy", "POLICY_BLOCKED"},
		{"no host", coded(recourse.HostUnreachable), "failed", "network", "HOST_UNREACHABLE"},
		{"lost", under(&recourse.Dependency{}, func(context.Context) (string, error) { return "", syscall.ECONNRESET }), "failed", "network", "SERVICE_UNAVAILABLE"},
		{"timeout", coded(recourse.Timeout), "failed", "upstream", "TIMEOUT"},
		{"limit", coded(recourse.RateLimited), "failed", "upstream", "RATE_LIMITED"},
		{"login", coded(recourse.InvalidCredentials), "failed", "upstream", "INVALID_CREDENTIALS"},
		{"setting", coded(recourse.ConfigurationError), "failed", "process", "CONFIGURATION_ERROR"},
		{"own", coded("SHOP_CLOSED"), "failed", "upstream", "SHOP_CLOSED"},
		{"unknown", func(context.Context) (string, error) { return "", errBroken }, "failed", "upstream", "UNKNOWN_ERROR"},
		{"panic", func(context.Context) (string, error) { panic("x") }, "failed", "process", "INTERNAL_ERROR"},
		{"cancel", coded(recourse.Cancelled), "cancelled", "none", "CANCELLED"},
		{"question", func(context.Context) (string, error) {
			return "", &recourse.Error{Code: recourse.UserActionRequired, Related: map[string]any{"reason": "input_required"}}
		}, "input_required", "none", ""},
	} {
		r := recordOf(t, recourse.Request{Tool: "t"}, tt.fn)
		if r.Outcome != tt.outcome || r.Fault != tt.fault || string(r.Code) != tt.code {
			t.Errorf("%s: %s, %s, %q; want %s, %s, %q", tt.name, r.Outcome, r.Fault, r.Code, tt.outcome, tt.fault, tt.code)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		d := tripped(t, &recourse.Dependency{})
		_, _ = recourse.Call(t.Context(), d, callBroken)
		for name, fn := range map[string]func(context.Context) (string, error){
			"open": under(d, callFine), "open, in an author's words": worded(under(d, callFine)),
		} {
			r := recordOf(t, recourse.Request{}, fn)
			if r.Outcome != "short_circuited" || r.Fault != "policy" || r.Code != recourse.ServiceUnavailable || len(r.Attempts) != 0 {
				t.Errorf("%s: %+v", name, r)
			}
		}
		runs := 0
		twice := &recourse.Dependency{Attempts: 2}
		r := recordOf(t, recourse.Request{ReadOnly: true}, under(twice, func(context.Context) (string, error) {
			if runs++; runs == 1 {
				return "", recourse.Errorf(recourse.UpstreamError, "no")
			}
			return "fine", nil
		}))
		if r.Outcome != "retried" || r.Fault != "upstream" || len(r.Attempts) != 2 {
			t.Errorf("retried: %+v", r)
		}
	})
}

// Everything that may hold a secret is searched, and all is bounded.
func TestRecordIsRedactedAndBounded(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
	long := strings.Repeat("x", 4090) + " "
	for _, text := range []string{"token " + secret, long + secret} {
		r := recordOf(t, recourse.Request{Arguments: json.RawMessage(`{"note":"` + secret + `"}`)}, func(ctx context.Context) (int, error) {
			recourse.Warn(ctx, "Used %s.", secret)
			return 0, &recourse.Error{Code: recourse.UpstreamError, Message: text, Err: errors.New(text)}
		})
		line := string(encodeRecord(t, r))
		if strings.Contains(line, "ghp_0") {
			t.Errorf("a secret is logged: %.300s", line[strings.Index(line, "ghp_0")-40:])
		}
		if len(r.Message) > 4200 || len(r.Cause) > 4200 {
			t.Errorf("message of %d bytes, cause of %d", len(r.Message), len(r.Cause))
		}
	}
}

func TestArgumentsInTheRecord(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"none", "", ""},
		{"as sent", `{ "a" : 1.50 }`, `{ "a" : 1.50 }`},
		{"no JSON", `{"a":`, `"{\"a\":"`},
		{"no UTF-8", "\"\xff\"", `"�"`},
		{"over 1 MiB", `"` + strings.Repeat("a", 1<<20) + `"`, ""},
	} {
		r := recordOf(t, recourse.Request{Arguments: json.RawMessage(tt.args)}, callFine)
		if tt.name != "no UTF-8" && string(r.Args) != tt.want {
			t.Errorf("%s: %.80q", tt.name, r.Args)
		}
		var back struct{ Args any }
		if err := json.Unmarshal(encodeRecord(t, r), &back); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// encodeRecord returns the one line that LogTo writes.
func encodeRecord(t *testing.T, r recourse.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	recourse.LogTo(&b)(r)
	if b.Len() == 0 || bytes.IndexByte(b.Bytes(), '\n') != b.Len()-1 {
		t.Fatalf("not one line: %.200q", b.String())
	}
	return b.Bytes()
}

// The log is written before the answer leaves, and a bad one does no harm.
func TestLogPanics(t *testing.T) {
	g := recourse.Guard{Log: func(recourse.Record) { panic("disk on fire") }}
	for range 2 {
		if o := recourse.Run(t.Context(), &g, recourse.Request{}, callFine); o.Value != "fine" || o.Err != nil {
			t.Errorf("got %+v", o)
		}
	}
	if err := g.Drain(t.Context()); err != nil {
		t.Error(err)
	}
}

// A writes each line in one Write, and refuses, or tears, those it is told to.
type flaky struct {
	bytes.Buffer
	refuse, tear int
	writes       int
}

func (f *flaky) Write(b []byte) (int, error) {
	f.writes++
	switch {
	case f.refuse > 0:
		f.refuse--
		return 0, io.ErrShortWrite
	case f.tear > 0:
		f.tear--
		n, _ := f.Buffer.Write(b[:len(b)/2])
		return n, io.ErrShortWrite
	}
	return f.Buffer.Write(b)
}

func TestLostLines(t *testing.T) {
	for _, tt := range []struct{ refuse, tear, torn int }{{3, 0, 0}, {0, 1, 1}, {2, 1, 1}, {0, 2, 2}} {
		w := &flaky{refuse: tt.refuse, tear: tt.tear}
		log := recourse.LogTo(w)
		n := tt.refuse + tt.tear
		for i := range n + 2 {
			log(recourse.Record{Version: 1, Type: "call", ID: fmt.Sprint(i), Time: time.Now()})
		}
		torn, calls, lost := 0, 0, 0
		for line := range strings.Lines(w.String()) {
			var r struct {
				Type string
				TS   time.Time
				N    int
			}
			if json.Unmarshal([]byte(line), &r) != nil {
				torn++
				continue
			}
			if r.Type == "drop" {
				lost += r.N
				if r.TS.IsZero() || r.TS.Location() != time.UTC {
					t.Errorf("drop at %v", r.TS)
				}
			} else {
				calls++
			}
		}
		if torn != tt.torn || calls != 2 || lost != n || w.writes != n+2 {
			t.Errorf("%+v: %d torn lines, %d whole, %d lost in %d writes:\n%s", tt, torn, calls, lost, w.writes, w.String())
		}
	}
}

func TestLogFromManyCalls(t *testing.T) {
	var w flaky
	g := recourse.Guard{Log: recourse.LogTo(&w)}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() { recourse.Run(t.Context(), &g, recourse.Request{Tool: "t"}, callFine) })
	}
	wg.Wait()
	seen := map[string]bool{}
	for line := range strings.Lines(w.String()) {
		var r recourse.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		seen[r.ID] = true
	}
	if len(seen) != 100 || w.writes != 100 {
		t.Errorf("%d ids in %d writes", len(seen), w.writes)
	}
}

// A call that does not end in time is logged once, when its answer leaves.
func TestLogOfADeafCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged []recourse.Record
		g := recourse.Guard{Timeout: time.Second, Log: func(r recourse.Record) { logged = append(logged, r) }}
		recourse.Run(t.Context(), &g, recourse.Request{Tool: "t"}, func(context.Context) (int, error) {
			time.Sleep(time.Minute)
			return 1, nil
		})
		time.Sleep(2 * time.Minute)
		if len(logged) != 1 || logged[0].Duration != time.Second || logged[0].Code != recourse.Timeout {
			t.Errorf("logged %+v", logged)
		}
	})
}
