package relay

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// A client is what its messages told of it.
type client struct {
	label       string // name/version
	limits      policy.Limits
	protocol    string // negotiated, or of its modern requests
	session     string
	initialized bool   // it has sent notifications/initialized
	hello       []byte // its initialize request

	// opened: the server has answered initialize, or a request of the stateless
	// era has come. server/discover alone is only a question.
	opened bool
}

type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// hello reads and keeps an initialize request.
func (r *Relay) hello(f *wire.Frame) {
	var params struct {
		ClientInfo implementation `json:"clientInfo"`
	}
	_ = json.Unmarshal(f.Msg.Params.Of(f.Bytes), &params) // what can't be read is the server's to judge
	r.know(params.ClientInfo)
	r.client.hello = bytes.Clone(f.Bytes)
	r.early.on = !r.client.opened && !r.Observe
}

func (r *Relay) know(info implementation) {
	r.client.limits = r.Rules.Call(info.Name)
	r.client.label = info.Name
	if info.Version != "" {
		r.client.label += "/" + info.Version
	}
}

// welcome reads the server's answer to initialize, and lets go what has waited
// for it on both sides.
func (r *Relay) welcome(f *wire.Frame, now time.Time) {
	defer r.release()
	if f.Msg.Kind != wire.Result {
		return
	}
	var result struct {
		ProtocolVersion string `json:"protocolVersion"`
		Capabilities    struct {
			Tools json.RawMessage `json:"tools"`
		} `json:"capabilities"`
	}
	_ = json.Unmarshal(f.Msg.Result.Of(f.Bytes), &result)
	r.client.protocol = result.ProtocolVersion
	r.table.offered = result.Capabilities.Tools != nil
	r.open(now)
}

// meet reads the request of a client of the stateless era.
func (r *Relay) meet(c *call, f *wire.Frame, now time.Time) {
	if r.client.opened {
		return
	}
	var params struct {
		Meta struct {
			ClientInfo implementation `json:"io.modelcontextprotocol/clientInfo"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(f.Msg.Params.Of(f.Bytes), &params)
	r.know(params.Meta.ClientInfo)
	if c.method != methodDiscover {
		r.client.protocol = wire.Unquote(f.Msg.Version.Of(f.Bytes))
		r.client.initialized, r.table.offered = true, true
		r.open(now)
	}
}

// early is what the client says after initialize and before its answer. It
// waits: a server that dies in between has not heard it, so that a second start
// can serve it all. Few clients say anything, but printf does.
type early struct {
	on     bool
	frames []earlyFrame
	size   int
}

type earlyFrame struct {
	frame []byte
	call  *call // nil: a notification
	n     int64 // its id, by which a call that has ended since is known
}

func (e *early) keep(frame []byte, c *call) {
	e.size += len(frame)
	f := earlyFrame{frame: bytes.Clone(frame), call: c}
	if c != nil {
		f.n = c.n
	}
	e.frames = append(e.frames, f)
}

// release sends what was kept.
func (r *Relay) release() {
	for _, e := range r.early.frames {
		switch {
		case e.call == nil:
			r.server.back.splice(e.frame)
		case r.calls[e.n] == e.call:
			r.send(e.call, e.frame, scan(e.frame).Msg.ID)
		}
	}
	r.early = early{}
}
