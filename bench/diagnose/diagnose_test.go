package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var given = flag.String("recourse", "", "recourse binary (default: build it)")

// TestMain is the server too: the test's binary is what recourse starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		if err := serve(os.Args[2], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestFloor holds what has been reached: all targets, on our own cases.
func TestFloor(t *testing.T) {
	s, end, err := newStage(*given)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	var r report
	if err := r.measure(s, cases(t)); err != nil {
		t.Fatal(err)
	}
	if !r.holds() {
		var out strings.Builder
		if err := r.write(&out, true); err != nil {
			t.Fatal(err)
		}
		t.Error(out.String())
	}
}
