//go:build interop

package postgres

import (
	"context"
	"database/sql"
	"encoding/json"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/bench/hole"
	"github.com/recourse-dev/recourse/gosdk"
)

const idle = 8 // connections that the pool keeps

// dependency is the pattern for a pool: after a loss, what lies idle in it is as
// dead as what failed. The pool itself stays.
func dependency(db *sql.DB, resets *atomic.Int64) *recourse.Dependency {
	db.SetMaxIdleConns(idle)
	return &recourse.Dependency{
		Name:     "user database",
		Timeout:  2 * time.Second,
		Cooldown: 100 * time.Millisecond,
		Reset: func() {
			resets.Add(1)
			db.SetMaxIdleConns(0)
			db.SetMaxIdleConns(idle)
		},
	}
}

type query struct {
	ID int `json:"id"`
}

type account struct {
	Email string `json:"email"`
}

// connect starts an MCP server with one tool, and returns a client of it.
func connect(t *testing.T, db *sql.DB, d *recourse.Dependency) *mcp.ClientSession {
	s := mcp.NewServer(&mcp.Implementation{Name: "users", Version: "1"}, nil)
	tool := &mcp.Tool{Name: "get_user", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	gosdk.AddTool(s, nil, tool, func(ctx context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, account, error) {
		got, err := recourse.Call(ctx, d, func(ctx context.Context) (u account, err error) {
			err = db.QueryRowContext(ctx, `SELECT email FROM users, pg_sleep(0.01) WHERE id = $1`, q.ID).Scan(&u.Email)
			return u, err
		})
		return nil, got, err
	})
	there, here := mcp.NewInMemoryTransports()
	if _, err := s.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the connection to the MCP server was no longer good: %v", err)
		}
	})
	return session
}

// An end is how a call ended: with data, or else with an Error.
type end struct {
	at  time.Time
	err *recourse.Error
}

// ask calls the tool.
func ask(t *testing.T, session *mcp.ClientSession) end {
	res, err := session.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: "get_user", Arguments: query{1}})
	if err != nil {
		t.Error(err)
		return end{}
	}
	text := res.Content[0].(*mcp.TextContent).Text
	if !res.IsError {
		if text != `{"email":"ada@example.com"}` {
			t.Errorf("got %s", text)
		}
		return end{at: time.Now()}
	}
	var envelope struct{ Error *recourse.Error }
	if err := json.Unmarshal([]byte(text), &envelope); err != nil || envelope.Error == nil {
		t.Errorf("neither data nor an envelope: %s", text)
		return end{}
	}
	return end{time.Now(), envelope.Error}
}

func TestServerOutlivesItsDatabase(t *testing.T) {
	db, admin := shared.open(t), shared.admin(t)
	var resets atomic.Int64
	session := connect(t, db, dependency(db, &resets))
	ends := make(chan end)
	ended := make(chan struct{})
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for {
				select {
				case ends <- ask(t, session):
				case <-ended:
					return
				}
			}
		})
	}
	defer callers.Wait()
	defer close(ended)
	must := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, loss := range []struct {
		name string
		lose func(t *testing.T)
	}{
		{"backends terminated", func(t *testing.T) { shared.terminate(t, admin) }},
		{"immediate restart", func(*testing.T) { must(shared.control("restart", "-m", "immediate")) }},
		{"stopped for two seconds", func(*testing.T) {
			must(shared.control("stop", "-m", "immediate"))
			<-time.After(2 * time.Second)
			must(shared.control("start"))
		}},
	} {
		for range 3 {
			for n := 0; n < 50; { // all is well
				if e := <-ends; e.err == nil {
					n++
				} else {
					n = 0
				}
			}
			before := resets.Load()
			back := make(chan time.Time, 1)
			go func() {
				loss.lose(t)
				back <- time.Now()
			}()
			codes := map[recourse.Code]int{}
			var up time.Time
			for good := 0; up.IsZero() || good < 20; {
				select {
				case up = <-back:
					good = 0
				case e := <-ends:
					if e.err == nil {
						good++
						continue
					}
					codes[e.err.Code]++
					switch e.err.Code {
					case recourse.ServiceUnavailable, recourse.BadUpstreamResponse, recourse.Timeout: // refused, broken off, waited for
						if !e.err.Retryable() || e.err.Suggestion == "" {
							t.Errorf("%s: a read that failed so may be repeated: %s", loss.name, e.err.Envelope())
						}
					default:
						t.Errorf("%s: %s", loss.name, e.err.Envelope())
					}
				}
			}
			t.Logf("%s: %v, %d resets, data again %v after it", loss.name, codes, resets.Load()-before, time.Since(up).Round(time.Millisecond))
		}
	}
}

// Eight calls lose their connections at once: one Reset.
func TestResetOncePerLoss(t *testing.T) {
	db, admin := shared.open(t), shared.admin(t)
	var resets atomic.Int64
	d := dependency(db, &resets)
	d.Timeout, d.Trip = -1, -1
	for round := range int64(3) {
		var calls sync.WaitGroup
		for range 8 {
			calls.Go(func() {
				_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (int, error) {
					_, err := db.ExecContext(ctx, `SELECT pg_sleep(60)`)
					return 0, err
				})
				if code := recourse.CodeOf(err); code != recourse.ServiceUnavailable {
					t.Errorf("got %q, %v; want SERVICE_UNAVAILABLE", code, err)
				}
			})
		}
		shared.awaitBackends(t, admin, 8)
		shared.terminate(t, admin)
		calls.Wait()
		_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (n int, err error) {
			return n, db.QueryRowContext(ctx, `SELECT 1`).Scan(&n)
		})
		if err != nil {
			t.Errorf("the call after the loss: %v", err)
		}
		if got := resets.Load(); got != round+1 {
			t.Errorf("%d resets after %d losses", got, round+1)
		}
	}
}

// Idle connections that are dead and do not show it cost two time-outs, and not
// one each.
func TestResetAfterBlackHole(t *testing.T) {
	for _, reset := range []bool{true, false} {
		t.Run("Reset is "+strconv.FormatBool(reset), func(t *testing.T) {
			h, err := hole.Listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(shared.port)))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(h.Close)
			_, port, _ := net.SplitHostPort(h.Addr())
			number, _ := strconv.Atoi(port)
			db, err := sql.Open("pgx", shared.address(toolName, password, "postgres", number))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			var resets atomic.Int64
			d := dependency(db, &resets)
			d.Timeout, d.Trip = 300*time.Millisecond, -1
			if !reset {
				d.Reset = nil
			}
			var held []*sql.Conn
			for range 5 {
				c, err := db.Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				held = append(held, c)
			}
			for _, c := range held {
				c.Close() // back into the pool
			}
			h.Darken()
			failures := 0
			for ; failures < 10; failures++ {
				_, err := recourse.Call(t.Context(), d, func(ctx context.Context) (n int, err error) {
					return n, db.QueryRowContext(ctx, `SELECT 1`).Scan(&n)
				})
				if err == nil {
					break
				}
				if code := recourse.CodeOf(err); code != recourse.Timeout {
					t.Fatalf("got %s: %v", code, err)
				}
			}
			want := 5
			if reset {
				want = 2
			}
			if failures != want {
				t.Errorf("%d calls failed before one worked, want %d", failures, want)
			}
		})
	}
}
