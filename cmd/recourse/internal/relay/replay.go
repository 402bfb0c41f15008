package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A session is what a server has been told and would not know in its next life.
type session struct {
	hello         []byte // params of the initialize that was answered last
	level         []byte // params of the last logging/setLevel that was accepted
	subscriptions []subscription
	rootsChanged  bool // the client's roots, while there was no server

	server  implementation // as introduced last
	offered []string       // its capabilities
	logs    bool           // logging was among those that the client was told of
}

// A subscription is a resource that the client wants to hear of.
type subscription struct {
	uri    string
	params []byte
}

// replayLimit is how long one answer is waited for in a replay, but for
// initialize's.
const replayLimit = 2 * time.Second

// accepted notes what a client's request has brought about.
func (r *Relay) accepted(c *call) {
	if c.frame == nil {
		return
	}
	params := wire.Scan(c.frame).Msg.Params.Of(c.frame)
	switch c.method {
	case methodLevel:
		r.session.level = bytes.Clone(params)
	case methodSubscribe, methodUnsubscribe:
		var p struct {
			URI string `json:"uri"`
		}
		_ = json.Unmarshal(params, &p)
		subs := &r.session.subscriptions
		at := slices.IndexFunc(*subs, func(s subscription) bool { return s.uri == p.URI })
		switch {
		case c.method == methodUnsubscribe && at >= 0:
			*subs = slices.Delete(*subs, at, at+1)
		case c.method == methodUnsubscribe, at >= 0: // it stays where it was
		case len(*subs) >= maxCalls:
			r.say("the subscription to " + p.URI + " will not outlive the server: there are too many")
		default:
			*subs = append(*subs, subscription{p.URI, bytes.Clone(params)})
		}
	}
}

// replay tells a new life what the client had told the last one, one thing after
// the other. Then the server is ready. There is nothing to tell to a server of
// the stateless era.
func (r *Relay) replay(now time.Time) {
	l := r.server
	if r.session.hello == nil {
		r.greet(l, now)
		r.becomeReady(now)
		return
	}
	r.own("initialize", r.session.hello, r.startLimit(), now, func(f *wire.Frame, now time.Time) {
		switch {
		case l != r.server:
		case f == nil:
			l.why, l.slow = fmt.Sprintf("no answer to initialize within %s", r.startLimit()), true
			r.condemn(l)
		case f.Bytes == nil || f.Msg.Kind != wire.Result:
			r.refused(l, f)
		default:
			r.introduced(f)
			if r.client.initialized {
				l.back.put([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"))
			}
			r.greet(l, now)
			r.replayRest(l, 0, true, now)
		}
	})
}

// replayRest replays the log level (step 0) and then the subscriptions. After the
// first that is not answered, nothing is waited for any more: there may be many.
func (r *Relay) replayRest(l *life, step int, patient bool, now time.Time) {
	name, params := "logging/setLevel", r.session.level
	if step > 0 {
		if step > len(r.session.subscriptions) {
			r.becomeReady(now)
			return
		}
		name, params = "resources/subscribe", r.session.subscriptions[step-1].params
	}
	answered := func(f *wire.Frame) bool {
		if f != nil && f.Msg.Kind == wire.Result {
			return true
		}
		r.say("the restarted server did not accept again what the client had set with " + name)
		return f != nil
	}
	switch {
	case params == nil:
		r.replayRest(l, step+1, patient, now)
	case patient:
		r.own(name, params, replayLimit, now, func(f *wire.Frame, now time.Time) {
			if l == r.server {
				r.replayRest(l, step+1, answered(f), now)
			}
		})
	default:
		r.own(name, params, replayLimit, now, func(f *wire.Frame, _ time.Time) {
			if l == r.server {
				answered(f)
			}
		})
		r.replayRest(l, step+1, false, now)
	}
}

// refused ends a life that does not accept the client's handshake any more. A
// server that speaks only another era now is no failed start: nothing helps but
// a new session.
func (r *Relay) refused(l *life, f *wire.Frame) {
	l.why = "it refused initialize"
	if f.Bytes != nil {
		l.why += ": " + r.excerpt(wire.Unquote(f.Msg.Text.Of(f.Bytes)))
		switch string(f.Msg.Code.Of(f.Bytes)) {
		case "-32601", "-32022": // method not found, unsupported protocol version
			l.foreign = true
		}
	}
	r.condemn(l)
}

// introduced compares how the server introduces itself with what it was.
func (r *Relay) introduced(f *wire.Frame) {
	w := introductionOf(f)
	s := &r.session
	var news []string
	if w.ProtocolVersion != r.client.protocol {
		news = append(news, "it speaks "+w.ProtocolVersion+" now, no longer "+r.client.protocol)
	}
	if w.ServerInfo != s.server {
		news = append(news, "it is "+w.ServerInfo.label()+" now, no longer "+s.server.label())
	}
	for _, name := range s.offered {
		if _, ok := w.Capabilities[name]; !ok {
			news = append(news, "it no longer offers "+name)
		}
	}
	s.server, s.offered = w.ServerInfo, w.offers()
	r.changes = append(r.changes, news...)
}

// becomeReady lets the client's requests through to a server that has been
// started again.
func (r *Relay) becomeReady(now time.Time) {
	took := now.Sub(r.since)
	r.enterState(ready, now)
	r.server.ready = true
	r.revival.Ready(now)
	r.say(fmt.Sprintf("the server %s has been started again, in %s", r.Server, took.Round(time.Millisecond)))
	if r.session.rootsChanged {
		r.session.rootsChanged = false
		r.server.back.put([]byte(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}` + "\n"))
	}
	r.tellLogger()
	r.deliver(now)
	r.compare(took, now)
}

// greet lets go what a life has said before it was greeted.
func (r *Relay) greet(l *life, now time.Time) {
	l.greeted = true
	h := l.held
	l.held = held{}
	for _, frame := range h.frames {
		r.answer(wire.Scan(frame), now)
	}
	if h.lost > 0 {
		r.say(fmt.Sprint(h.lost) + " messages that the server sent before its initialize answer were dropped: there were too many")
	}
}

// A comparison looks, after a restart, at the lists that the client knows, and
// tells it of those that differ. Until then the server's own word on that is
// held: some servers announce changes at each start.
type comparison struct {
	alarm
	took   time.Duration
	open   int               // walks under way
	before map[method]uint64 // sums, of the lists that are known
}

// compareLimit is the longest time that announcements are held.
const compareLimit = 2 * time.Second

func (r *Relay) compare(took time.Duration, now time.Time) {
	p := &comparison{took: took, before: map[method]uint64{}}
	r.comparing = p
	for _, m := range listMethods {
		l := r.list(m)
		if !l.seen {
			l.announced = false // news of what the client does not know is none
			continue
		}
		p.before[m] = l.sum
		p.open++
	}
	r.after(compareLimit, &p.alarm, func(time.Time) { r.compared(p) }, now)
	for m := range p.before {
		r.compareOne(p, m, now)
	}
	if p.open == 0 {
		r.compared(p)
	}
}

// compareOne walks one list, and again if it changed meanwhile.
func (r *Relay) compareOne(p *comparison, m method, now time.Time) {
	l, life := r.list(m), r.server
	version := l.version
	r.walk(m, "", 1, now, func(whole bool, now time.Time) {
		switch {
		case p != r.comparing:
			return
		case !whole && l.version != version && life == r.server:
			r.compareOne(p, m, now)
			return
		}
		if p.open--; p.open == 0 {
			r.compared(p)
		}
	})
}

// compared announces what differs, and passes on what could not be verified. Two
// lists may share an announcement, but not the proof: each has to be complete.
func (r *Relay) compared(p *comparison) {
	if p != r.comparing {
		return
	}
	r.comparing = nil
	r.waits.End(&p.Clock)
	told := map[string]bool{}
	for _, m := range listMethods {
		l := r.list(m)
		before, known := p.before[m]
		differs := known && l.sum != before
		if (differs || l.announced && !l.complete) && l.promised && !told[l.notice] {
			told[l.notice] = true
			r.put([]byte(`{"jsonrpc":"2.0","method":"` + l.notice + `"}` + "\n"))
		}
		if differs && m == methodTools {
			r.changes = append(r.changes, r.table.difference())
		}
		l.announced = false
	}
	message := fmt.Sprintf("The server has been started again, in %s.", p.took.Round(time.Millisecond))
	if len(r.changes) > 0 {
		message += " What changed: " + strings.Join(r.changes, "; ") + "."
		r.say("since its restart the server is another: " + strings.Join(r.changes, "; "))
	}
	r.changes = nil
	r.noteProcess(message, "", "", time.Now())
}
