package demo

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What the command says and returns.
func TestCommand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args        string
		status      int
		out, stderr string // substrings
	}{
		{"--case exit", 0, "✓ 10 of 10 hold", ""},
		{"--case exit --json", 0, `"case": "exit"`, ""},
		{"--case exeption", 2, "", `recourse: there is no case "exeption"; did you mean exception`},
		{"--case zzz", 2, "", `recourse: there is no case "zzz"; choose one of ` + strings.Join(Names(), ", ")},
		{"--serve nothing", 2, "", `there is no case "nothing"`},
		{"--help", 0, "Show only this case: " + strings.Join(Names()[:3], ", "), ""},
	} {
		var out, stderr strings.Builder
		cmd := exec.Command(binary, append([]string{"demo"}, strings.Fields(tt.args)...)...)
		cmd.Stdout, cmd.Stderr = &out, &stderr
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != tt.status {
			t.Errorf("demo %s: exit status %d, want %d", tt.args, got, tt.status)
		}
		if !strings.Contains(out.String(), tt.out) || !strings.Contains(stderr.String(), tt.stderr) {
			t.Errorf("demo %s: wrote %q, said %q", tt.args, out.String(), stderr.String())
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("demo %s: colours, and nobody to see them", tt.args)
		}
	}
}

// The demonstration costs nobody anything who does not look at it: the package has
// nothing to do when a recourse starts.
func TestNoWorkAtStart(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(binary, "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(trace); !strings.Contains(text, "internal/relay @") || strings.Contains(text, "internal/demo @") {
		t.Errorf("at its start it did:\n%s", text)
	}
}
