// Command go drives an MCP server through a list of exercises with the Go SDK
// and prints one line of JSON for each.
//
//	go ERA EXERCISES COMMAND [ARG…]
//
// ERA is auto (newest revision both sides speak) or legacy (2025-11-25).
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An exercise is one thing to do; the other clients read the same file.
type exercise struct {
	Name      string          `json:"exercise"`
	Do        string          `json:"do"`
	Tool      string          `json:"tool"`
	Prompt    string          `json:"prompt"`
	URI       string          `json:"uri"`
	Method    string          `json:"method"`
	Level     string          `json:"level"`
	Argument  string          `json:"argument"`
	Value     string          `json:"value"`
	Arguments json.RawMessage `json:"arguments"`
	Progress  int             `json:"progress"` // notifications to wait for
	Logs      int             `json:"logs"`     // notifications to wait for
	Count     int             `json:"count"`    // calls at once
	Then      *exercise       `json:"then"`
}

// A line is what is printed; one of the last three is set.
type line struct {
	Exercise    string `json:"exercise"`
	Result      any    `json:"result,omitempty"`
	Error       any    `json:"error,omitempty"`
	Unsupported bool   `json:"unsupported,omitempty"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 4 {
		log.Fatal("usage: go auto|legacy EXERCISES COMMAND [ARG…]")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := run(ctx, os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, era, file string, command []string) error {
	var exercises []exercise
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &exercises); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	d := newDriver()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	opts := &mcp.ClientSessionOptions{}
	if era == "legacy" {
		opts.ProtocolVersion = "2025-11-25"
	}
	d.session, err = d.client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, opts)
	if err != nil {
		return err
	}
	defer d.session.Close() // fails when the server must be ended by a signal
	for _, e := range exercises {
		if err := printLine(d.try(ctx, e)); err != nil {
			return err
		}
	}
	return nil
}

// printLine prints l with its keys sorted and its numbers as they are.
func printLine(l line) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s\n", b)
	return err
}

// try does e and turns a failure into a line.
func (d *driver) try(ctx context.Context, e exercise) line {
	l := line{Exercise: e.Name}
	if !d.offered(ctx, e) {
		l.Unsupported = true
		return l
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	result, err := d.do(ctx, e)
	if err != nil {
		l.Error = wireError(err)
		return l
	}
	l.Result = cmp.Or(result, any(struct{}{}))
	return l
}
