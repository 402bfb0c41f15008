package recourse

import (
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
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// Classify returns the Error in err's tree, or a new one made from what err is.
// Its Code is always filled in; a new one's Err is err. It returns nil for nil.
//
// It knows the errors of context, net, net/http, TLS, files, programs and JSON;
// of database/sql its own, such as [sql.ErrNoRows], and any that have a method
// SQLState() string; gRPC's; and those of SDKs that have HTTPStatusCode() int or
// StatusCode() int. Other drivers and SDKs are for [Guard.Map].
//
// Of several errors joined, the first that is an Error counts, or else the first
// that is known at all. Classify can't know where err was met: that of a JSON
// decoder is taken for an answer's fault, and a file that is missing for one that
// the call names.
func Classify(err error) *Error {
	if err == nil {
		return nil
	}
	e := classify(err)
	if e.Code.valid() {
		return e
	}
	r := e.inherit()
	r.Err = e // which the caller may look for
	return &r
}

// CodeOf returns Classify(err).Code, or "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return Classify(err).Code
}

// maxTree is how many errors of a tree are looked at. Real ones have a dozen;
// one that unwraps to itself has no end.
const maxTree = 1000

// classify returns the Error in err's tree, or else a new one. It never returns
// nil, and never panics: the methods of a nil pointer in an error, a common
// slip, do.
func classify(err error) *Error { return known(err, trail{}) }

// classifyOwn is classify for what a tool's own code returns, outside of a
// [Call]: nobody has answered, so JSON that can't be decoded is no service's
// fault, and a file that is missing is not one that the model has to look up.
func classifyOwn(err error) *Error { return known(err, trail{own: true}) }

func known(err error, t trail) (e *Error) {
	defer func() {
		if recover() != nil {
			e = &Error{Code: UnknownError, Err: err}
		}
	}()
	left := maxTree
	if e := find(err, &left); e != nil {
		return e
	}
	left = maxTree
	r := judge(err, t, &left)
	r.Err, r.made = err, true
	return &r
}

// ours returns the first Error in err's tree, or nil. Like all that follows, it
// takes a foreign error whose methods panic for one that says nothing: that of a
// nil pointer do, a common slip, and the log needs no second failure.
func ours(err error) (e *Error) {
	defer func() { _ = recover() }()
	left := maxTree
	return find(err, &left)
}

// is reports whether target is in err's tree.
func is(err, target error) bool {
	defer func() { _ = recover() }()
	left := maxTree
	return walk(err, &left, func(err error) bool {
		if err == target {
			return true
		}
		x, ok := err.(interface{ Is(target error) bool })
		return ok && x.Is(target)
	})
}

// textOf returns err's text.
func textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("an error of type %T, whose text can't be had", err)
		}
	}()
	text = err.Error()
	left := maxTree
	walk(err, &left, func(err error) bool {
		exit, ok := err.(*exec.ExitError)
		if ok && len(exit.Stderr) > 0 {
			text += ": " + string(exit.Stderr) // the reason, for the log
		}
		return ok
	})
	return text
}

// find returns the first Error in err's tree. Unlike errors.As, it goes on after
// a nil one.
func find(err error, left *int) (e *Error) {
	walk(err, left, func(err error) bool {
		if x, ok := err.(*Error); ok {
			e = x
			return e != nil
		}
		x, ok := err.(interface{ As(target any) bool })
		if !ok {
			return false
		}
		var lent *Error
		if x.As(&lent) && lent != nil {
			e = lent
		}
		return e != nil
	})
	return e
}

// walk shows seen the errors of err's tree, from the outside in, until that
// returns true, or there are none left to look at. [errors.Is] and [errors.As]
// have no end if the tree has none.
func walk(err error, left *int, seen func(error) bool) bool {
	for err != nil && *left > 0 {
		*left--
		if seen(err) {
			return true
		}
		if e, ok := err.(*Error); ok && e == nil {
			return false
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, inner := range x.Unwrap() {
				if walk(inner, left, seen) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// A trail is what the errors around an error say of it.
type trail struct {
	dial  bool // while a connection was being made: nothing was sent
	wire  bool // on a connection
	start bool // while a program was being started
	file  bool // by a path
	own   bool // by the tool's own code, outside of a Call
}

func (t trail) through(err error) trail {
	switch x := err.(type) {
	case *url.Error:
		t.wire = true
	case *net.OpError:
		t.wire = true
		t.dial = t.dial || x.Op == "dial" || x.Op == "proxyconnect" || x.Op == "socks connect"
	case *fs.PathError:
		t.file = true
		t.start = t.start || x.Op == "fork/exec"
	case *os.LinkError:
		t.file = true
	}
	return t
}

// judge returns what is known of err, seen from the outside in.
func judge(err error, t trail, left *int) Error {
	unknown := Error{Code: UnknownError}
	if err == nil || *left <= 0 {
		return unknown
	}
	*left--
	if v, ok := recognise(err, t); ok {
		return v
	}
	v, t := unknown, t.through(err)
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		v = judge(x.Unwrap(), t, left)
	case interface{ Unwrap() []error }:
		for _, inner := range x.Unwrap() {
			if v = judge(inner, t, left); v.Code != UnknownError {
				break
			}
		}
	}
	if _, ok := err.(redirected); ok {
		v.NotRun = false
	}
	if x, ok := err.(interface{ Timeout() bool }); ok && v.Code == UnknownError && x.Timeout() {
		return t.late()
	}
	return v
}

// recognise judges err alone.
func recognise(err error, t trail) (Error, bool) {
	if v, ok := connection(err, t); ok {
		return v, true
	}
	switch x := err.(type) {
	case syscall.Errno:
		if v, ok := t.errno(x); ok {
			return v, true
		}
	case *exec.Error:
		v := missingProgram
		if name := filepath.Base(x.Name); plainName(name) {
			v.Message = "The program " + name + ", which this tool needs, can't be started."
		}
		return v, true
	case *exec.ExitError:
		return exited(x), true
	case *json.SyntaxError:
		return t.adjust(Error{Code: BadUpstreamResponse, Message: "The answer is not valid JSON."}), true
	case *json.UnmarshalTypeError:
		return t.adjust(Error{Code: BadUpstreamResponse, Message: "The answer has another form than expected."}), true
	case *json.InvalidUnmarshalError, *json.UnsupportedTypeError, *json.UnsupportedValueError, *json.MarshalerError, runtime.Error:
		return Error{Code: InternalError}, true
	case *http.MaxBytesError:
		return Error{Code: PayloadTooLarge}, true
	case interface{ SQLState() string }:
		return bySQLState(x.SQLState())
	}
	x, ok := err.(interface{ Is(target error) bool })
	for _, s := range sentinels {
		if err == s.err || ok && x.Is(s.err) {
			return t.adjust(s.is), true
		}
	}
	if v, ok := byGRPC(err); ok {
		return v, true
	}
	switch x := err.(type) {
	case interface{ HTTPStatusCode() int }:
		return bySDK(err, x.HTTPStatusCode())
	case interface{ StatusCode() int }:
		return bySDK(err, x.StatusCode())
	}
	return Error{}, false
}

var missingProgram = Error{Code: ConfigurationError, Message: "A program that this tool needs can't be started.", NotRun: true}

// exited keeps a program's standard error back: it is written for operators.
func exited(x *exec.ExitError) Error {
	status := x.ExitCode()
	v := Error{Code: ExecutionFailed, Suggestion: "Try other arguments; if the command fails again, tell the user."}
	if status < 0 {
		v.Message = "The command was stopped by a signal."
		return v
	}
	v.Message = "The command ended with exit status " + strconv.Itoa(status) + "."
	v.Related = map[string]any{"exit_status": status}
	return v
}

// Messages of a broken connection.
const (
	refused   = "The service takes no connections."
	broken    = "The connection broke before the answer was there."
	brokenOff = "The answer ended before it was complete."
)

// sentinels are told by themselves or by an Is method.
var sentinels = []struct {
	err error
	is  Error
}{
	{context.Canceled, Error{Code: Cancelled}},
	{context.DeadlineExceeded, Error{Code: Timeout}},
	{fs.ErrNotExist, Error{Code: NotFound, Message: noFile}},
	{fs.ErrPermission, Error{Code: PermissionDenied}},
	{fs.ErrExist, Error{Code: DuplicateEntry, Message: fileExists}},
	{exec.ErrNotFound, missingProgram},
	{errors.ErrUnsupported, Error{Code: NotSupported}},
	{sql.ErrNoRows, Error{Code: NotFound, Message: "No entry matches.", heard: true}},
	{sql.ErrConnDone, Error{Code: ServiceUnavailable, Message: broken, lost: true}},
	{sql.ErrTxDone, Error{Code: InternalError}},
	// Drivers must not return it if the server may have done the work:
	// https://pkg.go.dev/database/sql/driver#pkg-variables.
	{driver.ErrBadConn, Error{Code: ServiceUnavailable, Message: broken, NotRun: true, lost: true}},
	{net.ErrClosed, Error{Code: ServiceUnavailable, Message: broken, lost: true}},
	{io.ErrClosedPipe, Error{Code: ServiceUnavailable, Message: broken, lost: true}},
	// A decoder returns these for an answer that is too short as well as for a
	// connection that broke; connection knows the latter where it can.
	{io.EOF, Error{Code: BadUpstreamResponse, Message: brokenOff, lost: true}},
	{io.ErrUnexpectedEOF, Error{Code: BadUpstreamResponse, Message: brokenOff, lost: true}},
}
