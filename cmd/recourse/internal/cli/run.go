package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/relay"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/internal/redact"
)

func (run) Help() string {
	return `Put "recourse run --" before the command of your server, in the client's settings or in a shell:

    recourse run -- npx -y @modelcontextprotocol/server-everything
    recourse run --timeout 2m --name crm -- uvx my-crm-server --verbose

The server needs no change. What is good passes byte for byte, up to 10 MiB (--max-frame). What the server prints that is no message, and what no client can read, is kept from the client or mended, and told. A call that hangs, dies or ends in a raw exception is answered with a JSON error that says what happened and what to do. A server that dies or hangs is started again, behind the same session; recourse status shows how it fares.

Arguments that don't fit a tool's schema are put right where that can mean but one thing (--repair), and explained if the call fails (--check). What the server reports as an error gets a code and advice in front; what is an error and calls itself a success is marked as one (--disguise). These three take TOOL=MODE for one tool and may be given several times: --check enforce --check create_issue=off.

A call that is silent past --timeout is answered. If the server then says nothing at all for 5 s more, not even to a ping, and takes no processor time, it is taken for hung and started again; a tool that waits so long for something else needs a longer --timeout, or to report progress.

A first start that fails is repeated at most twice, and not if it fails in the same way again; then the client is told why, and recourse ends 5 s later. A server that has once served is tried for ever. The exit status is that of the server if it left by itself, 0 if it had to be ended; 2 for wrong flags, 127 or 126 if there is no such command or it can't be run, 128 and the signal's number after a signal.

Durations are written 90s, 5m or 1h, or as seconds; sizes 500k, 10MiB or as bytes; 0 means no limit, auto the default. With RECOURSE_BYPASS=1 in the environment the server is run as if recourse were not there.`
}

// run is the subcommand that stands before a server.
type run struct {
	Timeout      duration `placeholder:"DURATION" help:"Longest silence of a call, from its start or its last progress (auto: 50s; 5m for clients known to wait)."`
	MaxTime      duration `placeholder:"DURATION" help:"Longest time of a call in all (auto: 10m; 30m for those clients)."`
	StartTimeout duration `placeholder:"DURATION" help:"Longest time until the server answers initialize (auto: 45s)."`
	MaxFrame     size     `placeholder:"SIZE" help:"Largest answer that is passed on (default: 10MiB, the most that common clients can read; 0: no limit)."`
	MaxText      size     `placeholder:"SIZE" help:"Cut the text of a larger result at a line, and say so (default: never)."`
	OnRestart    string   `enum:"tell,quiet,fail" default:"tell" help:"What the client learns when the server had to be started again: tell (default; the next answer says so), quiet, or fail (the next call fails unsent, for tools that build on each other)."`
	Check        []string `sep:"none" placeholder:"[TOOL=]MODE" help:"What becomes of calls whose arguments don't fit the tool's schema: auto (default; sent, unless this server is known to refuse or die of it), enforce (rejected), explain (sent, and explained if they fail) or off. May be given several times."`
	Repair       []string `sep:"none" placeholder:"[TOOL=]safe|off" help:"Send arguments as the schema wants them where it is certain what was meant, such as 10 for \"10\" (default: safe)."`
	Disguise     []string `sep:"none" placeholder:"[TOOL=]LEVEL" help:"Mark errors that a server returns as a success: t2 (default; by the structure, or by the first line of a short text), t1 (by the structure only) or off."`
	Mode         string   `enum:"guard,observe,off" default:"guard" help:"guard (default), observe (change nothing, only log what would have been done) or off (run the server alone)."`
	Name         string   `placeholder:"NAME" help:"What to call the server in errors and in the log (default: from its command)."`
	Log          string   `placeholder:"DIR" help:"Where to log calls (default: ${logdir})."`
	NoLog        bool     `help:"Log no calls."`
	Args         string   `enum:"redacted,full,shape,none" default:"redacted" help:"What to log of arguments: redacted (default; secrets hidden), full, shape (names and types) or none."`
	Quiet        bool     `short:"q" help:"Don't copy the server's standard error, and say nothing but errors."`

	Words []string `arg:"" optional:"" name:"command" help:"The server's command, after two dashes."`

	command []string
	rules   rules.Rules
}

// Run stands before the server until the client has gone.
func (c *run) Run() error {
	if err := c.check(); err != nil {
		return &exitError{exitUsage, err}
	}
	if c.Mode == "off" || bypassed(os.Getenv("RECOURSE_BYPASS")) {
		return c.bypass()
	}
	if term.IsTerminal(0) {
		if _, err := exec.LookPath(c.command[0]); err != nil {
			return refuse(c.command[0], err) // no client that could be told
		}
	}
	stop := signals() // before the first word: whoever closes our standard error must not end us
	spill := &upstream.Spill{W: os.Stderr}
	defer spill.Flush(100 * time.Millisecond)
	say := func(sentence string) { fmt.Fprintln(spill, "recourse:", sentence) }
	var stderr io.Writer = spill
	note := say
	if c.Quiet {
		stderr, note = io.Discard, func(string) {}
	}

	secrets := &redact.Redactor{Secrets: redact.Environ(os.Environ())}
	log, err := c.openLog(secrets, say, note)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if term.IsTerminal(0) {
		note("waiting for an MCP client on this terminal; to use the server, put this command into your client's settings")
	}
	in, out := upstream.Open(0, "stdin"), upstream.Open(1, "stdout")
	defer in.Restore()
	defer out.Restore()
	guard := upstream.Guard{Say: say}
	guard.Path, _ = os.Executable()
	r := c.relay(&guard, stderr)
	r.In, r.Out, r.Log, r.Redact, r.Say = in, out, log, secrets, say
	defer c.announce(r, secrets, note)()
	status := r.Run(stop)
	guard.Sweep()
	closeLog(log, status, say)
	if status != 0 {
		return &exitError{status: status}
	}
	return nil
}

// relay returns a relay to the server that the flags are about.
func (c *run) relay(guard *upstream.Guard, stderr io.Writer) *relay.Relay {
	eras := rules.Eras{Dir: eraDir()}
	return &relay.Relay{
		Start: func() (upstream.Conn, error) {
			p, err := guard.Start(c.command, stderr)
			if err != nil {
				return nil, explain(c.command[0], err)
			}
			return p, nil
		},
		Legacy: eras.Legacy(c.command, time.Now()),
		// What can't be remembered costs the next run one more try.
		OnLegacy: func(old bool) {
			if old {
				_ = eras.Remember(c.command, time.Now())
			} else {
				_ = eras.Forget(c.command)
			}
		},
		Server:  c.Name,
		Rules:   c.rules,
		Observe: c.Mode == "observe",
	}
}

// eraDir is where it is kept which servers are old; "" if there is no place.
func eraDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "recourse", "eras")
}

// closeLog gives the last records time to be written.
func closeLog(log *calllog.Log, status int, say func(string)) {
	patience := time.Second
	if status > 128 {
		patience /= 5 // a signal may have come, and SIGKILL may be next
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := log.Close(ctx); err != nil {
		say("the last records of the call log may be lost: " + err.Error())
	}
}

// check completes the flags and explains what can't work.
func (c *run) check() error {
	switch {
	case len(c.Words) > 0:
		return fmt.Errorf("%q stands before the two dashes, where only flags may; write: recourse run -- %s", c.Words[0], strings.Join(append(c.Words, c.command...), " "))
	case len(c.command) == 0:
		return errors.New("the server's command is missing; write: recourse run -- COMMAND [ARG...]")
	case tiny(c.MaxFrame), tiny(c.MaxText):
		return fmt.Errorf("--max-frame and --max-text leave no room for an answer below %d bytes; write 100k or more, or 0 for no limit", leastSize)
	case c.Log != "" && c.NoLog:
		return errors.New("--log and --no-log contradict each other; leave one out")
	}
	if c.Name == "" {
		c.Name = nameOf(c.command)
	}
	return c.rule()
}

// rule reads the flags that are rules of the relay.
func (c *run) rule() error {
	c.rules = rules.Rules{
		Timeout: c.Timeout.Span, MaxTime: c.MaxTime.Span, StartMax: c.StartTimeout.Span,
		OnRestart: rules.OnRestart(c.OnRestart),
		MaxFrame:  c.MaxFrame.Size, MaxText: c.MaxText.Size,
	}
	if err := c.rules.Check.Set(c.Check, rules.Auto, rules.Enforce, rules.Explain, rules.Off); err != nil {
		return fmt.Errorf("--check %w", err)
	}
	if err := c.rules.Repair.Set(c.Repair, rules.Safe, rules.Off); err != nil {
		return fmt.Errorf("--repair %w", err)
	}
	if err := c.rules.Disguise.Set(c.Disguise, rules.T2, rules.T1, rules.Off); err != nil {
		return fmt.Errorf("--disguise %w", err)
	}
	return nil
}

// leastSize is room for an error that says what was too large.
const leastSize = 4 << 10

func tiny(s size) bool {
	n := s.Or(0)
	return n > 0 && n < leastSize
}

// bypassed reads the switch for emergencies: whatever somebody in trouble may
// write for yes is a yes.
func bypassed(value string) bool {
	return !slices.Contains([]string{"", "0", "false", "no", "off"}, strings.ToLower(value))
}

// openLog returns the call log, nil if there shall be none.
func (c *run) openLog(secrets *redact.Redactor, say, note func(string)) (*calllog.Log, error) {
	if c.NoLog {
		return nil, nil
	}
	dir := c.Log
	if dir == "" {
		dir = calllog.Dir()
	} else if err := writable(dir); err != nil {
		return nil, fmt.Errorf("calls can't be logged in %s: %w; name another place with --log DIR, or write --no-log", dir, err)
	}
	note("calls are logged in " + dir + " (--no-log switches this off)")
	return &calllog.Log{
		Dir:      dir,
		Args:     calllog.Args(c.Args),
		Redactor: secrets,
		OnError: func(err error) {
			say("calls are not logged: " + err.Error() + "; name another place with --log DIR, or write --no-log")
		},
	}, nil
}

func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unwrapPath(err)
	}
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return unwrapPath(err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// unwrapPath leaves out a path that the sentence around it names already.
func unwrapPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// signals delivers the numbers of the signals that ask us to end. SIGPIPE is
// caught, since otherwise a client that closes our output would end us on the
// spot, with the server left behind; to ignore it would be inherited.
func signals() <-chan int {
	caught := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) { // as under nohup
			signal.Notify(caught, s)
		}
	}
	signal.Notify(make(chan os.Signal, 1), sigpipe)
	numbers := make(chan int)
	go func() {
		for s := range caught {
			n, _ := s.(syscall.Signal)
			numbers <- int(n)
		}
	}()
	return numbers
}
