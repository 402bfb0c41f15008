package recourse_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

type item struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

func newRequest(t *testing.T, method, url string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func TestDoJSONReadsAnswers(t *testing.T) {
	const get, post, head = http.MethodGet, http.MethodPost, http.MethodHead
	for _, tt := range []struct {
		name, method string
		status       int
		header, body string
		want         item
		code         recourse.Code
	}{
		{"an object", get, 200, "Content-Type: application/json", `{"id":7,"name":"Ada"}`, item{7, "Ada"}, ""},
		{"without a method", "", 200, "", `{"id":7}`, item{ID: 7}, ""},
		{"without a type", get, 200, "Content-Type:", `{"id":7}`, item{ID: 7}, ""},
		{"of a plain text", get, 200, "Content-Type: text/plain", `{"id":7}`, item{ID: 7}, ""},
		{"with white space", get, 201, "", "\n {\"id\":7} \r\n", item{ID: 7}, ""},
		{"null", get, 200, "", "null", item{}, recourse.BadUpstreamResponse},
		{"no content", get, 204, "", "", item{}, recourse.BadUpstreamResponse},
		{"no content after a change", post, 204, "", "", item{}, ""},
		{"HEAD", head, 200, "Content-Type: text/html", "", item{}, ""},
		{"a POST without an answer's body", post, 200, "", "", item{}, ""},
		{"a GET without an answer's body", get, 200, "", "", item{}, recourse.BadUpstreamResponse},
		{"the same, without a method", "", 200, "", "", item{}, recourse.BadUpstreamResponse},
		{"white space", get, 200, "", " \n ", item{}, recourse.BadUpstreamResponse},
		{"half an object", get, 200, "", `{"id":7,"na`, item{}, recourse.BadUpstreamResponse},
		{"two objects", get, 200, "", `{"id":7}{"id":8}`, item{}, recourse.BadUpstreamResponse},
		{"another type", get, 200, "", `{"id":"seven"}`, item{}, recourse.BadUpstreamResponse},
		{"a list", get, 200, "", `[]`, item{}, recourse.BadUpstreamResponse},
		{"HTML", get, 200, "Content-Type: text/html", `<html>Please log in`, item{}, recourse.BadUpstreamResponse},
		{"HTML by another name", get, 200, "Content-Type: application/json", `<html>Please log in`, item{}, recourse.BadUpstreamResponse},
		{"less than announced", get, 200, "Content-Length: 100", `{"id":7}`, item{}, recourse.BadUpstreamResponse},
		{"404", get, 404, "", `{"message":"no such item"}`, item{}, recourse.NotFound},
		{"429", get, 429, "Retry-After: 60", ``, item{}, recourse.RateLimited},
		{"500", post, 500, "", `oops`, item{}, recourse.UpstreamError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBackend(t, "plain", func(w http.ResponseWriter, _ *http.Request) {
				if name, value, ok := strings.Cut(tt.header, ":"); ok {
					w.Header()[name] = []string{strings.TrimSpace(value)}
				}
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			req := newRequest(t, tt.method, b.url("/"), nil)
			req.Method = tt.method
			got, err := recourse.DoJSON[item](&recourse.Dependency{}, req)
			if code := recourse.CodeOf(err); got != tt.want || code != tt.code {
				t.Errorf("got %+v, %q (%v); want %+v, %q", got, code, err, tt.want, tt.code)
			}
			if tt.code == "" {
				return
			}
			text := err.Error() + recourse.Classify(err).Envelope()
			for _, secret := range []string{b.addr, "seven", "<html>"} {
				if strings.Contains(text, secret) {
					t.Errorf("the model is shown %q: %s", secret, text)
				}
			}
		})
	}
}

// Each answer, good or bad, leaves the connection for the next one.
func TestDoJSONClosesBodies(t *testing.T) {
	for _, answer := range []struct {
		status int
		kind   string
		body   string
		opened int64
	}{
		{200, "application/json", `{"id":7}`, 1},
		{200, "application/json", strings.Repeat(" ", 1<<20) + `{"id":7}`, 1},
		{200, "application/json", `{"id":`, 1},
		{200, "text/html", `<html>`, 1},
		{204, "", "", 1},
		{404, "application/json", `{}`, 1},
		{500, "text/html", strings.Repeat("x", 50<<10), 1},
	} {
		b := newBackend(t, "plain", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", answer.kind)
			w.WriteHeader(answer.status)
			io.WriteString(w, answer.body)
		})
		d := &recourse.Dependency{Trip: -1}
		for range 5 {
			_, _ = recourse.DoJSON[item](d, newRequest(t, http.MethodGet, b.url("/"), nil))
		}
		if n := b.opened.Load(); n != answer.opened {
			t.Errorf("%d, %.20q: %d connections for 5 requests, want %d", answer.status, answer.body, n, answer.opened)
		}
	}
}

func TestDoJSONBoundsAnswers(t *testing.T) {
	piece := strings.Repeat("x", 1<<20)
	var packed bytes.Buffer // of many such in a row, one archive is made
	z := gzip.NewWriter(&packed)
	io.WriteString(z, piece)
	z.Close()
	for _, tt := range []struct {
		name   string
		pieces int
		packed bool
		want   recourse.Code
	}{
		{"a large one", 4, false, ""},
		{"one of more than 32 MiB", 32, false, recourse.BadUpstreamResponse},
		{"a small one that grows when it is unpacked", 33, true, recourse.BadUpstreamResponse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBackend(t, "plain", func(w http.ResponseWriter, _ *http.Request) {
				if tt.packed {
					w.Header().Set("Content-Encoding", "gzip")
					for range tt.pieces {
						w.Write(packed.Bytes())
					}
					return
				}
				io.WriteString(w, `"`)
				for range tt.pieces {
					io.WriteString(w, piece)
				}
				io.WriteString(w, `"`)
			})
			got, err := recourse.DoJSON[string](&recourse.Dependency{Timeout: -1}, newRequest(t, http.MethodGet, b.url("/"), nil))
			if code := recourse.CodeOf(err); code != tt.want {
				t.Fatalf("got %q (%v), want %q", code, err, tt.want)
			}
			if err == nil && len(got) != tt.pieces<<20 {
				t.Errorf("got %d bytes, want %d", len(got), tt.pieces<<20)
			}
			if err != nil && err.Error() != "The service sent more than 32 MiB." {
				t.Errorf("says %q", err)
			}
		})
	}
}

// What may be sent again after an attempt that may have run.
func TestDoJSONRepeats(t *testing.T) {
	const body = `{"name":"Ada"}`
	stream := func() io.Reader { return io.MultiReader(strings.NewReader(body)) } // has no GetBody
	text := func() io.Reader { return strings.NewReader(body) }
	none := func() io.Reader { return nil }
	for _, tt := range []struct {
		method string
		body   func() io.Reader
		key    string
		want   int // requests
	}{
		{http.MethodGet, none, "", 2},
		{http.MethodHead, none, "", 2},
		{http.MethodPost, text, "", 1},
		{http.MethodPut, text, "", 1},
		{http.MethodPatch, text, "", 1},
		{http.MethodDelete, none, "", 1},
		{http.MethodPost, text, "k1", 2},
		{http.MethodPost, stream, "k1", 2},
		{http.MethodPost, none, "k1", 2},
	} {
		for _, readOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %s in a tool that is read-only %v", tt.method, tt.key, readOnly), func(t *testing.T) {
				var mu sync.Mutex
				var seen []string
				var b *backend
				b = newBackend(t, "plain", func(w http.ResponseWriter, r *http.Request) {
					got, _ := io.ReadAll(r.Body)
					mu.Lock()
					seen = append(seen, string(got))
					n := len(seen)
					mu.Unlock()
					if n == 1 {
						b.cut()
						return
					}
					io.WriteString(w, `{"id":7}`)
				})
				want := ""
				r := tt.body()
				if r != nil {
					want = body
				}
				req := newRequest(t, tt.method, b.url("/"), r)
				if tt.key != "" {
					req.Header.Set("Idempotency-Key", tt.key)
				}
				d := &recourse.Dependency{Attempts: 3}
				o := recourse.Run(t.Context(), nil, recourse.Request{ReadOnly: readOnly}, func(ctx context.Context) (item, error) {
					return recourse.DoJSON[item](d, req.WithContext(ctx))
				})
				mu.Lock()
				defer mu.Unlock()
				if len(seen) != tt.want || (o.Err == nil) != (tt.want > 1) {
					t.Errorf("%d requests, error %v; want %d", len(seen), o.Err, tt.want)
				}
				for _, got := range seen {
					if got != want {
						t.Errorf("body %q, want %q", got, want)
					}
				}
				if o.Err != nil && o.Err.Retryable() != readOnly {
					t.Errorf("retryable %v; only for a tool that is read-only", o.Err.Retryable())
				}
			})
		}
	}
}

// A body of unknown length is sent with one; a redirect that keeps the method
// sends the body along.
func TestDoJSONSendsBodies(t *testing.T) {
	b := newBackend(t, "plain", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusTemporaryRedirect)
			return
		}
		text, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, `{"id":%d,"name":%q}`, r.ContentLength, r.Method+" "+string(text))
	})
	closed := &atomic.Int64{}
	for _, path := range []string{"/new", "/old"} {
		for _, body := range []io.Reader{strings.NewReader("12345"), tracked{strings.NewReader("12345"), closed}} {
			got, err := recourse.DoJSON[item](&recourse.Dependency{}, newRequest(t, http.MethodPost, b.url(path), body))
			if want := (item{5, "POST 12345"}); err != nil || got != want {
				t.Errorf("%s: got %+v, %v; want %+v", path, got, err, want)
			}
		}
		got, err := recourse.DoJSON[item](&recourse.Dependency{}, newRequest(t, http.MethodPost, b.url(path), tracked{strings.NewReader(""), closed}))
		if want := (item{0, "POST "}); err != nil || got != want {
			t.Errorf("%s with an empty body: got %+v, %v; want %+v", path, got, err, want)
		}
	}
	if n := closed.Load(); n != 4 {
		t.Errorf("%d bodies closed, want 4", n)
	}
}

type tracked struct {
	io.Reader
	closed *atomic.Int64
}

func (c tracked) Close() error {
	c.closed.Add(1)
	return nil
}

func TestDoJSONOfBadRequests(t *testing.T) {
	b := newBackend(t, "plain", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/loop" {
			http.Redirect(w, r, "/loop", http.StatusFound)
			return
		}
		io.WriteString(w, `{"id":7}`)
	})
	address, err := url.Parse(b.url("/"))
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	expired, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	closed := &atomic.Int64{}
	broken := newRequest(t, http.MethodPost, b.url("/"), io.MultiReader(tracked{brokenReader{}, closed}))
	for _, tt := range []struct {
		name string
		req  *http.Request
		want recourse.Code
	}{
		{"nil", nil, recourse.InternalError},
		{"without headers", &http.Request{URL: address}, ""},
		{"cancelled", newRequest(t, http.MethodGet, b.url("/"), nil).WithContext(cancelled), recourse.Cancelled},
		{"too late", newRequest(t, http.MethodGet, b.url("/"), nil).WithContext(expired), recourse.Timeout},
		{"a body that can't be read", broken, recourse.InternalError},
	} {
		got, err := recourse.DoJSON[item](&recourse.Dependency{}, tt.req)
		if code := recourse.CodeOf(err); code != tt.want {
			t.Errorf("%s: got %+v, %q (%v, %v); want %q", tt.name, got, code, err, errors.Unwrap(err), tt.want)
		}
	}
	if n := b.served.Load(); n != 1 {
		t.Errorf("%d requests were sent, want the good one alone", n)
	}
	for name, req := range map[string]*http.Request{
		"no URL":         {},
		"no host":        {URL: &url.URL{Scheme: "http"}},
		"no such scheme": {URL: &url.URL{Scheme: "gopher", Host: b.addr}},
		"a loop":         newRequest(t, http.MethodGet, b.url("/loop"), nil),
	} {
		if _, err := recourse.DoJSON[item](&recourse.Dependency{}, req); err == nil {
			t.Errorf("%s: no error", name)
		} else if recourse.Classify(err).Err == nil || strings.Contains(err.Error(), b.addr) {
			t.Errorf("%s: %v hides no cause", name, err)
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

// The caller's request is its own again when DoJSON has returned, even if an
// attempt goes on: this is for the race detector.
func TestDoJSONLetsGoOfRequest(t *testing.T) {
	release := make(chan struct{})
	b := newBackend(t, "plain", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	d := &recourse.Dependency{Transport: deafWire(release), Timeout: time.Millisecond, Attempts: 2}
	req := newRequest(t, http.MethodPost, b.url("/"), bytes.NewReader([]byte("{}")))
	_, err := recourse.DoJSON[item](d, req)
	expectCode(t, err, recourse.Timeout)
	req.Header.Set("X-Mine", "again")
	req.Method, req.URL = http.MethodGet, nil
	close(release)
}

// A deafWire is a transport that does not heed its context.
type deafWire chan struct{}

func (release deafWire) RoundTrip(r *http.Request) (*http.Response, error) {
	<-release
	if r.Header.Get("X-Mine") != "" || r.Method != http.MethodPost {
		panic("an attempt sees what the caller does with its request")
	}
	return nil, context.DeadlineExceeded
}

// A redirect that can't be followed does not undo what the first answer came
// after.
func TestDoJSONPostRedirectedToADeadHost(t *testing.T) {
	dead := httptest.NewServer(nil)
	dead.Close()
	var posts atomic.Int32
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		posts.Add(1)
		http.Redirect(w, r, dead.URL, http.StatusSeeOther)
	}))
	defer live.Close()
	d := &recourse.Dependency{Attempts: 3}
	_, err := recourse.DoJSON[item](d, newRequest(t, http.MethodPost, live.URL, strings.NewReader("{}")))
	if e := recourse.Classify(err); posts.Load() != 1 || e.Retryable() {
		t.Errorf("%d POSTs, then %s", posts.Load(), e.Envelope())
	}
}

// An API that says "locked" or "slow down" after it has begun may have done its
// work: only some statuses are refusals.
func TestDoJSONPostAnsweredBusy(t *testing.T) {
	for _, tt := range []struct {
		status int
		code   string
	}{{500, "lock_timeout"}, {502, "resource_locked"}, {503, "SlowDown"}, {500, "rate_limit_exceeded"}} {
		var posts atomic.Int32
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			posts.Add(1)
			w.WriteHeader(tt.status)
			fmt.Fprintf(w, `{"code":%q}`, tt.code)
		}))
		d := &recourse.Dependency{Attempts: 3}
		_, err := recourse.DoJSON[item](d, newRequest(t, http.MethodPost, s.URL, strings.NewReader("{}")))
		if e := recourse.Classify(err); posts.Load() != 1 || e.Retryable() || e.Related["outcome"] != "unknown" {
			t.Errorf("%d %s: %d POSTs, then %s", tt.status, tt.code, posts.Load(), e.Envelope())
		}
		s.Close()
	}
}
