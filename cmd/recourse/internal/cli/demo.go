package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/term"

	demonstration "github.com/recourse-dev/recourse/cmd/recourse/internal/demo"
	"github.com/recourse-dev/recourse/schema"
)

func (demo) Help() string {
	return `A server that fails in ` + fmt.Sprint(len(demonstration.Cases)) + ` ways is built in. It gets the same calls directly and through "recourse run", and you see side by side what the client saw.

It needs no network and about seven seconds. The exit status is 0 if everything that has to hold does, else 1.`
}

// demo is the subcommand that shows what recourse does.
type demo struct {
	Case string `placeholder:"NAME" help:"Show only this case: exit, kill, between, exception, strings, dump, disguise, promise, loop, hang, deaf, crash, freeze, slow or large."`
	JSON bool   `help:"Print the results as JSON."`

	Serve string `hidden:"" help:"Be the bad server of a case."`
}

// Run shows all cases, or one.
func (c *demo) Run() error {
	if c.Serve != "" {
		if status := demonstration.Serve(c.Serve, os.Stdin, os.Stdout, os.Stderr); status != 0 {
			return &exitError{status: status}
		}
		return nil
	}
	cases, err := c.choose()
	if err != nil {
		return &exitError{exitUsage, err}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	d := demonstration.Demo{Self: self, Cases: cases, Out: os.Stdout, Width: 80, JSON: c.JSON}
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 {
		d.Width = max(40, width)
		d.Live = os.Getenv("TERM") != "dumb" && (runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "")
		d.Color = d.Live && os.Getenv("NO_COLOR") == ""
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = d.Run(ctx)
	if ctx.Err() != nil {
		return &exitError{status: 128 + int(syscall.SIGINT)}
	}
	return err
}

// choose returns the cases that were asked for.
func (c *demo) choose() ([]demonstration.Case, error) {
	names := demonstration.Names()
	i := slices.Index(names, c.Case)
	switch {
	case c.Case == "":
		return demonstration.Cases, nil
	case i >= 0:
		return demonstration.Cases[i : i+1], nil
	}
	if near := schema.Nearest(c.Case, names); len(near) > 0 {
		return nil, fmt.Errorf("there is no case %q; did you mean %s", c.Case, near[0])
	}
	return nil, fmt.Errorf("there is no case %q; choose one of %s", c.Case, strings.Join(names, ", "))
}
