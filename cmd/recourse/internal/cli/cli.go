// Package cli is the command line of recourse, one file a subcommand.
//
// Rules of its texts: no capital at the start of an error and no full stop at
// its end; an error says what was wrong and what to type instead; what is asked
// for goes to standard output, everything else to standard error.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

// Exit statuses beside those of the server that recourse runs.
const (
	exitUsage    = 2
	exitNotExec  = 126
	exitNotFound = 127
)

type commands struct {
	Run    run    `cmd:"" help:"Stand before an MCP server: start it, and see that every call is answered."`
	Status status `cmd:"" help:"Show every recourse run of this user: the state of its server, and its calls."`
	Demo   demo   `cmd:"" help:"Show what recourse does, with a bad server that is built in. Needs nothing else."`

	Version kong.VersionFlag `help:"Print the version."`
}

const about = `Makes MCP servers fail well: every tool call ends, in time, as data or as an error that the model can act on.

Write it before the command of a server that you use already:

    recourse run -- npx -y @modelcontextprotocol/server-everything`

// Main runs recourse and returns its exit status.
func Main(args []string) int {
	if len(args) == 1 && args[0] == upstream.GuardWord {
		return upstream.Watch(os.Stdin)
	}
	var c commands
	status := -1
	parser, err := kong.New(&c,
		kong.Name("recourse"),
		kong.Description(about),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Help(help),
		kong.Vars{"version": version(), "logdir": calllog.Dir()},
		kong.Exit(func(code int) { status = code; panic(exited{}) }),
	)
	if err != nil {
		panic(err) // the grammar above is wrong
	}
	words, command := split(args)
	c.Run.command = command
	if err := misplaced(parser, words, command); err != nil {
		return fail(exitUsage, err)
	}
	ctx, err := parse(parser, words)
	switch {
	case status >= 0: // help or version was printed
		return status
	case err != nil:
		return fail(exitUsage, plainly(err))
	}
	err = ctx.Run()
	if e, ok := errors.AsType[*exitError](err); ok {
		if e.err != nil {
			fail(e.status, e.err)
		}
		return e.status
	}
	if err != nil {
		return fail(1, err)
	}
	return 0
}

// misplaced explains words that kong could only call unexpected.
func misplaced(parser *kong.Kong, words, command []string) error {
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		if command != nil && len(words) == 0 {
			return fmt.Errorf("the subcommand is missing; write: recourse run -- %s", strings.Join(command, " "))
		}
		return nil
	}
	for _, node := range parser.Model.Children {
		if node.Name != words[0] {
			continue
		}
		var valued []string
		for _, flag := range node.Flags {
			if !flag.IsBool() {
				valued = append(valued, flag.Name)
			}
		}
		if i := bare(words[1:], valued); node.Name == "run" && command == nil && i >= 0 {
			return dashes(words[1:], i)
		}
		return nil
	}
	return fmt.Errorf("there is no subcommand %q; recourse --help lists them, and recourse run -- COMMAND runs a server", words[0])
}

// plainly puts kong's words for a flag without a value into ours.
func plainly(err error) error {
	if flag, _, ok := strings.Cut(err.Error(), ": expected "); ok && strings.Contains(err.Error(), `got "EOL"`) {
		return fmt.Errorf("%s: its value is missing; see recourse run --help", flag)
	}
	return err
}

// help prints the help. kong knows nothing of the two dashes before a command.
func help(options kong.HelpOptions, ctx *kong.Context) error {
	out, text := ctx.Stdout, &strings.Builder{}
	ctx.Stdout = text
	err := kong.DefaultHelpPrinter(options, ctx)
	ctx.Stdout = out
	_, writeErr := io.WriteString(out, strings.Replace(text.String(), " [<command> ...] [flags]", " [flags] -- COMMAND [ARG...]", 1))
	return errors.Join(err, writeErr)
}

// exited stops a parse that has printed help or the version: kong expects that
// its Exit does not return.
type exited struct{}

func parse(p *kong.Kong, args []string) (ctx *kong.Context, err error) {
	defer func() {
		if r := recover(); r != nil && r != any(exited{}) {
			panic(r)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	return p.Parse(args)
}

// split cuts the server's command off, so that none of its flags is taken for
// one of ours. A nil command means that there was no --.
func split(args []string) (words, command []string) {
	switch {
	case len(args) == 1 && (args[0] == "help" || args[0] == "version"):
		return []string{"--" + args[0]}, nil
	case len(args) == 2 && args[0] == "help":
		return []string{args[1], "--help"}, nil
	}
	i := slices.Index(args, "--")
	if i < 0 {
		return args, nil
	}
	return args[:i], append([]string{}, args[i+1:]...)
}

// An exitError ends recourse with a status; if err is nil, silently.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string { return fmt.Sprint(e.err) }

func fail(status int, err error) int {
	fmt.Fprintln(os.Stderr, "recourse:", err)
	return status
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "recourse (built from source)"
	}
	return "recourse " + info.Main.Version
}
