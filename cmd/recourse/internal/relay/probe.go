package relay

import (
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A probe finds out whether a server that is silent is hung or only busy.
type probe struct {
	alarm
	on   bool
	said int64 // bytes, when the last one began
	busy int   // how often in a row a silent server was found at work
}

const (
	probeLimit = 5 * time.Second
	maxBusy    = 3
)

// watchSilence goes on with the clock of a call that its client has given up: a
// client with less patience than ours would never see a hung server replaced.
func (r *Relay) watchSilence(c *call, now time.Time) {
	l, said := c.life, c.said
	limit := r.client.limits.Idle
	if l.silence.Running() || l.lines.Load() > said || limit <= 0 {
		return
	}
	r.after(limit-c.Waited(now), &l.silence, func(now time.Time) {
		r.suspect(l, said, limit, now)
	}, now)
}

// suspect begins a probe of a server that has let a call's limit pass and has
// said nothing at all since the call was sent. One limit proves nothing: a
// server with a single thread may be at work, and can't even answer a ping then.
func (r *Relay) suspect(l *life, said int64, limit time.Duration, now time.Time) {
	if l == nil || l != r.server || l.probe.on || l.leaving || r.state != ready || r.ends.closing || l.lines.Load() > said || r.Observe {
		return
	}
	p := &l.probe
	if heard := l.said.Load(); p.said != heard {
		p.busy, p.said = 0, heard
	}
	p.on = true
	wait := min(probeLimit, limit)
	before, measured := l.conn.CPU()
	r.askForLife(wait, now, func(f *wire.Frame, _ time.Time) {
		if f != nil {
			p.on = false
			r.waits.End(&p.Clock)
		}
	})
	r.after(wait, &p.alarm, func(now time.Time) {
		p.on = false
		if l != r.server || l.said.Load() != p.said || l.throttled.Load() {
			return
		}
		after, _ := l.conn.CPU()
		if measured && moved(after-before, wait) {
			if p.busy++; p.busy < maxBusy {
				return
			}
		}
		r.replace(l, fmt.Sprintf("it hung: no answer within %s, nor to anything else for %s after that", rounded(limit), rounded(wait)), now)
	}, now)
}

// askForLife asks the server for any answer.
func (r *Relay) askForLife(d time.Duration, now time.Time, then func(*wire.Frame, time.Time)) {
	if r.client.stateless { // there is no ping in that era
		r.own("server/discover", []byte(`{"_meta":`+string(r.client.meta)+`}`), d, now, then)
		return
	}
	r.own("ping", nil, d, now, then)
}

func rounded(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }

// moved reports whether a server has worked in a time: more than the timers of
// an idle runtime need, and more than the 10 ms to which a part of the clock is
// exact.
func moved(cpu, in time.Duration) bool { return cpu > in/100+10*time.Millisecond }
