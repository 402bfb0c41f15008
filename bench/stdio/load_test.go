//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// liar is an echo server that answers every call with a text of its own.
func liar(in io.Reader, out io.Writer) {
	r := lines(in)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		f, _ := dissect(line)
		f.id, f.method = bytes.Clone(f.id), bytes.Clone(f.method)
		switch string(f.method) {
		case "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", f.id, helloAnswer)
		case "tools/call":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`+"\n",
				f.id, bytes.Repeat([]byte("?"), len(f.text)))
		}
	}
}

func connect(t *testing.T, words ...string) *client {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var argv []string
	for _, w := range words {
		argv = append(argv, self, w)
	}
	c, _, err := dial(argv, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	return c
}

// TestLoad has each slot make its one call, since no time is given for more.
func TestLoad(t *testing.T) {
	for _, words := range [][]string{{"echo"}, {"copy", "echo"}} {
		c := connect(t, words...)
		if err := c.list(); err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 100, 10 << 10, 1 << 20} {
			for _, inflight := range []int{1, 7} {
				got, err := c.load(size, inflight, 0)
				if err != nil || len(got.latencies) != inflight {
					t.Errorf("%v, %d bytes, %d in flight: %d answers, %v", words, size, inflight, len(got.latencies), err)
				}
				if !slices.IsSorted(got.latencies) || got.latencies[0] <= 0 || got.elapsed < got.latencies[inflight-1] {
					t.Errorf("%v, %d bytes, %d in flight: latencies %v in %s", words, size, inflight, got.latencies, got.elapsed)
				}
				if got.cpu <= 0 {
					t.Errorf("%v took no CPU time", words)
				}
			}
		}
	}
}

func TestLoadFindsLies(t *testing.T) {
	_, err := connect(t, "liar").load(100, 4, 0)
	if err == nil || !strings.Contains(err.Error(), "wrong answer") {
		t.Errorf("load through a liar: %v", err)
	}
}

func TestDialFailures(t *testing.T) {
	for _, argv := range [][]string{{"/nonexistent/server"}, {"true"}} {
		if c, _, err := dial(argv, nil); err == nil {
			c.close()
			t.Errorf("dial(%v) succeeded", argv)
		}
	}
}

func TestMemory(t *testing.T) {
	m, err := memoryOf(os.Getpid())
	if err != nil || m.anonymous < 1<<20 || m.resident <= m.anonymous {
		t.Errorf("memory of this process: %+v, %v", m, err)
	}
}
