//go:build linux

package main

import (
	"os"
	"slices"
	"testing"
)

// TestMain makes the test binary also the programs that the benchmark starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "echo", "copy":
			if run(os.Args[1:]) != nil {
				os.Exit(1)
			}
			return
		case "liar":
			liar(os.Stdin, os.Stdout)
			return
		}
	}
	os.Exit(m.Run())
}

func TestSizes(t *testing.T) {
	got, err := parseSizes("100,10KiB,1MiB")
	if want := []int{100, 10240, 1048576}; err != nil || !slices.Equal(got, want) {
		t.Errorf("parseSizes: %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"", "0", "-1", "10 KB", "1GiB", "9MiB"} {
		if got, err := parseSizes(bad); err == nil {
			t.Errorf("parseSizes(%q) = %v, want an error", bad, got)
		}
	}
	for n, want := range map[int]string{100: "100 B", 10240: "10 KiB", 1 << 20: "1 MiB", 1500: "1500 B"} {
		if got := sizeText(n); got != want {
			t.Errorf("sizeText(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestUnknownContender(t *testing.T) {
	if _, err := enter(plan{only: []string{"nobody"}, recourse: "recourse"}, t.TempDir()); err == nil {
		t.Error("a contender that does not exist was accepted")
	}
}
