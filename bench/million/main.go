// Million makes a million calls through a proxy and compares every byte that
// comes back: answers of all sizes and out of order, ids of all kinds, text
// with every escape, progress, log messages, and requests that the server
// makes of the client. The server, this program too, compares what reaches it.
//
//	go run ./bench/million                            # through recourse, built here
//	go run ./bench/million -n 20000 -- PROXY [ARG…]   # through PROXY [ARG…] COMMAND ARG…
//	go run ./bench/million -direct
//
// It prints the first difference and exits with 1. A run follows from its
// seed, but for the order of the answers.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "million:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	fs := flag.NewFlagSet("million", flag.ExitOnError)
	n := fs.Int("n", 1_000_000, "number of calls")
	seed := fs.Uint64("seed", 1, "what all calls follow from")
	direct := fs.Bool("direct", false, "use no proxy")
	child := fs.Bool("child", false, "be the server")
	fs.Parse(args)
	if *child {
		return serve(*seed, os.Stdin, os.Stdout)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	proxy := fs.Args()
	if len(proxy) == 0 && !*direct {
		dir, err := os.MkdirTemp("", "recourse-million-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if proxy, err = recourse(dir); err != nil {
			return err
		}
	}
	argv := append(proxy, self, "-child", "-seed", strconv.FormatUint(*seed, 10))
	return newSoak(*seed, *n).through(argv)
}

// recourse builds the binary into dir and returns its command.
func recourse(dir string) ([]string, error) {
	binary := filepath.Join(dir, "recourse")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/recourse-dev/recourse/cmd/recourse").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build recourse: %w\n%s", err, out)
	}
	return []string{binary, "run", "--no-log", "--quiet", "--"}, nil
}
