// Package session lets a test talk to an example as its users do: over the
// standard input and output of a process, through an SDK's client.
package session

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recourse-dev/recourse"
)

const asServer = "RECOURSE_EXAMPLE_SERVES"

// Main runs the tests, or in a process that [Command] made, serve. It is for
// TestMain.
func Main(m *testing.M, serve func()) {
	if os.Getenv(asServer) == "" {
		os.Exit(m.Run())
	}
	serve()
}

// Command is the example as a command of its own: the test's binary, told to
// serve.
func Command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), asServer+"=1")
	return cmd
}

// A Session is a client's connection to an example.
type Session struct {
	client *mcp.ClientSession
	stderr bytes.Buffer
	calls  int
}

// Start starts cmd and connects to it.
func Start(t *testing.T, cmd *exec.Cmd) *Session {
	t.Helper()
	s := &Session{}
	cmd.Stderr = &s.stderr
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	var err error
	if s.client, err = c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil); err != nil {
		t.Fatalf("connect: %v\n%s", err, &s.stderr)
	}
	t.Cleanup(func() { _ = s.client.Close() }) // again, if Close was called
	return s
}

// An Answer is what a client gets to see of a call.
type Answer struct {
	Text         string // the first block
	Error        *recourse.Error
	Warnings     []string
	Completeness string
	structured   []byte
}

// Call calls a tool and reads its answer. An error that is no envelope fails the
// test.
func (s *Session) Call(t *testing.T, tool string, args any) Answer {
	t.Helper()
	s.calls++
	r, err := s.client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if len(r.Content) == 0 {
		t.Fatalf("%s: an answer without content", tool)
	}
	var a Answer
	if text, ok := r.Content[0].(*mcp.TextContent); ok {
		a.Text = text.Text
	}
	if r.IsError {
		a.Error = new(recourse.Error)
		if err := json.Unmarshal([]byte(a.Text), a.Error); err != nil {
			t.Fatalf("%s: %v in %s", tool, err, a.Text)
		}
		return a
	}
	if a.structured, err = json.Marshal(r.StructuredContent); err != nil {
		t.Fatal(err)
	}
	a.Decode(t, &struct {
		Warnings     *[]string `json:"_warnings"`
		Completeness *string   `json:"_completeness"`
	}{&a.Warnings, &a.Completeness})
	return a
}

// Decode reads the answer's structured content into v.
func (a Answer) Decode(t *testing.T, v any) {
	t.Helper()
	if a.Error != nil {
		t.Fatalf("no data but an error: %s", a.Text)
	}
	if err := json.Unmarshal(a.structured, v); err != nil {
		t.Fatalf("%v in %s", err, a.structured)
	}
}

// Close ends the session and returns what the server logged: a record for each
// call.
func (s *Session) Close(t *testing.T) []recourse.Record {
	t.Helper()
	if err := s.client.Close(); err != nil {
		t.Errorf("the server did not end well: %v\n%s", err, &s.stderr)
	}
	var log []recourse.Record
	for line := range strings.Lines(s.stderr.String()) {
		var r recourse.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Errorf("%v in the log's line %s", err, line)
		}
		log = append(log, r)
	}
	if len(log) != s.calls {
		t.Errorf("%d records of %d calls:\n%s", len(log), s.calls, &s.stderr)
	}
	return log
}
