package calllog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/internal/redact"
	"github.com/recourse-dev/recourse/internal/ulid"
)

// Args says what of a call's arguments is written.
type Args string

const (
	Redacted Args = "redacted" // secrets hidden; what an empty Args means
	Full     Args = "full"     // as they are; messages are redacted nevertheless
	Shape    Args = "shape"    // names, types and lengths
	None     Args = "none"     // only their size
)

// longestArgs is the size of arguments, in bytes, above which only their shape
// is written.
const longestArgs = 64 << 10

// An encoder writes Records as lines of JSON.
type encoder struct {
	args     Args
	redactor *redact.Redactor
	host     string
	pid      int
	names    map[string]string // see line

	second int64 // whose text, to the point, is in date
	date   []byte

	from [7]string // what says where the last record came from,
	text []byte    // as it is written
	tail []byte    // the end of every line; nil: not yet known
}

// encode appends r as one line. Whatever r holds, the line is valid JSON and
// valid UTF-8.
func (e *encoder) encode(dst []byte, r *Record, now time.Time) []byte {
	at := r.Time
	if at.IsZero() {
		at = now
	}
	if e.names == nil {
		e.names = map[string]string{}
	}
	l := line{append(dst, `{"v":1`...), e.redactor, e.names}
	l.word("type", cmp.Or(r.Type, "call"))
	l.key("ts")
	l.b = e.stamp(l.b, at)
	if r.ID != "" {
		l.text("id", r.ID)
	} else {
		l.key("id")
		l.b = append(ulid.Append(append(l.b, '"'), at), '"')
	}
	e.origin(&l, r)
	l.word("request_id", r.RequestID)
	l.word("mode", r.Mode)
	e.arguments(&l, r)
	l.word("outcome", r.Outcome)
	l.word("fault", r.Fault)
	l.word("code", r.Code)
	l.word("state", r.State)
	l.number("rpc_code", r.RPCCode)
	l.text("would", r.Would)
	l.text("message", r.Message)
	l.text("cause", r.Cause)
	if r.Type == "" || r.Type == "call" || r.Micros != 0 {
		l.micros(r.Micros)
	}
	l.attempts(r.Attempts)
	l.texts("warnings", r.Warnings)
	l.texts("breakers", r.Breakers)
	l.number("result_bytes", r.ResultBytes)
	if r.Blank {
		l.key("blank")
		l.b = append(l.b, "true"...)
	}
	l.number("n", r.Count)
	e.end(&l)
	return l.b
}

// end appends where this process runs, which is the same for all lines.
func (e *encoder) end(l *line) {
	if e.tail == nil {
		start := len(l.b)
		l.text("host", e.host)
		l.number("pid", e.pid)
		l.b = append(l.b, "}\n"...)
		e.tail = bytes.Clone(l.b[start:])
		return
	}
	l.b = append(l.b, e.tail...)
}

// origin appends where r comes from: mostly where the one before came from.
func (e *encoder) origin(l *line, r *Record) {
	from := [...]string{r.Server, r.Tool, r.Method, r.Client, r.Session, r.Protocol, r.Transport}
	if from == e.from {
		l.b = append(l.b, e.text...)
		return
	}
	start := len(l.b)
	for i, key := range [...]string{"server", "tool", "method", "client", "session", "protocol", "transport"} {
		l.name(key, from[i])
	}
	e.from, e.text = from, append(e.text[:0], l.b[start:]...)
}

// stamp appends t in UTC to the microsecond. Formatting is a fifth of what a line
// costs, and most lines share their second with the one before.
func (e *encoder) stamp(dst []byte, t time.Time) []byte {
	if s := t.Unix(); s != e.second || e.date == nil {
		e.second, e.date = s, t.UTC().AppendFormat(e.date[:0], `"2006-01-02T15:04:05.`)
	}
	dst = append(dst, e.date...)
	for micros, unit := t.Nanosecond()/1000, 100_000; unit > 0; unit /= 10 {
		dst = append(dst, byte('0'+micros/unit%10))
	}
	return append(dst, `Z"`...)
}

// arguments appends what e.args says of r's arguments.
func (e *encoder) arguments(l *line, r *Record) {
	form := r.ArgsForm
	if max(len(r.Args), len(r.ArgsSent)) > longestArgs || e.args == Shape {
		form = cmp.Or(form, string(Shape))
	}
	hidden := r.Redactions
	if len(r.Args) > 0 && e.args != None {
		l.key("args")
		if more := e.value(l, r.Args, r.Declared, form); more != nil {
			hidden = more
		}
	}
	if len(r.ArgsSent) > 0 && e.args != None {
		l.key("args_sent")
		e.value(l, r.ArgsSent, r.Declared, form)
	}
	l.word("args_form", form)
	l.number("args_bytes", cmp.Or(r.ArgsBytes, len(r.Args)))
	l.texts("redactions", hidden)
}

// value appends raw in the given form and returns pointers to what was hidden.
func (e *encoder) value(l *line, raw []byte, secret *redact.Declared, form string) (hidden []string) {
	start := len(l.b)
	switch {
	case form == string(Shape):
		l.b = appendShape(l.b, raw, e.redactor)
	case e.args != Full:
		l.b, hidden = e.redactor.AppendArguments(l.b, raw, secret)
	case json.Valid(raw):
		l.b = append(l.b, raw...)
	default:
		quoted, _ := json.Marshal(string(raw)) // a string can't fail
		l.b = append(l.b, quoted...)
	}
	l.b = oneLine(l.b, start)
	return hidden
}

// oneLine makes valid JSON from start on fit for a line: white space holds no
// line ends, and strings only UTF-8.
func oneLine(b []byte, start int) []byte {
	value := b[start:]
	if bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(value, '\r') >= 0 {
		for i, c := range value {
			if c == '\n' || c == '\r' {
				value[i] = ' '
			}
		}
	}
	if utf8.Valid(value) {
		return b
	}
	return append(b[:start], bytes.ToValidUTF8(value, []byte("\ufffd"))...)
}
