package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// answer returns what a client sees that gets this envelope.
func answer(envelope string) Sight {
	s := Sight{Answer: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":%q}],"isError":true}}`, envelope)}
	s.parse()
	return s
}

// texts returns what a client sees that gets these blocks, the last of which is
// a warning of recourse's.
func texts(blocks ...string) Sight {
	var content []map[string]string
	for _, text := range blocks {
		content = append(content, map[string]string{"type": "text", "text": text})
	}
	result := map[string]any{"content": content}
	if len(blocks) > 1 {
		result["_meta"] = map[string]any{recourse.MetaWarnings: blocks[len(blocks)-1:]}
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 3, "result": result})
	if err != nil {
		panic(err)
	}
	s := Sight{Answer: line}
	s.parse()
	return s
}

// result returns what a client sees that gets this result.
func result(text string) Sight {
	s := Sight{Answer: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":3,"result":%s}`, text)}
	s.parse()
	return s
}

// chain returns what a client sees of a call and those after it.
func chain(first Sight, after ...Sight) Sight {
	if len(after) > 0 {
		next := chain(after[0], after[1:]...)
		first.Next = &next
	}
	return first
}

func TestFacts(t *testing.T) {
	none := Sight{}
	failed := result(`{"content":[{"type":"text","text":"no"}],"isError":true}`)
	full := result(`{"content":[],"structuredContent":{"n":1.0},"_meta":{"dev.recourse/repaired":["days is 3 now"]}}`)
	good := answer(`{"error":{"code":"TIMEOUT","retryable":false,"exit_status":3,"waited_seconds":2.5,"upstream":{"text":"it is over"}}}`)
	for _, tt := range []struct {
		fact fact
		r    Result
		want bool
	}{
		{is("exit_status", 3), Result{Through: good}, true},
		{is("exit_status", "3"), Result{Through: good}, false},
		{is("exit_status", 4), Result{Through: good}, false},
		{is("retryable", false), Result{Through: good}, true},
		{is("outcome", nil), Result{Through: good}, false},
		{is("retryable", false), Result{Through: none}, false},
		{says("upstream.text", "over"), Result{Through: good}, true},
		{says("upstream.text", "under"), Result{Through: good}, false},
		{says("upstream.text", ""), Result{Through: good}, true},
		{says("message", ""), Result{Through: good}, false},
		{atLeast("waited_seconds", 2.5), Result{Through: good}, true},
		{atLeast("waited_seconds", 2.6), Result{Through: good}, false},
		{atLeast("code", 0), Result{Through: good}, false},
		{hides("nobody"), Result{Through: good}, true},
		{hides("over"), Result{Through: good}, false},
		{hides("over"), Result{Through: none}, false},
		{noStack(), Result{Through: good}, true},
		{noStack(), Result{Through: answer(`{"error":{"stderr":"goroutine 1 [running]:"}}`)}, false},
		{noStack(), Result{Through: answer("Traceback (most recent call last):")}, false},
		{noStray(), Result{Direct: Sight{Late: []time.Duration{1}}}, true},
		{noStray(), Result{Direct: Sight{Late: []time.Duration{1}}, Through: Sight{Late: []time.Duration{1}}}, false},
		{noStray(), Result{}, false}, // nothing came late: nothing was kept away
		{within(2), Result{Through: Sight{Answer: []byte("x"), Took: 1}}, true},
		{within(2), Result{Through: Sight{Answer: []byte("x"), Took: 2}}, false},
		{within(2), Result{Through: Sight{Took: 1}}, false},
		{alive(), Result{Through: Sight{Open: true}}, true},
		{alive(), Result{Direct: Sight{Open: true}}, false},
		{startsAfter(2), Result{Through: Sight{Ready: 2}}, true},
		{startsAfter(2), Result{Through: Sight{Ready: 1}}, false},
		{size(2), Result{Through: Sight{message: message{Result: []byte("{}")}}}, true},
		{size(1), Result{Through: Sight{message: message{Result: []byte("{}")}}}, false},
		{same(), Result{Direct: good, Through: good}, true},
		{same(), Result{Direct: good, Through: answer(`{}`)}, false},
		{same(), Result{}, false},
		{ends("TIMEOUT"), Result{Through: good}, true},
		{ends("CANCELLED"), Result{Through: good}, false},
		{ends(""), Result{Through: good}, false},
		{ends(""), Result{Through: texts("a")}, true},
		{ends(""), Result{Through: none}, false},
		{ends(""), Result{Through: failed}, false},
		{repaired("days"), Result{Through: full}, true},
		{repaired("items"), Result{Through: full}, false},
		{repaired("days"), Result{Through: texts("days")}, false},
		{structured(`{"n":1.0}`), Result{Through: full}, true},
		{structured(`{"n":1}`), Result{Through: full}, false},
		{structured(`{"n":1.0}`), Result{Through: texts(`{"n":1.0}`)}, false},
		{noted("d"), Result{Through: texts("abc", "d")}, true},
		{noted("abc"), Result{Through: texts("abc", "d")}, false},
		{spares("under"), Result{Through: good}, true},
		{spares("over"), Result{Through: good}, false},
		{spares("d"), Result{Through: texts("abc", "d")}, false},
		{spares("days"), Result{Through: full}, false}, // there is no text to read
		{spares("over"), Result{Through: none}, false},
		{data("b"), Result{Through: texts("abc", "d")}, true},
		{data("d"), Result{Through: texts("abc", "d")}, false},
		{data("over"), Result{Through: good}, false},
		{told("It died"), Result{Through: texts("abc", "It died, once.")}, true},
		{told("once"), Result{Through: texts("abc", "It died, once.")}, false},
		{told("abc"), Result{Through: texts("abc", "It died, once.")}, false},
		{told("abc"), Result{Through: texts("abc")}, false},
		{then(is("exit_status", 3)), Result{Direct: Sight{Next: &good}, Through: Sight{Next: &good}}, true},
		{then(is("exit_status", 3)), Result{Direct: good, Through: good}, false},
		{then(is("exit_status", 3)), Result{Through: Sight{Next: &good}}, false},
		{last(ends("TIMEOUT")), Result{Direct: chain(none, none, none), Through: chain(none, none, good)}, true},
		{last(ends("TIMEOUT")), Result{Direct: chain(none, none, none), Through: chain(none, good, none)}, false},
		{last(ends("TIMEOUT")), Result{Direct: chain(none, none), Through: chain(none, none, good)}, false},
		{last(ends("TIMEOUT")), Result{Direct: chain(none, none, none), Through: chain(none, good)}, false},
	} {
		if got := tt.fact.holds(tt.r); got != tt.want {
			t.Errorf("%s: got %t of %s", tt.fact.says, got, tt.r.Through.Answer)
		}
	}
}

// ask returns the line with which a tool is called.
func ask(tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", tool, args)
}

// The bad server writes what its cases promise, and what is wrong with it is
// wrong on the wire.
func TestServe(t *testing.T) {
	t.Chdir(t.TempDir()) // where its processes are counted
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}` + "\n"
	for _, tt := range []struct {
		name, in string
		status   int
		out, err string // substrings
	}{
		{"exit", call, 3, "", "token=" + fakeToken},
		{"exception", call, 0, `"code":-32603`, ""},
		{"hang", call, 0, "", ""},
		{"large", call, 0, `"big":9007199254740993`, ""},
		{"hang", `{"jsonrpc":"2.0","id":"a","method":"tools/list"}` + "\n", 0, `"id":"a","result":{"tools":[{"name":"search_orders"`, ""},
		{"hang", "nonsense\n" + `{"method":"notifications/initialized"}` + "\n" + `{"id":1,"method":"ping"}` + "\n", 0, `"id":1,"result":{}`, ""},
		{"kill", `{"id":1,"method":"tools/call","params":{"name":"get_booking"}}` + "\n", 0, "0 booking of room 12, says process 1", ""},
		{"crash", call, 1, "", "no space left on device"},
		{"strings", ask("reserve_items", `{"items":"[]","days":"3"}`), 0, `"isError":true`, ""},
		{"strings", ask("reserve_items", `{"items":["a"],"days":3}`), 0, `"1 items are reserved for 3 days"}]}`, ""},
		{"dump", ask("rate_item", `{"stars":6}`) + ask("rate_item", `{"stars":5}`), 0, "in call 2 that reached", ""},
		{"disguise", ask("get_exchange_rate", `{}`), 0, `seconds\"}"}]}}`, ""},
		{"disguise", ask("read_page", `{}`), 0, "# Limits", ""},
		{"promise", `{"id":1,"method":"tools/list"}` + "\n", 0, `"outputSchema":{"type":"object"`, ""},
		{"loop", ask("export_sales", `{"format":"csv"}`), 0, `1800"}]}}`, ""},
		{"loop", ask("export_sales", `{"format":"xlsx"}`), 0, `"isError":true`, ""},
		{"nap", call, 2, "", `there is no case "nap"`},
	} {
		var out, stderr strings.Builder
		if got := Serve(tt.name, strings.NewReader(tt.in), &out, &stderr); got != tt.status {
			t.Errorf("%s: exit status %d, want %d", tt.name, got, tt.status)
		}
		if !strings.Contains(out.String(), tt.out) || tt.out == "" && out.Len() > 0 {
			t.Errorf("%s: wrote %q", tt.name, out.String())
		}
		if !strings.Contains(stderr.String(), tt.err) || tt.err == "" && stderr.Len() > 0 {
			t.Errorf("%s: said %q", tt.name, stderr.String())
		}
	}
}
