package recourse

import (
	"fmt"
	"os"
)

// ExitConfig is the status of a process that a restart cannot help: EX_CONFIG
// of sysexits.h.
const ExitConfig = 78

// Fatal writes err as one JSON line to standard error and exits with
// [ExitConfig]. Call it from main, after [Guard.Drain] if calls may be running.
// It is for what an operator has to mend before the server can start: whoever
// supervises the process need not try again. It is not for what a server's own Run
// returns, such as a client that is gone. If err is nil it does nothing.
//
// The line is an envelope with a further member "cause", which a proxy does not
// pass on. As an operator reads it, an err that is no [Error] is shown in its own
// words, without secrets.
func Fatal(err error) {
	if !isFailure(err) {
		return
	}
	fmt.Fprintf(os.Stderr, "%s\n", fatal(err))
	os.Exit(ExitConfig)
}

// fatal returns the line that Fatal writes.
func fatal(err error) []byte {
	e := ours(err)
	if e == nil {
		e = &Error{Code: ConfigurationError, Message: clip(textOf(err)), Err: err}
	}
	o := e.object()
	if text := clip(cause(err)); text != "" && text != e.Message && o.index("cause") < 0 {
		o.add("cause", encode(text))
	}
	return append(o.append([]byte(`{"error":`)), '}')
}
