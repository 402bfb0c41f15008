package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// patience is how long the client waits for one answer.
const patience = 30 * time.Second

// A client is one session.
type client struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	raw    io.Closer
	stderr bytes.Buffer
	next   int // of the ids
}

func (s *stage) dial(flags []string, roles []role) (*client, error) {
	b, err := marshal(roles)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(s.dir, "roles.json")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return nil, err
	}
	argv := append([]string{"run", "--no-log", "--quiet", "--name", "cases"}, flags...)
	c := &client{cmd: exec.Command(s.recourse, append(argv, "--", s.self, "serve", file)...)}
	c.cmd.Stderr = &c.stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.raw, c.out = out, bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = c.ask("initialize", json.RawMessage(`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"diagnose","version":"1.0.0"}}`))
	if err == nil {
		_, err = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err == nil {
		_, err = c.ask("tools/list", json.RawMessage("{}"))
	}
	if err != nil {
		return nil, fmt.Errorf("recourse run %s: %w", flags, c.broken(err))
	}
	return c, nil
}

func (c *client) call(tool string, arguments json.RawMessage) (answer, error) {
	params := map[string]any{"name": tool}
	if arguments != nil {
		params["arguments"] = arguments
	}
	b, err := marshal(params)
	if err != nil {
		return answer{}, err
	}
	line, err := c.ask("tools/call", b)
	if err != nil {
		return answer{}, err
	}
	return read(line)
}

// marshal leaves <, > and & as they are: what is sent shall be what is compared.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// ask sends a request and returns the line that answers it.
func (c *client) ask(method string, params []byte) ([]byte, error) {
	defer time.AfterFunc(patience, func() { c.raw.Close() }).Stop()
	c.next++
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`+"\n", c.next, method, params); err != nil {
		return nil, err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		switch {
		case errors.Is(err, os.ErrClosed):
			return nil, fmt.Errorf("no answer in %s", patience)
		case err != nil:
			return nil, errors.New("it closed its output")
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("%.200q: %w", line, err)
		}
		if m.Method == "" && string(m.ID) == fmt.Sprint(c.next) {
			return line, nil
		}
	}
}

// broken hangs up after an error, and adds what the process had to say.
func (c *client) broken(err error) error {
	err = errors.Join(err, c.close())
	if said := c.stderr.Bytes(); len(said) > 0 {
		err = fmt.Errorf("%w\n%.2000s", err, said)
	}
	return err
}

// close hangs up, and fails if the process does not end well.
func (c *client) close() error {
	c.in.Close()
	defer time.AfterFunc(patience, func() { c.cmd.Process.Kill() }).Stop()
	io.Copy(io.Discard, c.out)
	if err := c.cmd.Wait(); err != nil {
		return fmt.Errorf("recourse: %w", err)
	}
	return nil
}
