// Command server is an MCP server that is good but for one row of the table of
// faults:
//
//	server ROWS ID
//
// ROWS is a pattern for the table's files. The variable FAULT_STATE names a file in
// which its processes count how often the fault has happened; FAULT_LIMIT is the
// limit of a call. It ends with 70 when it is given what is no single message of
// JSON-RPC.
package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/recourse-dev/recourse/bench/fault/table"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: server ROWS ID")
		os.Exit(2)
	}
	rows, err := table.Load(os.Args[1])
	i := slices.IndexFunc(rows, func(r table.Row) bool { return r.ID == os.Args[2] })
	if err != nil || i < 0 {
		fmt.Fprintf(os.Stderr, "there is no row %s: %v\n", os.Args[2], err)
		os.Exit(2)
	}
	limit, err := time.ParseDuration(os.Getenv("FAULT_LIMIT"))
	if err != nil {
		limit = 2 * time.Second
	}
	s := &server{row: rows[i], limit: limit, in: bufio.NewReader(os.Stdin)}
	s.serve()
}
