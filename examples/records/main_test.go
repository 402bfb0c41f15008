package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/examples/session"
)

func TestMain(m *testing.M) { session.Main(m, main) }

type args map[string]any

// One session creates, changes and finds records, and makes every mistake.
func TestMistakes(t *testing.T) {
	s := session.Start(t, session.Command(t))
	var ada record
	s.Call(t, "create_record", args{"name": "Ada Lovelace", "email": "ada@example.com"}).Decode(t, &ada)
	if ada.ID == "" || ada.Version != 1 || ada.Plan != "free" || ada.Seats != 1 {
		t.Fatalf("created %+v", ada)
	}
	var bob record
	s.Call(t, "create_record", args{"name": "Bob Kahn", "email": "bob@example.com", "plan": "team", "seats": 40}).Decode(t, &bob)

	var changed record
	s.Call(t, "update_record", args{"id": ada.ID, "version": 1, "plan": "enterprise", "seats": 12}).Decode(t, &changed)
	if want := (record{ada.ID, 2, "Ada Lovelace", "ada@example.com", "enterprise", 12}); changed != want {
		t.Fatalf("changed to %+v, want %+v", changed, want)
	}

	misspelt := ada.ID[:len(ada.ID)-1] + "0" // base 32 has no 0
	for _, tt := range []struct {
		name, tool string
		args       args
		want       recourse.Error
	}{
		{"duplicate", "create_record", args{"name": "A. Lovelace", "email": "Ada@Example.com"}, recourse.Error{
			Code: recourse.DuplicateEntry, Message: "A record with this email already exists.", Field: "/email", Value: "Ada@Example.com",
			Suggestion: "Use update_record with existing_id, or choose a different email.", Related: args{"existing_id": ada.ID},
		}},
		{"duplicate by change", "update_record", args{"id": bob.ID, "version": 1, "email": "ada@example.com"}, recourse.Error{
			Code: recourse.DuplicateEntry, Field: "/email", Related: args{"existing_id": ada.ID},
		}},
		{"old version", "update_record", args{"id": ada.ID, "version": 1, "seats": 13}, recourse.Error{
			Code: recourse.Conflict, Message: "changed meanwhile", Field: "/version", Value: 1, Suggestion: "version 2", Related: args{"current": changed},
		}},
		{"version to come", "update_record", args{"id": ada.ID, "version": 7, "seats": 13}, recourse.Error{
			Code: recourse.Conflict, Message: "There is no version 7 of the record: the newest is 2.", Field: "/version", Value: 7,
			Suggestion: "version 2", Related: args{"current": changed},
		}},
		{"id and text", "find_records", args{"id": ada.ID, "text": "bob"}, recourse.Error{
			Code: recourse.InvalidArgument, Field: "/text", Value: "bob", Suggestion: "leave out id",
		}},
		{"misspelt id", "update_record", args{"id": misspelt, "version": 1, "seats": 2}, recourse.Error{
			Code: recourse.NotFound, Field: "/id", Value: misspelt, Suggestion: "near_ids", Related: args{"near_ids": []string{ada.ID}},
		}},
		{"unlike any id", "find_records", args{"id": "rec_0"}, recourse.Error{Code: recourse.NotFound, Field: "/id", Suggestion: "find_records"}},
		{"no address", "create_record", args{"name": "Eve", "email": "eve at example.com"}, recourse.Error{
			Code: recourse.InvalidArgument, Field: "/email", Value: "eve at example.com", Message: "email must be", Constraint: "an e-mail address and nothing beside it",
		}},
		{"too many for free", "create_record", args{"name": "Eve", "email": "eve@example.com", "seats": 4}, recourse.Error{
			Code: recourse.InvalidArgument, Field: "/seats", Value: 4, Suggestion: "plan to team",
		}},
		{"too many for all", "create_record", args{"name": "Eve", "email": "eve@example.com", "plan": "team", "seats": 501}, recourse.Error{
			Code: recourse.OutOfRange, Field: "/seats", Value: 501, Suggestion: "500",
		}},
		{"no such plan", "create_record", args{"name": "Eve", "email": "eve@example.com", "plan": "gold"}, recourse.Error{
			Code: recourse.InvalidArgument, Field: "/plan", Value: "gold", Suggestion: "enterprise",
		}},
		{"no email", "create_record", args{"name": "Eve"}, recourse.Error{Code: recourse.MissingArgument, Field: "/email"}},
		{"nothing to change", "update_record", args{"id": ada.ID, "version": 2}, recourse.Error{Code: recourse.MissingArgument, Suggestion: "name, email, plan and seats"}},
		{"text for a number", "find_records", args{"limit": "all"}, recourse.Error{Code: recourse.InvalidArgument, Field: "/limit", Value: "all"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := s.Call(t, tt.tool, tt.args)
			a.Want(t, tt.want, false)
			a.Hides(t, "constraint failed", "SQL")
		})
	}
	var now found
	s.Call(t, "find_records", args{"text": "EXAMPLE.COM"}).Decode(t, &now)
	if len(now.Records) != 2 || now.Records[0] != changed || now.Records[1] != bob {
		t.Errorf("after all mistakes there is %+v", now)
	}
	s.Close(t)
}

func TestSeveralFaults(t *testing.T) {
	s := session.Start(t, session.Command(t))
	for _, tt := range []struct {
		name   string
		args   args
		fields []string
	}{
		{"of the handler", args{"name": "Eve", "email": "eve at home", "seats": 9}, []string{"/email", "/seats"}},
		{"of the schema", args{"name": "", "email": "eve@example.com", "plan": "gold", "seats": 0}, []string{"/name", "/plan", "/seats"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := s.Call(t, "create_record", tt.args)
			if a.Error == nil || len(a.Error.Violations) != len(tt.fields) {
				t.Fatalf("want faults at %v: %s", tt.fields, a.Text)
			}
			for _, field := range tt.fields {
				if !strings.Contains(a.Text, `"field":"`+field+`"`) {
					t.Errorf("nothing of %s: %s", field, a.Text)
				}
			}
		})
	}
	s.Close(t)
}

// A list that is cut says so; one that is empty is an answer.
func TestFind(t *testing.T) {
	s := session.Start(t, session.Command(t))
	for _, name := range []string{"Ann", "Anna", "Anne"} {
		s.Call(t, "create_record", args{"name": name, "email": name + "@example.com"}).Decode(t, &record{})
	}
	var list found
	a := s.Call(t, "find_records", args{"text": "ann", "limit": 2})
	a.Decode(t, &list)
	if len(list.Records) != 2 || a.Completeness != "partial" || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "limit") {
		t.Errorf("cut to %s", a.Text)
	}
	a = s.Call(t, "find_records", args{"text": "ann", "limit": 3})
	a.Decode(t, &list)
	if len(list.Records) != 3 || a.Warnings != nil {
		t.Errorf("all are %s", a.Text)
	}
	a = s.Call(t, "find_records", args{"text": "%"})
	a.Decode(t, &list)
	if len(list.Records) != 0 || a.Warnings != nil {
		t.Errorf("none are %s", a.Text)
	}
	s.Close(t)
}

// What the database does is said without a word of its own.
func TestDatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "records.db")
	s := session.Start(t, session.Command(t, "-db", file))
	other, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1) // one connection takes the lock and gives it back
	exec := func(statement string) {
		t.Helper()
		if _, err := other.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	create := args{"name": "Ada Lovelace", "email": "ada@example.com"}

	exec("BEGIN EXCLUSIVE")
	a := s.Call(t, "create_record", create)
	a.Want(t, recourse.Error{Code: recourse.ResourceBusy, Message: "Another program is writing"}, true)
	a.Hides(t, "SQLITE", file)
	exec("ROLLBACK")
	s.Call(t, "create_record", create).Decode(t, &record{})

	exec("DROP TABLE records")
	a = s.Call(t, "create_record", create)
	a.Want(t, recourse.Error{Code: recourse.InternalError, Suggestion: "operator must check"}, false)
	a.Hides(t, "table", "SQL")
	log := s.Close(t)
	if cause := log[len(log)-1].Cause; !strings.Contains(cause, "no such table") {
		t.Errorf("the log has the cause %q", cause)
	}
}

func TestConfiguration(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no such folder", []string{"-db", filepath.Join(t.TempDir(), "absent", "records.db")}, "-db"},
		{"no database", []string{"-db", "main_test.go"}, "-db"},
		{"superfluous", []string{"records.db"}, "records.db"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := session.Command(t, tt.args...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != recourse.ExitConfig || !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("exit %d\n%s", code, &stderr)
			}
		})
	}
}
