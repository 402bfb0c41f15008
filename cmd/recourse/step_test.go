package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/faulty"
)

func (p *player) step(s step) {
	switch s.verb {
	case "C>":
		p.in <- expand(s.rest) + "\n"
	case `C"`:
		p.in <- p.unescape(s.rest)
	case "C<", "C~":
		p.clientHears(s)
	case "C!":
		secret, pattern, _ := strings.Cut(s.rest, " ")
		p.clientHears(step{at: s.at, verb: "C<", rest: pattern})
		if strings.Contains(p.heard, secret) {
			p.fatalf("the client heard\n%s", p.heard)
		}
	case "C^":
		most, pattern, _ := strings.Cut(s.rest, " ")
		p.clientHears(step{at: s.at, verb: "C<", rest: pattern})
		if n, err := strconv.Atoi(most); err != nil || len(p.heard) > n {
			p.fatalf("the client heard %d bytes", len(p.heard))
		}
	case "C":
		p.client(s.rest)
	case "S<":
		p.serverHears("heard", s.rest)
	case "S>":
		p.order("say", s.rest)
	case `S"`:
		p.order("bytes", s.rest)
	case "S!":
		p.order("log", s.rest)
	case "S":
		verb, rest, _ := strings.Cut(s.rest, " ")
		p.serverDoes(verb, rest)
	case "E<":
		p.stderrHas(s.rest)
	case "sh":
		p.runShell(s.rest)
	case "O<":
		p.shellSaid(s.rest)
	case "signal":
		p.signal(s.rest)
	case "exit":
		p.exit(s.rest)
	default:
		p.fatalf("there is no such step")
	}
}

// clientHears takes as many lines as there are patterns.
func (p *player) clientHears(s step) {
	wanted := slices.Clone(s.any)
	if s.verb == "C<" {
		wanted = []string{s.rest}
	}
	for len(wanted) > 0 {
		line, ok := next(p, p.said)
		if !ok {
			p.fatalf("recourse has closed its standard output")
		}
		p.heard = line
		p.checkLine(line)
		i := slices.IndexFunc(wanted, func(pattern string) bool { return fits(pattern, line) })
		switch {
		case i >= 0:
			wanted = slices.Delete(wanted, i, i+1)
		case s.verb == "C<" && p.rewrite(line):
			return
		default:
			p.fatalf("the client heard\n%s", short(line))
		}
	}
}

func (p *player) client(what string) {
	if (what == "eof" || what == "leave") && !p.silent {
		p.silent = true
		close(p.in)
	}
	if what == "deaf" || what == "leave" {
		p.ts.Check(p.out.Close())
	}
	if what == "hold" {
		p.gate.Lock()
	}
	if text, ok := strings.CutPrefix(what, "drip "); ok {
		for _, b := range []byte(p.unescape(text)) {
			p.in <- string([]byte{b})
			<-time.After(time.Millisecond)
		}
	}
	if after, ok := strings.CutPrefix(what, "resume "); ok {
		d, err := time.ParseDuration(after)
		p.ts.Check(err)
		time.AfterFunc(d, p.gate.Unlock)
	}
}

func (p *player) unescape(text string) string {
	out, err := faulty.Unescape(expand(text))
	if err != nil {
		p.fatalf("%v", err)
	}
	return out
}

// meet waits for the first process of the server.
func (p *player) meet() *faulty.Actor {
	if p.server == nil {
		p.begin()
	}
	return p.server
}

func (p *player) begin() {
	p.server, _ = next(p, p.stage.Servers)
	p.all = append(p.all, p.server)
}

func (p *player) order(verb, rest string) {
	if err := p.meet().Do(verb, expand(strings.ReplaceAll(rest, "@id", p.id))); err != nil {
		p.fatalf("%v", err)
	}
}

func (p *player) serverDoes(verb, rest string) {
	switch verb {
	case "start":
		p.begin()
	case "gone":
		since := time.Now()
		p.gone(p.meet())
		if most, err := time.ParseDuration(rest); err == nil && time.Since(since) > most {
			p.fatalf("that took %s", time.Since(since))
		}
	case "killed":
		if e, ok := next(p, p.meet().Events); ok {
			p.fatalf("before its end the server %s\n%s", e.Verb, short(e.Rest))
		}
	case "eof", "signal":
		p.serverHears(verb, rest)
	case "hold", "resist":
		p.order(verb, rest)
		p.serverHears("did", verb)
	case "fork":
		p.order(verb, rest)
		heir, _ := next(p, p.stage.Heirs)
		p.all = append(p.all, heir)
	default:
		p.order(verb, rest)
	}
}

func (p *player) serverHears(verb, pattern string) {
	e, ok := next(p, p.meet().Events)
	if id := idOf(e.Rest); id != "" {
		p.id = id
	}
	switch {
	case !ok:
		p.fatalf("the server has ended")
	case e.Verb == verb && fits(pattern, e.Rest):
	case e.Verb == "heard" && verb == "heard" && p.rewrite(e.Rest):
	default:
		p.fatalf("the server %s\n%s", e.Verb, short(e.Rest))
	}
}

// idOf returns the id of a message as it is written, empty if there is none.
func idOf(line string) string {
	var m struct{ ID json.RawMessage }
	_ = json.Unmarshal([]byte(line), &m) // noise has none
	return string(m.ID)
}

// gone waits for the end of a process that hears no more than that it shall.
func (p *player) gone(a *faulty.Actor) {
	for {
		e, ok := next(p, a.Events)
		if !ok {
			return
		}
		if e.Verb == "heard" {
			p.fatalf("before its end the server heard\n%s", short(e.Rest))
		}
	}
}

func (p *player) stderrHas(pattern string) {
	if slices.ContainsFunc(p.stderr, func(line string) bool { return fits(pattern, line) }) {
		return
	}
	for {
		line, ok := next(p, p.told)
		if !ok {
			p.fatalf("recourse has closed its standard error")
		}
		p.stderr = append(p.stderr, line)
		if fits(pattern, line) {
			return
		}
	}
}

// runShell runs a command beside the conversation.
func (p *player) runShell(line string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir, cmd.Env = p.cmd.Dir, append(slices.Clone(p.cmd.Env), "PID="+strconv.Itoa(p.cmd.Process.Pid))
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.fatalf("%v\n%s", err, out)
	}
	p.shell = strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

func (p *player) shellSaid(pattern string) {
	if len(p.shell) == 0 {
		p.fatalf("it printed no more")
	}
	line := p.shell[0]
	p.shell = p.shell[1:]
	if !fits(pattern, line) {
		p.fatalf("it printed\n%s", short(line))
	}
}

func (p *player) signal(name string) {
	signals := map[string]os.Signal{"TERM": syscall.SIGTERM, "INT": os.Interrupt, "KILL": os.Kill}
	if err := p.cmd.Process.Signal(signals[name]); err != nil {
		p.fatalf("%v", err)
	}
}

// exit waits for the end of recourse, after which nothing must be left to hear.
// A duration after the status is how long that may take.
func (p *player) exit(want string) {
	want, limit, _ := strings.Cut(want, " ")
	since := time.Now()
	for {
		line, ok := next(p, p.said)
		if !ok {
			break
		}
		p.fatalf("the client heard\n%s", short(line))
	}
	next(p, p.ended)
	if got := strconv.Itoa(p.state.ExitCode()); got != want {
		p.fatalf("the exit status is %s", got)
	}
	if most, err := time.ParseDuration(limit); err == nil && time.Since(since) > most {
		p.fatalf("that took %s", time.Since(since))
	}
}
