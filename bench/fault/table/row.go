// Package table reads the table of faults: what a bad server or a bad client does,
// and what must come of it.
package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A Row is one fault.
type Row struct {
	ID     string
	Title  string
	Source string // where it is from: a field report, a program that does it; empty: thought up

	// On is when the server does it: "start", before it reads anything; "call", at
	// a call of any tool but echo; "echoed", after the answer to an echo; "all", at
	// each message, before it is answered; else at each message of that method.
	// Where a row asks several things of it at once, all of them have arrived then.
	On string

	// Server is what it does instead of what is right.
	Server []Step

	// Times is how often, over all its processes; 0 means always.
	Times int

	// Asks are what a client asks at once; none is one call of act.
	Asks []Ask

	// Want is what must come of every Ask that has no Want of its own; nothing is
	// the answer of a good server.
	Want Want

	// Hello is what must come of initialize; nothing is success. After an error
	// nothing else is asked.
	Hello *Want

	// Client is what a bad client sends instead of the Asks, and Hear all that it
	// must hear then, in any order, in the sense of [Want.Like].
	Client []Step
	Hear   []json.RawMessage

	// Protocol is the revision that a bad client wants; empty is 2025-06-18.
	Protocol string

	Flags   []string // of recourse run
	Told    string   // is in what recourse writes on standard error
	Also    []string // methods of notifications and requests that may reach the client
	Clients []string // that can do with what must come; none means all
	Next    string   // within what time the echo after it is answered, as in Want.Within
	Tries   int      // how many echos may fail before it; 0 is none
	Linux   bool     // only there
	Large   bool     // a client has much to do with it
}

// An Ask is a request of the client's.
type Ask struct {
	Tool   string          // act if empty
	Args   json.RawMessage // of the tool; texts in it are expanded
	Method string          // tools/call if empty
	Params json.RawMessage // if the method is another one
	Want   *Want
}

// A Want is what must come of a request.
type Want struct {
	// Is says what kind of answer it is: "data" (also if empty), "error", one of
	// recourse's own, "failure", an error in the server's words, or "any".
	Is string

	Text     *string // the first text, or the error's, exactly
	Texts    []string
	Size     int             // of the first text, in bytes
	Most     int             // bytes that the whole answer may have
	Contains []string        // in the text of data, in the envelope of an error
	Lacks    []string        // in the answer
	Code     string          // of an error; several are parted by |
	RPC      int             // number of a JSON-RPC error
	Has      map[string]any  // members of the envelope; null: not there
	Like     json.RawMessage // members of the result or error; others are allowed
	Exact    json.RawMessage // the result, byte for byte
	Warned   bool            // with a sentence in _meta["dev.recourse/warnings"]

	// Within is "limit", at the call's limit and no later than two seconds after
	// it, or a duration; if empty, 1.5 s.
	Within string
}

// A Step is one thing that a server or client does. One of its fields is set.
type Step struct {
	Say    string          // a line
	Put    string          // a part of one
	Drip   string          // as Put, byte by byte, each in a write of its own, 1 ms apart
	Result json.RawMessage // a whole answer
	Error  json.RawMessage // a whole answer
	Repeat *Repeat
	Pause  string // a duration
	Await  string // until a line with this text has come
	Stderr string
	Close  string  // stdin or stdout
	Exit   *int    // the status
	Do     string  // answer (as is right), kill (itself, SIGKILL), stop (SIGSTOP), deaf (nothing more), spin (for ever)
	Spin   float64 // so many limits of a call
}

// Repeat is so many lines in one go.
type Repeat struct {
	Say   string
	Times int
}

// Load reads the rows of all files that match the pattern.
func Load(pattern string) ([]Row, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		decoder := json.NewDecoder(bytes.NewReader(b))
		decoder.DisallowUnknownFields()
		for {
			r := Row{On: "call"}
			if err := decoder.Decode(&r); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("%s, after row %d: %w", name, len(rows), err)
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// All returns what a client asks.
func (r *Row) All() []Ask {
	if len(r.Asks) == 0 {
		return []Ask{{}}
	}
	return r.Asks
}

// Name returns the tool's name, or the method's.
func (a *Ask) Name() string {
	switch {
	case a.Method != "":
		return a.Method
	case a.Tool != "":
		return a.Tool
	}
	return "act"
}

// Request returns method and params as they are sent.
func (a *Ask) Request() (method string, params json.RawMessage) {
	if a.Method != "" {
		return a.Method, a.Params
	}
	args := a.Args
	if args == nil {
		args = json.RawMessage("{}")
	}
	return "tools/call", fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, a.Name(), Text{}.Expand(string(args)))
}

// Wanted returns what must come of one of the row's Asks.
func (r *Row) Wanted(a Ask) Want {
	if a.Want != nil {
		return *a.Want
	}
	return r.Want
}
