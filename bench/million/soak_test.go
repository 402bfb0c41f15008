package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestMain makes the test binary also the server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-child" {
		if run(os.Args[1:]) != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestThroughRecourse is the short form of the program itself.
func TestThroughRecourse(t *testing.T) {
	proxy, err := recourse(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newSoak(testSeed, short)
	s.log = t.Output()
	if err := s.through(append(proxy, self, "-child", "-seed", "1")); err != nil {
		t.Error(err)
	}
}

// A tamper is a bad proxy: it returns what to send instead of line i.
type tamper func(i int, line []byte) []byte

func faithful(_ int, line []byte) []byte { return line }

// between makes n calls through a pair of tampers. The watch is on.
func between(n int, up, down tamper) error {
	fromClient, toProxy := io.Pipe()
	fromProxy, toServer := io.Pipe()
	fromServer, toProxyBack := io.Pipe()
	fromProxyBack, toClient := io.Pipe()
	pass := func(from io.Reader, to *io.PipeWriter, change tamper) {
		defer to.Close()
		r := bufio.NewReaderSize(from, 4*longest)
		for i := 0; ; i++ {
			line, err := r.ReadSlice('\n')
			if err != nil {
				return
			}
			if _, err := to.Write(change(i, bytes.Clone(line))); err != nil {
				return
			}
		}
	}
	go pass(fromClient, toServer, up)
	go pass(fromServer, toClient, down)
	go func() {
		serve(testSeed, fromProxy, toProxyBack)
		fromProxy.Close()
		toProxyBack.Close()
	}()
	s, done := newSoak(testSeed, n), make(chan struct{})
	s.log = io.Discard
	defer close(done)
	hangUp := func() {
		for _, p := range []io.Closer{fromClient, fromProxyBack, fromServer, fromProxy} {
			p.Close()
		}
	}
	defer hangUp()
	go s.watch(time.Now(), done, hangUp)
	return s.run(toProxy, fromProxyBack)
}

func TestFaithful(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if err := between(2000, faithful, faithful); err != nil {
			t.Error(err)
		}
	})
}

// TestDifferences makes sure that what a proxy may do wrong is found, from the
// 200th line on.
func TestDifferences(t *testing.T) {
	replace := func(old, with string) tamper {
		return func(i int, line []byte) []byte {
			if i < 200 {
				return line
			}
			return bytes.Replace(line, []byte(old), []byte(with), 1)
		}
	}
	var kept []byte
	swap := func(i int, line []byte) []byte {
		switch i {
		case 200:
			kept = line
			return nil
		case 201:
			return append(line, kept...)
		case 202:
			return append(line, kept...)
		}
		return line
	}
	drop := func(i int, line []byte) []byte {
		if i == 200 {
			return nil
		}
		return line
	}
	glue := func(i int, line []byte) []byte {
		if i == 200 {
			return bytes.TrimSuffix(line, []byte("\n"))
		}
		return line
	}
	tests := []struct {
		name     string
		up, down tamper
		want     string
	}{
		{"an escape is decoded", faithful, replace(`\u00e9`, `é`), "differs at byte"},
		{"a number is respelled", faithful, replace(`1.50`, `1.5`), "differs at byte"},
		{"blanks are dropped", faithful, replace(`" : {`, `":{`), "differs at byte"},
		{"a big integer is rounded", faithful, replace(`9007199254740993`, `9007199254740992`), "differs at byte"},
		{"an unknown member is dropped", faithful, replace(` , "unknown" : [ { } ]`, ``), "differs at byte"},
		{"an id becomes a string", faithful, replace(`"jsonrpc":"2.0","id":1`, `"jsonrpc":"2.0","id":"1`), "belongs to no call"},
		{"an answer comes twice", faithful, swap, "belongs to no call"},
		{"an answer is lost", faithful, drop, "no answer in 30s"},
		{"a request is lost", drop, faithful, "no answer in 30s"},
		{"a request is changed", replace(`\/`, `/`), faithful, "the request of call"},
		{"a line too many", faithful, replace(`{"jsonrpc":"2.0","id":`, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n"+`{"jsonrpc":"2.0","id":`), "belongs to no call"},
		{"two lines are glued", faithful, glue, "differs at byte"},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			err := between(600, test.up, test.down)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want %q", test.name, err, test.want)
			}
		})
	}
}
