package recourse_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/recourse-dev/recourse"
)

// How do I give an API's own client library connections that are reopened?
func ExampleDependency_Client() {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "12 °C, rain")
	}))
	defer api.Close()

	weather := &recourse.Dependency{Name: "weather API", Timeout: 5 * time.Second}
	client := weather.Client() // hand it to any library that takes an *http.Client

	sky, err := recourse.Call(context.Background(), weather, func(ctx context.Context) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, api.URL, nil)
		if err != nil {
			return "", err
		}
		resp, err := client.Do(req)
		if err != nil {
			return "", err
		}
		if err := recourse.CheckResponse(resp); err != nil {
			return "", err
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		return string(text), err
	})
	fmt.Println(sky, err)
	// Output: 12 °C, rain <nil>
}

// How does a pool of database connections survive a restart of the database?
func ExampleDependency_reset() {
	db, err := sql.Open("pgx", "postgres://localhost/app") // or any other driver
	if err != nil {
		recourse.Fatal(err)
	}
	users := &recourse.Dependency{
		Name:    "user database",
		Timeout: 3 * time.Second,
		// The idle connections are as dead as the one that failed. Only they go:
		// the pool stays the same, and nobody has to be told of another one.
		Reset: func() {
			db.SetMaxIdleConns(0)
			db.SetMaxIdleConns(4)
		},
	}

	email, err := recourse.Call(context.Background(), users, func(ctx context.Context) (email string, err error) {
		err = db.QueryRowContext(ctx, `SELECT email FROM users WHERE id = $1`, 7).Scan(&email)
		return email, err
	})
	fmt.Println(email, err)
}

// How do I ask a JSON API, with all that can go wrong?
func ExampleDoJSON() {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/items/7" {
			http.Error(w, `{"message":"no such item"}`, http.StatusNotFound)
			return
		}
		io.WriteString(w, `{"id":7,"name":"lamp"}`)
	}))
	defer api.Close()

	type item struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	shop := &recourse.Dependency{Name: "shop API", Attempts: 2}
	for _, path := range []string{"/items/7", "/items/8"} {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, api.URL+path, nil)
		if err != nil {
			recourse.Fatal(err)
		}
		got, err := recourse.DoJSON[item](shop, req)
		fmt.Printf("%q %q\n", got.Name, recourse.CodeOf(err))
	}
	// Output:
	// "lamp" ""
	// "" "NOT_FOUND"
}
