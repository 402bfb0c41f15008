package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
)

// launchers are commands that are not the server but start it.
var launchers = map[string]bool{
	"npx": true, "bunx": true, "uvx": true, "pipx": true, "node": true, "bun": true, "deno": true, "uv": true,
	"python": true, "python3": true, "sh": true, "bash": true, "env": true, "go": true, "run": true, "exec": true,
	"tool": true, "dlx": true, "pnpm": true, "yarn": true, "npm": true,
}

// nameOf finds a name for a server in its command: the first word that is
// neither a launcher nor a flag, without folder, scope, version or ending.
func nameOf(command []string) string {
	for _, word := range command {
		base := strings.ToLower(filepath.Base(word))
		if launchers[strings.TrimSuffix(base, ".exe")] || strings.HasPrefix(word, "-") || strings.ContainsAny(word, "= \t\n") {
			continue
		}
		base = filepath.Base(word)
		if at := strings.LastIndex(base, "@"); at > 0 {
			base = base[:at]
		}
		if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" {
			return name
		}
		return base
	}
	return filepath.Base(command[0])
}

// bare returns the place of the first word that is neither a flag nor a flag's
// value, or -1: where the two dashes were forgotten. Valued are the flags that
// take a value.
func bare(words, valued []string) int {
	value := false
	for i, word := range words {
		switch {
		case value:
			value = false
		case !strings.HasPrefix(word, "-"):
			return i
		default:
			name, _, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
			value = !given && slices.Contains(valued, name)
		}
	}
	return -1
}

// dashes says where the two dashes belong.
func dashes(words []string, i int) error {
	line := slices.Concat([]string{"recourse", "run"}, words[:i], []string{"--"}, words[i:])
	return fmt.Errorf("two dashes are missing before the server's command; write: %s", strings.Join(line, " "))
}

// explain says what to do about a command that can't be run. What the error is
// can still be asked.
func explain(command string, err error) *unrunnable {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return &unrunnable{fmt.Sprintf("there is no command %q; check its spelling and PATH, or write its full path", command), err}
	}
	why := unwrapPath(err)
	if errors.Is(err, fs.ErrPermission) {
		return &unrunnable{fmt.Sprintf("%s can't be run: %v; a program is wanted, and one that is executable (chmod +x)", command, why), err}
	}
	return &unrunnable{fmt.Sprintf("%s can't be run: %v", command, why), err}
}

type unrunnable struct {
	text string
	err  error
}

func (e *unrunnable) Error() string { return e.text }
func (e *unrunnable) Unwrap() error { return e.err }

// status returns what a shell would exit with.
func (e *unrunnable) status() int {
	if errors.Is(e.err, exec.ErrNotFound) || errors.Is(e.err, fs.ErrNotExist) {
		return exitNotFound
	}
	return exitNotExec
}

// refuse ends recourse because the command can't be run.
func refuse(command string, err error) error {
	e := explain(command, err)
	return &exitError{e.status(), e}
}

// A duration is a flag's value.
type duration struct{ rules.Span }

// Decode reads the value, and takes what looks like a flag for a mistake.
func (d *duration) Decode(ctx *kong.DecodeContext) error {
	t := ctx.Scan.Pop()
	if t.IsEOL() {
		return errors.New("a duration is missing: write 90s, 5m, 0 for no limit, or auto")
	}
	return d.UnmarshalText([]byte(fmt.Sprint(t.Value)))
}

// A size is a flag's value.
type size struct{ rules.Size }

// Decode reads the value as [duration.Decode] does.
func (s *size) Decode(ctx *kong.DecodeContext) error {
	t := ctx.Scan.Pop()
	if t.IsEOL() {
		return errors.New("a size is missing: write 100000, 500k, 10MiB or 0")
	}
	return s.UnmarshalText([]byte(fmt.Sprint(t.Value)))
}
