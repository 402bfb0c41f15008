// Package faulty is a bad MCP server for tests: it does what a test tells it at
// the moment when the test says so, and reports what it hears.
//
// The test is a [Stage], and puts its address into the environment of whatever
// starts the server. Each process of the server connects to it as an [Actor].
// Both sides speak in lines: a verb, a space, and the rest.
//
// Without a Stage the server is a good one with a tool named echo.
package faulty

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Env is the variable that holds a [Stage]'s address.
const Env = "FAULTY"

// Main is the server's process. Its exit status is 0 after the end of its
// input, and 99 if the test has left.
func Main() {
	addr := os.Getenv(Env)
	if addr == "" {
		Echo(os.Stdin, os.Stdout)
		return
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faulty:", err)
		os.Exit(99)
	}
	p := &process{conn: conn}
	if len(os.Args) > 1 && os.Args[1] == heir {
		p.report("start", heir)
		p.resist()
	} else {
		p.report("start", "server")
		go p.listen()
	}
	p.obey()
	os.Exit(99)
}

// heir is the argument, and the name, of a grandchild.
const heir = "heir"

// A process is one that a test directs.
type process struct {
	conn net.Conn
	ear  sync.Mutex // held while the server does not read

	mu       sync.Mutex // one report at a time
	stubborn atomic.Bool
}

func (p *process) report(verb, rest string) {
	p.mu.Lock()
	_, err := p.conn.Write([]byte(verb + " " + rest + "\n"))
	p.mu.Unlock()
	if err != nil {
		os.Exit(99)
	}
}

// listen reports the input, line by line.
func (p *process) listen() {
	in := bufio.NewReader(input{&p.ear})
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			p.report("heard", strings.TrimSuffix(line, "\n"))
		}
		if err != nil {
			break
		}
	}
	p.report("eof", "")
	if !p.stubborn.Load() {
		os.Exit(0)
	}
}

// input is standard input, of which nothing is heard while the ear is taken. A
// read that waits then still takes 4 KiB at most out of the pipe.
type input struct{ ear *sync.Mutex }

func (in input) Read(b []byte) (int, error) {
	in.await()
	defer in.await()
	return os.Stdin.Read(b)
}

func (in input) await() {
	in.ear.Lock()
	defer in.ear.Unlock()
}

// resist makes the process survive what asks it to end.
func (p *process) resist() {
	asked := make(chan os.Signal, 8)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range asked {
			p.report("signal", s.String())
		}
	}()
}

// obey does what the test says until it says no more.
func (p *process) obey() {
	in := bufio.NewReader(p.conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		p.do(verb, rest)
	}
}

func (p *process) do(verb, rest string) {
	switch verb {
	case "say":
		write(os.Stdout, rest+"\n")
	case "part": // of a line
		write(os.Stdout, rest)
	case "bytes":
		write(os.Stdout, p.unescape(rest))
	case "drip":
		for _, b := range []byte(p.unescape(rest)) {
			write(os.Stdout, string([]byte{b}))
			<-time.After(time.Millisecond)
		}
	case "log":
		write(os.Stderr, rest+"\n")
	case "flood": // so many bytes of standard error, without one line end
		n, _ := strconv.Atoi(rest)
		for chunk := strings.Repeat("f", 1<<16); n > 0; n -= len(chunk) {
			write(os.Stderr, chunk[:min(n, len(chunk))])
		}
	case "wait":
		d, _ := time.ParseDuration(rest)
		<-time.After(d)
	case "hold":
		p.ear.Lock()
		p.report("did", verb)
	case "resume":
		p.ear.Unlock()
	case "mute":
		_ = os.Stdout.Close()
	case "resist":
		p.stubborn.Store(true)
		p.resist()
		p.report("did", verb)
	case "fork":
		child := exec.Command(os.Args[0], heir)
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			p.report("heard", err.Error())
		}
	case "exit":
		n, _ := strconv.Atoi(rest)
		os.Exit(n)
	case "kill":
		kill(os.Getpid())
	case "orphan": // kill what started this process
		kill(os.Getppid())
	}
}

func (p *process) unescape(text string) string {
	b, err := Unescape(text)
	if err != nil {
		p.report("heard", err.Error())
	}
	return b
}

// write does not care whether anybody reads: a bad server does not either.
func write(to *os.File, text string) { _, _ = to.WriteString(text) }

func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
