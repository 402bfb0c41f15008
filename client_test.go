package recourse_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// kinds are the ways in which an API is spoken to.
var kinds = []string{"plain", "TLS", "HTTP/2"}

// A backend is an API on one address that can go away and come back.
type backend struct {
	kind    string
	handler http.Handler
	addr    string // the same through all lives
	server  *httptest.Server

	opened  atomic.Int64 // connections accepted in all
	open    atomic.Int64 // that still are
	served  atomic.Int64 // requests
	mu      sync.Mutex
	sockets []*net.TCPConn
}

func newBackend(t *testing.T, kind string, handler http.HandlerFunc) *backend {
	b := &backend{kind: kind, addr: "127.0.0.1:0"}
	b.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.served.Add(1)
		handler(w, r)
	})
	b.start(t)
	t.Cleanup(func() { b.stop() })
	return b
}

func (b *backend) start(t *testing.T) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", b.addr)
	if err != nil {
		t.Fatal(err)
	}
	b.addr = l.Addr().String()
	s := httptest.NewUnstartedServer(b.handler)
	s.Listener.Close()
	s.Listener = listener{l, b}
	s.Config.ErrorLog = quiet
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			b.opened.Add(1)
			b.open.Add(1)
		case http.StateClosed, http.StateHijacked:
			b.open.Add(-1)
		}
	}
	b.server = s
	switch b.kind {
	case "plain":
		s.Start()
	case "TLS":
		s.StartTLS()
	case "HTTP/2":
		s.EnableHTTP2 = true
		s.StartTLS()
	}
}

func (b *backend) stop() {
	b.cut()
	b.server.CloseClientConnections()
	b.server.Close()
}

// cut resets all connections, as a machine does that has lost its memory.
func (b *backend) cut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.sockets {
		c.SetLinger(0)
		c.Close()
	}
	b.sockets = nil
}

// hangUp ends all connections in good order.
func (b *backend) hangUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.sockets {
		c.Close()
	}
	b.sockets = nil
}

// url returns the address of a path, through a proxy if via is one.
func (b *backend) url(path string, via ...*hole) string {
	scheme, addr := "https://", b.addr
	if b.kind == "plain" {
		scheme = "http://"
	}
	for _, h := range via {
		addr = h.addr
	}
	return scheme + addr + path
}

// transport trusts the backend and speaks as it does.
func (b *backend) transport() http.RoundTripper {
	if b.kind == "plain" {
		return nil
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(b.server.Certificate())
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: b.kind == "HTTP/2"}
}

// A listener remembers what it has accepted.
type listener struct {
	net.Listener
	b *backend
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		l.b.mu.Lock()
		l.b.sockets = append(l.b.sockets, tcp)
		l.b.mu.Unlock()
	}
	return c, err
}

// A hole is a proxy that can swallow what comes over the connections it has, and
// leave them open. New ones pass.
type hole struct {
	addr     string
	accepted atomic.Int64

	mu   sync.Mutex
	dark []*atomic.Bool
}

func newHole(t *testing.T, target string) *hole {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hole{addr: l.Addr().String()}
	var all sync.WaitGroup
	ended := make(chan struct{})
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { h.forward(t.Context(), c, target, ended) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		close(ended)
		all.Wait()
	})
	return h
}

func (h *hole) forward(ctx context.Context, c net.Conn, target string, ended <-chan struct{}) {
	h.accepted.Add(1)
	s, err := new(net.Dialer).DialContext(ctx, "tcp", target)
	if err != nil {
		c.Close()
		return
	}
	dark := &atomic.Bool{}
	h.mu.Lock()
	h.dark = append(h.dark, dark)
	h.mu.Unlock()
	var both sync.WaitGroup
	pass := func(to, from net.Conn) {
		io.Copy(gate{to, dark}, from)
		if !dark.Load() { // in the dark, nobody learns that it is over
			to.Close()
		}
	}
	both.Go(func() { pass(s, c) })
	both.Go(func() { pass(c, s) })
	done := make(chan struct{})
	go func() { both.Wait(); close(done) }()
	select {
	case <-done:
	case <-ended:
	}
	c.Close()
	s.Close()
	<-done
}

// darken turns the connections that exist into black holes.
func (h *hole) darken() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range h.dark {
		d.Store(true)
	}
}

// A gate drops what is written once it is dark.
type gate struct {
	w    io.Writer
	dark *atomic.Bool
}

func (g gate) Write(p []byte) (int, error) {
	if g.dark.Load() {
		return len(p), nil
	}
	return g.w.Write(p)
}

// ask asks for a URL as a tool would.
func ask(ctx context.Context, d *recourse.Dependency, url string) (string, error) {
	return recourse.Call(ctx, d, func(ctx context.Context) (string, error) {
		return fetch(ctx, d.Client(), http.MethodGet, url)
	})
}

func fetch(ctx context.Context, c *http.Client, method, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	if err := recourse.CheckResponse(resp); err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

func wantAnswer(t *testing.T, d *recourse.Dependency, url string) {
	t.Helper()
	if got, err := ask(t.Context(), d, url); err != nil || got != "hello" {
		t.Fatalf("%s: got %q, %v (%v); want hello", url, got, err, errors.Unwrap(err))
	}
}

func expectCode(t *testing.T, err error, want recourse.Code) {
	t.Helper()
	if got := recourse.CodeOf(err); got != want {
		t.Fatalf("got %q (%v: %v), want %s", got, err, errors.Unwrap(err), want)
	}
}

func hello(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

func TestClientReconnects(t *testing.T) {
	losses := []struct {
		name string
		lose func(*backend)
		want recourse.Code
	}{
		{"reset", (*backend).cut, recourse.ServiceUnavailable},
		{"end of file", (*backend).hangUp, recourse.ServiceUnavailable},
	}
	for _, kind := range kinds {
		t.Run(kind+"/refused", func(t *testing.T) {
			b := newBackend(t, kind, hello)
			d := &recourse.Dependency{Transport: b.transport(), Trip: -1}
			for range 3 {
				wantAnswer(t, d, b.url("/"))
				b.stop()
				_, err := ask(t.Context(), d, b.url("/")) // may still find the old connection
				expectCode(t, err, recourse.ServiceUnavailable)
				_, err = ask(t.Context(), d, b.url("/"))
				expectCode(t, err, recourse.ServiceUnavailable)
				if e := recourse.Classify(err); !e.NotRun || !e.Retryable() {
					t.Errorf("a refused connection: NotRun %v, retryable %v; want both", e.NotRun, e.Retryable())
				}
				b.start(t)
			}
			wantAnswer(t, d, b.url("/"))
		})
		for _, loss := range losses {
			t.Run(kind+"/"+loss.name+" before the answer", func(t *testing.T) {
				var b *backend
				b = newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost {
						loss.lose(b)
						return
					}
					hello(w, r)
				})
				d := &recourse.Dependency{Transport: b.transport()}
				wantAnswer(t, d, b.url("/"))
				_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (string, error) {
					return fetch(ctx, d.Client(), http.MethodPost, b.url("/"))
				})
				expectCode(t, err, loss.want)
				if recourse.Classify(err).Retryable() {
					t.Error("a POST that got no answer may have run, and is called retryable")
				}
				if n := b.served.Load(); n != 2 {
					t.Errorf("the API saw %d requests, want 2: the POST must not be sent again", n)
				}
				wantAnswer(t, d, b.url("/"))
				if n := b.opened.Load(); n != 2 {
					t.Errorf("%d connections, want 2: one before the loss, one after", n)
				}
			})
			t.Run(kind+"/"+loss.name+" in the body", func(t *testing.T) {
				b := newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/half" {
						w.Header().Set("Content-Length", "100")
						io.WriteString(w, "half")
						w.(http.Flusher).Flush()
						<-r.Context().Done() // the client has half, and cuts
						return
					}
					hello(w, r)
				})
				d := &recourse.Dependency{Transport: b.transport()}
				wantAnswer(t, d, b.url("/"))
				_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (int, error) {
					req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url("/half"), nil)
					if err != nil {
						return 0, err
					}
					resp, err := d.Client().Do(req)
					if err != nil {
						return 0, err
					}
					defer resp.Body.Close()
					if _, err := io.ReadFull(resp.Body, make([]byte, 4)); err != nil {
						return 0, err
					}
					loss.lose(b)
					return resp.Body.Read(make([]byte, 4))
				})
				if code := recourse.CodeOf(err); code != recourse.BadUpstreamResponse && code != recourse.ServiceUnavailable {
					t.Errorf("half an answer is %s: %v (%v)", code, err, errors.Unwrap(err))
				}
				wantAnswer(t, d, b.url("/"))
				if n := b.opened.Load(); n != 2 {
					t.Errorf("%d connections, want 2: one before the loss, one after", n)
				}
			})
		}
	}
}

// An HTTP/2 connection on which nothing comes any more would otherwise be chosen
// for every further request.
func TestClientLeavesBlackHole(t *testing.T) {
	for _, kind := range kinds {
		for _, where := range []string{"/", "/half"} {
			t.Run(kind+where, func(t *testing.T) {
				t.Parallel()
				var h *hole
				released := make(chan struct{})
				b := newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/half" {
						io.WriteString(w, "half")
						w.(http.Flusher).Flush()
						<-released
					}
					hello(w, r)
				})
				t.Cleanup(func() { close(released) })
				h = newHole(t, b.addr)
				d := &recourse.Dependency{Transport: b.transport(), Timeout: 2 * time.Second}
				for n := range int64(2) {
					wantAnswer(t, d, b.url("/", h))
					if got := h.accepted.Load(); got != n+1 {
						t.Fatalf("%d connections, want %d", got, n+1)
					}
					_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (string, error) {
						if where == "/" {
							h.darken()
							return fetch(ctx, d.Client(), http.MethodGet, b.url("/", h))
						}
						req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url(where, h), nil)
						if err != nil {
							return "", err
						}
						resp, err := d.Client().Do(req)
						if err != nil {
							return "", err
						}
						defer resp.Body.Close()
						h.darken()
						text, err := io.ReadAll(resp.Body)
						return string(text), err
					})
					expectCode(t, err, recourse.Timeout)
				}
			})
		}
	}
}

// Without a time-out, HTTP/2 pings find out that a connection is dead.
func TestClientPings(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  *http.HTTP2Config
	}{
		{"by default", nil},
		{"as the transport says", &http.HTTP2Config{SendPingTimeout: 100 * time.Millisecond, PingTimeout: 100 * time.Millisecond}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.set == nil && testing.Short() {
				t.Skip("waits 6 s")
			}
			t.Parallel()
			b := newBackend(t, "HTTP/2", hello)
			h := newHole(t, b.addr)
			wire := b.transport().(*http.Transport)
			wire.HTTP2 = tt.set
			d := &recourse.Dependency{Transport: wire, Timeout: -1}
			wantAnswer(t, d, b.url("/", h))
			h.darken()
			_, err := ask(t.Context(), d, b.url("/", h))
			expectCode(t, err, recourse.ServiceUnavailable)
			wantAnswer(t, d, b.url("/", h))
			if wire.HTTP2 != tt.set {
				t.Error("the caller's transport has been changed")
			}
		})
	}
}

// The errors of a body that breaks off have no wrapping that says where they
// come from.
func TestClientBodyBreaksOff(t *testing.T) {
	for _, kind := range kinds {
		for _, path := range []string{"/abort", "/dark"} {
			if kind != "HTTP/2" && path == "/dark" {
				continue // nothing but a time-out would notice
			}
			t.Run(kind+path, func(t *testing.T) {
				b := newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/" {
						hello(w, r)
						return
					}
					io.WriteString(w, "half")
					w.(http.Flusher).Flush()
					if r.URL.Path == "/abort" {
						panic(http.ErrAbortHandler)
					}
					<-r.Context().Done()
				})
				h := newHole(t, b.addr)
				d := &recourse.Dependency{Transport: b.transport(), Timeout: -1}
				if wire, ok := d.Transport.(*http.Transport); ok {
					wire.HTTP2 = &http.HTTP2Config{SendPingTimeout: 50 * time.Millisecond, PingTimeout: 50 * time.Millisecond}
				}
				_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (string, error) {
					req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url(path, h), nil)
					if err != nil {
						return "", err
					}
					resp, err := d.Client().Do(req)
					if err != nil {
						return "", err
					}
					defer resp.Body.Close()
					if path == "/dark" {
						h.darken()
					}
					text, err := io.ReadAll(resp.Body)
					return string(text), err
				})
				if code := recourse.CodeOf(err); code != recourse.BadUpstreamResponse && code != recourse.ServiceUnavailable {
					t.Errorf("got %s: %v (%v)", code, err, errors.Unwrap(err))
				}
				wantAnswer(t, d, b.url("/", h))
			})
		}
	}
}

// A request that fails takes no other one with it.
func TestClientLetsOthersEnd(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			arrived, release := make(chan struct{}), make(chan struct{})
			b := newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/slow":
					close(arrived)
					<-release
				case "/mute":
					<-r.Context().Done()
					return
				}
				hello(w, r)
			})
			d := &recourse.Dependency{Transport: b.transport()}
			slow := make(chan error, 1)
			go func() {
				_, err := ask(t.Context(), d, b.url("/slow"))
				slow <- err
			}()
			<-arrived
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, err := ask(ctx, d, b.url("/mute"))
			expectCode(t, err, recourse.Timeout)
			before := b.opened.Load()
			wantAnswer(t, d, b.url("/"))
			if n := b.opened.Load(); n != before+1 {
				t.Errorf("%d connections after the time-out, want a new one", n-before)
			}
			close(release)
			if err := <-slow; err != nil {
				t.Errorf("the request at work when another failed: %v (%v)", err, errors.Unwrap(err))
			}
		})
	}
}

func TestClientKeepsConnectionsOfCancelled(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			var both sync.WaitGroup
			both.Add(2)
			arrived := make(chan struct{})
			b := newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/pair":
					both.Done()
					both.Wait()
				case "/mute":
					close(arrived)
					<-r.Context().Done()
					return
				}
				hello(w, r)
			})
			d := &recourse.Dependency{Transport: b.transport()}
			var pair sync.WaitGroup
			for range 2 { // two connections, or one with two streams
				pair.Go(func() { ask(t.Context(), d, b.url("/pair")) })
			}
			pair.Wait()
			before := b.opened.Load()
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-arrived; cancel() }()
			_, err := ask(ctx, d, b.url("/mute"))
			expectCode(t, err, recourse.Cancelled)
			wantAnswer(t, d, b.url("/"))
			if n := b.opened.Load(); n != before {
				t.Errorf("%d connections opened after somebody cancelled, want none", n-before)
			}
		})
	}
}

func TestClientReturnsResponsesUntouched(t *testing.T) {
	b := newBackend(t, "plain", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.Header().Add("Link", "<a>")
		w.Header().Add("Link", "<b>")
		switch r.URL.Path {
		case "/200":
			hello(w, r)
		case "/204":
			w.WriteHeader(http.StatusNoContent)
		case "/304":
			w.WriteHeader(http.StatusNotModified)
		case "/404":
			http.Error(w, "<html>no such page</html>", http.StatusNotFound)
		case "/500":
			http.Error(w, `{"error":"boom"}`, http.StatusInternalServerError)
		case "/503":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/moved":
			http.Redirect(w, r, "/200", http.StatusFound)
		}
	})
	d := &recourse.Dependency{}
	for _, path := range []string{"/200", "/204", "/304", "/404", "/500", "/503", "/moved"} {
		got, want := dump(t, d.Client(), b.url(path)), dump(t, b.server.Client(), b.url(path))
		if got != want {
			t.Errorf("%s through the Dependency:\n%s\nwithout it:\n%s", path, got, want)
		}
	}
}

func dump(t *testing.T, c *http.Client, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	resp.Header.Del("Date")
	var s strings.Builder
	if err := resp.Write(&s); err != nil {
		t.Fatal(err)
	}
	return resp.Request.URL.String() + "\n" + s.String()
}

func TestClientUpgrades(t *testing.T) {
	b := newBackend(t, "plain", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "echo")
		w.WriteHeader(http.StatusSwitchingProtocols)
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		line, _ := rw.ReadString('\n')
		rw.WriteString("you said " + line)
		rw.Flush()
	})
	d := &recourse.Dependency{}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url("/"), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", "echo")
	resp, err := d.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	both, ok := resp.Body.(io.ReadWriter)
	if resp.StatusCode != http.StatusSwitchingProtocols || !ok {
		t.Fatalf("status %d, body %T; want 101 and one to write to", resp.StatusCode, resp.Body)
	}
	io.WriteString(both, "hi\n")
	if got, _ := io.ReadAll(both); string(got) != "you said hi\n" {
		t.Errorf("got %q", got)
	}
}

// A transcript is a transport that only answers.
type transcript struct {
	asked  []string
	closed int
	err    error
}

func (tr *transcript) RoundTrip(r *http.Request) (*http.Response, error) {
	tr.asked = append(tr.asked, r.URL.Path)
	if tr.err != nil {
		return nil, tr.err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("hello")), Request: r}, nil
}

func (tr *transcript) CloseIdleConnections() { tr.closed++ }

func TestClientWithTransportOfItsOwn(t *testing.T) {
	own := &transcript{}
	d := &recourse.Dependency{Transport: own}
	wantAnswer(t, d, "http://api.example/a")
	own.err = io.ErrUnexpectedEOF
	if _, err := ask(t.Context(), d, "http://api.example/b"); err == nil {
		t.Error("no error")
	}
	if own.closed == 0 {
		t.Error("its idle connections were not closed after a failure")
	}
	own.err = nil
	wantAnswer(t, d, "http://api.example/c")
	if got := strings.Join(own.asked, " "); got != "/a /b /c" {
		t.Errorf("asked for %q", got)
	}
}

// A transport need not be comparable.
func TestClientWithFunction(t *testing.T) {
	var err error
	d := &recourse.Dependency{Transport: function(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("hello")), Request: r}, err
	})}
	wantAnswer(t, d, "http://api.example/a")
	for _, err = range []error{io.ErrUnexpectedEOF, context.DeadlineExceeded} {
		if _, err := ask(t.Context(), d, "http://api.example/b"); err == nil {
			t.Error("no error")
		}
	}
	err = nil
	wantAnswer(t, d, "http://api.example/c")
}

type function func(*http.Request) (*http.Response, error)

func (f function) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := f(r)
	if err != nil {
		return nil, err
	}
	return resp, nil
}

func TestClientWithDefaultTransportReplaced(t *testing.T) {
	old := http.DefaultTransport
	defer func() { http.DefaultTransport = old }()
	own := &transcript{}
	http.DefaultTransport = own
	wantAnswer(t, &recourse.Dependency{}, "http://api.example/a")
	if len(own.asked) != 1 {
		t.Errorf("%d requests went through the program's transport, want 1", len(own.asked))
	}
}

func TestClientKeepsSettings(t *testing.T) {
	proxy := newBackend(t, "plain", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host == "api.example" && r.Header.Get("Proxy-Authorization") != "" {
			hello(w, r)
		}
	})
	address, err := url.Parse(proxy.url("/"))
	if err != nil {
		t.Fatal(err)
	}
	address.User = url.UserPassword("me", "secret")
	own := &http.Transport{Proxy: http.ProxyURL(address)}
	d := &recourse.Dependency{Transport: own}
	wantAnswer(t, d, "http://api.example/")
	proxy.stop()
	if _, err := ask(t.Context(), d, "http://api.example/"); err == nil {
		t.Error("an answer without the proxy")
	}
	proxy.start(t)
	wantAnswer(t, d, "http://api.example/")
}

// The connections of one Dependency are not those of another, nor of the
// transport that both were made from.
func TestClientSharesNoConnections(t *testing.T) {
	b := newBackend(t, "TLS", hello)
	wire := b.transport().(*http.Transport)
	defer wire.CloseIdleConnections()
	first, second := &recourse.Dependency{Transport: wire}, &recourse.Dependency{Transport: wire}
	if _, err := fetch(t.Context(), &http.Client{Transport: wire}, http.MethodGet, b.url("/")); err != nil {
		t.Fatal(err)
	}
	wantAnswer(t, first, b.url("/"))
	wantAnswer(t, second, b.url("/"))
	wantAnswer(t, first, b.url("/")) // and Clients of one share them
	if n := b.opened.Load(); n != 3 {
		t.Errorf("%d connections, want 3", n)
	}
	first.Client().CloseIdleConnections()
	wantAnswer(t, second, b.url("/"))
	wantAnswer(t, first, b.url("/"))
	if n := b.opened.Load(); n != 4 {
		t.Errorf("%d connections, want 4: first closed its own alone", n)
	}
}

// net/http sends some requests again by itself when a connection that it kept
// proves dead, and says nothing. For a POST that would be a second order.
func TestClientSendsPostOnce(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			var b *backend
			var posts atomic.Int64
			b = newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					posts.Add(1)
					b.hangUp()
					return
				}
				hello(w, r)
			})
			d := &recourse.Dependency{Transport: b.transport(), Attempts: 3, Trip: -1}
			for range 20 {
				wantAnswer(t, d, b.url("/"))
				_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (string, error) {
					return fetch(ctx, d.Client(), http.MethodPost, b.url("/"))
				})
				expectCode(t, err, recourse.ServiceUnavailable)
			}
			if n := posts.Load(); n != 20 {
				t.Errorf("the API saw %d POSTs, want 20", n)
			}
		})
	}
}

// A thousand lost connections leave nothing behind.
func TestClientForgetsLost(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			losses := 1000
			if kind != "plain" {
				losses = 200 // a handshake takes its time
			}
			var b *backend
			b = newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/cut" {
					b.cut()
					return
				}
				hello(w, r)
			})
			d := &recourse.Dependency{Transport: b.transport(), Trip: -1}
			wantAnswer(t, d, b.url("/"))
			before := runtime.NumGoroutine()
			for range losses {
				if _, err := ask(t.Context(), d, b.url("/cut")); err == nil {
					t.Fatal("the connection was not lost")
				}
			}
			wantAnswer(t, d, b.url("/"))
			settle(t, "goroutines", before+10, runtime.NumGoroutine)
			settle(t, "connections", 2, func() int { return int(b.open.Load()) })
		})
	}
}

// A connection that is at work when the others are dropped goes when it has been
// idle for as long as the transport allows.
func TestClientForgetsBusy(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			arrived, release := make(chan struct{}), make(chan struct{})
			b := newBackend(t, kind, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/mute" {
					<-r.Context().Done()
					return
				}
				arrived <- struct{}{}
				<-release
				hello(w, r)
			})
			wire, ok := b.transport().(*http.Transport)
			if !ok {
				wire = &http.Transport{}
			}
			wire.IdleConnTimeout = 50 * time.Millisecond
			d := &recourse.Dependency{Transport: wire, Trip: -1}
			for range 20 {
				slow := make(chan error, 1)
				go func() {
					_, err := ask(t.Context(), d, b.url("/slow"))
					slow <- err
				}()
				<-arrived
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
				_, err := ask(ctx, d, b.url("/mute"))
				cancel()
				expectCode(t, err, recourse.Timeout)
				release <- struct{}{}
				if err := <-slow; err != nil {
					t.Fatal(err)
				}
			}
			settle(t, "connections", 0, func() int { return int(b.open.Load()) })
		})
	}
}

// Whatever the moment at which an API goes and comes back, a call ends as an
// answer or an Error, and once the API is back for good, so are the answers.
func TestClientUnderRestarts(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			b := newBackend(t, kind, hello)
			d := &recourse.Dependency{Transport: b.transport(), Trip: -1}
			url := b.url("/")
			ended := make(chan struct{})
			answers := make(chan struct{}, 100)
			var callers sync.WaitGroup
			for range 8 {
				callers.Go(func() {
					for {
						text, err := ask(t.Context(), d, url)
						var e *recourse.Error
						if err == nil && text != "hello" || err != nil && (!errors.As(err, &e) || e.Code != recourse.ServiceUnavailable) {
							t.Errorf("got %q, %v (%v)", text, err, errors.Unwrap(err))
						}
						select {
						case <-ended:
							return
						default:
						}
						if err == nil {
							select {
							case answers <- struct{}{}:
							default:
							}
						}
					}
				})
			}
			for range 5 {
				for range 50 {
					<-answers
				}
				b.stop()
				for len(answers) > 0 {
					<-answers
				}
				b.start(t)
			}
			close(ended)
			callers.Wait()
			for range 10 {
				wantAnswer(t, d, url)
			}
		})
	}
}

// settle waits until count is at most limit, and fails if that takes long.
func settle(t *testing.T, what string, limit int, count func() int) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(20 * time.Second)
	for count() > limit {
		select {
		case <-tick.C:
		case <-timeout:
			t.Fatalf("%d %s are left, want at most %d", count(), what, limit)
		}
	}
}

var quiet = log.New(io.Discard, "", 0)
