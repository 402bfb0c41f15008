//go:build faults

package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/recourse-dev/recourse/bench/fault/table"
)

// A verdict is what is wrong with what a client has got.
type verdict struct {
	fault []string // with what came of the fault
	next  []string // with what came after it
	late  []string // with when it came, and with nothing else
}

func (v verdict) all() []string { return slices.Concat(v.fault, v.next, v.late) }

func judge(row table.Row, h heard) (v verdict) {
	v.fault = h.wrong
	if row.Hello != nil && row.Hello.Is != "" {
		v.judge(row, *row.Hello, table.Ask{Method: "initialize"}, h.Hello)
		return v
	}
	if h.Hello.Result == nil {
		v.fault = append(v.fault, "initialize got "+h.Hello.String())
		v.next = []string{"there is no session"}
		return v
	}
	v.judge(row, table.Want{Within: start}, table.Ask{Method: "initialize"}, h.Hello)
	v.judge(row, table.Want{
		Like:   json.RawMessage(`{"tools":[{"name":"echo"},{"name":"act"},{"name":"look"},{"name":"logs"}]}`),
		Within: start,
	}, table.Ask{Method: "tools/list"}, h.List)
	if row.On == "echoed" && !good(h.Before, "before") {
		v.fault = append(v.fault, "before: "+h.Before.String())
	}
	if row.Client == nil {
		for i, a := range row.All() {
			if len(h.Asks) <= i {
				v.fault = append(v.fault, a.Name()+" was not asked")
				continue
			}
			v.judge(row, row.Wanted(a), a, h.Asks[i])
		}
	}
	if !good(h.Next, "next") {
		v.next = append(v.next, "the next call got "+h.Next.String())
	} else if most := within(row, row.Next); h.Next.Ms > most {
		v.late = append(v.late, fmt.Sprintf("the next call was answered after %.0f ms, not %.0f", h.Next.Ms, most))
	}
	return v
}

// start is within what time a server that has to be started, perhaps twice, is
// ready.
const start = "2500ms"

// within is so many milliseconds.
func within(row table.Row, text string) float64 {
	switch d, err := time.ParseDuration(text); {
	case text == "limit", text == "" && row.Large:
		return float64((limitOf(row) + 2*time.Second).Milliseconds())
	case text != "" && err == nil:
		return float64(d.Milliseconds())
	}
	return 1500
}

// good reports whether an echo has been answered with its text.
func good(o outcome, text string) bool {
	r := o.tool()
	return r != nil && !r.failed() && len(r.Content) > 0 && r.Content[0].Text == text
}

// A result is that of a tool, as a client has to read it.
type result struct {
	Content []struct {
		Type string
		Text string
	}
	IsError any
	Meta    struct {
		Error    map[string]any `json:"dev.recourse/error"`
		Warnings []string       `json:"dev.recourse/warnings"`
	} `json:"_meta"`
}

// tool returns the result of a tool; nil if it is none.
func (o outcome) tool() *result {
	var r result
	if o.Result == nil || json.Unmarshal(o.Result, &r) != nil {
		return nil
	}
	return &r
}

// pause is how long a client that has failed is asked to wait.
func (o outcome) pause() time.Duration {
	if r := o.tool(); r != nil {
		seconds, _ := r.Meta.Error["retry_after_seconds"].(float64)
		return time.Duration(min(seconds, 10) * float64(time.Second))
	}
	return 0
}

func (r *result) failed() bool { return r.IsError == true }

func (r *result) texts() (all []string) {
	for _, block := range r.Content {
		all = append(all, block.Text)
	}
	return all
}

// A judgement collects what is wrong with one answer.
type judgement struct {
	want  table.Want
	ask   table.Ask
	got   outcome
	wrong []string
}

func (v *verdict) judge(row table.Row, want table.Want, a table.Ask, o outcome) {
	j := judgement{want: want, ask: a, got: o}
	switch isTool := a.Method == ""; {
	case !o.answered():
		j.complainf("no answer")
	case isTool && o.Error != nil:
		j.complainf("a tool's failure is told in its result")
	case isTool:
		j.tool()
	default:
		j.method()
	}
	for _, text := range j.wrong {
		v.fault = append(v.fault, a.Name()+": "+text)
	}
	if len(j.wrong) > 0 {
		v.fault = append(v.fault, "it got "+o.String())
	} else if most := within(row, want.Within); o.Ms > most {
		v.late = append(v.late, fmt.Sprintf("%s was answered after %.0f ms, not %.0f", a.Name(), o.Ms, most))
	}
}

func (j *judgement) complainf(format string, args ...any) {
	j.wrong = append(j.wrong, fmt.Sprintf(format, args...))
}

// tool judges the result of a tool.
func (j *judgement) tool() {
	r := j.got.tool()
	if r == nil {
		j.complainf("a result that no client can read")
		return
	}
	j.blocks(r)
	if j.want.Most > 0 && len(j.got.Result) > j.want.Most {
		j.complainf("%d bytes", len(j.got.Result))
	}
	if j.want.Warned && len(r.Meta.Warnings) == 0 {
		j.complainf("no warning")
	}
	for _, part := range j.want.Lacks {
		if strings.Contains(string(j.got.Result), part) {
			j.complainf("it has %q", part)
		}
	}
	j.members(j.got.Result)
	switch j.want.Is {
	case "", "data":
		if r.failed() {
			j.complainf("a failure")
			return
		}
		j.text(r)
	case "failure":
		if !r.failed() {
			j.complainf("no failure")
			return
		}
		j.text(r)
	case "error":
		if !r.failed() {
			j.complainf("no failure")
			return
		}
		if len(r.Content) > 0 {
			j.envelope(r.Content[0].Text, r.Meta.Error)
		}
	case "any":
		if r.Meta.Error != nil && len(r.Content) > 0 {
			j.envelope(r.Content[0].Text, r.Meta.Error)
		}
	}
}

// blocks wants content that every client and every model takes.
func (j *judgement) blocks(r *result) {
	if _, ok := r.IsError.(bool); !ok && r.IsError != nil {
		j.complainf("isError is %v", r.IsError)
	}
	if len(r.Content) == 0 {
		j.complainf("no content")
	}
	for _, block := range r.Content {
		switch block.Type {
		case "text":
			if !visible(block.Text) {
				j.complainf("a blank text")
			}
		case "image", "audio", "resource", "resource_link":
		default:
			j.complainf("a block of type %q", block.Type)
		}
	}
}

func visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

func (j *judgement) text(r *result) {
	texts := r.texts()
	first := ""
	if len(texts) > 0 {
		first = texts[0]
	}
	all := strings.Join(texts, "\n")
	w := j.want
	plain := w.Text == nil && w.Texts == nil && w.Size == 0 && w.Contains == nil && w.Like == nil && w.Exact == nil
	switch {
	case plain && first != table.Done && w.Is != "failure":
		j.complainf("another text than %q", table.Done)
	case w.Text != nil && first != string(table.Text{}.Expand(*w.Text)):
		j.complainf("another text than %q", short(*w.Text))
	case w.Texts != nil && !slices.Equal(texts, w.Texts):
		j.complainf("other texts than %q", w.Texts)
	case w.Size > 0 && len(first) != w.Size:
		j.complainf("a text of %d bytes, not %d", len(first), w.Size)
	}
	for _, part := range w.Contains {
		if !strings.Contains(all, part) {
			j.complainf("nothing of %q", part)
		}
	}
}

// members compares what is not told apart by kind.
func (j *judgement) members(got json.RawMessage) {
	if j.want.Like != nil && !contains(decode(table.Text{}.Expand(string(j.want.Like))), decode(got)) {
		j.complainf("not like %s", short(string(j.want.Like)))
	}
	if want := (table.Text{}).Expand(string(j.want.Exact)); j.got.bytes && len(want) > 0 && !bytes.Equal(want, got) {
		j.complainf("not exactly %s", short(string(want)))
	}
}

// method judges what is no tool's.
func (j *judgement) method() {
	e := j.got.Error
	switch {
	case (j.want.Is == "" || j.want.Is == "data") && e != nil:
		j.complainf("an error")
	case j.want.Is == "error" && e == nil:
		j.complainf("no error")
	case j.want.Is == "failure" && e == nil:
		j.complainf("no error")
	case e == nil:
		j.members(j.got.Result)
	default:
		if j.want.RPC != 0 && e.Code != j.want.RPC {
			j.complainf("the number %d, not %d", e.Code, j.want.RPC)
		}
		if j.want.Is == "error" {
			j.envelope(string(e.Data), nil)
		}
		b, _ := json.Marshal(e) // plain data
		j.members(b)
		for _, part := range j.want.Contains {
			if j.want.Is == "failure" && !strings.Contains(e.Message, part) {
				j.complainf("nothing of %q", part)
			}
		}
	}
}

// envelope judges an error of recourse.
func (j *judgement) envelope(text string, meta map[string]any) {
	var e struct{ Error map[string]any }
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		j.complainf("no envelope: %v", err)
		return
	}
	member := func(name string) string { s, _ := e.Error[name].(string); return s }
	switch {
	case meta != nil && !reflect.DeepEqual(meta, e.Error):
		j.complainf("another error in _meta")
	case j.ask.Method == "" && meta == nil:
		j.complainf("no error in _meta")
	}
	for _, name := range []string{"code", "message", "suggestion"} {
		if member(name) == "" {
			j.complainf("no %s", name)
		}
	}
	if codes := strings.Split(j.want.Code, "|"); j.want.Code != "" && !slices.Contains(codes, member("code")) {
		j.complainf("the code %s, not %s", member("code"), j.want.Code)
	}
	retryable, ok := e.Error["retryable"].(bool)
	// act may write, and nothing in the table is refused before it has run.
	if _, said := j.want.Has["retryable"]; !ok || retryable && !said && j.ask.Name() == "act" {
		j.complainf("retryable is %v", e.Error["retryable"])
	}
	for name, value := range j.want.Has {
		if got := e.Error[name]; !reflect.DeepEqual(got, value) {
			j.complainf("%s is %v, not %v", name, got, value)
		}
	}
	for _, part := range j.want.Contains {
		if !strings.Contains(text, part) {
			j.complainf("nothing of %q", part)
		}
	}
}

func TestJudgeSeesWhatIsWrong(t *testing.T) {
	const envelope = `{\"error\":{\"code\":\"TIMEOUT\",\"message\":\"m\",\"suggestion\":\"s\",\"retryable\":false}}`
	const meta = `{"dev.recourse/error":{"code":"TIMEOUT","message":"m","suggestion":"s","retryable":false}}`
	fail := table.Want{Is: "error", Code: "TIMEOUT", Has: map[string]any{"retryable": false}}
	for _, test := range []struct {
		want  table.Want
		got   string
		wrong bool
	}{
		{table.Want{}, `{"content":[{"type":"text","text":"done"}]}`, false},
		{table.Want{}, `{"content":[{"type":"text","text":"other"}]}`, true},
		{table.Want{}, `{"content":[{"type":"text","text":"done"}],"isError":true}`, true},
		{table.Want{}, `{"content":[{"type":"text","text":"done"}],"isError":"false"}`, true},
		{table.Want{}, `{"content":[{"type":"text","text":"done"},{"type":"text","text":" "}]}`, true},
		{table.Want{}, `{"content":[{"type":"text","text":"done"},{"type":"card"}]}`, true},
		{table.Want{}, `{"content":[]}`, true},
		{table.Want{}, `{"content":"done"}`, true},
		{table.Want{Warned: true}, `{"content":[{"type":"text","text":"done"}]}`, true},
		{fail, `{"content":[{"type":"text","text":"` + envelope + `"}],"isError":true,"_meta":` + meta + `}`, false},
		{fail, `{"content":[{"type":"text","text":"` + envelope + `"}],"isError":true}`, true},
		{fail, `{"content":[{"type":"text","text":"` + envelope + `"}],"_meta":` + meta + `}`, true},
		{table.Want{Is: "error", Code: "NOT_FOUND"}, `{"content":[{"type":"text","text":"` + envelope + `"}],"isError":true,"_meta":` + meta + `}`, true},
	} {
		var v verdict
		v.judge(table.Row{}, test.want, table.Ask{}, outcome{Result: json.RawMessage(test.got)})
		if (len(v.all()) > 0) != test.wrong {
			t.Errorf("%s: %q", test.got, v.all())
		}
	}
}
