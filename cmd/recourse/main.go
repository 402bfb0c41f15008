// Command recourse stands before an MCP server and sees that every call ends as
// data or as an error that the model can act on.
package main

import (
	"os"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
