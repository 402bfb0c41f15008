package calllog

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/internal/redact"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 11, 30, 12, 4, 11, 382113999, time.UTC)

// full has every field that a call can have.
func full() *Record {
	return &Record{
		Time: noon, ID: "01KB9W2V3N0000000000000000",
		Server: "crm", Tool: "search_contacts", Method: "tools/call", Client: "claude-code/2.4.1", Session: "c-4711-3",
		Protocol: "2025-11-25", Transport: "stdio", RequestID: "17", Mode: "observe",
		Args:     []byte(`{"query":"acme","limit":"20","headers":{"authorization":"S3CRET"}}`),
		ArgsSent: []byte(`{"query":"acme","limit":20,"headers":{"authorization":"S3CRET"}}`),
		Outcome:  "failed", Fault: "upstream", Code: "TIMEOUT", RPCCode: -32603, Would: "answered TIMEOUT",
		Message: "No answer in 50s.", Cause: "dial http://u:S3CRET@127.0.0.1:1/: refused",
		Micros: 31204113, Attempts: []Attempt{{Micros: 30000121, Code: "TIMEOUT"}, {Micros: 1003700, Via: "cache"}},
		Warnings: []string{"7 minutes old"}, Breakers: []string{"crm closed→open"}, ResultBytes: 5123, Blank: true,
	}
}

func TestLines(t *testing.T) {
	short := func() *Record {
		return &Record{Time: noon, ID: "1", Tool: "x", Args: []byte(`{"token":"S3CRET"}`), Outcome: "ok", Fault: "none"}
	}
	args := func(s string) *Record { r := short(); r.Args = []byte(s); return r }
	want, err := os.ReadFile("testdata/lines.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(want), "\n")
	for i, c := range []struct {
		args Args
		r    *Record
	}{
		{"", full()},
		{Redacted, short()},
		{Full, short()},
		{Shape, full()},
		{None, full()},
		{"", &Record{Type: "drop", Time: noon, ID: "1", Count: 3}},
		{"", &Record{Time: noon, ID: "1"}},
		{"", args("{\"a\":\r\n [1, 2.50]}")},
		{Full, args("{\"a\":\r\n [1, 2.50], \"b\":\"\xff\"}")},
		{Full, args(`{"a":`)},
		{"", args(`{"token":"S3CRET`)},
		{Shape, args(`{"q":"äöü","n":1,"f":1.5,"t":true,"z":null,"o":{},"l":[],"ids":[1,2,3],"rows":[{"id":"7"}],"ghp_abcdefghijklmnop":1}`)},
		{Shape, args(`{`)},
		{"", args(`{"text":"` + strings.Repeat("x", 70_000) + `","api_key":"S3CRET"}`)},
		{Full, args(`[` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + strings.Repeat(" ", 70_000) + `]`)},
	} {
		e := encoder{args: c.args, host: "mac1", pid: 4711}
		got := string(e.encode(nil, c.r, noon))
		if i >= len(lines) || got != lines[i] {
			t.Errorf("line %d is\n%s", i+1, got)
		}
	}
}

// A message is searched for secrets before it is cut, or the half of one that
// is left would not be found.
func TestLongMessage(t *testing.T) {
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	r := &Record{Message: strings.Repeat("x", longestText-9) + " " + secret + "\xe2" + strings.Repeat("ä", 9000)}
	line := (&encoder{}).encode(nil, r, noon)
	if bytes.Contains(line, []byte("ghp_")) || len(line) > longestText+200 || !json.Valid(line) {
		t.Errorf("got %d bytes: …%s", len(line), line[longestText:])
	}
}

// A shape stays small whatever the arguments are.
func TestHugeShape(t *testing.T) {
	wide := strings.Builder{}
	for range 20_000 {
		wide.WriteString(`"` + strings.Repeat("k", 10) + `":{"a":[1]},`)
	}
	deep := strings.Repeat(`{"k":[`, 4000) + strings.Repeat(`]}`, 4000)
	for name, args := range map[string]string{
		"wide": `{` + wide.String() + `"z":1}`, "deep": deep, "key": `{"` + strings.Repeat("k", 100_000) + `":1}`,
	} {
		got := appendShape(nil, []byte(args), nil)
		if !json.Valid(got) || len(got) > 3*longestShape {
			t.Errorf("%s: %d bytes, %.60s", name, len(got), got)
		}
	}
}

// Any record is one valid line and comes back with the same fields.
func TestAnyRecord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.Rune(), 0, 3, -1),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 12), func(b []byte) string { return string(b) }))
		value := rapid.OneOf(
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) []byte { return b }),
			rapid.Map(rapid.MapOf(rapid.String(), text), func(m map[string]string) []byte { b, _ := json.MarshalIndent(m, "", " \r"); return b }))
		r := Record{
			Time: time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "time")).UTC(), ID: "x" + text.Draw(t, "id"),
			Tool: text.Draw(t, "tool"), RequestID: text.Draw(t, "request"), Message: text.Draw(t, "message"),
			Args: value.Draw(t, "args"), ArgsSent: value.Draw(t, "sent"), Micros: rapid.Int64().Draw(t, "dur"),
			RPCCode: rapid.IntRange(-40000, 40000).Draw(t, "rpc"), Warnings: rapid.SliceOfN(text, 0, 3).Draw(t, "warnings"),
			Attempts: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Attempt {
				return Attempt{Micros: rapid.Int64().Draw(t, "dur"), Code: text.Draw(t, "code")}
			}), 0, 3).Draw(t, "attempts"),
			Blank: rapid.Bool().Draw(t, "blank"),
		}
		e := encoder{args: rapid.SampledFrom([]Args{"", Redacted, Full, Shape, None}).Draw(t, "mode")}
		line := e.encode(nil, &r, noon)
		if !utf8.Valid(line) || bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
			t.Fatalf("not one line of UTF-8: %q", line)
		}
		var back Record
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		same := back.Time.Equal(r.Time) && back.Micros == r.Micros && back.RPCCode == r.RPCCode && back.Blank == r.Blank &&
			len(back.Warnings) == len(r.Warnings) && slices.EqualFunc(back.Attempts, r.Attempts, func(a, b Attempt) bool {
			return a.Micros == b.Micros && a.Code == readable(b.Code)
		})
		for got, sent := range map[*string]string{&back.ID: r.ID, &back.Tool: r.Tool, &back.RequestID: r.RequestID, &back.Message: r.Message} {
			same = same && *got == readable(sent)
		}
		if e.args == Full && json.Valid(r.Args) && utf8.Valid(r.Args) {
			same = same && compact(back.Args) == compact(r.Args)
		}
		if !same {
			t.Fatalf("got  %+v\nfrom %+v\nline %s", back, r, line)
		}
	})
}

// readable is what a reader of the log finds of s: no secrets, and U+FFFD for
// what is no UTF-8.
func readable(s string) string { return new(redact.Redactor).Text(string([]rune(s))) }

func compact(raw []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return err.Error()
	}
	return b.String()
}
