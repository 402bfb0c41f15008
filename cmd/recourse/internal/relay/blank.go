package relay

import (
	"fmt"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// Limits of the question whether there is anything behind a blank answer.
const (
	aliveTime = 500 * time.Millisecond
	aliveFor  = 30 * time.Second // that the answer to it holds
)

// seemsDead asks a server that has returned nothing at all for its tools, unless that
// was done just now: one whose session behind is dead goes on answering every call
// with nothing. The blank answer waits meanwhile. It reports whether it does.
func (r *Relay) seemsDead(c *call, f *wire.Frame, v verdict, now time.Time) bool {
	if r.Observe || !r.table.offered || !r.table.seen || len(r.table.order) == 0 || r.state != ready ||
		now.Sub(r.livedAt) < aliveFor || string(f.Msg.IsError.Of(f.Bytes)) == "true" {
		return false
	}
	g := *f
	g.Bytes = append([]byte(nil), f.Bytes...)
	params := "{}"
	if r.client.stateless {
		params = `{"_meta":` + string(r.client.meta) + "}"
	}
	n, l := c.n, c.life
	c.blank = func(now time.Time) { r.judge(c, &g, &v, now) }
	r.own("tools/list", []byte(params), aliveTime, now, func(list *wire.Frame, now time.Time) {
		if r.calls[n] != c || c.life != l {
			return // it was cancelled, its limit has passed, or it is sent once more
		}
		if why := lifeless(list); why != "" {
			r.fail(c, r.deadError(c, why), policy.Failure, now)
			return
		}
		r.livedAt = now
		r.judge(c, &g, &v, now)
	})
	return true
}

// lifeless says why an answer to tools/list shows that there is nothing behind the
// server any more; "" if it does not. Silence shows nothing: the server may be busy.
func lifeless(f *wire.Frame) string {
	switch {
	case f == nil || f.Bytes == nil:
		return ""
	case f.Msg.Kind == wire.Failure && string(f.Msg.Code.Of(f.Bytes)) != "-32601":
		switch diagnose.Read(wire.Unquote(f.Msg.Text.Of(f.Bytes))).Code {
		case recourse.RateLimited, recourse.ResourceBusy, recourse.Timeout:
			return ""
		}
		return "it can't list its tools any more"
	case f.Msg.Kind == wire.Result && diagnose.Listless(f.Msg.Result.Of(f.Bytes)):
		return "it has no tools any more"
	}
	return ""
}

// deadError is for a blank answer that was none.
func (r *Relay) deadError(c *call, why string) *fault {
	e := &recourse.Error{
		Code:    recourse.ServiceUnavailable,
		Message: fmt.Sprintf("%s returned nothing at all, and the server %s seems to be dead inside: %s.", c.what(), r.Server, why),
		Related: map[string]any{},
	}
	advice := "Tell the user that this server has to be started again."
	if r.table.hints(c.tool).repeatable() {
		e.Suggestion = "Don't take this for an empty answer. Repeat it once, later. " + advice
		return &fault{err: e, outcome: "failed", blame: "upstream"}
	}
	e.Suggestion = "Don't take this for an empty answer. " + r.checkFirst(c, e) + advice
	return &fault{err: e, outcome: "failed", blame: "upstream"}
}
