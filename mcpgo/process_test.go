package mcpgo_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
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
	if err := server.ServeStdio(s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A client of the SDK reads the envelope where a model would, and the session
// goes on after a panic.
func TestClient(t *testing.T) {
	for _, way := range ways {
		for _, era := range eras {
			c, err := client.NewStdioMCPClient(os.Args[0], append(os.Environ(), "RECOURSE_TEST_STAGE="+way))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			hello := mcp.InitializeRequest{}
			hello.Params.ProtocolVersion = era
			hello.Params.ClientInfo = mcp.Implementation{Name: "audience", Version: "2"}
			if _, err := c.Initialize(t.Context(), hello); err != nil {
				t.Fatal(err)
			}
			for tool, code := range map[string]recourse.Code{"panics": recourse.InternalError, "duplicate": recourse.DuplicateEntry} {
				req := mcp.CallToolRequest{}
				req.Params.Name = tool
				res, err := c.CallTool(t.Context(), req)
				if err != nil {
					t.Fatalf("%s, %s, %s: %v", way, era, tool, err)
				}
				text, _ := res.Content[0].(mcp.TextContent)
				var e recourse.Error
				if err := e.UnmarshalJSON([]byte(text.Text)); err != nil || !res.IsError || e.Code != code {
					t.Errorf("%s, %s, %s: %v: %s", way, era, tool, err, text.Text)
				}
			}
		}
	}
}

func TestADeafHandlerDoesNotBlockTheEnd(t *testing.T) {
	for _, way := range ways {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), "RECOURSE_TEST_STAGE="+way)
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
		fmt.Fprintln(in, strings.Replace(message(modern, "deaf", "{}"), `"id":1`, `"id":"deaf"`, 1))
		fmt.Fprintln(in, message(modern, "blank", "{}"))
		lines := bufio.NewScanner(out)
		if !lines.Scan() || !strings.Contains(lines.Text(), `"id":1`) {
			t.Fatalf("%s: the second call was not answered: %s", way, lines.Text())
		}
		in.Close()
		for lines.Scan() {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: the server ended with %v", way, err)
		}
	}
}
