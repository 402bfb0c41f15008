package diagnose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/dump"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// maxStructure is the longest text that is read as JSON; that of errors is short.
const maxStructure = 32 << 10

// readStructure reads a text that is JSON or has some in it. Before says what the
// words around it have told.
func readStructure(text string, before sign) (Reading, bool) {
	body, around := cutJSON(text)
	if body == "" {
		return Reading{}, false
	}
	var e recourse.Error
	if json.Unmarshal([]byte(body), &e) == nil {
		return Reading{Code: e.Code, Retryable: e.Retryable() || e.Code == recourse.Timeout, RetryAfter: max(e.RetryAfter, 0), Field: e.Field, Reason: "envelope", Envelope: &e, Structured: true}, true
	}
	f := finding{sign: before}
	f.value("", []byte(body), 0)
	if len(f.codes)+len(f.words) == 0 && f.sign == before {
		return Reading{}, false
	}
	return f.reading(body, around), true
}

// cutJSON returns the object or list in a text, "" if there is none, and the text
// without it.
func cutJSON(text string) (body, around string) {
	if len(text) > maxStructure {
		return "", ""
	}
	i := strings.IndexAny(text, "{[")
	for range 3 { // a bracket before it may belong to the words
		if i < 0 {
			return "", ""
		}
		last := strings.LastIndexByte(text, text[i]+2) // } and ] are two behind { and [
		if last > i && json.Valid([]byte(text[i:last+1])) {
			return text[i : last+1], text[:i] + "\n" + text[last+1:]
		}
		next := strings.IndexAny(text[i+1:], "{[")
		if next < 0 {
			return "", ""
		}
		i += 1 + next
	}
	return "", ""
}

// A finding is what JSON says of a failure, whichever API wrote it.
type finding struct {
	sign
	codes, words []string
	retryable    *bool
	wait         time.Duration
	field        string
}

const (
	maxFindings = 16
	deepest     = 6
)

// value reads a member. What is in objects comes first: it is more special.
func (f *finding) value(key string, v []byte, depth int) {
	if depth > deepest || len(f.codes) >= maxFindings || len(f.words) >= maxFindings {
		return
	}
	key = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
	switch v[0] {
	case '{':
		if !foreign[key] {
			f.object(v, depth)
		}
	case '[':
		for at := range wire.Elements(v) {
			f.value(key, at.Of(v), depth+1)
		}
	case '"':
		f.text(key, wire.Unquote(v))
	case 't', 'f':
		switch key {
		case "retryable", "isretryable", "transient", "istransient", "canretry", "shouldretry":
			yes := v[0] == 't'
			f.retryable = &yes
		}
	case 'n':
	default:
		f.number(key, json.Number(v))
	}
}

// foreign are objects in which stands what was sent.
var foreign = map[string]bool{"headers": true, "request": true, "config": true, "input": true, "arguments": true, "ctx": true}

func (f *finding) object(o []byte, depth int) {
	for _, inner := range []bool{true, false} {
		for key, at := range wire.Members(o) {
			v := at.Of(o)
			if (v[0] == '{' || v[0] == '[') == inner {
				f.value(string(label(key.Of(o))), v, depth+1)
			}
		}
	}
}

// text takes a string for a machine's code or for words.
func (f *finding) text(key, s string) {
	s = strings.TrimSpace(s)
	if s == "" {
		return
	}
	if key == "received" && s == "undefined" { // zod
		f.codes = append(f.codes, "received undefined")
	}
	if n := vagueNames[strings.ToLower(s)]; n != 0 {
		if f.status == 0 {
			f.status = n
		}
		return
	}
	switch key {
	case "code", "error", "errorcode", "errorname", "reason", "status", "errortype", "type", "name", "kind", "category", "errno", "sqlstate",
		"class", "exception", "exceptiontype", "errorcategory", "subtype", "errorstatus", "result":
		if n, err := strconv.Atoi(s); err == nil {
			f.number(key, json.Number(strconv.Itoa(n)))
			return
		}
		if label := key == "code" || key == "type" || key == "kind" || key == "category"; len(s) < 100 && (label || !strings.ContainsAny(s, " \n")) {
			if key == "error" || !plainWords[strings.ToLower(s)] {
				f.codes = append(f.codes, s)
			}
			return
		}
	case "retryafter", "retryin", "retrydelay", "retryafterseconds", "retryafterms", "backoff", "resetafter", "waitseconds", "retryafters":
		f.delay(key, s)
		return
	case "id", "requestid", "timestamp", "path", "url", "documentationurl", "docurl", "instance", "help", "hint", "suggestion", "stack", "trace",
		"method", "correlationid", "traceid", "recoverysuggestion", "domain", "service", "object", "value", "input", "cause_url", "tool",
		"docs", "link", "href", "helplink", "version", "jsonrpc", "received", "expected", "actiontotake", "remedy", "time", "date":
		return
	case "field", "param", "parameter", "argument", "pointer", "property", "loc":
		if f.field == "" && !strings.ContainsAny(s, " \n") {
			f.field = s
		}
		return
	}
	f.words = append(f.words, s)
}

// vagueNames are those of statuses under which APIs put nearly everything: the
// words beside them say more.
var vagueNames = map[string]int{
	"bad request": http.StatusBadRequest, "unprocessable entity": http.StatusUnprocessableEntity, "unprocessable content": http.StatusUnprocessableEntity,
}

// plainWords are values that say no more than that this is an error.
var plainWords = map[string]bool{
	"error": true, "errors": true, "fail": true, "failed": true, "failure": true, "string": true, "number": true, "object": true, "array": true,
	"boolean": true, "text": true, "about:blank": true, "exception": true, "api_error": true, "http_error": true, "unknown": true, "ko": true, "nok": true, "err": true,
}

func (f *finding) number(key string, n json.Number) {
	x, err := n.Float64()
	if err != nil {
		return
	}
	switch key {
	case "status", "statuscode", "code", "cod", "httpstatus", "httpcode", "error", "errorcode", "httpstatuscode", "responsecode":
		switch {
		case 400 <= x && x < 600:
			f.status = int(x)
		case -32999 < x && x <= -32000 && f.rpc == 0:
			f.rpc = int(x)
		case key == "errorcode":
			f.codes = append(f.codes, "error "+n.String())
		}
	case "retryafter", "retryafterseconds", "retryafters", "retryin", "waitseconds", "resetafter", "retryafterms", "retryaftermilliseconds", "retrydelayms", "backoffms":
		f.delay(key, n.String())
	}
}

func (f *finding) delay(key, s string) {
	unit := ""
	if strings.HasSuffix(key, "ms") || strings.HasSuffix(key, "milliseconds") {
		unit = " ms"
	}
	if d := readWords("retry after "+s+unit, sign{status: http.StatusTooManyRequests}).RetryAfter; d > f.wait {
		f.wait = d
	}
}

// reading lets the library judge first, which knows the codes of APIs, and then
// the rules.
func (f *finding) reading(body, around string) Reading {
	words := strings.Join(append(f.words, around), "\n")
	if f.status == 0 {
		f.status = rules().scan(around).status
	}
	r, told := f.byAPI(body)
	switch told = told || f.byCodes(&r); {
	case told && r.Code == recourse.RateLimited: // codes say so of a spent quota, too
		if said := readWords(words, sign{}); said.Code == recourse.QuotaExceeded && rules().section(said.Reason) <= inSpecial {
			r = said
		}
	case told:
	default:
		r = readWords(words, f.sign)
		if r.Code == recourse.UnknownError || r.Reason == "rpc" || hinted(r.Reason) {
			f.byBroad(&r)
		}
	}
	if f.retryable != nil {
		r.Retryable = *f.retryable
		r.Structured = true
	}
	if r.Retryable || r.RetryAfter == 0 && waits(r.Code) {
		f.details(&r, rules().scan(words))
	}
	if r.Field == "" && f.field != "" && blaming(r.Code) {
		r.Field = dump.Pointer(strings.Split(strings.Trim(f.field, "/"), "/"))
	}
	return r
}

// details adds what the words tell beside the code.
func (f *finding) details(r *Reading, h hits) {
	if r.RetryAfter == 0 && waits(r.Code) {
		r.RetryAfter = cmp.Or(f.wait, h.pause)
	}
	r.Partial = h.part
	if h.part || h.vain && f.retryable == nil {
		r.Retryable = false
	}
}

// byAPI asks the library, which reads the bodies of APIs. It is told the status
// that the text has, or one that leaves everything open.
func (f *finding) byAPI(body string) (Reading, bool) {
	status := f.status
	if status == 0 {
		status = http.StatusBadRequest
	}
	err := recourse.CheckResponse(&http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(body)))})
	e := recourse.Classify(err)
	r := reading(rule{name: "api", code: e.Code})
	if e.MaxRetries < 0 {
		r.Retryable = false
	}
	if r.RetryAfter = max(e.RetryAfter, 0); r.RetryAfter == 0 {
		r.RetryAfter = f.wait
	}
	if !waits(r.Code) {
		r.RetryAfter = 0
	}
	r.Structured = true
	return r, e.Code != byStatus(status) && !broad(e.Code)
}

// broad reports codes under which APIs put nearly everything.
func broad(c recourse.Code) bool {
	switch c {
	case recourse.InvalidArgument, recourse.UpstreamError, recourse.Conflict, recourse.UnknownError, recourse.InternalError, recourse.PreconditionFailed:
		return true
	}
	return false
}

// byCodes reads machine codes by the rules. One that is a vague one leaves it to
// the words.
func (f *finding) byCodes(r *Reading) bool {
	for _, c := range f.codes {
		got := readWords(c, sign{})
		if got.Code != recourse.UnknownError && !broad(got.Code) && rules().section(got.Reason) <= inSpecial && f.allows(got.Code) {
			got.RetryAfter = r.RetryAfter
			got.Structured = true
			*r = got
			return true
		}
	}
	return false
}

// byBroad takes a broad machine code where the words tell nothing.
func (f *finding) byBroad(r *Reading) {
	for _, c := range f.codes {
		if got := readWords(c, sign{}); got.Code != recourse.UnknownError && !(hinted(r.Reason) && hinted(got.Reason)) {
			*r = got
			return
		}
	}
}

// hinted reports that a rule is only a hint.
func hinted(reason string) bool { return rules().section(reason) == inHint }

// section returns the section of a rule, the first for what is no rule's.
func (t *table) section(reason string) int {
	i := slices.IndexFunc(t.rules, func(r rule) bool { return r.name == reason })
	section := inCode
	for section < inWait && t.bounds[section+1] <= i {
		section++
	}
	return section
}

// ToolFailure reads _meta["io.modelcontextprotocol/toolFailure"], which a server
// may add to a result; now is for the time before which it says not to repeat.
func ToolFailure(value []byte, now time.Time) (Reading, bool) {
	var v struct {
		Class, Code    string
		Retryable      *bool
		RetryNotBefore json.RawMessage
	}
	if json.Unmarshal(value, &v) != nil || v.Class == "" && v.Code == "" && v.Retryable == nil {
		return Reading{}, false
	}
	f := finding{codes: []string{v.Code}}
	r := reading(rule{name: "class", code: byClass[v.Class]})
	if body, err := json.Marshal(map[string]string{"code": v.Code}); err == nil && v.Code != "" {
		if got, ok := f.byAPI(string(body)); ok {
			r = got
		} else if !f.byCodes(&r) && r.Code == "" {
			r = readWords(v.Code, sign{})
		}
	}
	r.Structured = true
	if v.Retryable != nil {
		r.Retryable = *v.Retryable
	}
	if at, ok := instant(v.RetryNotBefore); ok && waits(r.Code) {
		if d := at.Sub(now); d > 0 && d <= 24*time.Hour { // else a clock is wrong
			r.RetryAfter = (d + time.Second - 1).Truncate(time.Second)
		}
	}
	return r, true
}

// byClass are the classes of a toolFailure, for codes that are not known.
var byClass = map[string]recourse.Code{
	"":            recourse.UnknownError,
	"capability":  recourse.NotSupported,
	"reliability": recourse.ServiceUnavailable,
	"governance":  recourse.PolicyBlocked,
}

// instant reads a date, or seconds or milliseconds since 1970.
func instant(raw []byte) (time.Time, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		at, err := time.Parse(time.RFC3339, s)
		return at, err == nil
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case err != nil || n < 1e9 || n > 1e14:
		return time.Time{}, false
	case n < 1e11:
		n *= 1000
	}
	return time.UnixMilli(int64(n)), true
}
