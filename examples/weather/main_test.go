package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/session"
	"github.com/recourse-dev/recourse/examples/weather/openmeteo"
)

func TestMain(m *testing.M) { session.Main(m, main) }

type args map[string]any

const secret = "om-3f9a-key-of-a-customer"

var (
	known = args{"city": "Berlin", "days": 7}  // asked for before anything fails
	fresh = args{"city": "Nairobi", "days": 7} // never answered while things fail
)

// A walk is one client session with weather, and the API behind it.
type walk struct {
	*testing.T
	*session.Session
	api *openmeteo.Server
}

func start(t *testing.T, flags ...string) walk {
	t.Setenv("OPEN_METEO_API_KEY", secret)
	api, err := openmeteo.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = api.Close() })
	return walk{t, session.Start(t, session.Command(t, append(flags, "-upstream", api.URL)...)), api}
}

func (w walk) call(a args) session.Answer {
	w.Helper()
	answer := w.Call(w.T, "get_forecast", a)
	answer.Hides(w.T, secret)
	return answer
}

func (w walk) fail(f openmeteo.Failure) {
	w.Helper()
	if err := w.api.Fail(f); err != nil {
		w.Fatal(err)
	}
}

// full wants a forecast with nothing missing.
func (w walk) full(a args, days int) forecast {
	w.Helper()
	var f forecast
	answer := w.call(a)
	answer.Decode(w.T, &f)
	if len(f.Days) != days || answer.Warnings != nil || answer.Completeness != "" {
		w.Errorf("%v: %s", a, answer.Text)
	}
	return f
}

// partial wants three days that say how old they are, and what is missing.
func (w walk) partial(a args) {
	w.Helper()
	var f forecast
	answer := w.call(a)
	answer.Decode(w.T, &f)
	text := strings.Join(answer.Warnings, " ")
	if len(f.Days) != 3 || answer.Completeness != "partial" || !strings.Contains(text, "3 of 7 days") || !strings.Contains(text, "not live") {
		w.Errorf("%v: %s", a, answer.Text)
	}
}

// All failures in one session: each for a city that was asked for before and for
// one that was not; after each the API works again.
func TestFailures(t *testing.T) {
	w := start(t, "-timeout", "1s", "-cooldown", "2s")
	w.full(known, 7)
	for _, tt := range []struct {
		failure   openmeteo.Failure
		want      recourse.Error
		retryable bool
	}{
		{openmeteo.RateLimited, recourse.Error{Code: recourse.RateLimited, Suggestion: "Wait retry_after_seconds", RetryAfter: time.Minute}, true},
		{openmeteo.Quota, recourse.Error{Code: recourse.QuotaExceeded, Suggestion: "used up"}, false},
		{openmeteo.ExpiredKey, recourse.Error{Code: recourse.InvalidCredentials, Suggestion: "must renew OPEN_METEO_API_KEY"}, false},
		{openmeteo.InvalidKey, recourse.Error{Code: recourse.InvalidCredentials, Suggestion: "must renew OPEN_METEO_API_KEY"}, false},
		{openmeteo.Broken, recourse.Error{Code: recourse.UpstreamError, Suggestion: "Wait"}, true},
		{openmeteo.Unavailable, recourse.Error{Code: recourse.ServiceUnavailable, Suggestion: "Wait"}, true},
		{openmeteo.HTML, recourse.Error{Code: recourse.BadUpstreamResponse, Suggestion: "Wait"}, true},
		{openmeteo.HalfBody, recourse.Error{Code: recourse.BadUpstreamResponse, Suggestion: "Wait"}, true},
		{openmeteo.Reset, recourse.Error{Code: recourse.ServiceUnavailable, Suggestion: "Wait"}, true},
		{openmeteo.Hang, recourse.Error{Code: recourse.Timeout, Suggestion: "Call get_forecast again"}, true},
		{openmeteo.Refused, recourse.Error{Code: recourse.ServiceUnavailable, Suggestion: "Wait"}, true},
	} {
		t.Log(tt.failure)
		w.fail(tt.failure)
		w.call(fresh).Want(t, tt.want, tt.retryable)
		if tt.retryable {
			w.partial(known)
		} else {
			w.call(known).Want(t, tt.want, false)
		}
		w.fail(openmeteo.None)
		w.full(known, 7)
	}

	// The API is left alone after three failures in a row, until the cooldown is over.
	w.fail(openmeteo.Unavailable)
	for range 3 {
		w.call(fresh).Want(t, recourse.Error{Code: recourse.ServiceUnavailable}, true)
	}
	before := w.api.Requests()
	w.call(fresh).Want(t, recourse.Error{Code: recourse.ServiceUnavailable, Related: args{"reason": "circuit_open"}, RetryAfter: 2 * time.Second}, true)
	w.partial(known)
	if n := w.api.Requests() - before; n != 0 {
		t.Errorf("%d requests while the breaker was open", n)
	}
	w.fail(openmeteo.None)
	for a := w.call(fresh); a.Error != nil; a = w.call(fresh) {
		a.Want(t, recourse.Error{Code: recourse.ServiceUnavailable, Related: args{"reason": "circuit_open"}}, true)
		if t.Failed() {
			return
		}
	}
	w.full(fresh, 7)

	log, err := json.Marshal(w.Close(t))
	if err != nil || strings.Contains(string(log), secret) {
		t.Errorf("the key is in the log: %s", log)
	}
}

func TestArguments(t *testing.T) {
	w := start(t)
	for _, tt := range []struct {
		args args
		want recourse.Error
	}{
		{args{}, recourse.Error{Code: recourse.MissingArgument, Field: "/city"}},
		{args{"city": "Berlin", "days": 17}, recourse.Error{Code: recourse.OutOfRange, Field: "/days", Value: 17}},
		{args{"city": "Berlin", "days": "seven"}, recourse.Error{Code: recourse.InvalidArgument, Field: "/days", Value: "seven"}},
		{args{"city": "Berlin", "day": 3}, recourse.Error{Code: recourse.UnknownArgument, Field: "/day", Suggestion: "days"}},
		{args{"city": "Berlni"}, recourse.Error{
			Code: recourse.NotFound, Field: "/city", Value: "Berlni", Constraint: "must be the name of a city", Suggestion: "near_names",
			Related: args{"near_names": []string{"Berlin, Germany", "Bergen, Norway", "Bern, Switzerland", "Bergamo, Italy", "Berlin, United States"}},
		}},
		{args{"city": "Xyzzy"}, recourse.Error{Code: recourse.NotFound, Suggestion: "larger city nearby", Related: args{"near_names": []string{}}}},
	} {
		w.call(tt.args).Want(t, tt.want, false)
	}
	both := w.call(args{"days": 0})
	if both.Error == nil || len(both.Error.Violations) != 2 {
		t.Errorf("two faults: %s", both.Text)
	}

	for city, place := range map[string]string{
		"paris":                 "Paris, Île-de-France, France",
		"Paris, US":             "Paris, Texas, United States",
		"Berlin, United States": "Berlin, New Hampshire, United States", // a near name
		" Zürich ":              "Zurich, Switzerland",
	} {
		if f := w.full(args{"city": city, "days": 2}, 2); f.Place != place || f.Days[0].Sky == "unknown" || f.Days[0].Max == nil {
			t.Errorf("%q: %+v", city, f)
		}
	}
	w.full(args{"city": "Oslo"}, 7)
	w.full(args{"city": "Oslo", "days": 16}, 16)
}

// What a reader of the README types: a request on standard input, and curl.
func TestByHand(t *testing.T) {
	cmd := session.Command(t, "-fail", "unavailable")
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	stderr, _ := cmd.StderrPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	said.Scan()
	_, control, _ := strings.Cut(said.Text(), "curl -d hang ")
	control, _, _ = strings.Cut(control, " ")

	const request = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_forecast","arguments":{"city":"Berlin"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"sh","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	answers := bufio.NewScanner(stdout)
	fmt.Fprintln(stdin, request)
	if answers.Scan(); !strings.Contains(answers.Text(), `"SERVICE_UNAVAILABLE"`) {
		t.Errorf("-fail: %s", answers.Text())
	}
	for _, tt := range []struct {
		failure string
		status  int
		want    string // in the answer
	}{
		{"none", 200, `"sky"`},
		{"nonsense", 400, `"sky"`},
		{"refused", 200, `"_warnings"`},
		{"none", 200, `"sky"`},
	} {
		post, err := http.NewRequestWithContext(t.Context(), http.MethodPost, control, strings.NewReader(tt.failure))
		if err != nil {
			t.Fatalf("%q: %v", said.Text(), err)
		}
		resp, err := http.DefaultClient.Do(post)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		fmt.Fprintln(stdin, request)
		if answers.Scan(); resp.StatusCode != tt.status || !strings.Contains(answers.Text(), tt.want) {
			t.Errorf("%s: %d, %s", tt.failure, resp.StatusCode, answers.Text())
		}
	}
	_ = stdin.Close()
	for said.Scan() { // the log
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestConfiguration(t *testing.T) {
	t.Setenv("OPEN_METEO_API_KEY", "")
	for flags, want := range map[string]string{
		"extra":                              "extra",
		"-upstream open-meteo -fail refused": "-upstream fake",
		"-upstream nonsense":                 "must be fake, open-meteo, customer or a URL",
		"-upstream customer":                 "OPEN_METEO_API_KEY",
		"-fail nonsense":                     "must be one of none, rate-limit,",
	} {
		cmd := session.Command(t, strings.Fields(flags)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run()
		if cmd.ProcessState.ExitCode() != recourse.ExitConfig || !strings.Contains(stderr.String(), want) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: exit %d: %s", flags, cmd.ProcessState.ExitCode(), &stderr)
		}
	}
	help, err := session.Command(t, "-help").CombinedOutput()
	if err != nil || !strings.Contains(string(help), "-upstream site") {
		t.Errorf("help: %v: %s", err, help)
	}
}
