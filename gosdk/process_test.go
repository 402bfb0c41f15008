package gosdk_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
)

// TestMain makes the test's own executable a server on standard input and
// output, if it is started as one.
func TestMain(m *testing.M) {
	way := os.Getenv("RECOURSE_TEST_STAGE")
	if way == "" {
		os.Exit(m.Run())
	}
	s := stage(&recourse.Guard{Log: recourse.LogTo(os.Stderr)}, way, make(chan struct{}))
	if err := s.Run(context.Background(), new(mcp.StdioTransport)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func process(t *testing.T, way string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), "RECOURSE_TEST_STAGE="+way)
	return cmd
}

func TestAPanicDoesNotEndTheProcess(t *testing.T) {
	for _, way := range ways {
		for _, era := range eras {
			cmd := process(t, way)
			var log strings.Builder
			cmd.Stderr = &log
			client := mcp.NewClient(&mcp.Implementation{Name: "audience", Version: "2"}, nil)
			session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: era})
			if err != nil {
				t.Fatal(err)
			}
			if e := failure(t, call(t, session, "panics", `{}`)); e.Code != recourse.InternalError {
				t.Errorf("%s", e.Envelope())
			}
			call(t, session, "forecast", `{"city":"Oslo"}`)
			session.Close()
			if n := strings.Count(log.String(), "\n"); n != 2 {
				t.Errorf("%s, %s: %d lines logged, want one for each call:\n%s", way, era, n, log.String())
			}
		}
	}
}

// A handler that ignores its context keeps go-sdk's own server alive when its
// input has ended.
func TestADeafHandlerDoesNotBlockTheEnd(t *testing.T) {
	for _, way := range ways {
		cmd := process(t, way)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
		fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deaf","arguments":{},`+meta+`}}`)
		fmt.Fprintln(in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"blank","arguments":{},`+meta+`}}`)
		lines := bufio.NewScanner(out)
		if !lines.Scan() || !strings.Contains(lines.Text(), `"id":2`) {
			t.Fatalf("%s: the second call was not answered: %s", way, lines.Text())
		}
		began := time.Now()
		in.Close()
		for lines.Scan() {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: the server ended after %v with %v", way, time.Since(began), err)
		}
	}
}
