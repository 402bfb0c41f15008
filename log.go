package recourse

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
	"github.com/recourse-dev/recourse/internal/ulid"
)

// LogTo returns a Guard.Log that writes one JSON line per Record to w, each in
// one Write before the answer leaves. A w that blocks, blocks calls: give it a
// file, or a standard error that somebody drains.
//
// A Record that w does not take is lost; the next line that it takes is preceded
// by one of type "drop" with the number of those lost.
func LogTo(w io.Writer) func(Record) {
	var mu sync.Mutex
	lost, torn := 0, false
	return func(r Record) {
		line := append(encode(r), '\n')
		mu.Lock()
		defer mu.Unlock()
		var text []byte
		if torn {
			text = append(text, '\n')
		}
		if lost > 0 {
			text = fmt.Appendf(text, `{"v":1,"type":"drop","ts":%s,"id":%q,"n":%d}`+"\n", encode(stamp(r.Time)), newID(r.Time), lost)
		}
		head := len(text)
		text = append(text, line...)
		n, err := w.Write(text)
		if err == nil {
			lost, torn = 0, false
			return
		}
		if n > 0 {
			torn = text[min(n, len(text))-1] != '\n'
		}
		if n >= head {
			lost = 0 // what tells of them is written
		}
		lost++
	}
}

// Limits of a Record, as those of the proxy.
const (
	maxLogged = 1 << 20 // bytes of arguments
	maxCause  = 4 << 10 // bytes, each of cause and message
)

// What the log knows this server by.
var (
	program = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	host, _ = os.Hostname()
)

// record logs a call that began then and has ended with e, or well.
func (g *Guard) record(r Request, s *scope, e *Error, began time.Time) {
	if g.Log == nil {
		return
	}
	line := Record{
		Version: 1, Type: "call", Time: began, ID: newID(began), Server: program,
		Tool: r.Tool, Client: r.Client, Session: r.Session,
		Duration: time.Since(began),
		Attempts: s.attempts, Warnings: s.warnings, Breakers: s.breakers, Blank: s.blank,
		ArgsBytes: len(r.Arguments), Host: host, PID: os.Getpid(),
	}
	if n := len(r.Arguments); n > 0 && n <= maxLogged {
		line.Args, _ = redactor.AppendJSON(nil, bytes.ToValidUTF8(r.Arguments, []byte("\uFFFD")))
	}
	line.Outcome, line.Fault = s.outcome(e)
	if e != nil && line.Outcome != asked {
		line.Code = e.inherit().Code
		line.Message = clip(e.Error())
		line.Cause = clip(cause(e.Err))
	}
	// A log that panics is no reason to lose the answer.
	_ = protect(context.Background(), func(context.Context) error { g.Log(line); return nil })
}

// clip returns s without its secrets, cut to what a Record holds of it.
func clip(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), 4*maxCause)], "\uFFFD") // so much is enough to search
	s = redactor.Text(s)
	if len(s) > maxCause { // only now, for half a secret has no look any more
		s = strings.ToValidUTF8(s[:maxCause], "") + "…"
	}
	return s
}

// cause returns what err and the hidden causes of the Errors under it say.
func cause(err error) string { return causes(err, maxChain) }

func causes(err error, left int) string {
	if err == nil || left == 0 {
		return ""
	}
	text := textOf(err)
	if e := ours(err); e != nil && e.Err != nil {
		deeper := causes(e.Err, left-1)
		if err == error(e) {
			return deeper // its text is a message, and has been logged as one
		}
		text += ": " + deeper
	}
	return text
}

// asked is the outcome of a call whose answer is a question to the client.
const asked = "input_required"

// outcome returns the log's two axes: how the call ended, and whose fault it was.
func (s *scope) outcome(e *Error) (outcome, fault string) {
	if e == nil {
		switch {
		case len(s.warnings) > 0:
			return "degraded", "upstream"
		case s.retried:
			return "retried", "upstream"
		}
		return "ok", "none"
	}
	r := e.inherit()
	switch reason := e.reason(); {
	case r.Code == Cancelled:
		return "cancelled", "none"
	case reason == asked:
		return asked, "none"
	case reason == string(policy.CircuitOpen), reason == string(policy.SlotsFull), reason == draining:
		return "short_circuited", "policy"
	}
	return "failed", e.fault()
}

func newID(t time.Time) string { return string(ulid.Append(nil, t)) }
