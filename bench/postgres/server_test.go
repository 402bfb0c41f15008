//go:build interop

// Package postgres holds the proof that tools outlive a real PostgreSQL: its
// backends are terminated, and the server is restarted and stopped, while clients
// of an MCP server call. It needs PostgreSQL's programs, and runs them as an
// ordinary user in a temporary folder.
package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that is called pgx
)

const (
	adminName = "boss"
	toolName  = "tool" // the role of the tools
	password  = "correct-horse"
)

// A server is a PostgreSQL of our own.
type server struct {
	bin, dir string
	port     int
	as       *syscall.Credential // nil: as ourselves
}

var shared server

func TestMain(m *testing.M) {
	err := shared.create()
	if err != nil {
		fmt.Fprintln(os.Stderr, "postgres:", err)
		os.Exit(1)
	}
	status := m.Run()
	shared.control("stop", "-m", "immediate")
	os.RemoveAll(shared.dir)
	os.Exit(status)
}

// programs returns the folder with initdb, which Debian keeps out of PATH.
func programs() (string, error) {
	if name, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(name), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", fmt.Errorf("initdb is missing: install PostgreSQL (Debian: apt-get install postgresql)")
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// create makes a database cluster and starts it. PostgreSQL refuses to run as
// root: then it runs as nobody.
func (s *server) create() (err error) {
	if s.bin, err = programs(); err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp("", "recourse-pg-"); err != nil {
		return err
	}
	secret := filepath.Join(s.dir, "password")
	if err := os.WriteFile(secret, []byte(password), 0o644); err != nil {
		return err
	}
	if os.Getuid() == 0 {
		nobody, err := user.Lookup("nobody")
		if err != nil {
			return err
		}
		uid, _ := strconv.ParseUint(nobody.Uid, 10, 32)
		gid, _ := strconv.ParseUint(nobody.Gid, 10, 32)
		s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(s.dir, int(uid), int(gid)); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	err = s.run("initdb", "-D", s.data(), "-U", adminName, "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8", "--no-locale", "--no-sync")
	if err != nil {
		return err
	}
	if err := s.control("start"); err != nil {
		return err
	}
	db, err := sql.Open("pgx", s.address(adminName, password, "postgres", s.port))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(`CREATE ROLE ` + toolName + ` LOGIN PASSWORD '` + password + `';
		CREATE TABLE users (id int PRIMARY KEY, email text NOT NULL UNIQUE);
		INSERT INTO users VALUES (1, 'ada@example.com'), (2, 'bob@example.com');
		GRANT ALL ON users TO ` + toolName)
	return err
}

func (s *server) data() string { return filepath.Join(s.dir, "data") }

// control runs pg_ctl and waits for what it does.
func (s *server) control(verb string, args ...string) error {
	args = append([]string{verb, "-w", "-D", s.data()}, args...)
	if verb != "stop" {
		args = append(args, "-l", filepath.Join(s.dir, "log"), "-o",
			fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=20", s.port, s.dir))
	}
	return s.run("pg_ctl", args...)
}

func (s *server) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "HOME="+s.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.as}
	out, err := os.CreateTemp(s.dir, name) // a pipe would stay open as long as the server it starts
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(out.Name())
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		return fmt.Errorf("%s %v: %w\n%s%s", name, args, err, text, log)
	}
	return nil
}

func (s *server) address(user, password, database string, port int) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%s?sslmode=disable&application_name=%s", user, password, port, database, user)
}

// open returns a pool for the role of the tools.
func (s *server) open(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", s.address(toolName, password, "postgres", s.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func (s *server) admin(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", s.address(adminName, password, "postgres", s.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// terminate ends the tools' backends.
func (s *server) terminate(t *testing.T, admin *sql.DB) {
	const query = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = $1`
	if _, err := admin.ExecContext(t.Context(), query, toolName); err != nil {
		t.Error(err)
	}
}

// awaitBackends waits until n of the tools' backends are at work.
func (s *server) awaitBackends(t *testing.T, admin *sql.DB, n int) {
	t.Helper()
	const query = `SELECT count(*) FROM pg_stat_activity WHERE usename = $1 AND state = 'active'`
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for ctx, got := t.Context(), 0; got < n; {
		if err := admin.QueryRowContext(ctx, query, toolName).Scan(&got); err != nil {
			t.Fatal(err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal(context.Cause(ctx))
		}
	}
}
