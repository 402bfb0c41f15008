package relay

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/internal/policy"
)

// starts counts the beginnings of a server that has not answered initialize.
type starts struct {
	n      int
	status int // how the last one ended
	at     time.Time
	cpu    time.Duration // processor time of the server at the last look
}

// working reports, at the second look and later ones, whether a server that is
// silent at server/discover is still starting: it has said nothing at all, and has
// worked since the last look. A cold launcher needs longer than the patience with
// old servers.
func (s *starts) working(l *life, waited time.Duration) bool {
	before := s.cpu
	used, known := l.conn.CPU()
	s.cpu = used
	return waited < rules.Discover || known && l.said.Load() == 0 && moved(used-before, discoverStep)
}

// discoverStep is the time between two looks at a server that is silent.
const discoverStep = time.Second

const (
	maxStarts = 3               // in all
	sameDeath = 2 * time.Second // two deaths alike within this: a third tells nothing new
)

// begin starts the first life of the server, or one more of those that have not
// answered initialize yet.
func (r *Relay) begin(now time.Time) {
	r.starts.n++
	if d := r.launch(); d != nil {
		d.start = true
		r.abandon(d, now)
	}
}

// launch starts a process, or says why there is none.
func (r *Relay) launch() *down {
	conn, err := r.Start()
	if err != nil {
		return r.cannotStart(err)
	}
	l := &life{conn: conn, mute: newLatch(), over: newLatch()}
	l.back = newQueue(conn, func(error) { r.deafened(l) })
	r.server = l
	go r.readServer(l)
	go r.watch(l)
	return nil
}

// cannotStart explains why there is no process, with the exit status that a
// shell would give. Want of memory or descriptors may pass; a missing command
// does not.
func (r *Relay) cannotStart(err error) *down {
	d := &down{code: recourse.ConfigurationError, detail: "it could not be started", final: true}
	d.exit.Status = 126
	switch {
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		d.exit.Status = 127
	case !errors.Is(err, fs.ErrPermission) && r.client.opened:
		d.code, d.final = recourse.ResourceExhausted, false
	}
	d.message = fmt.Sprintf("The server can't be started: %v.", err)
	return d
}

// A doubt is about a server that has died at server/discover, or was silent: it
// may be old, or slow, or ill. Its next life shows which.
type doubt struct {
	at   time.Time // of the next life; zero: there is none
	slow bool      // it was silent
}

// settleDoubt notes that a server answers initialize in the life after. One that
// takes long for that may have been silent for the same reason.
func (r *Relay) settleDoubt(now time.Time) {
	d := r.doubt
	r.doubt = doubt{}
	if d.at.IsZero() || d.slow && now.Sub(d.at) > rules.Discover/2 {
		return
	}
	if !r.Legacy && r.OnLegacy != nil {
		r.OnLegacy(true)
	}
	r.Legacy = true
}

// anew replaces a server that has heard of server/discover and said nothing. It
// would have two kinds of client now, and some take initialize ill after that.
func (r *Relay) anew(now time.Time) {
	r.probed = false
	if r.client.opened || r.server == nil {
		return
	}
	old := r.server
	old.over.close()
	r.endRemains(old)
	r.doubt = doubt{at: now, slow: true}
	d := &down{code: recourse.ServiceUnavailable, detail: "it did not answer server/discover and was replaced"}
	for _, c := range r.inOrder() {
		switch {
		case c.life != old:
		case c.own:
			r.drop(c, policy.Ignored, now)
		default:
			r.fail(c, r.lostError(c, d, !old.back.left(c.from), now), policy.Ignored, now)
		}
	}
	r.server = nil
	r.afterRemains(func(now time.Time) {
		if r.ends.stopping {
			return
		}
		r.begin(now)
		for _, c := range r.inOrder() {
			if c.method == methodInitialize && c.life == nil && r.server != nil {
				r.send(c, c.frame, now)
			}
		}
	}, now)
}

// again decides whether a server that ended before its initialize answer is
// worth another start.
func (r *Relay) again(d *down, now time.Time) bool {
	s := r.starts
	r.starts.status, r.starts.at = d.exit.Status, now
	alike := d.exited && s.n > 1 && s.status == d.exit.Status && now.Sub(s.at) < sameDeath
	return (d.exited || d.mute) && d.exit.Status != recourse.ExitConfig && s.n < maxStarts && !alike && !r.Observe && !r.ends.stopping
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
		case c.own:
			r.drop(c, policy.Ignored, now)
		case c.method == methodInitialize:
			r.send(c, c.frame, now)
		case c.method == methodDiscover:
			r.doubt = doubt{at: now}
			r.undiscovered(c, now)
		default:
			r.fail(c, r.lostError(c, d, c.unread(), now), policy.Ignored, now)
		}
	}
}

// startLimit is the longest time until the answer to initialize.
func (r *Relay) startLimit() time.Duration { return r.Rules.StartMax.Or(rules.Start) }
