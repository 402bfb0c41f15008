package relay

import (
	"bytes"
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// A life is one life of the server.
type life struct {
	conn    upstream.Conn
	back    *queue // to it
	mute    latch  // it can say no more
	greeted bool   // it has answered initialize, or needs none
	served  bool   // it has answered a tool call well
	held    held   // what it said before it was greeted

	said   atomic.Int64 // bytes
	lines  atomic.Int64 // bytes up to the last line end: half a line shows no life
	half   atomic.Value // string: the start of a line that has no end yet
	exited bool         // it ended by itself
	read   int64        // once it is over: what lies before this in the queue, it may have read

	why     string // we end it, for this reason
	leaving bool   // it gets no more requests
	ready   bool   // requests have gone to it
	dying   bool   // its end is under way
	foreign bool   // it refuses the client's era
	slow    bool   // it has not answered initialize in time
	notice  alarm  // of its end
	silence alarm  // since a call that its client gave up
	probe   probe

	fragment wire.Fragment // of a message that comes in several lines
	pause    alarm         // since its last line
	lead     []byte        // text that stood before it
	waited   bool          // for another line, in vain
	short    alarm         // since the start of an answer that did not go on

	orphan    atomic.Bool // its launcher has gone: what is known of that is not about it
	throttled atomic.Bool // it is not read, since the client does not read
	over      latch       // it has been answered for
}

const (
	deathGrace    = 30 * time.Millisecond  // an exit status follows the end of the output
	statusGrace   = 400 * time.Millisecond // on a busy machine late
	outputGrace   = 5 * time.Millisecond   // the end of the output follows the end of its last holder
	launcherGrace = 280 * time.Millisecond // for a server whose launcher has gone, to show that it lives: 300 ms since its end, which [upstream.Conn] tells 20 ms later
	lostGrace     = 700 * time.Millisecond // from SIGTERM to SIGKILL for a server that is replaced
	remainsGrace  = 250 * time.Millisecond // the same for what a dead one has left: the next one waits for it
	lastNotice    = 5 * time.Second        // for the calls of a server that is to be replaced
)

// maxHalf is how much is kept of a line that has no end, in bytes.
const maxHalf = 1 << 10

// Read reads what the server says, and counts it.
func (l *life) Read(b []byte) (int, error) {
	n, err := l.conn.Read(b)
	before := l.said.Add(int64(n)) - int64(n)
	half, _ := l.half.Load().(string)
	// LastIndexByte is slow, and most of a large message has no line end.
	if bytes.IndexByte(b[:n], '\n') >= 0 {
		i := bytes.LastIndexByte(b[:n], '\n')
		l.lines.Store(before + int64(i) + 1)
		if i+1 < n || half != "" {
			l.half.Store(string(b[i+1 : min(n, i+1+maxHalf)]))
		}
	} else if len(half) < maxHalf {
		l.half.Store(half + string(b[:min(n, maxHalf-len(half))]))
	}
	return n, err
}

// watch waits for the end of a life: of its output, or of the process. When the
// process was a launcher such as npx, the server itself may well live on.
func (r *Relay) watch(l *life) {
	gone := l.conn.Gone()
	select {
	case <-l.mute.ch:
		r.awaitStatus(l)
	case <-gone:
		if r.livesOn(l) {
			r.say("the launcher of " + r.Server + " has ended, the server itself goes on")
			l.orphan.Store(true)
			<-l.mute.ch
		}
	}
	r.finishLife(l)
}

// finishLife answers for a life that is over. What the server has not read is
// asked only if somebody waits: to know it can mean to kill what is left.
func (r *Relay) finishLife(l *life) {
	r.mu.Lock()
	l.read = l.back.sent()
	ask := !r.ends.stopping && r.busyWith(l)
	select {
	case <-l.conn.Gone():
		l.exited = l.why == "" && !l.orphan.Load()
	default:
	}
	r.mu.Unlock()
	unread := 0
	if ask {
		unread = l.conn.Unread()
	}
	r.mu.Lock()
	l.read = l.back.sent() - int64(unread)
	r.lost(l, time.Now())
	r.mu.Unlock()
	r.flush()
}

// awaitStatus waits for the exit status of a server that has ended its output,
// if it is about to end.
func (r *Relay) awaitStatus(l *life) {
	r.mu.Lock()
	if l == r.server && r.client.opened && !r.Observe && !r.ends.closing {
		// What comes now must not go to a server that can't answer.
		r.enterState(restarting, time.Now())
		r.backlog.on = true
	}
	opened := r.client.opened
	r.mu.Unlock()
	if !within(deathGrace, l.conn.Gone()) && (!opened || l.conn.Ending()) {
		within(statusGrace, l.conn.Gone())
	}
}

// livesOn reports whether there is still a server behind a process that has
// gone: it says something, be it only the answer to a ping. One that still starts
// can't, and has the start limit, if the process left as launchers do.
func (r *Relay) livesOn(l *life) bool {
	if r.drained(l, outputGrace) {
		return false
	}
	r.mu.Lock()
	said, condemned := l.said.Load(), l.why != ""
	if r.Observe || !l.greeted && !condemned && l.conn.Exit() == (upstream.Exit{}) {
		r.mu.Unlock()
		return !r.drained(l, deathGrace)
	}
	if l == r.server && l.greeted && !condemned {
		r.askForLife(launcherGrace, time.Now(), nil)
	}
	r.mu.Unlock()
	r.flush()
	if r.drained(l, launcherGrace) || condemned {
		return false
	}
	return l.said.Load() > said
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

// lost ends a life, with r.mu held: another one begins, or what waits is
// answered.
func (r *Relay) lost(l *life, now time.Time) {
	if l.over.closed() || l != r.server {
		return
	}
	l.over.close()
	r.waits.End(&l.notice.Clock)
	r.waits.End(&l.probe.Clock)
	r.waits.End(&l.silence.Clock)
	r.waits.End(&l.pause.Clock)
	r.waits.End(&l.short.Clock)
	d := r.describe(l)
	r.endRemains(l)
	switch {
	case r.Observe:
		r.abandon(d, now)
	case d.start && r.again(d, now):
		r.noteEnd(d, now)
		r.begin(now)
		r.resend(d, now)
	case d.start:
		r.abandon(d, now)
	default:
		r.revive(l, d, now)
	}
}

// revive answers for what a life leaves undone, and sees to the next one.
func (r *Relay) revive(l *life, d *down, now time.Time) {
	d.idle = d.exited && d.exit == upstream.Exit{} && l.ready && r.leftIdle(l)
	r.server, r.down = nil, d
	if r.ends.closing || d.final {
		r.last = l.conn
	}
	r.tasks.die()
	r.untold = true
	r.backlog.on = true
	r.enterState(waiting, now)
	if r.ends.closing && !r.running() {
		r.withdrawAsked(now)
		return
	}
	r.countLost(l)
	r.sift(l, d, now)
	r.withdrawAsked(now)
	r.scheduleRestart(d, l.served, now)
	r.noteEnd(d, now)
}

// leftIdle reports whether a life had nothing left to do when it ended. What it has
// not read is for the next one, at once if this one has served.
func (r *Relay) leftIdle(l *life) bool {
	for _, c := range r.calls {
		if c.life == l && !c.own && (!l.served || !c.unread()) {
			return false
		}
	}
	return len(r.session.subscriptions)+len(r.backlog.entries) == 0
}

// withdrawAsked tells the client that nobody waits any more for the answers that
// the server wanted of it.
func (r *Relay) withdrawAsked(now time.Time) {
	for _, q := range r.asked {
		r.put(wire.AppendCancelled(nil, r.number(q.n), "the server has ended"))
		r.settle(q, now)
	}
}

// busyWith reports whether requests of the client are with a life.
func (r *Relay) busyWith(l *life) bool {
	for _, c := range r.calls {
		if c.life == l && !c.own {
			return true
		}
	}
	return false
}

// deafened handles a server that has closed its input. Most die within moments,
// and their exit status is worth waiting for; the others can be sent nothing.
func (r *Relay) deafened(l *life) {
	if within(statusGrace, l.over.ch) {
		return
	}
	r.mu.Lock()
	r.replace(l, "it has closed its input", time.Now())
	r.mu.Unlock()
	r.flush()
}

// replace ends a server that serves no more, when its calls have been answered
// or lastNotice has passed. What comes meanwhile waits for the next one.
func (r *Relay) replace(l *life, why string, now time.Time) {
	if l != r.server || l.leaving || r.Observe {
		return
	}
	l.leaving = true
	l.why = why
	r.enterState(restarting, now)
	r.backlog.on = true
	r.after(lastNotice, &l.notice, func(time.Time) { r.condemn(l) }, now)
	r.release(l)
}

// release condemns a life that is being replaced once nothing is left with it.
func (r *Relay) release(l *life) {
	for _, c := range r.calls {
		if c.life == l && !c.own && l.back.left(c.from) {
			return
		}
	}
	r.condemn(l)
}

// condemn ends a life; its end is answered for as any other.
func (r *Relay) condemn(l *life) {
	r.waits.End(&l.notice.Clock)
	if l.dying || r.ends.stopping {
		return
	}
	l.dying = true
	r.ending.Go(func() {
		l.conn.Stop(upstream.Grace{Force: lostGrace})
		r.finishLife(l)
	})
}

// endRemains ends what is left of a life, its descendants included.
func (r *Relay) endRemains(l *life) {
	if r.ends.stopping {
		return // it is under way
	}
	r.remains++
	grace := upstream.Grace{Force: remainsGrace}
	if r.Observe {
		grace = upstream.Ladder // as if its client had left
	}
	r.ending.Go(func() {
		l.conn.Stop(grace)
		r.mu.Lock()
		if r.remains--; r.remains == 0 {
			if next := r.next; next != nil {
				r.next = nil
				next(time.Now())
			}
		}
		r.mu.Unlock()
		r.flush()
		r.drained(l, statusGrace)
		l.conn.Close()
	})
}

// afterRemains calls next when nothing is left of the lives before: their children
// may hold a lock or a port that the next one needs.
func (r *Relay) afterRemains(next func(now time.Time), now time.Time) {
	if r.next = next; r.remains == 0 {
		r.next = nil
		next(now)
	}
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

// abandon answers everything that waits for a server that is no more.
func (r *Relay) abandon(d *down, now time.Time) {
	r.down, r.backlog = d, backlog{}
	if r.server != nil {
		r.last = r.server.conn
	}
	r.server = nil
	r.enterState(failed, now)
	if !r.ends.closing || r.running() {
		r.say(d.message)
		r.noteEnd(d, now)
	}
	for _, c := range r.inOrder() {
		switch {
		case r.Observe:
			c.would = cmp.Or(c.would, string(d.code))
			r.record(c, verdict{outcome: "unknown", fault: "process", code: string(d.code), message: d.message}, now)
			r.drop(c, policy.Ignored, now)
		case c.own, c.method == methodListen && r.ends.closing:
			r.drop(c, policy.Ignored, now)
		default:
			r.fail(c, r.lostError(c, d, c.unread(), now), policy.Ignored, now)
		}
	}
	r.withdrawAsked(now)
	switch {
	case r.Observe:
		r.ends.over.close()
	case d.start:
		time.AfterFunc(failedLinger, r.ends.over.close)
	}
}

// inOrder returns the calls in flight in the order of their arrival.
func (r *Relay) inOrder() []*call {
	calls := make([]*call, 0, len(r.calls))
	for _, c := range r.calls {
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b *call) int { return int(a.n - b.n) })
	return calls
}
