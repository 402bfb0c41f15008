package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema"
)

const table = `CREATE TABLE IF NOT EXISTS records (
	id      TEXT    PRIMARY KEY,
	version INTEGER NOT NULL,
	name    TEXT    NOT NULL,
	email   TEXT    NOT NULL COLLATE NOCASE UNIQUE,
	plan    TEXT    NOT NULL,
	seats   INTEGER NOT NULL
) STRICT`

var db *sql.DB

func open(ctx context.Context, file string) (err error) {
	// A second is longer than any write here; who holds the lock for longer,
	// holds it for long.
	if db, err = sql.Open("sqlite", file+"?_pragma=busy_timeout(1000)"); err != nil {
		return err
	}
	db.SetMaxOpenConns(1) // each connection to :memory: would be a database of its own
	if _, err = db.ExecContext(ctx, table); err != nil {
		return &recourse.Error{
			Code:       recourse.ConfigurationError,
			Message:    "The file " + file + " can't be used as a database.",
			Suggestion: "Set -db to a file that is an SQLite database, or to a new one in a folder that exists.",
			Err:        err,
		}
	}
	return nil
}

// explain says what SQLite's own failures mean to a caller, whatever the tool.
func explain(err error) *recourse.Error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() & 0xff { // without the extension: https://sqlite.org/rescode.html
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return &recourse.Error{Code: recourse.ResourceBusy, Message: "Another program is writing to the records.", NotRun: true}
	case sqlite3.SQLITE_READONLY:
		return recourse.Errorf(recourse.PolicyBlocked, "The records can only be read here.")
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM:
		return recourse.Errorf(recourse.ResourceExhausted, "The server has no room for more records.")
	default:
		return &recourse.Error{
			Code:       recourse.InternalError,
			Message:    "The database of the records is damaged, or does not fit this server.",
			Suggestion: "Don't repeat the call; tell the user that the operator must check the file that -db names.",
		}
	}
}

const prefix = "rec_" // of an id

func newID() string { return prefix + strings.ToLower(rand.Text()[:8]) }

const columns = "id, version, name, email, plan, seats"

func get(ctx context.Context, id string) (r record, err error) {
	row := db.QueryRowContext(ctx, "SELECT "+columns+" FROM records WHERE id = ?", id)
	err = row.Scan(&r.ID, &r.Version, &r.Name, &r.Email, &r.Plan, &r.Seats)
	if errors.Is(err, sql.ErrNoRows) {
		return r, missing(ctx, id)
	}
	return r, err
}

func search(ctx context.Context, text string, limit int) ([]record, error) {
	rows, err := db.QueryContext(ctx, "SELECT "+columns+` FROM records
		WHERE instr(lower(name || char(10) || email), lower(?)) > 0 ORDER BY name, id LIMIT ?`, text, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []record{}
	for rows.Next() {
		var r record
		if err := rows.Scan(&r.ID, &r.Version, &r.Name, &r.Email, &r.Plan, &r.Seats); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

func insert(ctx context.Context, r record) error {
	_, err := db.ExecContext(ctx, "INSERT INTO records ("+columns+") VALUES (?, ?, ?, ?, ?, ?)", r.ID, r.Version, r.Name, r.Email, r.Plan, r.Seats)
	return duplicate(ctx, err, r.Email)
}

// update stores r as the version after r.Version, if that is still the newest.
func update(ctx context.Context, r record) (record, error) {
	res, err := db.ExecContext(ctx, `UPDATE records SET version = version + 1, name = ?, email = ?, plan = ?, seats = ?
		WHERE id = ? AND version = ?`, r.Name, r.Email, r.Plan, r.Seats, r.ID, r.Version)
	if err != nil {
		return r, duplicate(ctx, err, r.Email)
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		r.Version++
		return r, err
	}
	current, err := get(ctx, r.ID)
	if err != nil {
		return r, err
	}
	return r, conflict(current, r.Version)
}

// duplicate returns err, or if it is that the address is taken, an error that
// names who has it.
func duplicate(ctx context.Context, err error, email string) error {
	var e *sqlite.Error
	if !errors.As(err, &e) || e.Code() != sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		return err
	}
	d := &recourse.Error{
		Code:       recourse.DuplicateEntry,
		Message:    "A record with this email already exists.",
		Field:      "/email",
		Value:      email,
		Constraint: "must be unique",
		Suggestion: "Use update_record with existing_id, or choose a different email.",
		Err:        err,
	}
	var id string
	if err := db.QueryRowContext(ctx, "SELECT id FROM records WHERE email = ?", email).Scan(&id); err != nil {
		d.Suggestion = "Look for email with find_records, or choose a different email." // gone again
		return d
	}
	d.Related = map[string]any{"existing_id": id}
	return d
}

func conflict(current record, version int) error {
	message := fmt.Sprintf("The record was changed meanwhile: its version is %d.", current.Version)
	if version > current.Version {
		message = fmt.Sprintf("There is no version %d of the record: the newest is %d.", version, current.Version)
	}
	return &recourse.Error{
		Code:       recourse.Conflict,
		Message:    message,
		Field:      "/version",
		Value:      version,
		Constraint: fmt.Sprintf("%d, the newest version", current.Version),
		Suggestion: fmt.Sprintf("Compare the change with current, then call update_record again with version %d.", current.Version),
		Related:    map[string]any{"current": current},
	}
}

// missing says which ids look like one that isn't there.
func missing(ctx context.Context, id string) error {
	e := &recourse.Error{
		Code:       recourse.NotFound,
		Message:    "There is no record with this id.",
		Field:      "/id",
		Value:      id,
		Constraint: "the id of a record",
		Suggestion: "Call find_records with a part of the name or e-mail address as text.",
	}
	// Likeness counts in what stands after the prefix; among ten thousand ids it
	// would say nothing.
	var ids string
	row := db.QueryRowContext(ctx, "SELECT coalesce(group_concat(substr(id, 5), ' '), '') FROM (SELECT id FROM records ORDER BY rowid DESC LIMIT 1000)")
	if err := row.Scan(&ids); err != nil {
		return e
	}
	var near []string
	for _, n := range schema.Nearest(strings.TrimPrefix(id, prefix), strings.Fields(ids)) {
		near = append(near, prefix+n)
	}
	if near != nil {
		e.Related = map[string]any{"near_ids": near}
		e.Suggestion = "Set id to the one of near_ids that is meant, or call find_records with a part of the name as text."
	}
	return e
}
