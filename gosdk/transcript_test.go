package gosdk_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
)

var update = flag.Bool("update", false, "write what the server says into testdata")

// An ask is one tools/call of a transcript.
type ask struct{ prose, tool, arguments string }

var asks = []ask{
	{"A good call.", "forecast", `{"city":"Oslo","days":2}`},
	{"Several faults in the arguments.", "forecast", `{"ctiy":"Oslo","days":"many"}`},
	{"One that the schema lets through and the Go type does not.", "forecast", `{"city":"Oslo","when":"tomorrow"}`},
	{"A number that the schema lets through and the Go type does not.", "forecast", `{"city":"Oslo","days":1e30}`},
	{"A whole number in another form.", "forecast", `{"city":"Oslo","days":2.0}`},
	{"An answer with a warning.", "old_forecast", `{"city":"Oslo"}`},
	{"A text with a warning.", "old_text", `{}`},
	{"An error, with what the handler said besides.", "duplicate", `{}`},
	{"An error that nobody has put into words.", "leak", `{}`},
	{"A panic.", "panics", `{}`},
	{"A nil result.", "nothing", `{}`},
	{"A blank text.", "blank", `{}`},
	{"An empty list is data.", "empty_list", `{}`},
	{"A handler's own error result.", "own_error", `{}`},
	{"One of blank texts and data.", "own_data", `{}`},
	{"A result that JSON can't hold.", "unwritable", `{}`},
	{"An error of the protocol.", "wire_error", `{}`},
	{"No such tool.", "forcast", `{}`},
	{"A handler that does not come back in time.", "deaf", `{}`},
}

// TestTranscripts holds what goes over the wire, byte for byte.
func TestTranscripts(t *testing.T) {
	for _, era := range eras {
		for _, way := range ways {
			name := filepath.Join("testdata", way+"-"+era+".txt")
			t.Run(way+"/"+era, func(t *testing.T) {
				var got string
				synctest.Test(t, func(t *testing.T) { got = transcript(t, way, era) })
				stamped(t, era, got)
				if *update {
					if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, strings.Split(string(want), "\n"), strings.Split(got, "\n"))
			})
		}
	}
}

func compare(t *testing.T, want, got []string) {
	t.Helper()
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			t.Fatalf("line %d differs:\nwant %s\ngot  %s", i+1, want[i], got[i])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
}

// transcript returns what a raw client and the stage say to each other.
func transcript(t *testing.T, way, era string) string {
	t.Helper()
	deaf := make(chan struct{})
	defer close(deaf)
	return converse(t, stage(new(recourse.Guard), way, deaf), era, asks)
}

// converse returns what a raw client and a server say to each other.
func converse(t *testing.T, s *mcp.Server, era string, asks []ask) string {
	t.Helper()
	requests, asked := io.Pipe()
	answers, answered := io.Pipe()
	session, err := s.Connect(context.Background(), &mcp.IOTransport{Reader: requests, Writer: answered}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Wait()
	defer asked.Close()

	lines := bufio.NewScanner(answers)
	var text strings.Builder
	say := func(line string) {
		fmt.Fprintf(&text, "> %s\n", line)
		fmt.Fprintln(asked, line)
	}
	hear := func() {
		if !lines.Scan() {
			t.Fatalf("the server is gone: %v\n%s", lines.Err(), text.String())
		}
		fmt.Fprintf(&text, "< %s\n\n", lines.Text())
	}
	meta := ""
	if era == legacy {
		say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + era + `","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
		hear()
		say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	} else {
		meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + era + `","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"}}`
	}
	for i, a := range asks {
		fmt.Fprintf(&text, "# %s\n", a.prose)
		say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, i+1, a.tool, a.arguments, meta))
		hear()
	}
	return text.String()
}

// stamped checks that the stamp of the 2026-07-28 era is on every result, and on
// none before it.
func stamped(t *testing.T, era, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line, ok := strings.CutPrefix(line, "< ")
		if !ok {
			continue
		}
		var answer struct{ Result map[string]any }
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		stamp, ok := answer.Result["resultType"]
		if era == legacy && ok || era == modern && answer.Result != nil && stamp != "complete" {
			t.Errorf("resultType is %v: %s", stamp, line)
		}
	}
}
