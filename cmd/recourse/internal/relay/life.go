package relay

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"sync/atomic"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// A life is one life of the server.
type life struct {
	conn  upstream.Conn
	back  *queue // to it
	mute  latch  // it can say no more
	heard int    // frames
	late  bool   // it did not answer initialize in time
	deaf  bool   // it can hear no more

	throttled atomic.Bool // it is not read, since the client does not read
	over      latch       // it has been answered for
}

// starts counts the beginnings of a server that has not answered initialize.
type starts struct {
	n      int
	status int // how the last one ended
	at     time.Time
}

const (
	maxStarts     = 3                      // in all
	sameDeath     = 2 * time.Second        // two deaths alike within this: a third tells nothing new
	statusGrace   = 400 * time.Millisecond // an exit status follows the end of the output, on a busy machine late
	launcherGrace = 300 * time.Millisecond // for a server whose launcher has gone, to show that it lives
	lostGrace     = 700 * time.Millisecond // from SIGTERM to SIGKILL for what remains of a lost server
)

// begin starts a life of the server.
func (r *Relay) begin(now time.Time) {
	r.starts.n++
	conn, err := r.Start()
	if err != nil {
		r.ended(cannotStart(err), now)
		return
	}
	r.held = held{} // what another life has said is void
	l := &life{conn: conn, mute: newLatch(), over: newLatch()}
	l.back = newQueue(conn, func(error) { r.deafened(l) })
	r.server = l
	go r.readServer(l)
	go r.watch(l)
}

// cannotStart explains why there is no process, with the exit status that a
// shell would give.
func cannotStart(err error) *down {
	d := &down{start: true, code: recourse.ConfigurationError, detail: "it could not be started"}
	d.exit.Status = 126
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		d.exit.Status = 127
	}
	d.message = fmt.Sprintf("The server can't be started: %v.", err)
	return d
}

// watch waits for the end of a life: of its output, or of the process. When the
// process was a launcher such as npx, the server itself may well live on.
func (r *Relay) watch(l *life) {
	gone := l.conn.Gone()
	select {
	case <-l.mute.ch:
		within(statusGrace, gone)
	case <-gone:
		r.mu.Lock()
		heard := l.heard
		r.ping()
		r.mu.Unlock()
		r.flush()
		if !r.drained(l, launcherGrace) && r.heardSince(l, heard) {
			r.say("the launcher of " + r.Server + " has ended, the server itself goes on")
			<-l.mute.ch
		}
	}
	r.mu.Lock()
	r.lost(l, time.Now())
	r.mu.Unlock()
	r.flush()
}

func within(d time.Duration, ch <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ch:
		return true
	case <-t.C:
		return false
	}
}

func (r *Relay) heardSince(l *life, n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return l.heard > n
}

// ping asks the server for a sign of life.
func (r *Relay) ping() {
	if !r.client.opened || r.down != nil {
		return
	}
	c := r.newCall(time.Now())
	c.method = methodPing
	r.sendOwn(c, wire.AppendPing(nil, r.number(c.n)))
}

// lost ends a life, with r.mu held: another one begins if the server had not
// really begun, else everything that waits is answered.
func (r *Relay) lost(l *life, now time.Time) {
	if l.over.closed() || l != r.server {
		return
	}
	l.over.close()
	r.bury(l)
	d := r.describe(l)
	if d.start && r.again(d, now) {
		r.begin(now)
		r.resend(d, now)
		return
	}
	r.ended(d, now)
}

// anew replaces a server that has heard of server/discover and said nothing. It
// would have two kinds of client now, and some take initialize ill after that.
func (r *Relay) anew(now time.Time) {
	r.probed = false
	if r.client.opened || r.down != nil {
		return
	}
	old := r.server
	old.over.close()
	r.bury(old)
	d := &down{code: recourse.ServiceUnavailable, detail: "it did not answer server/discover and was replaced"}
	for _, c := range r.inOrder() {
		switch {
		case c.life != old:
		case c.own:
			r.drop(c, policy.Ignored, now)
		default:
			r.fail(c, r.lostError(c, d, c.heard()), policy.Ignored, now)
		}
	}
	r.begin(now)
}

// deafened handles a server that has closed its input. Most die within moments,
// and their exit status is worth waiting for; the others can be sent nothing.
func (r *Relay) deafened(l *life) {
	if within(statusGrace, l.over.ch) {
		return
	}
	r.mu.Lock()
	l.deaf = true
	now := time.Now()
	for _, c := range r.inOrder() {
		if c.life == l && !c.heard() && !c.own {
			r.fail(c, r.lostError(c, r.deafness(), false), policy.Ignored, now)
		}
	}
	r.mu.Unlock()
	r.flush()
}

func (r *Relay) deafness() *down {
	return &down{
		code:    recourse.ServiceUnavailable,
		message: fmt.Sprintf("The server %s has closed its input: no call can be sent to it any more.", r.Server),
	}
}

// bury ends what is left of a life, its descendants included.
func (r *Relay) bury(l *life) {
	if r.ends.stopping {
		return // it is under way
	}
	r.ending.Go(func() {
		l.conn.Stop(upstream.Grace{Force: lostGrace})
		if !r.drained(l, statusGrace) {
			l.conn.Close()
		}
	})
}

// drained waits for the end of what a server has said, for at most d in which
// we were ready to read it.
func (r *Relay) drained(l *life, d time.Duration) bool {
	for !within(d, l.mute.ch) {
		if !l.throttled.Load() || r.ends.broken.closed() {
			return false
		}
	}
	return true
}

// again decides whether a server that ended before its initialize answer is
// worth another start.
func (r *Relay) again(d *down, now time.Time) bool {
	s := r.starts
	r.starts.status, r.starts.at = d.exit.Status, now
	alike := s.n > 1 && s.status == d.exit.Status && now.Sub(s.at) < sameDeath
	return d.exited && d.exit.Status != recourse.ExitConfig && s.n < maxStarts && !alike && !r.Observe && !r.ends.stopping
}

// greeting reports whether the client waits for the answer to initialize.
func (r *Relay) greeting() bool {
	for _, c := range r.calls {
		if c.method == methodInitialize {
			return true
		}
	}
	return false
}

// resend gives a new life the client's initialize. What else was sent may have
// run; it is not repeated.
func (r *Relay) resend(d *down, now time.Time) {
	for _, c := range r.inOrder() {
		switch {
		case r.down != nil:
			return
		case c.life == nil: // it waits for the answer to initialize
		case c.method == methodInitialize:
			f := scan(r.client.hello)
			r.send(c, f.Bytes, f.Msg.ID)
		case c.method == methodDiscover:
			r.put(protocolError(c.id, -32601, "Method not found: server/discover"))
			r.drop(c, policy.Ignored, now)
		default:
			r.fail(c, r.lostError(c, d, c.heard()), policy.Ignored, now)
		}
	}
}

// ended answers everything that waits for a server that is no more.
func (r *Relay) ended(d *down, now time.Time) {
	r.down, r.early = d, early{}
	if !r.ends.closing || r.running() {
		r.say(d.message)
	}
	for _, c := range r.inOrder() {
		heard := c.heard()
		switch {
		case r.Observe:
			c.would = cmp.Or(c.would, string(d.code))
			r.record(c, verdict{outcome: "unknown", fault: "process", code: string(d.code), message: d.message}, now)
			r.drop(c, policy.Ignored, now)
		case c.own, c.method == methodListen && r.ends.closing:
			r.drop(c, policy.Ignored, now)
		default:
			r.fail(c, r.lostError(c, d, heard), policy.Ignored, now)
		}
	}
	for _, q := range r.asked {
		r.put(wire.AppendCancelled(nil, r.number(q.n), "the server has ended"))
		r.settle(q, now)
	}
	switch {
	case r.Observe:
		r.ends.over.close()
	case d.start:
		time.AfterFunc(failedLinger, r.ends.over.close)
	}
}

// heard reports whether the server may have heard of the call.
func (c *call) heard() bool { return c.life != nil && c.life.back.left(c.from) }

// inOrder returns the calls in flight in the order of their arrival.
func (r *Relay) inOrder() []*call {
	calls := make([]*call, 0, len(r.calls))
	for _, c := range r.calls {
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b *call) int { return int(a.n - b.n) })
	return calls
}

// local answers a request for which there is no server.
func (r *Relay) local(c *call, now time.Time) {
	if c.method == methodPing && !r.down.start {
		r.put(wire.AppendResult(nil, c.id, []byte("{}")))
		r.drop(c, policy.Ignored, now)
		return
	}
	if list, ok := r.table.result(c.modern); ok && c.method == methodTools {
		r.put(wire.AppendResult(nil, c.id, list))
		r.drop(c, policy.Ignored, now)
		return
	}
	r.fail(c, r.lostError(c, r.down, false), policy.Ignored, now)
}
