//go:build interop

package postgres

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// What PostgreSQL says, and what a model is told of it.
func TestErrors(t *testing.T) {
	db := shared.open(t)
	one := func(ctx context.Context, db *sql.DB, query string, args ...any) error {
		_, err := db.ExecContext(ctx, query, args...)
		return err
	}
	for _, tt := range []struct {
		name      string
		do        func(context.Context) error
		want      recourse.Code
		retryable bool // in a tool that changes something
	}{
		{"23505 unique violation", func(ctx context.Context) error {
			return one(ctx, db, `INSERT INTO users VALUES (3, 'ada@example.com')`)
		}, recourse.DuplicateEntry, false},
		{"23502 not null violation", func(ctx context.Context) error {
			return one(ctx, db, `INSERT INTO users VALUES (3, NULL)`)
		}, recourse.MissingArgument, false},
		{"22P02 invalid text", func(ctx context.Context) error {
			return one(ctx, db, `SELECT 'seven'::int`)
		}, recourse.InvalidArgument, false},
		{"22003 out of range", func(ctx context.Context) error {
			return one(ctx, db, `SELECT 99999999999::int`)
		}, recourse.OutOfRange, false},
		{"42P01 no such table", func(ctx context.Context) error {
			return one(ctx, db, `SELECT id FROM nowhere`)
		}, recourse.InvalidQuery, false},
		{"42601 syntax", func(ctx context.Context) error {
			return one(ctx, db, `SELEKT 1`)
		}, recourse.InvalidQuery, false},
		{"42501 not allowed", func(ctx context.Context) error {
			return one(ctx, db, `SELECT rolname FROM pg_authid`)
		}, recourse.PermissionDenied, false},
		{"55P03 lock not available", func(ctx context.Context) error {
			tx, err := db.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			if _, err := tx.ExecContext(ctx, `SELECT 1 FROM users WHERE id = 1 FOR UPDATE`); err != nil {
				return err
			}
			return one(ctx, db, `SELECT 1 FROM users WHERE id = 1 FOR UPDATE NOWAIT`)
		}, recourse.ResourceBusy, true},
		{"40001 serialization failure", func(ctx context.Context) error {
			tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
			if err != nil {
				return err
			}
			defer tx.Rollback()
			if _, err := tx.ExecContext(ctx, `SELECT 1 FROM users`); err != nil {
				return err
			}
			if err := one(ctx, db, `UPDATE users SET email = email WHERE id = 2`); err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `UPDATE users SET email = email WHERE id = 2`)
			return err
		}, recourse.ResourceBusy, true},
		{"57014 statement time-out", func(ctx context.Context) error {
			c, err := db.Conn(ctx)
			if err != nil {
				return err
			}
			defer c.Close()
			if _, err := c.ExecContext(ctx, `SET statement_timeout = 20`); err != nil {
				return err
			}
			_, err = c.ExecContext(ctx, `SELECT pg_sleep(10)`)
			_, _ = c.ExecContext(ctx, `RESET statement_timeout`)
			return err
		}, recourse.Timeout, false},
		{"57P01 terminated", func(ctx context.Context) error {
			return one(ctx, db, `SELECT pg_terminate_backend(pg_backend_pid())`)
		}, recourse.ServiceUnavailable, false},
		{"28P01 wrong password", func(ctx context.Context) error {
			return try(ctx, shared.address(toolName, "guessed", "postgres", shared.port))
		}, recourse.InvalidCredentials, false},
		{"3D000 no such database", func(ctx context.Context) error {
			return try(ctx, shared.address(toolName, password, "atlantis", shared.port))
		}, recourse.NotFound, false},
		{"53300 too many connections", func(ctx context.Context) error {
			crowd := shared.open(t)
			defer crowd.Close()
			for {
				c, err := crowd.Conn(ctx)
				if err != nil {
					return err
				}
				defer c.Close()
			}
		}, recourse.ServiceUnavailable, true},
		{"refused", func(ctx context.Context) error {
			return try(ctx, shared.address(toolName, password, "postgres", 1))
		}, recourse.ServiceUnavailable, true},
		{"no rows", func(ctx context.Context) error {
			return db.QueryRowContext(ctx, `SELECT id FROM users WHERE id = 99`).Scan(new(int))
		}, recourse.NotFound, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &recourse.Dependency{Name: "user database"}
			_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (int, error) { return 0, tt.do(ctx) })
			if err == nil {
				t.Fatal("no error")
			}
			e := recourse.Classify(err)
			if e.Code != tt.want || e.Retryable() != tt.retryable {
				t.Errorf("%s, retryable %v; want %s, %v\n%s\ncause: %v", e.Code, e.Retryable(), tt.want, tt.retryable, e.Envelope(), errors.Unwrap(e))
			}
			for _, hidden := range []string{password, "guessed", "127.0.0.1", strconv.Itoa(shared.port), "SELECT", "ada@", "SQLSTATE"} {
				if strings.Contains(e.Envelope(), hidden) {
					t.Errorf("the model is shown %q: %s", hidden, e.Envelope())
				}
			}
		})
	}
}

// try connects once.
func try(ctx context.Context, address string) error {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.PingContext(ctx)
}

// A query that runs too long ends in the database as well.
func TestTimeoutEndsQuery(t *testing.T) {
	db, admin := shared.open(t), shared.admin(t)
	d := &recourse.Dependency{Timeout: 50 * time.Millisecond, Suggestion: "Ask for fewer days."}
	_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (int, error) {
		_, err := db.ExecContext(ctx, `SELECT pg_sleep(60)`)
		return 0, err
	})
	if e := recourse.Classify(err); e == nil || e.Code != recourse.Timeout || e.Retryable() || e.Suggestion != "Ask for fewer days." {
		t.Errorf("got %+v, want a TIMEOUT with the Dependency's suggestion", e)
	}
	const query = `SELECT count(*) FROM pg_stat_activity WHERE usename = $1 AND state = 'active'`
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for n := 1; n > 0; <-tick.C {
		if err := admin.QueryRowContext(t.Context(), query, toolName).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
}
