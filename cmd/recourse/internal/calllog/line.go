package calllog

import (
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/internal/redact"
)

// longestText is how many bytes of a message, a cause or a warning are kept.
const longestText = 4 << 10

// A line is a JSON object being written. Its texts are redacted; empty texts,
// empty lists and zeros are left out.
type line struct {
	b        []byte
	redactor *redact.Redactor
	names    map[string]string // names met before, as they are written
}

// maxNames bounds the memory of names; a client may give its requests any ids.
const maxNames = 1000

// name is text for what comes again in many records.
func (l *line) name(key, s string) {
	if s == "" {
		return
	}
	l.key(key)
	written, ok := l.names[s]
	if !ok {
		at := len(l.b)
		l.quote(s)
		if len(l.names) < maxNames {
			l.names[s] = string(l.b[at:])
		}
		return
	}
	l.b = append(l.b, written...)
}

func (l *line) key(name string) {
	l.b = append(append(append(l.b, `,"`...), name...), `":`...)
}

func (l *line) text(name, s string) {
	if s != "" {
		l.key(name)
		l.quote(s)
	}
}

// word is text for what is mostly one of our own words, or a number, and needs
// no search.
func (l *line) word(name, s string) {
	for i := range len(s) {
		if c := s[i]; !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' && len(s) < 20 || c == '_') {
			l.text(name, s)
			return
		}
	}
	if s != "" {
		l.key(name)
		l.b = append(append(append(l.b, '"'), s...), '"')
	}
}

func (l *line) quote(s string) {
	if len(s) > longestText {
		s = l.redactor.Text(s)
		s = strings.ToValidUTF8(s[:min(len(s), longestText)], "") + "…"
	}
	l.b = l.redactor.AppendString(l.b, s)
}

func (l *line) texts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	l.key(name)
	l.b = append(l.b, '[')
	for i, s := range list {
		if i > 0 {
			l.b = append(l.b, ',')
		}
		l.quote(s)
	}
	l.b = append(l.b, ']')
}

func (l *line) number(name string, n int) {
	if n != 0 {
		l.key(name)
		l.b = strconv.AppendInt(l.b, int64(n), 10)
	}
}

func (l *line) micros(n int64) {
	l.key("dur_us")
	l.b = strconv.AppendInt(l.b, n, 10)
}

func (l *line) attempts(list []Attempt) {
	if len(list) == 0 {
		return
	}
	l.key("attempts")
	for i, a := range list {
		l.b = append(l.b, "[,"[min(i, 1)])
		l.b = strconv.AppendInt(append(l.b, `{"dur_us":`...), a.Micros, 10)
		l.text("code", a.Code)
		l.text("via", a.Via)
		l.b = append(l.b, '}')
	}
	l.b = append(l.b, ']')
}
