package diagnose

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// An account is what an object says of itself.
type account struct {
	object []byte

	rule    string // what makes it an error by its form alone
	failed  string // the member that says so: success, status, type
	good    bool   // another says that all is well
	fault   []byte // an error member that is not empty
	oblique bool   // its name has other senses: a fault in rock, an exception to a rule
	many    []byte // errors
	message []byte
	about   []byte // a description
	title   []byte
	code    []byte // that is no status
	status  bool   // from 400 to 599

	nothing bool // data is there and empty
	data    bool // it is not
	verdict bool // it is the outcome of a test, a command, a check
	ran     bool // it is what a command printed
	record  bool // it is a thing that has an id or times of its own
	named   bool // it names another thing
	hinted  bool // it has what stands beside errors only: a hint, a link to the manual
	past    bool // it has what only a record has: how long it took, who wrote it
	over    bool // it has failed, as a job has: who answers a call errs
	label   bool // its members are names of things that are shown, not what happened
	echoes  int  // scalars that say nothing of these
	numbers int  // of them
	logged
	tally
	inner []byte
}

// words are what the error says.
func (a *account) words() string {
	for _, value := range [][]byte{a.message, a.fault, a.about, a.many, a.title, a.code} {
		if value == nil || value[0] == 't' {
			continue
		}
		if value[0] == '[' {
			for at := range wire.Elements(value) {
				value = at.Of(value)
				break
			}
		}
		if value[0] == '{' {
			inner := account{object: value}
			for key, at := range wire.Members(value) {
				inner.take(label(key.Of(value)), at.Of(value))
			}
			if inner.message != nil && inner.message[0] == '"' {
				return wire.Unquote(inner.message)
			}
			if inner.fault != nil && inner.fault[0] == '"' {
				return wire.Unquote(inner.fault)
			}
		}
		if value[0] == '"' {
			return wire.Unquote(value)
		}
		return string(value[:min(len(value), maxShort)])
	}
	return string(a.object[:min(len(a.object), maxShort)])
}

// take looks at one member.
func (a *account) take(name, value []byte) {
	var room [24]byte
	short := squeeze(room[:0], name)
	empty := hollow(value)
	if a.logged.take(string(short), value) || a.tally.take(string(short), value) || a.names(string(short), value) ||
		a.outcome(string(short), value) || a.told(string(short), value, empty) {
		return
	}
	switch string(short) {
	case "data", "result", "results", "response", "content", "output", "items", "rows", "payload", "value", "body", "records", "list", "text", "stdoutput":
		switch {
		case empty:
			a.nothing = true
		case (string(short) == "result" || string(short) == "response") && bytes.EqualFold(value, []byte(`"error"`)):
			a.failed = "status"
			return
		case string(short) == "response" && bytes.EqualFold(value, []byte(`"false"`)):
			a.failed = "success"
			return
		case value[0] == '{' || value[0] == '"':
			if string(short) == "data" || string(short) == "result" || string(short) == "response" || string(short) == "output" {
				a.inner = value
			}
			a.data = true
		default:
			a.data = true
		}
		return
	}
	if empty && value[0] != 'f' {
		return
	}
	a.rest(name, string(short), value)
}

// outcome takes the members that say how it went.
func (a *account) outcome(name string, value []byte) bool {
	switch name {
	case "iserror":
		if string(value) == "true" {
			a.rule = "isError"
		}
	case "success", "ok", "succeeded", "issuccess", "successful", "wassuccessful":
		switch string(value) {
		case "false", `"false"`:
			a.failed = "success"
		case "true", `"true"`:
			a.good = true
		}
	case "status", "state", "outcome", "object", "type", "kind", "resulttype", "stat":
		return a.word(name, value)
	case "statuscode", "httpstatus", "httpcode", "httpstatuscode", "cod", "code", "responsecode", "errorstatus":
		n, _ := strconv.Atoi(string(bytes.Trim(value, `"`)))
		switch {
		case 400 <= n && n <= 599:
			a.status = true
		case 200 <= n && n <= 299, n == 0 && value[0] != '"', value[0] == '"' && len(value) == 2:
		case name != "code":
			return false
		default:
			a.code = value
		}
	case "errcode", "errno", "errorcode":
		if !hollow(value) && string(value) != `"0"` {
			a.code = value
			if value[0] != '"' || len(value) > 4 {
				a.failed = "code"
			}
		}
	case "jsonrpc":
		if a.object != nil && member(a.object, "error") != nil && member(a.object, "error")[0] == '{' {
			a.rule = "jsonrpc"
		}
	case "__type":
		if up := bytes.ToLower(value); bytes.Contains(up, []byte("exception")) || bytes.Contains(up, []byte("error")) || bytes.Contains(up, []byte("fault")) {
			a.rule = "__type"
			a.code = value
		}
	default:
		return false
	}
	return true
}

// word takes a status, a type or a kind.
func (a *account) word(name string, value []byte) bool {
	var room [24]byte
	said := string(squeeze(room[:0], bytes.Trim(value, `"`)))
	switch said {
	case "error", "err", "exception", "errorresponse":
		switch name {
		case "object":
			a.rule = "object"
		case "type", "kind", "resulttype":
			a.failed = "type"
		default:
			a.failed = "status"
		}
		return true
	case "failed", "failure", "fail":
		if name == "status" || name == "outcome" || name == "stat" {
			a.failed, a.over = "status", said != "fail"
			return true
		}
	case "ok", "success", "succeeded", "completed", "complete", "done", "passed":
		if name == "status" || name == "outcome" || name == "stat" {
			a.good = true
			return true
		}
	}
	if n, _ := strconv.Atoi(said); name == "status" && 400 <= n && n <= 599 {
		a.status = true
		return true
	}
	// A problem's type, a status in words such as NOT_FOUND.
	return name == "type" && value[0] == '"' || name == "status" && value[0] == '"' && a.status
}

// fail takes an error that is there.
func (a *account) fail(name string, value []byte) {
	switch {
	case value[0] == '[':
		a.many = value
	case value[0] == '{' && (!speaks(value) || declares(value)):
		a.data = true // numbers by kind of error, a schema
	case name == "errordescription" && a.message == nil:
		a.message = value
	case name == "error" || a.fault == nil || a.fault[0] == 't':
		a.fault = value
		a.oblique = name == "fault" || name == "exception" || name == "failure" || name == "err"
	default:
		a.message = value
	}
}

// told takes the members that say what went wrong.
func (a *account) told(name string, value []byte, empty bool) bool {
	switch name {
	case "error", "err", "exception", "fault", "failure", "errormessage", "errormsg", "errmsg", "errordescription", "errordetail", "errordetails", "errorreason", "errorinfo", "errortext":
		if !empty && !calm(value) && !mute(value) {
			a.fail(name, value)
		}
	case "errors", "errormessages":
		switch {
		case empty:
		case value[0] == '[', value[0] == '{' && worded(value):
			a.many = value
		case value[0] == '"':
			if !calm(value) {
				a.fault = value
			}
		default:
			a.data = true
		}
	case "message", "msg", "detail", "details", "reason", "statusmessage", "statustext", "faultstring", "info", "cause":
		if !empty && (value[0] == '"' || name == "detail" || name == "details" || name == "message") {
			if a.message == nil || name == "message" || a.message[0] != '"' {
				a.message = value
			}
		}
		if name == "detail" && !empty && value[0] == '[' {
			a.many = value // as FastAPI says what is wrong with a request
		}
		a.hinted = a.hinted || name == "details"
	case "description":
		if !empty && value[0] == '"' {
			a.about = value
		}
	case "title":
		a.title = value
	case "hint":
		a.hinted = true
	default:
		return false
	}
	return true
}

// rest takes all other members: they may be particulars of an error, or show that
// the object is something else.
func (a *account) rest(name []byte, short string, value []byte) {
	switch short {
	case "onerror", "onfailure", "onexception", "continueonerror": // a setting
		a.data = true
		return
	case "retryafter", "retryafterseconds", "documentationurl", "docurl", "helpurl":
		a.hinted = true
		return
	}
	if strings.HasSuffix(short, "metadata") {
		return
	}
	switch short {
	case "traceid", "requestid", "correlationid", "errorid", "eventid", "timestamp", "time", "date", "path", "method", "instance", "url", "uri",
		"docs", "help", "moreinfo", "link", "links", "suggestion", "suggestions", "hint", "hints",
		"retryable", "retry", "shouldretry", "meta", "metadata", "context", "messages", "warnings", "stack", "stacktrace",
		"traceback", "domain", "severity", "category", "param", "params", "parameter", "parameters", "field", "fields", "tool", "toolname", "args",
		"arguments", "input", "errortype", "errorname", "errorclass", "support", "version", "locale", "service", "source", "extensions", "solution",
		"action", "tip", "note", "example", "examples", "usage", "subcode", "errorsubcode", "fbtraceid", "name", "query", "request", "operation", "command",
		"isretryable", "recoverable", "transient", "temporary", "violations", "invalidparams", "causes", "innererror", "server", "nextsteps", "next", "debug":
		return
	case "id", "uid", "uuid", "key":
		a.record = a.record || a.rule == ""
		return
	case "exitcode", "returncode", "stdout", "stderr", "signal":
		a.ran = true
		return
	case "valid", "isvalid", "passed", "tests", "failures", "score", "checks", "healthy", "conclusion",
		"up", "found", "exists", "verdict", "lint", "assertions", "coverage", "line", "column", "islive", "reachable", "online", "alive", "running":
		a.verdict = true
		return
	case "htmlurl", "author", "branch", "commit", "attempts", "duration", "durationms", "assignee", "labels", "readystate", "priority", "progress", "lastseen", "firstseen",
		"attempt", "referrer", "referer", "culprit", "runnumber", "latency", "latencyms", "responsetime", "responsetimems",
		"elapsed", "elapsedms", "logs", "logurl":
		a.record, a.past = true, true
		return
	}
	for _, before := range [...]string{"available", "valid", "supported", "allowed", "known", "possible", "similar", "suggested", "didyoumean", "closest", "expected", "required", "missing", "accepted", "candidate"} {
		if strings.HasPrefix(short, before) {
			return
		}
	}
	switch {
	case (short == "count" || short == "hits" || short == "occurrences") && bytes.IndexByte(a.fault, ' ') < 0,
		stamps(value), stamped(name, short):
		a.record = true
	case bytes.HasSuffix(name, []byte("_id")) || bytes.HasSuffix(name, []byte("Id")) || bytes.HasSuffix(name, []byte("ID")):
		a.named = true
		a.echoes++
	case value[0] == '{' || value[0] == '[' || len(value) > 200:
		a.data = true
	case strings.HasSuffix(short, "tests"), strings.HasPrefix(short, "passed"), strings.HasSuffix(short, "passed"):
		a.verdict = true
	case !hollow(value):
		a.echoes++
		if '0' <= value[0] && value[0] <= '9' {
			a.numbers++
		}
	}
}

// squeeze puts a key into small letters without - and _, cut to what dst can hold.
func squeeze(dst, key []byte) []byte {
	for _, c := range key {
		switch {
		case len(dst) == cap(dst):
			return dst
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case (c == '_' || c == '-') && string(key) != "__type":
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// hollow reports a value that says nothing: null, false, 0, "", {} or [].
func hollow(value []byte) bool {
	switch value[0] {
	case '{', '[':
		return len(bytes.TrimSpace(value[1:len(value)-1])) == 0
	case 'n', 'f':
		return true
	}
	return string(value) == `""` || string(value) == "0"
}

// calm reports the value of an error member that says that there is none, or counts.
func calm(value []byte) bool {
	if value[0] == '"' {
		switch strings.ToLower(strings.Trim(string(label(value)), " .")) {
		case "none", "null", "no", "no error", "no errors", "false", "0", "n/a", "ok", "success", "nil", "undefined", "-", "":
			return true
		}
		return len(value) < len(`"abc"`) || len(value) < maxLine && clean(wire.Unquote(value))
	}
	n, err := strconv.ParseFloat(string(value), 64)
	return err == nil && (n < 400 || n > 599) && n >= 0
}

// speaks reports an object with a text in it that may say what went wrong.
func speaks(object []byte) bool {
	for key, at := range wire.Members(object) {
		switch string(label(key.Of(object))) {
		case "message", "Message", "msg", "detail", "details", "reason", "error", "errors", "code", "Code", "type", "status", "title", "faultstring", "name", "text", "info", "errorMessage", "error_message", "errmsg", "error_description":
			if c := object[at.Start]; c == '"' || c == '{' || c == '[' || string(label(key.Of(object))) == "code" {
				return true
			}
		}
	}
	return false
}

// worded reports an object of which some member is a text or a list, as in
// {"title":["can't be blank"]}: not numbers by kind.
func worded(object []byte) bool {
	for _, at := range wire.Members(object) {
		if c := object[at.Start]; (c == '"' || c == '[') && !hollow(at.Of(object)) {
			return true
		}
	}
	return false
}
