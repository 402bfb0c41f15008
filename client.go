package recourse

import (
	"context"
	"errors"
	"net/http"
	"os"
	"time"
)

// Client returns a client with the Dependency's own connections, which it
// drops and reopens after a connection failure. It returns every response
// untouched and does not retry: use it inside [Call], with [CheckResponse].
//
// A request that got no answer in time is taken for a connection failure too:
// the connections that were open then are used no more, unless they are at work.
// HTTP/2 connections are also pinged when nothing has come for 3 s, and closed
// if nothing comes for another 3 s. A Transport that is no [http.Transport]
// keeps its own rules; only its CloseIdleConnections is called.
func (d *Dependency) Client() *http.Client {
	return &http.Client{Transport: reconnecting{d}}
}

// A reconnecting is the transport under a Dependency's clients.
type reconnecting struct{ d *Dependency }

func (r reconnecting) RoundTrip(req *http.Request) (*http.Response, error) {
	wire := r.d.connections()
	resp, err := wire.RoundTrip(req)
	switch {
	case err != nil && !errors.Is(req.Context().Err(), context.Canceled):
		r.d.drop(wire)
	case !r.d.uses(wire): // a request that comes after the drop undoes it
		closeIdle(wire)
	}
	if err != nil && moved(req) {
		err = redirected{err}
	}
	return resp, err
}

// CloseIdleConnections makes the method of the same name of [http.Client] work.
func (r reconnecting) CloseIdleConnections() { closeIdle(r.d.connections()) }

func closeIdle(wire http.RoundTripper) {
	if c, ok := wire.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// ping is how long an HTTP/2 connection may be silent before it is asked, and
// then how long it may take to reply: together less than an attempt may take.
const ping = 3 * time.Second

// idle is how long a connection is kept that nobody uses, if the transport does
// not say: one that was at work when the others were dropped must not stay for
// ever. It is that of [http.DefaultTransport].
const idle = 90 * time.Second

// connections returns what holds the open ones.
func (d *Dependency) connections() http.RoundTripper {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.wire == nil {
		d.wire = d.dial()
	}
	return d.wire
}

// dial returns a transport without a connection.
func (d *Dependency) dial() http.RoundTripper {
	t, ok := d.Transport.(*http.Transport)
	if d.Transport == nil {
		t, ok = http.DefaultTransport.(*http.Transport)
		if !ok { // the program has replaced it
			return http.DefaultTransport
		}
	}
	if !ok {
		return d.Transport
	}
	t = t.Clone()
	h2 := http.HTTP2Config{}
	if t.HTTP2 != nil {
		h2 = *t.HTTP2
	}
	if t.IdleConnTimeout == 0 {
		t.IdleConnTimeout = idle
	}
	if h2.SendPingTimeout == 0 {
		h2.SendPingTimeout = ping
	}
	if h2.PingTimeout == 0 {
		h2.PingTimeout = ping
	}
	t.HTTP2 = &h2
	return t
}

// silent reports whether e stands for an answer that did not come, and not for
// one that says "too late".
func (e *Error) silent() bool {
	return e.inherit().Code == Timeout && (is(e, context.DeadlineExceeded) || is(e, os.ErrDeadlineExceeded))
}

// mistrust drops the connections under wire, or those that were made since if
// there were none. An attempt that was left behind will drop them too, but maybe
// only when the next one has already chosen among them.
func (d *Dependency) mistrust(wire http.RoundTripper) {
	if wire == nil {
		d.mu.Lock()
		wire = d.wire
		d.mu.Unlock()
	}
	d.drop(wire)
}

// uses reports whether wire is where the next request will go.
func (d *Dependency) uses(wire http.RoundTripper) bool {
	if _, ours := wire.(*http.Transport); !ours {
		return true // what is not ours may not even be comparable
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wire == wire
}

// drop gives up the connections under wire, if those are still the ones in use.
// Requests that they work on may end.
func (d *Dependency) drop(wire http.RoundTripper) {
	if wire == nil {
		return
	}
	d.mu.Lock()
	if _, ours := wire.(*http.Transport); ours && d.wire == wire {
		d.wire = nil
	}
	d.mu.Unlock()
	closeIdle(wire)
}
