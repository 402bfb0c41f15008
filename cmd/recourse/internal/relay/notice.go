package relay

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// restartNotice tells the model what a replayed handshake can't restore.
const restartNotice = "The server restarted since your last call: what it kept in memory (an open page, a login, a transaction) is gone. Don't rely on earlier steps; repeat those that you need."

// The notice as a block of content and as a member of _meta.
var (
	noticeBlock = `{"type":"text","text":` + quoted(restartNotice) + `}`
	noticeMeta  = `"` + recourse.MetaWarnings + `":[` + quoted(restartNotice) + `]`
)

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always encodes
	return string(b)
}

// tellsNow reports whether an answer has to carry the notice of a restart.
func (r *Relay) tellsNow(f *wire.Frame) bool {
	if !r.untold || r.Observe || r.Rules.OnRestart == rules.Quiet || r.Rules.OnRestart == rules.Fail {
		return false
	}
	kind := string(f.Msg.ResultType.Of(f.Bytes))
	content := f.Msg.Content.Of(f.Bytes)
	return (kind == "" || kind == `"complete"`) && len(content) > 1 && content[0] == '['
}

// notice returns the edits that put the notice behind the last block of an
// answer and into its _meta. All other bytes stay.
func notice(f *wire.Frame) [2]wire.Edit {
	m, frame := f.Msg, f.Bytes
	content := m.Content.Of(frame)
	end := wire.Span{Start: m.Content.End - 1, End: m.Content.End}
	block := noticeBlock + "]"
	if len(bytes.TrimSpace(content[1:len(content)-1])) > 0 {
		block = "," + block
	}
	meta := m.Meta.Of(frame)
	if len(meta) < 2 || meta[0] != '{' {
		return [2]wire.Edit{{At: end, With: []byte(block + `,"_meta":{` + noticeMeta + "}")}}
	}
	open := "{" + noticeMeta
	if len(bytes.TrimSpace(meta[1:len(meta)-1])) > 0 {
		open += ","
	}
	return [2]wire.Edit{
		{At: end, With: []byte(block)},
		{At: wire.Span{Start: m.Meta.Start, End: m.Meta.Start + 1}, With: []byte(open)},
	}
}

// failsNow reports whether a call has to fail since the server was restarted.
func (r *Relay) failsNow(c *call) bool {
	return r.untold && c.method == methodCall && r.Rules.OnRestart == rules.Fail
}

// tellLogger sends the client a log message about the restart, if it was told
// that there may be some and did not ask for graver ones only.
func (r *Relay) tellLogger() {
	if !r.session.logs || r.Rules.OnRestart == rules.Quiet {
		return
	}
	var p struct {
		Level string `json:"level"`
	}
	_ = json.Unmarshal(r.session.level, &p)
	if slices.Contains([]string{"error", "critical", "alert", "emergency"}, p.Level) {
		return
	}
	data := "The server " + r.Server + " ended and has been started again. What it kept in memory is gone."
	r.put([]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"recourse","data":` + quoted(data) + "}}\n"))
}

// noteEnd writes the end of a server, or of a try to start it, into the log.
func (r *Relay) noteEnd(d *down, now time.Time) {
	r.noteProcess(d.message, string(d.code), d.stderr, now)
}

// noteProcess writes what happened to the server into the log.
func (r *Relay) noteProcess(message, code, cause string, now time.Time) {
	if r.Log == nil {
		return
	}
	rec := calllog.Record{
		Type: "process", Time: now, Server: r.Server, Session: r.client.session, Client: r.client.label,
		Message: message, Code: code, State: r.state.String(),
	}
	if code != "" {
		rec.Outcome, rec.Fault = "failed", "process"
		rec.Cause = cause
	}
	r.records = append(r.records, rec)
}
