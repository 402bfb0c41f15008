//go:build faults && interop

package fault

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/bench/interop/installed"
)

func TestTypeScript1(t *testing.T) { playNode(t, "ts1") }

func TestTypeScript2(t *testing.T) { playNode(t, "ts2") }

// playNode goes through all rows in one process of Node: to start takes it longer
// than most rows.
func playNode(t *testing.T, name string) {
	scripts := installed.Scripts(t, "fault", "clients/*.mjs")
	cmd := exec.Command("node", filepath.Join(scripts, name+".mjs"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr tail
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	n := &node{in: in, waiting: map[int]chan heard{}}
	go n.listen(out)
	// The rows run in parallel, and end before this does.
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s ended with %v: %s", name, err, short(stderr.String()))
		}
	})
	play(t, name, n.session, false)
}

// A node is a process that has many clients.
type node struct {
	mu      sync.Mutex
	in      io.Writer
	count   int
	waiting map[int]chan heard
}

type nodeAsk struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

func (n *node) session(s session) (h heard) {
	asks := []nodeAsk{}
	for _, a := range s.row.All() {
		method, params := a.Request()
		asks = append(asks, nodeAsk{method, params})
	}
	env := map[string]string{}
	for _, variable := range s.env {
		key, value, _ := strings.Cut(variable, "=")
		env[key] = value
	}
	ended := make(chan heard, 1)
	n.mu.Lock()
	n.count++
	n.waiting[n.count] = ended
	b, err := json.Marshal(map[string]any{
		"n": n.count, "command": s.command, "env": env, "asks": asks,
		"before": s.row.On == "echoed", "tries": s.row.Tries, "wait": s.wait.Milliseconds(),
	})
	if err == nil {
		_, err = n.in.Write(append(b, '\n'))
	}
	n.mu.Unlock()
	if err != nil {
		h.Hello.Failed = err.Error()
		return h
	}
	select {
	case h = <-ended:
	case <-time.After(6 * s.wait):
		h.Hello.Failed = "the client has said nothing"
	}
	return h
}

func (n *node) listen(out io.Reader) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var l struct {
			heard

			N int
		}
		if err := json.Unmarshal(line, &l); err != nil {
			panic(err) // our own script's
		}
		n.mu.Lock()
		ended := n.waiting[l.N]
		n.mu.Unlock()
		if ended != nil {
			ended <- l.heard
		}
	}
}
