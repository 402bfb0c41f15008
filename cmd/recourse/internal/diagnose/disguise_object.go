package diagnose

import (
	"bytes"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// jsonSuspicion looks at a text that is one JSON value, or one in a code fence, or
// a Python dict as print writes it. Whole is false if it is none of these.
func jsonSuspicion(text string) (s Suspicion, whole bool) {
	if fenced, ok := strings.CutPrefix(text, "```"); ok {
		_, fenced, _ = strings.Cut(fenced, "\n")
		fenced, ok = strings.CutSuffix(strings.TrimSpace(fenced), "```")
		if text = strings.TrimSpace(fenced); !ok || text == "" {
			return s, false
		}
	}
	b := []byte(text)
	if bytes.HasPrefix(b, []byte("{'")) {
		b = python2json(b)
	}
	if end := wire.Past(b, 0); end != len(b) || len(b) < 2 || b[0] != '{' && b[0] != '[' {
		return s, false
	}
	if b[0] == '{' {
		return objectSuspicion(b), true
	}
	count, one := 0, []byte(nil)
	for at := range wire.Elements(b) {
		count++
		one = at.Of(b)
	}
	if count == 1 && one[0] == '{' {
		return objectSuspicion(one), true
	}
	return s, true
}

// python2json is good enough for what an API says of an error; a text with an
// apostrophe in it stands between other quotes and is left alone.
func python2json(b []byte) []byte {
	if bytes.IndexByte(b, '"') >= 0 {
		return b
	}
	b = bytes.ReplaceAll(b, []byte("'"), []byte(`"`))
	for _, w := range [][2]string{{": None", ": null"}, {": True", ": true"}, {": False", ": false"}} {
		b = bytes.ReplaceAll(b, []byte(w[0]), []byte(w[1]))
	}
	return b
}

func objectSuspicion(object []byte) Suspicion { return objectAt(object, 0) }

func objectAt(object []byte, depth int) Suspicion {
	a := account{object: object}
	members := 0
	for key, at := range wire.Members(object) {
		a.take(label(key.Of(object)), at.Of(object))
		members++
	}
	const deepest = 3 // {"result":{"response":{"error":…}}}
	if a.inner != nil && members == 1 && depth < deepest {
		if a.inner[0] == '{' {
			if errors := userErrors(a.inner); errors != nil {
				a.many, a.object = errors, a.inner
				return Suspicion{Tier: Structure, Text: a.words(), Rule: "userErrors"}
			}
			return objectAt(a.inner, depth+1)
		}
		return textSuspicion(a.inner)
	}
	if members == 1 && a.message != nil && a.message[0] == '"' {
		return a.said()
	}
	if members == 1 && a.many != nil && outright(a.many) {
		return Suspicion{Tier: Anchored, Text: a.words(), Rule: "errors", sure: true}
	}
	rule := a.judge()
	if rule == "" {
		return a.weak()
	}
	return Suspicion{Tier: Structure, Text: a.words(), Rule: rule, framed: a.rule != "" && a.rule != "object"}
}

// userErrors returns the errors of a mutation that GraphQL's data name and that made nothing:
// {"cardCreate":{"card":null,"userErrors":[…]}}; nil if there are none.
func userErrors(data []byte) (errors []byte) {
	members := 0
	for _, payload := range wire.Members(data) {
		if members++; members > 1 || data[payload.Start] != '{' {
			return nil
		}
		made := payload.Of(data)
		for key, at := range wire.Members(made) {
			value := at.Of(made)
			switch name := string(label(key.Of(made))); {
			case hollow(value), name == "__typename", name == "clientMutationId":
			case (name == "userErrors" || name == "errors" || strings.HasSuffix(name, "UserErrors")) && value[0] == '[':
				errors = value
			default:
				return nil
			}
		}
	}
	return errors
}

// outright reports a few texts each of which would be an error alone.
func outright(list []byte) bool {
	const most = 5
	n := 0
	for at := range wire.Elements(list) {
		if n++; n > most || list[at.Start] != '"' || !textSuspicion(at.Of(list)).sure {
			return false
		}
	}
	return n > 0
}

// said judges an object that is nothing but a message. As detail, it is how the
// frameworks of Python write errors, and a weak one will do.
func (a *account) said() Suspicion {
	s := textSuspicion(a.message)
	if s.Tier == Weak && member(a.object, "detail") != nil {
		s.Tier = Anchored
	}
	return s
}

// weak is said of what failed and doesn't say more.
func (a *account) weak() Suspicion {
	if a.good || a.aside() || a.data || a.verdict || a.ran || a.record || a.failed == "" && len(a.fault) == 0 {
		return Suspicion{}
	}
	return Suspicion{Tier: Weak, Text: a.words(), Rule: "object"}
}

// aside reports an object that is no account of this call, or of one that did some of
// its work: whatever failed, there is more to it.
func (a *account) aside() bool {
	return a.line(a.code != nil) || a.some() || a.label && a.failed == "" && !a.status && a.code == nil
}

// judge returns by which rule the object is an error, "" if by none.
func (a *account) judge() string {
	said := a.message != nil || a.fault != nil || a.about != nil && (a.failed != "" || a.rule != "")
	switch {
	case a.rule != "" && (said || a.many != nil || a.rule == "isError"):
		return a.rule
	case a.aside():
		return ""
	case a.vain() && (said || a.many != nil):
		return "count"
	case a.answers():
		return ""
	case a.failed != "" && (said || a.many != nil):
		return a.failed
	case a.oblique && a.echoes > 0 && a.message == nil, a.measured():
		return ""
	case a.fault != nil && (a.fault[0] == '"' || a.fault[0] == '{' || a.message != nil):
		return "error"
	}
	return a.infer()
}

// infer judges an object that does not say outright that it is an error.
func (a *account) infer() string {
	switch {
	case a.many != nil && (a.nothing || a.status || remote(a.many) || member(a.object, "errorMessages") != nil):
		return "errors"
	case a.echoes > 0 || a.record || a.named:
		return ""
	case a.status && (a.message != nil || a.title != nil):
		return "status"
	case a.message != nil && a.message[0] == '"' && (a.hinted || a.code != nil && faulty(a.code, a.message)):
		return "code"
	}
	return ""
}

// faulty reports a code and a message that are those of an error: one of them has
// to read like one.
func faulty(code, message []byte) bool {
	if code[0] == '"' {
		up := bytes.ToUpper(label(code))
		for _, w := range [...]string{"ERR", "INVALID", "NOT_", "NOTFOUND", "DENIED", "UNAUTH", "FORBIDDEN", "FAIL", "EXCEED", "EXCEPTION", "TIMEOUT", "UNAVAIL", "EXPIRED", "MISSING", "LIMIT", "QUOTA", "CONFLICT", "BAD_"} {
			if bytes.Contains(up, []byte(w)) && len(up) > 5 {
				return true
			}
		}
	} else if code[0] == '-' {
		return true
	}
	return message[0] == '"' && textSuspicion(message).Tier >= Weak
}

// remote reports errors as GraphQL and JSON:API write them. A linter's have lines.
func remote(errors []byte) bool {
	some := false
	for at := range wire.Elements(errors) {
		one := at.Of(errors)
		some = true
		if one[0] != '{' {
			return false
		}
		marked, told := false, false
		for key, at := range wire.Members(one) {
			switch string(label(key.Of(one))) {
			case "extensions", "locations", "status", "code", "source", "type", "error_code", "errorCode", "statusCode":
				marked = true
			case "message", "detail", "title", "msg", "description":
				told = told || one[at.Start] == '"'
			case "line", "column", "file", "row", "severity", "rule", "ruleId", "timestamp", "time", "level":
				return false
			}
		}
		if !marked || !told {
			return false
		}
	}
	return some
}
