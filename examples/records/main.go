// Command records is an MCP server with three tools, create_record,
// update_record and find_records, on an SQLite database.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"net/mail"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

type record struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	Name    string `json:"name"`
	Email   string `json:"email"`
	Plan    string `json:"plan"`
	Seats   int    `json:"seats"`
}

type query struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Limit int    `json:"limit"`
}

type found struct {
	Records []record `json:"records"`
}

func createRecord(ctx context.Context, _ *mcp.CallToolRequest, r record) (*mcp.CallToolResult, record, error) {
	r.ID, r.Version = newID(), 1
	if err := check(r); err != nil {
		return nil, r, err
	}
	return nil, r, insert(ctx, r)
}

func updateRecord(ctx context.Context, _ *mcp.CallToolRequest, change record) (*mcp.CallToolResult, record, error) {
	if change == (record{ID: change.ID, Version: change.Version}) {
		return nil, change, &recourse.Error{
			Code:       recourse.MissingArgument,
			Message:    "The call changes nothing.",
			Suggestion: "Set at least one of name, email, plan and seats to its new value.",
		}
	}
	r, err := get(ctx, change.ID)
	if err != nil {
		return nil, r, err
	}
	if r.Version != change.Version {
		return nil, r, conflict(r, change.Version)
	}
	r.Name = cmp.Or(change.Name, r.Name) // the schema allows no empty ones
	r.Email = cmp.Or(change.Email, r.Email)
	r.Plan = cmp.Or(change.Plan, r.Plan)
	r.Seats = cmp.Or(change.Seats, r.Seats)
	if err := check(r); err != nil {
		return nil, r, err
	}
	r, err = update(ctx, r)
	return nil, r, err
}

func findRecords(ctx context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, found, error) {
	if q.ID != "" && q.Text != "" {
		return nil, found{}, &recourse.Error{
			Code: recourse.InvalidArgument, Message: "id and text exclude each other.",
			Field: "/text", Value: q.Text, Constraint: "absent where there is an id",
			Suggestion: "Leave out text to get the record with this id, or leave out id to search for text.",
		}
	}
	if q.ID != "" {
		r, err := get(ctx, q.ID)
		return nil, found{[]record{r}}, err
	}
	list, err := search(ctx, q.Text, q.Limit+1)
	if len(list) > q.Limit {
		list = list[:q.Limit]
		recourse.Warn(ctx, "There are more than these %d records: set text to a longer part of the name, or raise limit.", q.Limit)
	}
	return nil, found{list}, err
}

// check finds the faults that a schema can't.
func check(r record) error {
	var faults []recourse.Violation
	if a, err := mail.ParseAddress(r.Email); err != nil || a.Address != r.Email {
		faults = append(faults, recourse.Violation{
			Field: "/email", Value: r.Email, Constraint: "an e-mail address and nothing beside it",
			Suggestion: "Set email to an address such as ada@example.com.",
		})
	}
	if r.Plan == "free" && r.Seats > 3 {
		faults = append(faults, recourse.Violation{
			Field: "/seats", Value: r.Seats, Constraint: "at most 3 on the free plan",
			Suggestion: "Set seats to 3 or less, or plan to team or enterprise.",
		})
	}
	switch len(faults) {
	case 0:
		return nil
	case 1:
		f := faults[0]
		return &recourse.Error{
			Code: recourse.InvalidArgument, Message: f.Field[1:] + " must be " + f.Constraint + ".",
			Field: f.Field, Value: f.Value, Constraint: f.Constraint, Suggestion: f.Suggestion,
		}
	default:
		return &recourse.Error{
			Code: recourse.InvalidArgument, Message: "2 arguments are wrong: email, seats.",
			Suggestion: faults[0].Suggestion + " " + faults[1].Suggestion, Violations: faults,
		}
	}
}

func main() {
	file := flag.String("db", ":memory:", "`file` of the database; it is made if it does not exist")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "records serves create_record, update_record and find_records over standard input and output.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		recourse.Fatal(recourse.Errorf(recourse.ConfigurationError, "There is no argument %q; -help lists the flags.", flag.Arg(0)))
	}
	if err := open(context.Background(), *file); err != nil {
		recourse.Fatal(err)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "records", Version: "1"}, nil)
	g := &recourse.Guard{Map: explain, Log: recourse.LogTo(os.Stderr)}
	s.AddReceivingMiddleware(gosdk.Middleware(g)) // answers names of tools that don't exist
	gosdk.AddTool(s, g, createTool, createRecord)
	gosdk.AddTool(s, g, updateTool, updateRecord)
	gosdk.AddTool(s, g, findTool, findRecords)
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
