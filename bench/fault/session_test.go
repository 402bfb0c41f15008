//go:build faults

package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recourse-dev/recourse/bench/fault/table"
)

// A client goes through one session with a bad server: initialize, the list of
// tools, what the row asks, all at once, and an echo.
type client func(s session) heard

// A session is what a client needs to know of a row.
type session struct {
	row     table.Row
	command []string
	env     []string
	wait    time.Duration // after it, a client takes no answer for none
}

// heard is what a client has got.
type heard struct {
	Hello  outcome   `json:"hello"`
	List   outcome   `json:"list"`
	Before outcome   `json:"before"` // of an echo before the fault
	Asks   []outcome `json:"asks"`
	Next   outcome   `json:"next"`
	Tries  int       `json:"tries"` // echos before it that failed

	wrong []string // with what came, whatever was asked
}

// An outcome is how a request ended. One of the first three is set.
type outcome struct {
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
	Failed string          `json:"failed"` // no answer, or none that the client can read
	Ms     float64         `json:"ms"`

	bytes bool // Result is what came, byte for byte
}

type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (o outcome) answered() bool { return o.Failed == "" && (o.Result != nil || o.Error != nil) }

func (o outcome) String() string {
	text := o.Failed
	switch {
	case o.Error != nil:
		text = fmt.Sprintf("error %d %q %s", o.Error.Code, o.Error.Message, o.Error.Data)
	case o.Result != nil:
		text = string(o.Result)
	}
	return fmt.Sprintf("%.0f ms: %s", o.Ms, short(text))
}

func short(s string) string {
	if len(s) > 700 {
		return s[:450] + " … " + s[len(s)-200:]
	}
	return s
}

// echoArgs are those of the calls before and after.
func echoArgs(text string) json.RawMessage {
	return fmt.Appendf(nil, `{"name":"echo","arguments":{"text":%q}}`, text)
}

var sessions atomic.Int64

// limitOf is the longest silence of a call.
func limitOf(row table.Row) time.Duration {
	if row.Large {
		return 4 * *limit
	}
	return *limit
}

// newSession puts recourse before the server of a row.
func newSession(row table.Row) session {
	limit := limitOf(row)
	s := session{row: row, wait: limit + 6*time.Second}
	server := []string{filepath.Join(bin, "server"), rows, row.ID}
	s.command = server
	if *direct {
		s.wait = limit + time.Second // most of them wait for nothing
	} else {
		s.command = slices.Concat(
			[]string{recourse, "run", "--no-log", "--timeout", limit.String()},
			row.Flags, []string{"--"}, server)
	}
	s.env = []string{
		fmt.Sprintf("FAULT_STATE=%s/state%d", bin, sessions.Add(1)),
		"FAULT_LIMIT=" + limit.String(),
		"XDG_CACHE_HOME=" + bin, "XDG_RUNTIME_DIR=" + bin, "XDG_STATE_HOME=" + bin,
	}
	return s
}

// A process is the command of a session.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	stderr tail
}

func (s session) start() (*process, error) {
	p := &process{cmd: exec.Command(s.command[0], s.command[1:]...)}
	p.cmd.Env = append(os.Environ(), s.env...)
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	// What a bad server leaves may hold standard error.
	p.cmd.WaitDelay = time.Second
	return p, p.cmd.Start()
}

// patience is how long recourse may take to end, whatever the server does.
func patience() time.Duration {
	if *direct {
		return time.Second / 2
	}
	return 5 * time.Second
}

// end closes the input and waits for the end of the process, which it reports.
func (p *process) end() bool {
	p.in.Close()
	ended := make(chan struct{})
	go func() {
		p.cmd.Wait() // says by its error what the status says
		close(ended)
	}()
	select {
	case <-ended:
		return true
	case <-time.After(patience()):
	}
	p.cmd.Process.Kill()
	<-ended
	return false
}

// A tail keeps the last 64 KiB of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(b)
	if over := t.buf.Len() - 1<<16; over > 0 {
		t.buf.Next(over)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.String()
}
