package recourse_test

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/recourse-dev/recourse"
)

// TestMain lets tests start this binary as the program that fails.
func TestMain(m *testing.M) {
	if os.Getenv("RECOURSE_TEST_EXIT") != "" {
		fmt.Fprintln(os.Stderr, "dsn postgres://root:hunter2@10.0.0.7:5432/prod")
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// wants checks what err is taken for, and that it stays the cause.
func wants(t *testing.T, err error, code recourse.Code, notRun bool) *recourse.Error {
	t.Helper()
	e := recourse.Classify(err)
	if e.Code != code || e.NotRun != notRun {
		t.Errorf("%v (%T) is %s, NotRun %t; want %s, %t", err, err, e.Code, e.NotRun, code, notRun)
	}
	if !errors.Is(e, err) {
		t.Errorf("%v is lost", err)
	}
	if got := recourse.CodeOf(err); got != e.Code {
		t.Errorf("CodeOf says %s, Classify %s", got, e.Code)
	}
	return e
}

func TestClassifyNil(t *testing.T) {
	if e := recourse.Classify(nil); e != nil {
		t.Errorf("Classify(nil) is %v", e)
	}
	if code := recourse.CodeOf(nil); code != "" {
		t.Errorf("CodeOf(nil) is %q", code)
	}
}

func TestClassifyFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, missing := os.Open(filepath.Join(dir, "none"))
	_, aFile := os.ReadDir(file)
	_, aFolder := os.ReadFile(dir)
	_, throughFile := os.Stat(filepath.Join(file, "x"))
	_, long := os.Stat(filepath.Join(dir, strings.Repeat("n", 5000)))
	_, embedded := fstest.MapFS{}.Open("none")
	exists := os.Mkdir(file, 0o700)
	notEmpty := syscall.Rmdir(dir)
	for _, tt := range []struct {
		err  error
		want recourse.Code
	}{
		{missing, recourse.NotFound},
		{embedded, recourse.NotFound},
		{exists, recourse.DuplicateEntry},
		{notEmpty, recourse.PreconditionFailed},
		{&fs.PathError{Op: "open", Path: file, Err: syscall.EACCES}, recourse.PermissionDenied},
		{&fs.PathError{Op: "open", Path: file, Err: syscall.EROFS}, recourse.PolicyBlocked},
		{&fs.PathError{Op: "write", Path: file, Err: syscall.ENOSPC}, recourse.ResourceExhausted},
		{&os.LinkError{Op: "rename", Old: file, New: "/x", Err: syscall.EXDEV}, recourse.NotSupported},
		{os.NewSyscallError("accept", syscall.EMFILE), recourse.ResourceExhausted},
		{os.NewSyscallError("fallocate", syscall.ENOTSUP), recourse.NotSupported},
		{&fs.PathError{Op: "open", Path: file, Err: syscall.EBUSY}, recourse.ResourceBusy},
		{fs.ErrPermission, recourse.PermissionDenied},
		{&fs.PathError{Op: "read", Path: file, Err: os.ErrDeadlineExceeded}, recourse.Timeout},
		{errors.ErrUnsupported, recourse.NotSupported},
	} {
		wants(t, tt.err, tt.want, false)
	}
	if runtime.GOOS == "windows" {
		return // where these are other numbers
	}
	for _, err := range []error{aFile, aFolder, throughFile, long} {
		wants(t, err, recourse.InvalidArgument, false)
	}
}

// That something is busy proves that nothing has been done only before the first
// byte is sent, or the program started.
func TestClassifyBusy(t *testing.T) {
	connecting := &net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", syscall.EAGAIN)}
	reading := &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.EAGAIN)}
	wants(t, connecting, recourse.ResourceBusy, true)
	wants(t, reading, recourse.Timeout, false) // as socket options let it end
	wants(t, &fs.PathError{Op: "fork/exec", Path: "/bin/x", Err: syscall.ETXTBSY}, recourse.ResourceBusy, true)
	wants(t, &fs.PathError{Op: "fork/exec", Path: "/bin/x", Err: syscall.EAGAIN}, recourse.ResourceBusy, true)
	wants(t, &fs.PathError{Op: "fork/exec", Path: "/bin/x", Err: syscall.ENOMEM}, recourse.ResourceExhausted, true)
	wants(t, &fs.PathError{Op: "write", Path: "/x", Err: syscall.ETXTBSY}, recourse.ResourceBusy, false)
	wants(t, os.NewSyscallError("flock", syscall.EAGAIN), recourse.ResourceBusy, false)
	wants(t, &net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}, recourse.ResourceBusy, false)
	wants(t, &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.EHOSTUNREACH)}, recourse.ServiceUnavailable, false)
}

// A file is only named as such where it is one.
func TestClassifyPermission(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "open", Path: "/srv/x", Err: syscall.EACCES}, "The server may not use a file or folder."},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, "The server may not use a file or folder."},
		{&os.LinkError{Op: "link", Old: "a", New: "b", Err: syscall.EPERM}, "The server may not use a file or folder."},
		{&net.OpError{Op: "listen", Net: "tcp", Err: os.NewSyscallError("bind", syscall.EACCES)}, "The server may not use this address."},
		{&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.EPERM)}, "The server may not use this address."},
		{os.NewSyscallError("setuid", syscall.EPERM), "The server is not allowed to do this."},
		{fmt.Errorf("asking: %w", os.ErrPermission), "The server is not allowed to do this."},
	} {
		if e := recourse.Classify(tt.err); e.Code != recourse.PermissionDenied || e.Message != tt.want {
			t.Errorf("%v: got %s %q, want %q", tt.err, e.Code, e.Message, tt.want)
		}
	}
}

func TestClassifyPrograms(t *testing.T) {
	dir := t.TempDir()
	wants(t, exec.Command("recourse-no-such-program").Run(), recourse.ConfigurationError, true)
	wants(t, exec.Command(filepath.Join(dir, "none")).Run(), recourse.ConfigurationError, true)
	notProgram := filepath.Join(dir, "text.exe")
	if err := os.WriteFile(notProgram, []byte("text"), 0o700); err != nil {
		t.Fatal(err)
	}
	wants(t, exec.Command(notProgram).Run(), recourse.ConfigurationError, true)

	cmd := exec.Command(os.Args[0])
	cmd.Dir = filepath.Join(dir, "none")
	if runtime.GOOS != "windows" {
		wants(t, cmd.Run(), recourse.NotFound, false)
	}

	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RECOURSE_TEST_EXIT=3")
	_, err := cmd.Output() // keeps standard error in the ExitError
	e := wants(t, fmt.Errorf("analysing: %w", err), recourse.ExecutionFailed, false)
	want := `{"error":{"code":"EXECUTION_FAILED","message":"The command ended with exit status 3.",` +
		`"suggestion":"Try other arguments; if the command fails again, tell the user.","retryable":false,"exit_status":3}}`
	if got := e.Envelope(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if runtime.GOOS == "windows" {
		return // has no signals
	}
	e = wants(t, exec.Command("/bin/sh", "-c", "kill -9 $$").Run(), recourse.ExecutionFailed, false)
	if e.Message != "The command was stopped by a signal." {
		t.Errorf("%s", e.Message)
	}
}

func TestClassifyJSON(t *testing.T) {
	var v struct{ N int }
	wants(t, json.Unmarshal([]byte(`<html>`), &v), recourse.BadUpstreamResponse, false)
	wants(t, json.Unmarshal([]byte(`{"n":`), &v), recourse.BadUpstreamResponse, false)
	wants(t, json.Unmarshal([]byte(`{"n":"x"}`), &v), recourse.BadUpstreamResponse, false)
	wants(t, json.NewDecoder(strings.NewReader(`{"n":`)).Decode(&v), recourse.BadUpstreamResponse, false)
	wants(t, json.NewDecoder(strings.NewReader(``)).Decode(&v), recourse.BadUpstreamResponse, false)
	var nothing any
	wants(t, json.Unmarshal([]byte(`{}`), nothing), recourse.InternalError, false)
	_, err := json.Marshal(any(func() {}))
	wants(t, err, recourse.InternalError, false)

	body := http.MaxBytesReader(httptest.NewRecorder(), io.NopCloser(bytes.NewReader(make([]byte, 11))), 10)
	_, err = io.ReadAll(body)
	wants(t, err, recourse.PayloadTooLarge, false)
}

func TestClassifyContextAndDatabase(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	wants(t, ctx.Err(), recourse.Timeout, false)
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	wants(t, fmt.Errorf("asking: %w", ctx.Err()), recourse.Cancelled, false)
	wants(t, sql.ErrNoRows, recourse.NotFound, false)
	wants(t, fmt.Errorf("row: %w", sql.ErrTxDone), recourse.InternalError, false)
	wants(t, sql.ErrConnDone, recourse.ServiceUnavailable, false)
	wants(t, driver.ErrBadConn, recourse.ServiceUnavailable, true) // by the driver's contract
}

// A state has the method by which pgx and lib/pq tell theirs.
type state string

func (s state) Error() string    { return "ERROR: relation \"secrets\" (SQLSTATE " + string(s) + ")" }
func (s state) SQLState() string { return string(s) }

func TestClassifySQLState(t *testing.T) {
	for _, tt := range []struct {
		state  state
		want   recourse.Code
		notRun bool
	}{
		{"02000", recourse.NotFound, false},
		{"08001", recourse.ServiceUnavailable, true},
		{"08006", recourse.ServiceUnavailable, false},
		{"0A000", recourse.NotSupported, false},
		{"22003", recourse.OutOfRange, false},
		{"22P02", recourse.InvalidArgument, false},
		{"23502", recourse.MissingArgument, false},
		{"23503", recourse.PreconditionFailed, false},
		{"23505", recourse.DuplicateEntry, false},
		{"23514", recourse.InvalidArgument, false},
		{"25006", recourse.PolicyBlocked, false},
		{"28P01", recourse.InvalidCredentials, false},
		{"3D000", recourse.NotFound, false},
		{"40001", recourse.ResourceBusy, true},
		{"40003", recourse.Timeout, false},
		{"40P01", recourse.ResourceBusy, true},
		{"42501", recourse.PermissionDenied, false},
		{"42601", recourse.InvalidQuery, false},
		{"42P01", recourse.InvalidQuery, false},
		{"42P07", recourse.DuplicateEntry, false},
		{"53100", recourse.ResourceExhausted, false},
		{"53300", recourse.ServiceUnavailable, true},
		{"55000", recourse.PreconditionFailed, false},
		{"55P03", recourse.ResourceBusy, true},
		{"57014", recourse.Timeout, false},
		{"57P01", recourse.ServiceUnavailable, false},
		{"57P03", recourse.ServiceUnavailable, true},
		{"XX000", recourse.UpstreamError, false},
		{"", recourse.UnknownError, false},
		{"ZZ000", recourse.UnknownError, false},
		{"toolong", recourse.UnknownError, false},
	} {
		wants(t, fmt.Errorf("insert: %w", tt.state), tt.want, tt.notRun)
	}
}

// An awsError is like smithy-go's, whose types are one in the other; the statuses
// of generated SDKs have the shorter name.
type (
	awsError    struct{ inner error }
	codeError   string
	statusError int
)

func (e awsError) Error() string       { return "https response error at 10.0.0.9: " + e.inner.Error() }
func (e awsError) Unwrap() error       { return e.inner }
func (e awsError) HTTPStatusCode() int { return http.StatusBadRequest }
func (c codeError) Error() string      { return "api error " + string(c) }
func (c codeError) ErrorCode() string  { return string(c) }
func (s statusError) Error() string    { return "unexpected status at 10.0.0.9" }
func (s statusError) StatusCode() int  { return int(s) }

func TestClassifySDKs(t *testing.T) {
	for status, want := range map[statusError]recourse.Code{
		0:   recourse.UnknownError, // there was no answer
		200: recourse.UnknownError,
		999: recourse.UnknownError,
		400: recourse.InvalidArgument,
		401: recourse.InvalidCredentials,
		404: recourse.NotFound,
		409: recourse.Conflict,
		429: recourse.RateLimited,
		500: recourse.UpstreamError,
		503: recourse.ServiceUnavailable,
		504: recourse.Timeout,
	} {
		wants(t, fmt.Errorf("asking: %w", status), want, status == 429)
	}
	e := wants(t, awsError{codeError("ThrottlingException")}, recourse.RateLimited, true)
	want := `{"error":{"code":"RATE_LIMITED","message":"The API answered 400: too many calls in a short time.",` +
		`"suggestion":"Wait, then repeat the call; send fewer calls at a time.","retryable":true,"retry_after_seconds":30,"max_retries":3,` +
		`"upstream":{"code":"ThrottlingException","status":400}}}`
	if got := e.Envelope(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	wants(t, awsError{codeError("ConditionalCheckFailedException")}, recourse.Conflict, false)
	wants(t, awsError{errors.New("no code")}, recourse.InvalidArgument, false)
}

func TestClassifyTrees(t *testing.T) {
	mine := &recourse.Error{Code: recourse.Conflict}
	unknown := errors.New("odd")
	for _, tt := range []struct {
		name string
		err  error
		want recourse.Code
	}{
		{"wrapped twice", fmt.Errorf("a: %w", fmt.Errorf("b: %w", fs.ErrExist)), recourse.DuplicateEntry},
		{"an Error among others", errors.Join(context.DeadlineExceeded, fmt.Errorf("x: %w", mine)), recourse.Conflict},
		{"an Error beneath a known one", &fs.PathError{Op: "read", Err: mine}, recourse.Conflict},
		{"the first that is known", errors.Join(unknown, fs.ErrNotExist, fs.ErrExist), recourse.NotFound},
		{"several %w", fmt.Errorf("%w and %w", unknown, fs.ErrExist), recourse.DuplicateEntry},
		{"nothing known", errors.Join(unknown, unknown), recourse.UnknownError},
		{"a nil Error beside a real one", errors.Join((*recourse.Error)(nil), fmt.Errorf("x: %w", mine)), recourse.Conflict},
		{"a nil Error", (*recourse.Error)(nil), recourse.UnknownError},
		{"a nil pointer in an error", (*fs.PathError)(nil), recourse.UnknownError},
		{"an As method", lends{mine}, recourse.Conflict},
		{"no code of its own", &recourse.Error{Message: "No.", Err: fs.ErrExist}, recourse.DuplicateEntry},
		{"not a code", &recourse.Error{Code: "not a code"}, recourse.UnknownError},
		{"an author's code", fmt.Errorf("x: %w", &recourse.Error{Code: "CARD_LOCKED"}), "CARD_LOCKED"},
		{"a wrapper that says Timeout", tardy{unknown}, recourse.Timeout},
		{"a wrapper that knows less than its cause", tardy{syscall.ECONNRESET}, recourse.ServiceUnavailable},
		{"no end", loop{}, recourse.UnknownError},
		{"a recovered panic", recovered(), recourse.InternalError},
		{"not comparable", several{unknown}, recourse.UnknownError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if e := recourse.Classify(tt.err); e.Code != tt.want {
				t.Errorf("got %s, want %s", e.Code, tt.want)
			}
		})
	}
	if recourse.Classify(fmt.Errorf("x: %w", mine)) != mine {
		t.Error("an Error with a code is not returned itself")
	}
}

type lends struct{ e *recourse.Error }

func (l lends) Error() string { return "lends" }

func (l lends) As(target any) bool {
	p, ok := target.(**recourse.Error)
	if ok {
		*p = l.e
	}
	return ok
}

type tardy struct{ error }

func (t tardy) Timeout() bool { return true }
func (t tardy) Unwrap() error { return t.error }

type loop struct{}

func (loop) Error() string { return "loop" }
func (loop) Unwrap() error { return loop{} }

type several []error

func (several) Error() string { return "several" }

func recovered() (err error) {
	defer func() { err, _ = recover().(error) }()
	var list []int
	return errors.New(fmt.Sprint(list[len(os.Args)]))
}

// What the standard library and drivers put into errors must not reach a model.
func TestClassifyShowsNoCause(t *testing.T) {
	const host, token = "db-7.prod.internal", "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	texts := []string{
		"dial tcp 10.20.30.40:5432: connect: connection refused",
		"lookup " + host + " on 10.0.0.2:53: no such host",
		"postgres://app:hunter2@" + host + "/main: password authentication failed",
		"Authorization: Bearer " + token,
		"goroutine 1 [running]:\nmain.main()\n\t/srv/app/main.go:17 +0x1d",
		"open /srv/app/secrets.yaml: permission denied",
	}
	nasty := []string{"10.20.30.40", "10.0.0.2", host, "hunter2", token, "/srv/app", "goroutine"}
	for _, text := range texts {
		inner := errors.New(text)
		for _, err := range []error{
			inner,
			fmt.Errorf("%s: %w", text, syscall.ECONNREFUSED),
			fmt.Errorf("%s: %w", text, context.DeadlineExceeded),
			&fs.PathError{Op: "open", Path: text, Err: syscall.ENOENT},
			&exec.Error{Name: text, Err: exec.ErrNotFound},
			errors.Join(inner, fs.ErrExist),
			&recourse.Error{Err: inner},
			&recourse.Error{Code: "MY_OWN", Err: inner},
			recourse.Errorf(recourse.NotFound, "no: %v", inner),
		} {
			e := recourse.Classify(err)
			object, _ := e.MarshalJSON()
			for _, seen := range []string{e.Error(), e.Envelope(), string(object), fmt.Sprintf("%v", e)} {
				for _, bad := range nasty {
					if strings.Contains(seen, bad) {
						t.Errorf("%T shows %q: %s", err, bad, seen)
					}
				}
			}
		}
	}
}

func TestSuggestionIsNeverEmpty(t *testing.T) {
	table, err := os.ReadFile("testdata/codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	codes := []recourse.Code{"", "MY_OWN", "not a code"}
	for line := range strings.Lines(string(table)) {
		if f := strings.Fields(line); len(f) > 0 && f[0] != "#" {
			codes = append(codes, recourse.Code(f[0]))
		}
	}
	if len(codes) < 30 {
		t.Fatalf("only %d codes", len(codes))
	}
	for _, code := range codes {
		for _, retries := range []int{-1, 0, 2} {
			for _, e := range []*recourse.Error{
				{Code: code, MaxRetries: retries},
				{Err: &recourse.Error{Code: code, MaxRetries: retries}},
				{Code: code, MaxRetries: retries, NotRun: true, Message: " ", Err: fs.ErrClosed},
			} {
				var o struct{ Message, Suggestion string }
				b, _ := e.MarshalJSON()
				if json.Unmarshal(b, &o) != nil || len(o.Suggestion) < 20 || o.Message == "" {
					t.Errorf("%s, %d retries: %s", code, retries, b)
				}
			}
		}
	}
}
