package relay

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
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
	meta        []byte // of a client of the stateless era: what its requests have in _meta
	stateless   bool   // it has opened the session without initialize

	// opened: the server has answered initialize, or a request of the stateless
	// era has come. server/discover alone is only a question.
	opened bool
}

type implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (i implementation) label() string {
	if i.Version == "" {
		return i.Name
	}
	return i.Name + "/" + i.Version
}

// hello reads an initialize request.
func (r *Relay) hello(f *wire.Frame) {
	var params struct {
		ClientInfo implementation `json:"clientInfo"`
	}
	_ = json.Unmarshal(f.Msg.Params.Of(f.Bytes), &params) // what can't be read is the server's to judge
	r.know(params.ClientInfo)
	if !r.client.opened && !r.Observe {
		r.backlog.on = true
	}
}

func (r *Relay) know(info implementation) {
	r.client.limits = r.Rules.Call(info.Name)
	r.client.label = info.label()
}

// An introduction is what counts of a server's answer to initialize.
type introduction struct {
	ProtocolVersion string                     `json:"protocolVersion"`
	Capabilities    map[string]json.RawMessage `json:"capabilities"`
	ServerInfo      implementation             `json:"serverInfo"`
}

func introductionOf(f *wire.Frame) (w introduction) {
	_ = json.Unmarshal(f.Msg.Result.Of(f.Bytes), &w)
	return w
}

func (w *introduction) offers() []string { return slices.Sorted(maps.Keys(w.Capabilities)) }

// promises reports whether changes of a list are announced.
func (w *introduction) promises(offer string) bool {
	var c struct {
		ListChanged bool `json:"listChanged"`
	}
	return json.Unmarshal(w.Capabilities[offer], &c) == nil && c.ListChanged
}

// welcome reads the server's answer to the client's initialize, and lets go what
// has waited for it on both sides.
func (r *Relay) welcome(hello []byte, f *wire.Frame, now time.Time) {
	if !r.client.opened {
		defer r.deliver(now)
	}
	if f.Msg.Kind != wire.Result {
		if r.Legacy && r.OnLegacy != nil {
			r.OnLegacy(false)
		}
		r.Legacy = false
		return
	}
	r.settleDoubt(now)
	w := introductionOf(f)
	r.client.protocol = w.ProtocolVersion
	s := &r.session
	s.hello = helloFor(hello, w.ProtocolVersion)
	s.server, s.offered = w.ServerInfo, w.offers()
	_, s.logs = w.Capabilities["logging"]
	_, r.table.offered = w.Capabilities["tools"]
	for offer, notice := range listNotices {
		for _, m := range listMethods {
			if l := r.list(m); l.notice == notice {
				l.promised = w.promises(offer)
			}
		}
	}
	if !r.client.opened {
		r.open(now)
	}
}

// helloFor returns the params of an initialize request with the revision that
// was agreed upon, since the client lives in that one.
func helloFor(frame []byte, protocol string) []byte {
	params := wire.Scan(frame).Msg.Params.Of(frame)
	dec := json.NewDecoder(bytes.NewReader(params))
	if _, err := dec.Token(); err != nil || protocol == "" {
		return bytes.Clone(params)
	}
	for dec.More() {
		key, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			break
		}
		if key == "protocolVersion" {
			end := dec.InputOffset()
			return slices.Concat(params[:end-int64(len(value))], []byte(quoted(protocol)), params[end:])
		}
	}
	return bytes.Clone(params)
}

// open begins the session.
func (r *Relay) open(now time.Time) {
	r.client.opened = true
	r.enterState(ready, now)
	r.server.ready = true
	r.revival.Ready(now)
	r.greet(r.server, now)
}

// Members of _meta by which a client of the stateless era introduces itself in
// each request.
const (
	metaProtocol     = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// eraOf returns, as JSON, what of a request's _meta belongs into our own.
func eraOf(meta map[string]json.RawMessage) []byte {
	ours := map[string]json.RawMessage{}
	for _, name := range []string{metaProtocol, metaClient, metaCapabilities} {
		if value, ok := meta[name]; ok {
			ours[name] = value
		}
	}
	b, _ := json.Marshal(ours) // it was JSON before
	return b
}

// meet reads the request of a client of the stateless era.
func (r *Relay) meet(c *call, f *wire.Frame, now time.Time) {
	if r.client.opened {
		return
	}
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(f.Msg.Params.Of(f.Bytes), &params)
	var info implementation
	_ = json.Unmarshal(params.Meta[metaClient], &info)
	r.know(info)
	r.client.meta = eraOf(params.Meta)
	if c.method != methodDiscover && r.server != nil {
		r.client.protocol = wire.Unquote(f.Msg.Version.Of(f.Bytes))
		r.client.initialized, r.client.stateless, r.table.offered = true, true, true
		r.open(now)
	}
}
