package diagnose

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// logged is what an object has of a log's line, as the usual loggers write it.
type logged struct {
	level  bool // only such lines have one
	severe bool // PostgreSQL gives its errors a severity, too
	timed  bool
}

// take looks at one member.
func (l *logged) take(name string, value []byte) bool {
	switch name {
	case "level", "loglevel", "levelname", "levelno", "lvl", "severitytext", "severitynumber", "@l", "log.level":
		if levels(value) {
			l.level = true
			return true
		}
	case "logger", "loggername", "caller", "@timestamp", "asctime", "@t", "@m", "@x", "ecs.version", "shortmessage", "syslogidentifier", "eventname", "eventtype":
		l.level = true
		return true
	case "severity":
		l.severe = levels(value)
	case "time", "timestamp", "ts", "date", "datetime", "eventtime":
		l.timed = true
	}
	return false
}

// line reports a line of a log. What has a code is the error itself.
func (l *logged) line(coded bool) bool { return l.level || l.severe && l.timed && !coded }

// levels reports a log's level: a number, or one of the common words.
func levels(value []byte) bool {
	if '0' <= value[0] && value[0] <= '9' {
		return true
	}
	switch string(bytes.ToLower(bytes.Trim(value, `"`))) {
	case "error", "err", "eror", "fatal", "critical", "crit", "panic", "dpanic", "emerg", "emergency", "alert",
		"warning", "warn", "notice", "info", "information", "debug", "verbose", "trace", "severe":
		return true
	}
	return false
}

var logLines = sync.OnceValue(func() (p struct{ line, console, status, stream *regexp.Regexp }) {
	const stamp = `\W{0,2}(\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +(\w{3} +)?\d{1,2} )`
	p.line = regexp.MustCompile(`^(<\d{1,3}>.*)?` + stamp + // syslog, nginx, most loggers
		`|^\W?(ERROR|ERR|CRITICAL|FATAL|SEVERE|error|fatal)\W{1,3}` + stamp +
		`|^(ERROR|CRITICAL|FATAL):[\w.-]+:\S` + // Python's logging
		`|^[EFW]/[\w.-]+ *\(` + // Android
		`|^[IWEF]\d{4} \d\d:\d\d` + // klog
		`|^[\w.-]+ +\| ` + // docker compose
		`|^(kernel|[a-df-z][\w.-]*\[\d+\]): ` + // journald
		`|^\[?\d+\.\d{3,6}\]? ` + // dmesg
		`|^(ERROR|FATAL|SEVERE) +(\[[\w. -]+\] +)?[a-z]\w*(\.\w+)+ ?(-|:|\[) ` + // log4j
		`|^(\w[\w.]*=("(\\.|[^"\\])*"|\S*)( |$)){2}`) // logfmt
	p.console = regexp.MustCompile(` (@|at) https?://\S+:\d+$`)
	p.status = regexp.MustCompile(`(?im)^\W*(exit|return) ?(code|status)\W{1,4}\d+\W*$`)
	p.stream = regexp.MustCompile(`(?i)^\W*(stdout|stderr|output)\b`)
	return p
})

// noted reports a first line that is one of a log, or of what a command left behind:
// a tool that shows such lines has done well.
func noted(first, rest string) bool {
	p := logLines()
	return marks(first) && p.line.MatchString(first) || strings.Contains(first, "://") && p.console.MatchString(first) ||
		rest != "" && p.status.MatchString(first) && strings.TrimSpace(rest) != "" || rest != "" && p.stream.MatchString(first) && p.status.MatchString(rest)
}

// marks reports what a line of a log has, and most errors have not: a number, a pair, a
// level in capitals.
func marks(first string) bool {
	if strings.ContainsAny(first[:min(len(first), maxLine)], "0123456789=|") {
		return true
	}
	for _, level := range [...]string{"ERROR", "CRITICAL", "FATAL", "SEVERE", "kernel"} {
		if strings.HasPrefix(first, level) {
			return true
		}
	}
	return false
}
