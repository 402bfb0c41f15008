package main

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema"
)

//go:embed projects.sql
var examples string

var db *sql.DB

// open opens the database in file, and fills it if it is new.
func open(ctx context.Context, file string) (err error) {
	if db, err = sql.Open("sqlite", file+"?_pragma=busy_timeout(1000)"); err != nil {
		return err
	}
	db.SetMaxOpenConns(1) // each connection to :memory: would be a database of its own
	var tables int
	if err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err == nil && tables == 0 {
		_, err = db.ExecContext(ctx, examples)
	}
	if err != nil {
		return &recourse.Error{
			Code:       recourse.ConfigurationError,
			Message:    "The file " + file + " can't be used as a database.",
			Suggestion: "Set -db to a file that is an SQLite database, or to a new one in a folder that exists.",
			Err:        err,
		}
	}
	return nil
}

// explain says what SQLite's own failures mean to a caller.
func explain(err error) *recourse.Error {
	var e *sqlite.Error
	switch {
	case !errors.As(err, &e):
		return nil
	case e.Code()&0xff == sqlite3.SQLITE_BUSY:
		return recourse.Errorf(recourse.ResourceBusy, "Another program holds the project database.")
	default:
		return &recourse.Error{
			Code:       recourse.InternalError,
			Message:    "The project database is damaged, or does not fit this server.",
			Suggestion: "Don't repeat the call; tell the user that the operator must check the file that -db names.",
		}
	}
}

func findProject(ctx context.Context, id string) (project, error) {
	return recourse.Call(ctx, &projects, func(ctx context.Context) (p project, err error) {
		row := db.QueryRowContext(ctx, "SELECT id, name, lead, repository FROM projects WHERE id = ?", id)
		err = row.Scan(&p.ID, &p.Name, &p.Lead, &p.Repository)
		if errors.Is(err, sql.ErrNoRows) {
			return p, missing(ctx, id)
		}
		return p, err
	})
}

func openTasks(ctx context.Context, id string) ([]task, error) {
	rows, err := db.QueryContext(ctx, "SELECT title, due FROM tasks WHERE project = ? AND state = 'open' ORDER BY due LIMIT 20", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []task{}
	for rows.Next() {
		var t task
		if err := rows.Scan(&t.Title, &t.Due); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, rows.Err()
}

// missing says which ids look like one that isn't there, or else which there are.
func missing(ctx context.Context, id string) error {
	rows, err := db.QueryContext(ctx, "SELECT id FROM projects ORDER BY id LIMIT 1000")
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids = append(ids, id)
	}
	near := schema.Nearest(id, ids)
	if len(near) == 0 {
		near = ids[:min(10, len(ids))]
	}
	return &recourse.Error{
		Code:       recourse.NotFound,
		Message:    "There is no project with this id.",
		Field:      "/project_id",
		Value:      id,
		Constraint: "the id of a project",
		Suggestion: "Set project_id to the one of near_ids that is meant; ask the user if none is.",
		Related:    map[string]any{"near_ids": near},
		Err:        rows.Err(),
	}
}
