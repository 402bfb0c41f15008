package recourse_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// listen returns the address of a server that answers each connection with
// serve, and then closes it.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return l.Addr().String()
}

// failing returns how a GET with a new connection fails, if not before then while
// the body is read.
func failing(t *testing.T, c *http.Client, url string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Transport == nil {
		c.Transport = &http.Transport{}
	}
	defer c.CloseIdleConnections()
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// unused returns an address that nobody listens at.
func unused(t *testing.T) string {
	t.Helper()
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestClassifyConnecting(t *testing.T) {
	err := failing(t, &http.Client{}, "http://"+unused(t))
	e := wants(t, err, recourse.ServiceUnavailable, true)
	if want := "The service takes no connections."; e.Message != want {
		t.Errorf("got %s, want %s", e.Message, want)
	}

	var d net.Dialer
	_, err = d.DialContext(t.Context(), "unix", filepath.Join(t.TempDir(), "none"))
	wants(t, err, recourse.ServiceUnavailable, true)

	_, err = d.DialContext(t.Context(), "tcp", "127.0.0.1")
	wants(t, err, recourse.HostUnreachable, true)

	d.Timeout = time.Second                                        // in case somebody drops what is sent there
	_, err = d.DialContext(t.Context(), "tcp", "[2001:db8::1]:80") // for documentation: nobody has it
	if e := recourse.Classify(err); !e.NotRun || e.Code == recourse.UnknownError {
		t.Errorf("%v is %s, NotRun %t", err, e.Code, e.NotRun)
	}

	d.Timeout = time.Nanosecond
	_, err = d.DialContext(t.Context(), "tcp", unused(t))
	wants(t, err, recourse.Timeout, true)
}

// Without a network, a resolver that can't be asked answers for the name.
func TestClassifyLookup(t *testing.T) {
	err := failing(t, &http.Client{}, "http://recourse.invalid")
	e := recourse.Classify(err)
	switch e.Code {
	case recourse.HostUnreachable, recourse.ServiceUnavailable, recourse.Timeout:
	default:
		t.Errorf("%v is %s", err, e.Code)
	}
	if !e.NotRun {
		t.Errorf("%v may have run", err)
	}
	wants(t, &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}, recourse.HostUnreachable, true)
	wants(t, &net.DNSError{Err: "server misbehaving", Name: "x", IsTemporary: true}, recourse.ServiceUnavailable, true)
	wants(t, &net.DNSError{Err: "i/o timeout", Name: "x", IsTimeout: true, IsTemporary: true}, recourse.Timeout, true)
}

// Whatever breaks after the request may have left, may have run.
func TestClassifyBroken(t *testing.T) {
	ask := func(c net.Conn) { http.ReadRequest(bufio.NewReader(c)) }
	for _, tt := range []struct {
		name  string
		serve func(net.Conn)
		want  recourse.Code
	}{
		{"reset", func(c net.Conn) { ask(c); c.(*net.TCPConn).SetLinger(0) }, recourse.ServiceUnavailable},
		{"closed", ask, recourse.ServiceUnavailable},
		{"cut in the headers", func(c net.Conn) { ask(c); io.WriteString(c, "HTTP/1.1 200 OK\r\nA: b") }, recourse.ServiceUnavailable},
		{"cut in the body", func(c net.Conn) { ask(c); io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{") }, recourse.BadUpstreamResponse},
		{"not HTTP", func(c net.Conn) { ask(c); io.WriteString(c, "220 mail.example ESMTP\r\n") }, recourse.BadUpstreamResponse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wants(t, failing(t, &http.Client{}, "http://"+listen(t, tt.serve)), tt.want, false)
		})
	}
	ours, theirs := net.Pipe()
	theirs.Close()
	_, err := ours.Write([]byte("x"))
	wants(t, err, recourse.ServiceUnavailable, false)
	ours.Close()
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", listen(t, func(net.Conn) {}))
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	_, err = c.Read(make([]byte, 1))
	wants(t, err, recourse.ServiceUnavailable, false)
}

func TestClassifySlow(t *testing.T) {
	done := make(chan struct{})
	defer close(done)
	addr := listen(t, func(net.Conn) { <-done })
	headers := &http.Transport{ResponseHeaderTimeout: time.Millisecond}
	wants(t, failing(t, &http.Client{Transport: headers}, "http://"+addr), recourse.Timeout, false)
	wants(t, failing(t, &http.Client{Timeout: time.Millisecond}, "http://"+addr), recourse.Timeout, false)
	handshake := &http.Transport{TLSHandshakeTimeout: time.Millisecond}
	wants(t, failing(t, &http.Client{Transport: handshake}, "https://"+addr), recourse.Timeout, true)

	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetReadDeadline(time.Unix(0, 0))
	_, err = c.Read(make([]byte, 1))
	wants(t, err, recourse.Timeout, false)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = d.DialContext(ctx, "tcp", addr)
	wants(t, err, recourse.Cancelled, true)
}

func TestClassifyTLS(t *testing.T) {
	quiet := func(s *httptest.Server) *httptest.Server {
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		t.Cleanup(s.Close)
		return s
	}
	hello := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") })
	secure := httptest.NewUnstartedServer(hello)
	secure.StartTLS()
	quiet(secure)
	trusting := func(change func(*tls.Config)) *http.Client {
		tr := secure.Client().Transport.(*http.Transport).Clone()
		change(tr.TLSClientConfig)
		return &http.Client{Transport: tr}
	}
	plain := quiet(httptest.NewServer(hello))
	mutual := httptest.NewUnstartedServer(hello)
	mutual.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	mutual.StartTLS()
	quiet(mutual)
	for _, tt := range []struct {
		name, url, want string
		client          *http.Client
		notRun          bool
	}{
		{"unknown issuer", secure.URL, "The host's certificate is not trusted.", &http.Client{}, true},
		{"another name", secure.URL, "The host's certificate is for another name.", trusting(func(c *tls.Config) { c.ServerName = "other.example" }), true},
		{"expired", secure.URL, "The host's certificate has expired or is not valid yet.", trusting(func(c *tls.Config) {
			c.Time = func() time.Time { return time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC) }
		}), true},
		{"HTTP at an HTTPS address", "https" + strings.TrimPrefix(plain.URL, "http"), "No secure connection to the host could be made.", &http.Client{}, false},
		{"a client certificate is missing", mutual.URL, "No secure connection to the host could be made.", trusting(func(c *tls.Config) { c.InsecureSkipVerify = true }), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := wants(t, failing(t, tt.client, tt.url), recourse.HostUnreachable, tt.notRun)
			if e.Message != tt.want {
				t.Errorf("got %s, want %s", e.Message, tt.want)
			}
		})
	}
	var d tls.Dialer
	_, err := d.DialContext(t.Context(), "tcp", plain.Listener.Addr().String())
	wants(t, err, recourse.HostUnreachable, true)
}

// A kept connection is closed while the next request is on its way.
func TestClassifyIdleConnection(t *testing.T) {
	addr := listen(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		if req, err := http.ReadRequest(r); err == nil {
			io.Copy(io.Discard, req.Body)
		}
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		r.ReadByte() // closes at the beginning of the second
	})
	c := &http.Client{Transport: &http.Transport{}}
	defer c.CloseIdleConnections()
	post := func() error {
		// A body that can't be read twice, so that the transport can't repeat.
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr, io.NopCloser(strings.NewReader("x")))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(req)
		if err == nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		return err
	}
	if err := post(); err != nil {
		t.Fatal(err)
	}
	wants(t, post(), recourse.ServiceUnavailable, false)
}

// A record that makes no sense may come in the middle of an answer.
func TestClassifyGarbledRecord(t *testing.T) {
	var garbage string
	done := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		io.WriteString(c.(*tls.Conn).NetConn(), garbage)
		<-done
	}))
	server.StartTLS()
	defer server.Close()
	defer close(done)
	for _, garbage = range []string{"HTTP/1.1 500 Oh\r\n\r\n", "no record at all"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := server.Client().Do(req)
		if err == nil {
			resp.Body.Close()
			t.Fatal("an answer")
		}
		if e := recourse.Classify(err); e.NotRun || e.Code == recourse.UnknownError {
			t.Errorf("%v is %s, NotRun %t", err, e.Code, e.NotRun)
		}
	}
}
