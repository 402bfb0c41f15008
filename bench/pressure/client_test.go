//go:build faults && linux

package pressure

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/bench/kill/tree"
)

// patience is for whatever must come; it grows with the scale.
var patience = 30 * time.Second

// A client speaks with one recourse run. It reads only while hear runs.
type client struct {
	t        *testing.T
	scene    scene
	dir      string
	tree     tree.Tree
	cmd      *exec.Cmd
	in       *os.File
	out      *os.File
	pace     *pace
	lines    *bufio.Reader
	operator *operator
	usage    *usage
	begun    time.Time
	screamed int64  // bytes that the server has written to its standard error
	dropped  int    // lines of the server that nobody gets, but that are counted
	note     string // for the table

	calls   []*call
	order   []int          // numbers of the calls that got what they should, as that came
	others  map[string]int // requests and notifications, by method
	arrays  int            // answers that were batches
	nulls   int            // answers to nobody
	null    string         // one of them
	faults  int
	replies strings.Builder // to pings, not sent yet

	flood   string // the kind of the lines that are awaited; empty: none
	floods  int    // lines that have come
	long    []byte
	scratch []byte
}

// A call is one request of the client.
type call struct {
	n      int
	tool   string
	order  order
	weight int64  // bytes of text in the request
	nest   int    // depth of arrays in the arguments
	token  string // for progress
	size   int64  // of the text that shall come; -1: any

	asked, ended time.Time
	ending       string // see below
	text         string // that came, if any may
	cancelled    bool
}

// The endings of a call that has none of recourse's codes.
const (
	open  = ""      // no answer yet
	data  = "data"  // what the server answered, byte for byte
	twice = "twice" // answered again
	wrong = "wrong"
)

// start opens a session.
func start(t *testing.T, s scene) *client {
	t.Helper()
	c := &client{
		t: t, scene: s, dir: filepath.Join(scratch, strings.ReplaceAll(s.name, " ", "-")),
		operator: newOperator(), others: map[string]int{}, begun: time.Now(),
	}
	c.tree = tree.Tree{Mark: fmt.Sprintf("%d/%s", os.Getpid(), s.name), Recourse: recourse}
	for _, f := range []func() error{
		func() error { return os.MkdirAll(c.dir, 0o700) },
		func() error { return c.launch(s) },
	} {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	}
	c.usage = watch(c.cmd.Process.Pid)
	version := cmp.Or(s.version, "2025-06-18")
	c.write(idFirst + `"hello","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{"sampling":{}},"clientInfo":{"name":"pressure","version":"1"}}}` + "\n")
	greeted := false
	for !greeted {
		line := c.line()
		greeted = bytes.Contains(line, []byte(`"hello"`)) && bytes.Contains(line, []byte(`"press"`))
	}
	c.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	return c
}

func (c *client) launch(s scene) error {
	stderr, end, err := c.operator.stderr(s.stderr)
	if err != nil {
		return err
	}
	defer stderr.Close()
	inR, inW, err := os.Pipe()
	if err != nil {
		return err
	}
	defer inR.Close()
	outR, outW, err := os.Pipe()
	if err != nil {
		return err
	}
	defer outW.Close()
	limit := cmp.Or(s.limit, patience-5*time.Second)
	c.cmd = exec.Command(recourse, "run", "--log", filepath.Join(c.dir, "log"), "--timeout", limit.String(), "--", os.Args[0], "server", strconv.Itoa(s.early))
	c.cmd.Env = append(os.Environ(), c.tree.Env(), "XDG_CACHE_HOME="+c.dir, "XDG_RUNTIME_DIR="+c.dir, "XDG_STATE_HOME="+c.dir)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = inR, outW, stderr
	if err := c.cmd.Start(); err != nil {
		return err
	}
	c.in, c.out = inW, outR
	c.pace = &pace{r: outR}
	c.lines = bufio.NewReaderSize(c.pace, 64<<10)
	c.t.Cleanup(func() {
		c.cmd.Process.Kill()
		c.in.Close()
		c.out.Close()
		end()
		for _, pid := range c.tree.PIDs() {
			c.tree.Kill(pid)
		}
	})
	return nil
}

// A pace reads 1 KiB a second until some time.
type pace struct {
	r     *os.File
	until time.Time
}

func (p *pace) Read(b []byte) (int, error) {
	if time.Now().Before(p.until) {
		<-time.After(time.Second)
		b = b[:min(len(b), 1<<10)]
	}
	return p.r.Read(b)
}

// write writes at once.
func (c *client) write(text string) {
	c.t.Helper()
	c.in.SetWriteDeadline(time.Now().Add(patience))
	if _, err := c.in.WriteString(text); err != nil {
		c.t.Fatalf("recourse does not read: %v", err)
	}
}

// plan makes calls that are not sent yet, each with the same order but its
// number.
func (c *client) plan(count int, tool string, o order) []*call {
	return c.planLarge(count, tool, o, 0)
}

// planLarge makes calls with weight bytes of text in their arguments.
func (c *client) planLarge(count int, tool string, o order, weight int64) []*call {
	var made []*call
	for range count {
		k := &call{n: len(c.calls), tool: tool, order: o, weight: weight, size: o.Size}
		k.order.N = k.n
		switch tool {
		case "echo":
			k.size = weight
		case "flood", "deaf", "endless", "keep", "scream":
			k.size = 0
		case "report", "hush", "nested", "huge":
			k.size = -1
		}
		c.calls = append(c.calls, k)
		made = append(made, k)
	}
	return made
}

// appendTo appends the call's line.
func (k *call) appendTo(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, idFirst...), int64(k.n), 10)
	dst = append(dst, `,"method":"tools/call","params":{"name":"`+k.tool+`",`...)
	if k.token != "" {
		dst = append(dst, `"_meta":{"progressToken":"`+k.token+`"},`...)
	}
	args, _ := json.Marshal(k.order)
	dst = append(append(dst, `"arguments":`...), args[:len(args)-1]...)
	if k.weight > 0 {
		dst = append(appendFill(append(dst, `,"Text":"`...), k.n, k.weight), '"')
	}
	if k.nest > 0 {
		dst = appendArrays(append(dst, `,"a":`...), k.nest)
	}
	return append(dst, "}}}\n"...)
}

// pour sends calls, as fast as recourse takes them, while the client may read.
// What follows them is sent as it is.
func (c *client) pour(calls []*call, after ...string) (poured <-chan error) {
	done := make(chan error, 1)
	c.in.SetWriteDeadline(time.Now().Add(patience))
	go func() {
		w := bufio.NewWriterSize(c.in, 64<<10)
		var line []byte
		for _, k := range calls {
			line = k.appendTo(line[:0])
			k.asked = time.Now()
			w.Write(line)
		}
		for _, text := range after {
			w.WriteString(text)
		}
		done <- w.Flush()
	}()
	return done
}

// poured waits until all of that is written.
func (c *client) poured(done <-chan error) {
	c.t.Helper()
	if err := <-done; err != nil {
		c.t.Fatalf("recourse does not read: %v", err)
	}
}

// ask makes calls and waits for their answers.
func (c *client) ask(calls []*call, after ...string) {
	c.t.Helper()
	done := c.pour(calls, after...)
	c.answered(calls)
	c.poured(done)
}

// one makes a call that must get what the server answers.
func (c *client) one(tool string, o order) *call {
	c.t.Helper()
	calls := c.plan(1, tool, o)
	c.ask(calls)
	c.want(calls, map[string]int{data: 1})
	return calls[0]
}

// tell makes a call and decodes the text that it returns.
func (c *client) tell(tool string, v any) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(c.one(tool, order{}).text), v); err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
}

// answered reads until all of some calls have ended.
func (c *client) answered(calls []*call) {
	c.t.Helper()
	at := 0
	c.hear(func() bool {
		for at < len(calls) && calls[at].ending != open {
			at++
		}
		return at == len(calls)
	}, func() string { return "answers; so far: " + fmt.Sprint(endings(calls)) })
}

// endings counts them.
func endings(calls []*call) map[string]int {
	found := map[string]int{}
	for _, k := range calls {
		found[k.ending]++
	}
	return found
}

// want fails if calls have ended in another way.
func (c *client) want(calls []*call, want map[string]int) {
	c.t.Helper()
	if got := endings(calls); !maps.Equal(got, want) {
		c.t.Errorf("%s: got %v, want %v", calls[0].tool, got, want)
	}
}

// inOrder fails if good answers did not come in the order of the calls.
func (c *client) inOrder() {
	c.t.Helper()
	if !slices.IsSorted(c.order) {
		c.t.Error("the answers are not in the order in which the server gave them")
	}
}

// hear reads until something has come.
func (c *client) hear(until func() bool, what func() string) {
	c.t.Helper()
	c.out.SetReadDeadline(time.Now().Add(patience))
	for !until() {
		line, err := c.next()
		if err != nil {
			c.t.Fatalf("%v while waiting for %s; recourse says: %s", err, what(), c.operator.text())
		}
		c.take(line)
	}
}

// line reads one.
func (c *client) line() []byte {
	c.t.Helper()
	c.out.SetReadDeadline(time.Now().Add(patience))
	line, err := c.next()
	if err != nil {
		c.t.Fatalf("%v; recourse says: %s", err, c.operator.text())
	}
	return line
}

func (c *client) next() ([]byte, error) {
	c.long = c.long[:0]
	for {
		if c.lines.Buffered() == 0 && c.replies.Len() > 0 {
			c.write(c.replies.String())
			c.replies.Reset()
		}
		line, err := c.lines.ReadSlice('\n')
		if err == nil && len(c.long) == 0 {
			return line, nil
		}
		c.long = append(c.long, line...)
		if err != bufio.ErrBufferFull {
			return c.long, err
		}
	}
}

// hold lets time pass in which the client does nothing.
func (c *client) hold(d time.Duration) { <-time.After(d) }

// gate makes a named pipe for a server that shall wait.
func (c *client) gate() (path string, open func()) {
	c.t.Helper()
	path = filepath.Join(c.dir, "gate"+strconv.Itoa(len(c.calls)))
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path, func() {
		// For both, it does not block if nobody reads.
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			c.t.Fatal(err)
		}
		c.t.Cleanup(func() { f.Close() })
	}
}
