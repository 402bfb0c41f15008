package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/relay"
	running "github.com/recourse-dev/recourse/cmd/recourse/internal/status"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/internal/redact"
)

func (status) Help() string {
	return `Every "recourse run" of this user is asked how it is, and has a second to answer. Those with --mode off or RECOURSE_BYPASS=1 are the server itself, and not shown.

STATE is that of the server: starting, ready, restarting, waiting (for its next start, which is told below, or for the next request, if it ended by itself) or failed (it can't be started as it is configured); or unresponsive, if recourse itself does not answer. PID is the process of recourse. Of CALLS, those of tools that were answered, FAILED ended as an error; RUNNING ones are not answered yet. RESTARTS counts the tries to start it again, good and bad; "last error" is why it ended last, also if it is back. The log is a pattern, for all log files of that process.

With --json, members that are not known are absent; times are as in RFC 3339. The exit status is 0, also if nothing runs.`
}

// status is the subcommand that shows what runs.
type status struct {
	Server string `placeholder:"NAME" help:"Show only what stands before the server of this name."`
	JSON   bool   `help:"Print a JSON array."`
}

// Run asks and prints.
func (c *status) Run() error {
	all, faults := running.List(context.Background(), running.Places())
	for _, err := range faults {
		fmt.Fprintln(os.Stderr, "recourse:", err)
	}
	shown := all
	if c.Server != "" {
		shown = slices.DeleteFunc(slices.Clone(all), func(p running.Process) bool { return !p.Runs(c.Server) })
	}
	switch {
	case c.JSON:
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(append([]running.Process{}, shown...))
	case len(shown) == 0:
		_, err := fmt.Fprintln(os.Stdout, c.nothing(all))
		return err
	}
	t := running.Table{Now: time.Now()}
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 {
		t.Width = max(40, width)
		t.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && (runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "")
	}
	return t.Write(os.Stdout, shown)
}

// nothing says that there is nothing to show.
func (c *status) nothing(all []running.Process) string {
	var servers []string
	for _, p := range all {
		servers = append(servers, p.Server)
	}
	switch {
	case c.Server == "":
		return `No "recourse run" is running.`
	case len(all) == 0:
		return fmt.Sprintf(`No "recourse run" is running, so none of %s.`, c.Server)
	}
	return fmt.Sprintf(`No "recourse run" of %s is running; there are: %s.`, c.Server, strings.Join(slices.Compact(servers), ", "))
}

// announce lets recourse status find this process until the function that it
// returns is called. It waits for the first start of the server, and does not keep
// it waiting.
func (c *run) announce(r *relay.Relay, secrets *redact.Redactor, note func(string)) (end func()) {
	started := time.Now()
	begun := make(chan struct{})
	begin, once := r.Start, sync.OnceFunc(func() { close(begun) })
	r.Start = func() (upstream.Conn, error) {
		defer once()
		return begin()
	}
	sockets := make(chan io.Closer, 1)
	go func() {
		defer close(sockets)
		<-begun
		own := c.process(r, secrets, started)
		socket, err := running.Serve(running.Places(), c.Name, func() running.Process {
			p := own
			p.Status = r.Status()
			p.Uptime = int64(time.Since(started).Seconds())
			return p
		})
		if err != nil {
			note("recourse status can't show this process: " + strings.ReplaceAll(err.Error(), "\n", "; "))
			return
		}
		sockets <- socket
	}()
	return func() {
		once()
		if socket, ok := <-sockets; ok {
			socket.Close()
		}
	}
}

// process says who this is, but not how it fares.
func (c *run) process(r *relay.Relay, secrets *redact.Redactor, started time.Time) running.Process {
	p := running.Process{
		PID:     os.Getpid(),
		Started: started,
		Mode:    c.Mode,
		Command: secrets.Text(shellLine(c.command)),
		Version: version(),
	}
	if r.Log != nil {
		dir, _ := filepath.Abs(r.Log.Dir) // fails only without a working directory
		p.Log = filepath.Join(dir, "*", fmt.Sprintf("*-%d-*.jsonl", p.PID))
	}
	return p
}

// shellLine writes a command as one types it.
func shellLine(command []string) string {
	var words []string
	for _, word := range command {
		if word == "" || strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()*?#~!{}[]") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
