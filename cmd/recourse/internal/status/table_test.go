package status

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/relay"
)

// now is 12 s before the next try of the example.
var now = time.Date(2026, 11, 30, 12, 0, 18, 0, time.UTC)

func processes() []Process {
	waiting := example()
	waiting.PID = 4711
	silent := Process{PID: 4800, Problem: "no answer within 1s: process 4800 is too busy or stopped (kill -CONT 4800 lets it go on)"}
	silent.Server, silent.State = "files", Unresponsive
	well := Process{PID: 4900, Uptime: 59, Mode: "guard"}
	well.Status = relay.Status{Server: "@modelcontextprotocol/server-everything", State: "ready", PID: 4901, Client: "probe/1.2"}
	return []Process{waiting, silent, well}
}

func TestTable(t *testing.T) {
	for width, want := range map[int]string{
		0: `
SERVER                                   STATE         PID   UP     CALLS  FAILED  RUNNING  RESTARTS  SERVER PID  CLIENT
crm                                      waiting       4711  2h59m  124    5       1        3         4712        probe/1.2
  waiting for 1m18s, next try in 12s, only observes
  last error: signal: killed
  log: /logs/*/*-4711-*.jsonl
files                                    unresponsive  4800
  no answer within 1s: process 4800 is too busy or stopped (kill -CONT 4800 lets it go on)
@modelcontextprotocol/server-everything  ready         4900  59s    0      0       0        0         4901        probe/1.2
`,
		80: `
SERVER                    STATE         PID   UP     CALLS  FAILED  RUNNING
crm                       waiting       4711  2h59m  124    5       1
  restarts 3, server pid 4712, client probe/1.2, waiting for 1m18s,
  next try in 12s, only observes
  last error: signal: killed
  log: /logs/*/*-4711-*.jsonl
files                     unresponsive  4800
  no answer within 1s: process 4800 is too busy or stopped (kill -CONT 4800 lets
  it go on)
@modelcontextprotocol/s…  ready         4900  59s    0      0       0
  restarts 0, server pid 4901, client probe/1.2
`,
		40: `
SERVER                STATE         PID
crm                   waiting       4711
  up 2h59m, calls 124, failed 5,
  running 1, restarts 3,
  server pid 4712, client probe/1.2,
  waiting for 1m18s, next try in 12s,
  only observes
  last error: signal: killed
  log: /logs/*/*-4711-*.jsonl
files                 unresponsive  4800
  no answer within 1s: process 4800 is
  too busy or stopped (kill -CONT 4800
  lets it go on)
@modelcontextprotoc…  ready         4900
  up 59s, calls 0, failed 0, running 0,
  restarts 0, server pid 4901,
  client probe/1.2
`,
	} {
		var out strings.Builder
		if err := (Table{Now: now, Width: width}).Write(&out, processes()); err != nil {
			t.Fatal(err)
		}
		if got := "\n" + out.String(); got != want {
			t.Errorf("at %d: got\n%s", width, got)
		}
	}
}

// What clients and servers call themselves moves no cursor and hides nothing.
func TestTableIsInert(t *testing.T) {
	for _, word := range []string{"\x1b[2J\x1b]0;title\a", "a\nready\nb", "a\tb\rc", "\u202egnp.exe", "\x9b31m", "bad\xff\xfe", ""} {
		p := example()
		p.Server, p.State, p.Client, p.Reason, p.Log = word, word, word, word, word
		silent := Process{Problem: word + "x"}
		silent.Server, silent.State = word, word
		for _, width := range []int{0, 40, 80, 200} {
			var out strings.Builder
			if err := (Table{Now: now, Width: width}).Write(&out, []Process{p, silent}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				line = strings.TrimSuffix(line, "\n")
				if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 || !utf8.ValidString(line) {
					t.Errorf("%q at %d: %q", word, width, line)
				}
			}
		}
	}
}

// No line is longer than it may be, whatever the numbers and names.
func FuzzTable(f *testing.F) {
	f.Add("crm", "signal: killed", int64(59), 124, 80)
	f.Add(strings.Repeat("ü", 90), strings.Repeat("word ", 90), int64(-1), -1<<60, 40)
	f.Fuzz(func(t *testing.T, name, reason string, up int64, count, width int) {
		if width < 40 || width > 500 {
			return
		}
		p := example()
		p.Server, p.Client, p.Reason, p.Uptime, p.Calls, p.Failed, p.Log = name, name, reason, up, count, count, name
		var out strings.Builder
		if err := (Table{Now: now, Width: width}).Write(&out, []Process{p}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if utf8.RuneCountInString(line)-1 > width {
				t.Errorf("%d: %q", width, line)
			}
		}
	})
}

func TestColor(t *testing.T) {
	var out strings.Builder
	all := processes()
	if err := (Table{Now: now, Width: 80, Color: true}).Write(&out, all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[33mwaiting\x1b[0m", "\x1b[31munresponsive\x1b[0m", "\x1b[32mready\x1b[0m"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %q", want, out.String())
		}
	}
}

// A process of which all is known, and one of which nothing is.
func TestJSON(t *testing.T) {
	all := processes()
	got, err := json.Marshal(all[:2])
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"server":"crm","state":"waiting","since":"2026-11-30T11:59:00Z","server_pid":4712,"restarts":3,` +
		`"last_error":"signal: killed","next_try":"2026-11-30T12:00:30Z","client":"probe/1.2","calls":124,"failed":5,"in_flight":1,` +
		`"pid":4711,"started":"2026-11-30T09:00:30Z","uptime_seconds":10770,"mode":"observe",` +
		`"command":"crm-server --token [redacted]","log":"/logs/*/*-4711-*.jsonl","version":"recourse v0.1.0"},` +
		`{"server":"files","state":"unresponsive","pid":4800,"problem":"no answer within 1s: process 4800 is too busy or stopped (kill -CONT 4800 lets it go on)"}]`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 0: "0s", 499 * time.Millisecond: "0s", 59*time.Second + 499*time.Millisecond: "59s",
		time.Minute: "1m0s", time.Hour - time.Second: "59m59s", time.Hour: "1h0m", 47*time.Hour + 59*time.Minute: "47h59m",
		48 * time.Hour: "2d0h", 1000 * time.Hour: "41d16h",
	} {
		if got := span(d); got != want {
			t.Errorf("%s: got %s, want %s", d, got, want)
		}
	}
}
