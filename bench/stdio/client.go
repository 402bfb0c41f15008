//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// patience is how long the client waits for one line.
const patience = 20 * time.Second

const (
	helloRequest = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}` + "\n"
	helloDone    = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	listRequest  = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
)

// A client is the near end of a connection to a server, perhaps through a
// proxy. It writes raw lines and reads as little of the answers as it must.
type client struct {
	cmd  *exec.Cmd // the process that it talks to
	in   io.WriteCloser
	out  *bufio.Reader
	raw  io.Closer
	next int // of the ids
}

// dial starts a command and returns when it has answered initialize, with the
// time that this took.
func dial(argv []string, stderr *os.File) (*client, time.Duration, error) {
	start := time.Now()
	c := &client{cmd: exec.Command(argv[0], argv[1:]...), next: 64}
	c.cmd.Stderr = stderr
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, 0, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	c.in, c.out, c.raw = in, lines(out), out
	if err := c.cmd.Start(); err != nil {
		return nil, 0, err
	}
	_, err = c.ask(helloRequest, "1")
	took := time.Since(start)
	if err == nil {
		_, err = io.WriteString(c.in, helloDone)
	}
	if err != nil {
		c.close()
		return nil, 0, fmt.Errorf("initialize: %w", err)
	}
	return c, took, nil
}

// list asks for the tools and fails if echo is not among them.
func (c *client) list() error {
	line, err := c.ask(listRequest, "2")
	if err != nil {
		return fmt.Errorf("tools/list: %w", err)
	}
	if !bytes.Contains(line, []byte(`"echo"`)) {
		return fmt.Errorf("tools/list has no tool echo: %.200s", line)
	}
	return nil
}

// ask writes a request and returns the line that answers it.
func (c *client) ask(request, id string) ([]byte, error) {
	defer c.watch()()
	if _, err := io.WriteString(c.in, request); err != nil {
		return nil, err
	}
	for {
		line, err := c.out.ReadSlice('\n')
		if err != nil {
			return nil, cause(err)
		}
		if f, err := dissect(line); err == nil && string(f.id) == id && f.method == nil {
			return line, nil
		}
	}
}

// watch ends the wait for an answer when patience does; the function that it
// returns ends the watch.
func (c *client) watch() (end func() bool) {
	return time.AfterFunc(patience, func() { c.raw.Close() }).Stop
}

func cause(err error) error {
	switch {
	case errors.Is(err, os.ErrClosed):
		return fmt.Errorf("no answer in %s", patience)
	case errors.Is(err, io.EOF):
		return errors.New("it closed its output")
	}
	return err
}

func (c *client) close() {
	c.in.Close()
	stop(c.cmd)
}
