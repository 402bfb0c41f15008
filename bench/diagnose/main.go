// Diagnose measures how well recourse tells failures from data, says what failed,
// and mends arguments. It reads cases, one JSON object a line, plays each through
// recourse run between a raw client and a server that answers as the case says,
// and compares what comes out with the case's label.
//
//	go run ./bench/diagnose FILE…            # the cases of the files
//	go run ./bench/diagnose -v FILE…         # with every miss
//	go run ./bench/diagnose -trees DIR,…     # every text file below as the answer of a tool
//
// It exits with 0 if all targets hold, 1 if one is missed, and 2 if it can't
// measure. (go run itself makes a 1 of a 2.)
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	exitMissed = 1
	exitBroken = 2
)

func main() {
	status, err := run(os.Args[1:], os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "diagnose:", err)
		status = exitBroken
	}
	os.Exit(status)
}

func run(args []string, in io.Reader, out io.Writer) (status int, err error) {
	if len(args) == 2 && args[0] == "serve" {
		return 0, serve(args[1], in, out)
	}
	fs := flag.NewFlagSet("diagnose", flag.ExitOnError)
	verbose := fs.Bool("v", false, "list every miss")
	asJSON := fs.Bool("json", false, "print JSON, with every miss")
	binary := fs.String("recourse", "", "recourse binary (default: build it)")
	trees := fs.String("trees", "", "folders, separated by commas: every text file below is the answer of a tool")
	fs.Parse(args)
	if fs.NArg() == 0 && *trees == "" {
		return 0, errors.New("name at least one file of cases, or folders with -trees")
	}
	cases, err := readCases(fs.Args())
	if err != nil {
		return 0, err
	}
	s, end, err := newStage(*binary)
	if err != nil {
		return 0, err
	}
	defer end()
	var r report
	if err := r.measure(s, cases); err != nil {
		return 0, err
	}
	if *trees != "" {
		if err := r.measureTrees(s, strings.Split(*trees, ",")); err != nil {
			return 0, err
		}
	}
	if *asJSON {
		err = r.writeJSON(out)
	} else {
		err = r.write(out, *verbose)
	}
	if !r.holds() {
		status = exitMissed
	}
	return status, err
}
