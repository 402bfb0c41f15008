package recourse

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A problem is what the body of an error answer says, whichever API wrote it.
type problem struct {
	codes  []string // machine codes, the most special first
	text   string   // the API's own words for people
	fields []fault
	wait   time.Duration // zero if not said
	quota  string        // what allowance is spent
	never  bool          // said to be in vain to repeat
	id     string        // of what exists already
	depth  int           // of objects in objects
	seen   int           // objects
}

// A fault is the API's own word on one of the fields sent to it.
type fault struct {
	Field string `json:"field,omitempty"`
	Code  string `json:"code,omitempty"`
	Text  string `json:"text,omitempty"`
}

const (
	maxUpstream = 400 // characters of an API's own words
	maxFaults   = 8
	maxLabel    = 80 // characters of a name

	// maxNesting is one more than any known format needs. Each level is read
	// again as a whole, so that without an end depth costs squared time.
	maxNesting = 4
	maxObjects = 32
)

// parseProblem reads a body as JSON, or the XML of Amazon S3 and Azure Storage.
func parseProblem(body []byte) problem {
	var p problem
	body = trimmed(body)
	switch {
	case len(body) == 0:
	case body[0] == '{':
		p.object(members(body))
	case body[0] == '[':
		for _, raw := range elements(body) {
			if o := members(raw); o != nil {
				p.object(o)
				break
			}
		}
	case body[0] == '"':
		p.say(str(body))
	case body[0] == '<':
		p.code(between(body, "<Code>", "</Code>"))
		p.say(between(body, "<Message>", "</Message>"))
	}
	return p
}

func between(body []byte, start, end string) string {
	_, rest, ok := bytes.Cut(body, []byte(start))
	inner, _, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed || bytes.ContainsRune(inner, '<') {
		return ""
	}
	return string(inner)
}

// object reads one error object, and first what is nested in it: the inner
// parts are the more special ones.
func (p *problem) object(o map[string]json.RawMessage) {
	if p.depth == maxNesting || p.seen == maxObjects {
		return
	}
	p.seen++
	p.depth++
	p.nested(o)
	p.depth--
	for _, key := range []string{"reason", "decline_code", "error_name", "errorCode", "error_code", "code", "Code", "error", "__type", "status", "type"} {
		p.code(str(o[key]))
	}
	for _, key := range []string{"detail", "message", "Message", "error_description", "msg", "description", "reason", "title", "error"} {
		if s := sentences(o[key]); key != "reason" || !plainName(s) { // which is a code
			p.say(s)
		}
	}
	for _, key := range []string{"existing_id", "existingId"} {
		if id := str(o[key]); plainName(id) && p.id == "" {
			p.id = id
		}
	}
	for _, key := range []string{"retry_after", "retry_after_seconds"} { // Cloudflare, Discord; an envelope of ours
		if n, ok := number(string(o[key])); ok && p.wait == 0 {
			p.wait = ceil(times(n, time.Second))
		}
	}
	for key, vain := range map[string]string{"retryable": "false", "owner_action_required": "true"} { // Cloudflare
		p.never = p.never || string(o[key]) == vain
	}
}

// nested reads the objects in o.
func (p *problem) nested(o map[string]json.RawMessage) {
	for _, raw := range elements(o["details"]) {
		p.detail(members(raw))
	}
	if inner := members(o["error"]); inner != nil {
		p.object(inner)
	}
	for _, key := range []string{"errors", "detail", "invalid-params"} {
		for _, raw := range elements(o[key]) {
			p.entry(raw)
		}
	}
	byField := members(o["errors"]) // Rails, Laravel, ASP.NET
	for _, name := range slices.Sorted(maps.Keys(byField)) {
		p.fault(fault{Field: name, Text: first(byField[name])})
	}
	if source := members(o["source"]); source != nil { // JSON:API
		p.fault(fault{Field: str(source["pointer"]) + str(source["parameter"]), Code: str(o["code"])})
	}
	if name := str(o["param"]); name != "" { // Stripe, OpenAI
		p.fault(fault{Field: name, Code: str(o["code"])})
	}
	if extensions := members(o["extensions"]); extensions != nil { // GraphQL
		p.object(extensions)
	}
}

// entry reads one of several errors: GitHub's, JSON:API's, those of older Google
// APIs, of FastAPI and in the manner of RFC 9457.
func (p *problem) entry(raw json.RawMessage) {
	o := members(raw)
	if o == nil {
		p.say(str(raw))
		return
	}
	f := fault{Code: str(o["code"]), Text: first(o["message"])}
	for _, key := range []string{"field", "name", "pointer"} {
		if f.Field == "" {
			f.Field = str(o[key])
		}
	}
	var path []string
	for _, part := range elements(o["loc"]) {
		path = append(path, strings.Trim(string(part), `"`))
	}
	if path != nil {
		f.Field = strings.Join(path, "/")
		if str(o["type"]) == "missing" {
			f.Code = "missing_field"
		}
	}
	for _, key := range []string{"detail", "reason", "msg"} {
		if f.Text == "" && f.Field != "" {
			f.Text = str(o[key])
		}
	}
	if f.Field != "" {
		p.fault(f)
		if f.Code == "missing" && o["resource"] != nil { // GitHub: it is the resource that is
			p.code("not_found")
		}
		p.code(f.Code)
		return
	}
	p.object(o)
}

// detail reads one of google.rpc's details.
func (p *problem) detail(o map[string]json.RawMessage) {
	kind := str(o["@type"])
	switch kind[strings.LastIndex(kind, ".")+1:] {
	case "ErrorInfo":
		p.code(str(o["reason"]))
	case "RetryInfo":
		if s, ok := strings.CutSuffix(str(o["retryDelay"]), "s"); ok {
			if d, ok := delay(s, time.Second); ok {
				p.wait = ceil(d)
			}
		}
	case "QuotaFailure":
		for _, raw := range elements(o["violations"]) {
			v := members(raw)
			p.quota += str(v["quotaId"]) + " " + str(v["description"]) + "\n"
		}
	case "BadRequest":
		for _, raw := range elements(o["fieldViolations"]) {
			v := members(raw)
			p.fault(fault{Field: str(v["field"]), Code: str(v["reason"]), Text: str(v["description"])})
		}
	}
}

func (p *problem) code(s string) {
	if s != "" && len(s) <= 200 && len(p.codes) < 16 {
		p.codes = append(p.codes, s)
	}
}

// say keeps the first words: those of the inner object, or the longer member.
func (p *problem) say(s string) {
	if p.text == "" {
		p.text = s
	}
}

func (p *problem) fault(f fault) {
	if len(p.fields) < maxFaults && (f.Field != "" || f.Text != "") {
		p.fields = append(p.fields, f)
	}
}

// members returns raw as an object, nil if it is something else.
func members(raw []byte) map[string]json.RawMessage {
	var o map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

// elements returns raw as an array, nil if it is something else.
func elements(raw []byte) []json.RawMessage {
	var a []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &a) != nil {
		return nil
	}
	return a[:min(len(a), 2*maxFaults)]
}

// str returns raw as a string, "" if it is something else.
func str(raw []byte) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// first returns raw, or its first element, as a string.
func first(raw []byte) string {
	if a := elements(raw); len(a) > 0 {
		raw = a[0]
	}
	return str(raw)
}

// sentences returns raw, or what is in it, as one string. NestJS has a list where
// others have one sentence.
func sentences(raw []byte) string {
	s := []string{str(raw)}
	for _, part := range elements(raw) {
		s = append(s, str(part))
	}
	return strings.Trim(strings.Join(s, " "), " ")
}

// markup reports whether body is a web page or other markup, whatever its kind
// is said to be.
func markup(body []byte) bool {
	return bytes.HasPrefix(trimmed(body), []byte("<"))
}

// readable reports whether body is text that is meant to be read, and no data
// nor the beginning of some.
func readable(body []byte) bool {
	if len(body) == maxProblem || !utf8.Valid(body) || json.Valid(trimmed(body)) {
		return false
	}
	return bytes.IndexFunc(body, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }) < 0
}

// trimmed returns body without a byte order mark and white space around it.
func trimmed(body []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
}

// plainName reports whether s is what ids and codes look like, so that it can't
// be a sentence that tells a model what to do.
func plainName(s string) bool {
	return s != "" && len(s) <= maxLabel && strings.IndexFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.:/#[]", r)
	}) < 0
}
