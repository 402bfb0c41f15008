package relay

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// restartNotice tells the model what a replayed handshake can't restore.
const restartNotice = "The server restarted since your last call: what it kept in memory (an open page, a login, a transaction) is gone. Don't rely on earlier steps; repeat those that you need."

// noticeBlock is the notice as a block of content.
var noticeBlock = `{"type":"text","text":` + quoted(restartNotice) + `}`

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

// told returns a result with the notice behind its last block and in its _meta. All
// other bytes stay.
func told(result []byte) []byte {
	f := wire.Scan(slices.Concat([]byte(`{"id":0,"result":`), result, []byte("}")))
	content := f.Msg.Content
	block := noticeBlock + "]"
	if len(bytes.TrimSpace(content.Of(f.Bytes)[1:content.End-content.Start-1])) > 0 {
		block = "," + block
	}
	f = replaced(f, wire.Span{Start: content.End - 1, End: content.End}, []byte(block))
	return diagnose.Warn(f.Msg.Result.Of(f.Bytes), restartNotice)
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
	rec := r.remark("process", message, now)
	rec.Code, rec.State = code, r.state.String()
	if code != "" {
		rec.Outcome, rec.Fault = "failed", "process"
		rec.Cause = cause
	}
	r.records = append(r.records, rec)
}
