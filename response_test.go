package recourse_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
)

// A served is one case of testdata/answers.txt.
type served struct {
	title  string
	status int
	header http.Header
	body   string
	want   string // code, wait, refused, retryable
	member map[string]string
}

func answers(t testing.TB) []served {
	t.Helper()
	all, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []served
	for _, text := range strings.Split(string(all), "\n== ")[1:] {
		given, want, ok := strings.Cut(text, "\n-> ")
		var s served
		s.title, given, _ = strings.Cut(given, "\n")
		status, rest, _ := strings.Cut(given+"\n", "\n")
		s.status, err = strconv.Atoi(status)
		if !ok || err != nil {
			t.Fatalf("%s: no status or no ->", s.title)
		}
		r := bufio.NewReader(strings.NewReader(rest + "\n"))
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			t.Fatalf("%s: %v", s.title, err)
		}
		s.header = http.Header(header)
		body, _ := io.ReadAll(r)
		s.body = strings.TrimSpace(string(body))
		s.member = map[string]string{}
		for i, line := range strings.Split(strings.TrimSpace(want), "\n") {
			key, value, _ := strings.Cut(line, " ")
			if i == 0 {
				s.want = line
			} else {
				s.member[key] = value
			}
		}
		list = append(list, s)
	}
	return list
}

// answerOf lets a server answer with s.
func answerOf(t *testing.T, s served, accept string) *http.Response {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", "Sun, 01 Mar 2026 12:00:00 GMT")
		w.Header().Set("Content-Type", "application/json")
		maps.Copy(w.Header(), s.header)
		w.WriteHeader(s.status)
		io.WriteString(w, s.body)
	}))
	t.Cleanup(server.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/v1/things?key=hunter2", nil)
	if err != nil {
		t.Fatal(err)
	}
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	client := server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestCheckResponse(t *testing.T) {
	for _, s := range answers(t) {
		t.Run(s.title, func(t *testing.T) {
			var e *recourse.Error
			resp := answerOf(t, s, "application/json")
			defer resp.Body.Close()
			if err := recourse.CheckResponse(resp); !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			text := e.Envelope()
			var got map[string]json.RawMessage
			var whole struct{ Error json.RawMessage }
			if json.Unmarshal([]byte(text), &whole) != nil || json.Unmarshal(whole.Error, &got) != nil {
				t.Fatalf("%s", text)
			}
			wait := "-"
			if after := got["retry_after_seconds"]; after != nil {
				wait = string(after)
			}
			line := string(e.Code) + " " + wait
			if e.NotRun {
				line += " refused"
			}
			if e.Retryable() {
				line += " retryable"
			}
			if line != s.want {
				t.Errorf("got %s, want %s\n%s", line, s.want, text)
			}
			for key, want := range s.member {
				if !sameJSON(got[key], want) {
					t.Errorf("%s is %s, want %s", key, got[key], want)
				}
			}
			if strings.Contains(text, "hunter2") || strings.Contains(e.Err.Error(), "hunter2") {
				t.Errorf("shows a secret: %s\n%s", text, e.Err)
			}
		})
	}
}

func sameJSON(got json.RawMessage, want string) bool {
	if got == nil {
		got = json.RawMessage("null")
	}
	var a, b any
	return json.Unmarshal(got, &a) == nil && json.Unmarshal([]byte(want), &b) == nil && reflect.DeepEqual(a, b)
}

func TestCheckResponseLeavesUsableAlone(t *testing.T) {
	html := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	for _, tt := range []struct {
		name   string
		s      served
		accept string
		usable bool
	}{
		{"data", served{status: 200, body: `{}`}, "application/json", true},
		{"created", served{status: 201, body: `{}`}, "application/json", true},
		{"a redirect that is not followed", served{status: 302, body: `x`}, "", true},
		{"a page that was asked for", served{status: 200, header: html, body: `<html>`}, "text/html, application/json", true},
		{"a page where nothing was asked for", served{status: 200, header: html, body: `<html>`}, "", true},
		{"a page instead of data", served{status: 200, header: html, body: `<html>Sign in</html>`}, "application/json", false},
		{"a page instead of one of many kinds of data", served{status: 200, header: html, body: `<html>`}, "application/vnd.api+json, */*", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp := answerOf(t, tt.s, tt.accept)
			defer resp.Body.Close()
			err := recourse.CheckResponse(resp)
			body, readErr := io.ReadAll(resp.Body)
			if tt.usable && (err != nil || string(body) != tt.s.body) {
				t.Errorf("got %v, body %q", err, body)
			}
			if !tt.usable && (recourse.CodeOf(err) != recourse.BadUpstreamResponse || readErr == nil) {
				t.Errorf("got %v; the body is open: %t", err, readErr == nil)
			}
		})
	}
	if code := recourse.CodeOf(recourse.CheckResponse(nil)); code != recourse.InternalError {
		t.Errorf("no response is %s", code)
	}
	if err := recourse.CheckResponse(&http.Response{StatusCode: http.StatusOK}); err != nil {
		t.Errorf("no body: %v", err)
	}
	if code := recourse.CodeOf(recourse.CheckResponse(&http.Response{StatusCode: http.StatusNotFound})); code != recourse.NotFound {
		t.Errorf("no body, request and headers: %s", code)
	}
}

// A POST that was answered with a redirect has run, whatever becomes of the GET
// that follows.
func TestCheckResponseAfterRedirect(t *testing.T) {
	for status, notRun := range map[int]bool{http.StatusSeeOther: false, http.StatusTemporaryRedirect: true} {
		mux := http.NewServeMux()
		mux.HandleFunc("/make", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/made", status) })
		mux.HandleFunc("/made", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) })
		server := httptest.NewServer(mux)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/make", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if e := recourse.Classify(recourse.CheckResponse(resp)); e.Code != recourse.RateLimited || e.NotRun != notRun {
			t.Errorf("after %d: %s, NotRun %t", status, e.Code, e.NotRun)
		}
		resp.Body.Close()
		server.Close()
	}
}

// After a 101, net/http hands the bare connection over as the body: nobody ends
// it, and no context does.
func TestCheckResponseOfAnotherProtocol(t *testing.T) {
	closed := make(chan struct{})
	addr := listen(t, func(c net.Conn) {
		http.ReadRequest(bufio.NewReader(c))
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n")
		c.Read(make([]byte, 1)) // until the other side closes
		close(closed)
	})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Transport: &http.Transport{}}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	e := recourse.Classify(recourse.CheckResponse(resp))
	want := "The API answered 101, which is not an answer to this request."
	if e.Code != recourse.BadUpstreamResponse || e.Message != want || e.NotRun {
		t.Errorf("got %s %q, NotRun %t", e.Code, e.Message, e.NotRun)
	}
	<-closed
}

// A body without an end must not hold the call up.
func TestCheckResponseReadsSoMuch(t *testing.T) {
	endless := func(kind string) *http.Response {
		return &http.Response{StatusCode: http.StatusInternalServerError, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(&spring{left: 1 << 20})}
	}
	resp := endless("application/json")
	defer resp.Body.Close()
	if recourse.CodeOf(recourse.CheckResponse(resp)) != recourse.UpstreamError {
		t.Error("no error")
	}
	rest, _ := io.ReadAll(resp.Body)
	if read := 1<<20 - len(rest); read > 68<<10 {
		t.Errorf("read %d bytes", read)
	}
	stream := endless("text/event-stream")
	defer stream.Body.Close()
	if recourse.CodeOf(recourse.CheckResponse(stream)) != recourse.UpstreamError {
		t.Error("no error")
	}
	if rest, _ := io.ReadAll(stream.Body); len(rest) != 1<<20 {
		t.Error("read from a stream")
	}
}

// A spring has so many bytes left to give.
type spring struct{ left int }

func (s *spring) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), s.left, 512)
	s.left -= n
	for i := range n {
		p[i] = ' '
	}
	return n, nil
}

// An answer that arrives by a slow clock is measured by that clock.
func TestRetryAfterWithoutDate(t *testing.T) {
	at := time.Now().Add(100 * time.Second).UTC().Format(http.TimeFormat)
	e := recourse.Classify(recourse.CheckResponse(&http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {at}}}))
	if e.RetryAfter < 90*time.Second || e.RetryAfter > 100*time.Second {
		t.Errorf("got %v", e.RetryAfter)
	}
}

func FuzzCheckResponse(f *testing.F) {
	for _, s := range answers(f) {
		name, value := "X", ""
		for n, v := range s.header {
			name, value = n, v[0]
		}
		f.Add(s.status, name, value, s.body)
	}
	f.Add(400, "Content-Type", "text/html", "<Code>\xff</Code>")
	f.Add(400, "X-Amzn-Errortype", "#", strings.Repeat(`{"error":`, 3000))
	f.Add(422, "A", "b", `{"message":"`+strings.Repeat("😀", 500)+`","errors":[`+strings.Repeat(`{"field":"`+strings.Repeat("f", 90)+`","message":"`+strings.Repeat("m", 90)+`"},`, 9)+`{}]}`)
	f.Add(429, "RateLimit", `"a";r=0;t=99999999999999999999,`, strings.Repeat(`[`, 3000))
	f.Fuzz(func(t *testing.T, status int, name, value, body string) {
		h := http.Header{"Date": {"Sun, 01 Mar 2026 12:00:00 GMT"}}
		h.Add(name, value)
		err := recourse.CheckResponse(&http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))})
		if err == nil {
			if status < 200 || status > 399 {
				t.Errorf("%d is usable", status)
			}
			return
		}
		e := recourse.Classify(err)
		text := e.Envelope()
		var o struct {
			Error struct {
				Message, Suggestion string
				After               *int64 `json:"retry_after_seconds"`
			}
		}
		if json.Unmarshal([]byte(text), &o) != nil || len(text) > 2048 || !utf8.ValidString(text) {
			t.Fatalf("%d bytes: %s", len(text), text)
		}
		if o.Error.Suggestion == "" || o.Error.Message == "" {
			t.Errorf("%s", text)
		}
		if a := o.Error.After; a != nil && (*a < 1 || *a > 400*24*3600) && !strings.Contains(body, "retry_after_seconds") {
			t.Errorf("waits %d s: %s", *a, text)
		}
		if a := o.Error.After; a != nil && strings.HasPrefix(o.Error.Suggestion, "Wait ") && strings.Contains(o.Error.Suggestion, " second") &&
			!strings.Contains(o.Error.Suggestion, fmt.Sprintf("Wait %d second", *a)) && !strings.Contains(body, "suggestion") {
			t.Errorf("the suggestion names another wait: %s", text)
		}
		if !utf8.ValidString(e.Err.Error()) && utf8.ValidString(name+value) {
			t.Errorf("%q", e.Err)
		}
	})
}
