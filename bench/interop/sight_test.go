//go:build interop

package interop

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A sight is an answer as a user sees it.
type sight struct {
	Result struct {
		IsError bool
		Content []block
	}
	Error struct {
		Message string
		Data    json.RawMessage
	}
}

type block struct{ Type, Text string }

// An advice is what recourse says of a failure.
type advice struct {
	Code, Message, Suggestion, Field string
	Violations                       []struct{ Field string }
}

// dumps are words of the SDKs' own validators, which no model has to see.
var dumps = []string{"invalid_type", "errors.pydantic.dev", "[type=", "validating root", "validating /", "validation error for", "ZodError", "Input validation error", "Invalid arguments for tool"}

// most is how long an error may be, in bytes.
const most = 2 << 10

// untouched compares the answers to a right call, byte for byte.
func untouched(direct, seen string) []string {
	if direct != seen || direct == "" {
		return []string{"the answer to a right call was changed"}
	}
	return nil
}

// repaired compares the answer to a wrong call with that to the right one.
func (w wrong) repaired(direct, seen string, r record) (faults []string) {
	var d, s map[string]any
	if decode([]byte(direct), &d) != nil || decode([]byte(seen), &s) != nil {
		return []string{"there is no answer"}
	}
	delete(d, "id")
	delete(s, "id")
	if none := w.Arguments == nil || string(w.Arguments) == "null"; !noted(s["result"]) && !none {
		faults = append(faults, "nothing in _meta says that it was repaired")
	}
	if !reflect.DeepEqual(d, s) {
		faults = append(faults, "the right call is answered in another way: "+short([]byte(direct)))
	}
	if !alike(r.Sent, w.Right) {
		faults = append(faults, fmt.Sprintf("%s was sent, not %s", r.Sent, w.Right))
	}
	return faults
}

// noted reports whether a result says that its call was repaired, and removes that.
func noted(result any) bool {
	r, _ := result.(map[string]any)
	meta, _ := r["_meta"].(map[string]any)
	_, ok := meta["dev.recourse/repaired"]
	delete(meta, "dev.recourse/repaired")
	if len(meta) == 0 {
		delete(r, "_meta")
	}
	return ok
}

// alike compares JSON, whatever the order of its members.
func alike(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// told compares the answer to a call that is good, but for something its user has
// to know. Of the server's blocks those are left out that show nothing.
func (w wrong) told(direct, seen string) []string {
	var d, s sight
	if json.Unmarshal([]byte(direct), &d) != nil || json.Unmarshal([]byte(seen), &s) != nil {
		return []string{"there is no answer"}
	}
	blocks := slices.DeleteFunc(d.Result.Content, func(b block) bool { return b == block{Type: "text"} })
	last := len(s.Result.Content) - 1
	if s.Result.IsError || last < 0 || !slices.Equal(s.Result.Content[:last], blocks) {
		return []string{"the server's blocks are not followed by one of ours"}
	}
	if !strings.Contains(s.Result.Content[last].Text, w.Told) {
		return []string{"the last block does not say " + w.Told}
	}
	return nil
}

// failed looks at the error of a wrong call, and at what came of the second one.
func (w wrong) failed(direct, seen, second string, r record) (faults []string) {
	shown, a := adviceIn(seen, w.Code == "UNKNOWN_TOOL" && strings.Contains(direct, `"error":`))
	switch {
	case w.Code == "*" && strings.Contains(seen, `"isError":true`):
		return nil
	case a.Code == "":
		return []string{"no error is shown first"}
	}
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if !oneOf(w.Code, a.Code) {
		say("the code is %s, not %s", a.Code, w.Code)
	}
	fields := []string{a.Field}
	for _, v := range a.Violations {
		fields = append(fields, v.Field)
	}
	for _, want := range []string{w.Field, w.Also} {
		if want != "" && !slices.ContainsFunc(fields, func(f string) bool { return oneOf(want, f) }) {
			say("the fields are %q, without %s", fields, want)
		}
	}
	if w.Says != "" && !strings.Contains(shown, w.Says) {
		say("it does not say %s", w.Says)
	}
	for _, d := range dumps {
		if strings.Contains(shown, d) {
			say("it holds a validator's words: %s", d)
		}
	}
	if a.Message == "" || a.Suggestion == "" || len(shown) > most {
		say("it has no message, no suggestion, or %d bytes", len(shown))
	}
	if w.Twice && r.Outcome != "short_circuited" {
		say("the second such call has the outcome %q: %s", r.Outcome, short([]byte(second)))
	} else if _, b := adviceIn(second, false); w.Twice && b.Code != a.Code {
		say("the second such call ends with %s, not %s", b.Code, a.Code)
	}
	return faults
}

// adviceIn returns the error that an answer shows first, as it stands there and
// read. That of an unknown tool may be one of the protocol.
func adviceIn(line string, protocol bool) (string, advice) {
	var s sight
	var v struct{ Error advice }
	if json.Unmarshal([]byte(line), &s) != nil {
		return "", advice{}
	}
	shown := string(s.Error.Data)
	if !protocol {
		if !s.Result.IsError || len(s.Result.Content) == 0 {
			return "", advice{}
		}
		shown = s.Result.Content[0].Text
	}
	_ = json.Unmarshal([]byte(shown), &v) // then there is no code
	return shown, v.Error
}

// oneOf reports whether got is among want, which has | between them.
func oneOf(want, got string) bool {
	return slices.Contains(strings.Split(want, "|"), got)
}
