package recourse_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse"
)

// fatal are the ends of a process, by name. TestFatal runs this test's binary
// again for each, as Fatal ends the process that calls it.
var fatal = map[string]struct {
	err    func() error
	status int
	want   string // the line on standard error
}{
	"nil":       {func() error { return nil }, 0, ""},
	"nil Error": {func() error { return (*recourse.Error)(nil) }, 0, ""},
	"variable": {func() error { _, err := recourse.Env("NO_SUCH_TOKEN"); return err }, 78,
		`{"error":{"code":"CONFIGURATION_ERROR","message":"The environment variable NO_SUCH_TOKEN is not set.","suggestion":"Tell the user to set NO_SUCH_TOKEN in the server's environment and to start the server again.","retryable":false,"variable":"NO_SUCH_TOKEN"}}`},
	"any error": {func() error { return fs.ErrPermission }, 78,
		`{"error":{"code":"CONFIGURATION_ERROR","message":"permission denied","suggestion":"Tell the user that the server's operator must complete its configuration.","retryable":false}}`},
	"lines": {func() error { return errors.New("one\ntwo") }, 78,
		`{"error":{"code":"CONFIGURATION_ERROR","message":"one\ntwo","suggestion":"Tell the user that the server's operator must complete its configuration.","retryable":false}}`},
	"secret": {func() error {
		return fmt.Errorf("postgres://app:hunter2@db/app: %w", errors.New("Authorization: Bearer abcdefghijklmnop"))
	}, 78, ""},
	"wrapped": {func() error {
		return fmt.Errorf("mail: %w", &recourse.Error{Code: recourse.HostUnreachable, Message: "No mail server.", Suggestion: "Set SMTP.", Err: errors.New("no such host")})
	}, 78,
		`{"error":{"code":"HOST_UNREACHABLE","message":"No mail server.","suggestion":"Set SMTP.","retryable":false,"cause":"mail: No mail server.: no such host"}}`},
	"several": {func() error {
		return errors.Join(recourse.Errorf(recourse.ConfigurationError, "One."), errors.New("two"))
	}, 78,
		`{"error":{"code":"CONFIGURATION_ERROR","message":"One.","suggestion":"Tell the user that the server's operator must complete its configuration.","retryable":false,"cause":"One.\ntwo"}}`},
	"after Drain": {func() error {
		var g recourse.Guard
		if err := g.Drain(context.Background()); err != nil {
			return err
		}
		return recourse.Run(context.Background(), &g, recourse.Request{}, func(context.Context) (int, error) { return 1, nil }).Err
	}, 78,
		`{"error":{"code":"SERVICE_UNAVAILABLE","message":"The server is shutting down.",`},
}

func TestFatal(t *testing.T) {
	if name := os.Getenv("RECOURSE_TEST_FATAL"); name != "" {
		recourse.Fatal(fatal[name].err())
		os.Exit(0)
	}
	for name, tt := range fatal {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFatal$")
			cmd.Env = append(os.Environ(), "RECOURSE_TEST_FATAL="+name)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			stdout, _ := cmd.Output()
			if got := cmd.ProcessState.ExitCode(); got != tt.status || len(stdout) > 0 {
				t.Errorf("exit status %d, standard output %q", got, stdout)
			}
			line := stderr.String()
			if tt.status == 0 {
				if line != "" {
					t.Errorf("nothing is wrong, and it says %s", line)
				}
				return
			}
			if !strings.HasPrefix(line, tt.want) || strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "}\n") {
				t.Errorf("got\n%swant\n%s", line, tt.want)
			}
			if strings.Contains(line, "hunter2") || strings.Contains(line, "abcdefghijklmnop") {
				t.Errorf("a secret is in %s", line)
			}
			var e recourse.Error
			if err := json.Unmarshal([]byte(line), &e); err != nil || e.Code == "" {
				t.Errorf("%v in %s", err, line)
			}
		})
	}
}
