package github

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// The client and the fake agree about the paths of
// https://docs.github.com/rest, and about what is there.
func TestRoutes(t *testing.T) {
	c := connect(t)
	for _, tt := range []struct {
		path  string
		query url.Values
		want  string // a part of the answer
	}{
		{"repos/octocat/Hello-World", nil, `"full_name":"octocat/Hello-World"`},
		{"repos/OCTOCAT/hello-world", nil, `"full_name":"octocat/Hello-World"`},
		{"repos/acme/invoices", nil, `"full_name":"acme/billing"`}, // redirected
		{"repositories/1296269", nil, `"full_name":"octocat/Hello-World"`},
		{"users/acme/repos", url.Values{"per_page": {"1"}}, `"full_name":"acme/shop"`},
		{"search/repositories", url.Values{"q": {"shop in:name"}}, `"total_count":2`},
		{"search/repositories", url.Values{"q": {"zzyzx in:name"}}, `"items":[]`},
		{"search/repositories", nil, `"message":"Validation Failed"`},
		{"repos/acme/shop/stats/participation", nil, `"all":[`},
		{"repos/acme/shop-api/deployments", url.Values{"environment": {"staging"}}, `"id":2410088`},
		{"repos/octocat/linguist/deployments", nil, `[]`},
		{"repos/acme/shop-api/deployments/2410093/statuses", url.Values{"per_page": {"1"}}, `"state":"success"`},
		{"repos/acme/shop-api/deployments/7/statuses", nil, `"message":"Not Found"`},
		{"repos/octocat/absent", nil, `"documentation_url":"https://docs.github.com/rest/`},
		{"gists", nil, `"status":"404"`},
	} {
		status, body := read(t, c.Get(t.Context(), tt.query, strings.Split(tt.path, "/")...))
		if !json.Valid(body) || !strings.Contains(string(body), tt.want) {
			t.Errorf("%s?%s: %d without %s: %s", tt.path, tt.query.Encode(), status, tt.want, body)
		}
	}
}

// A segment can't leave its place in the path.
func TestSegments(t *testing.T) {
	c := connect(t)
	for _, name := range []string{"a/b", "..", "a?b", "a#b", "a b", "a%2Fb", "é"} {
		req := c.Get(t.Context(), nil, "repos", "octocat", name)
		if got := req.URL.String(); !strings.HasSuffix(got, "/repos/octocat/"+url.PathEscape(name)) {
			t.Errorf("%q is asked for at %s", name, got)
		}
	}
}

func TestFailures(t *testing.T) {
	var f Fake
	server := httptest.NewServer(&f)
	defer server.Close()
	ask := func(how Failure, limit time.Duration) (int, http.Header, string, error) {
		t.Helper()
		f.Fail("", how)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/repos/octocat/Hello-World", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := (&http.Client{Timeout: limit}).Do(req)
		if err != nil {
			return 0, nil, "", err
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		return res.StatusCode, res.Header, string(body), err
	}
	for _, tt := range []struct {
		how    Failure
		status int
		header string // as "Name: value"
		body   string // a part of it
	}{
		{None, 200, "X-Ratelimit-Limit: 5000", `"id":1296269`},
		{RateLimit, 403, "X-Ratelimit-Remaining: 0", `"message":"API rate limit exceeded`},
		{SecondaryLimit, 403, "Retry-After: 60", `secondary rate limit`},
		{BadCredentials, 401, "", `"message":"Bad credentials"`},
		{Forbidden, 403, "", `"message":"Resource not accessible`},
		{Missing, 404, "", `"message":"Not Found"`},
		{Broken, 500, "", `"message":"Server Error"`},
		{Unavailable, 503, "Content-Type: text/html; charset=utf-8", `Unicorn!`},
		{Computing, 202, "Content-Type: application/json; charset=utf-8", `{}`},
		{HTML, 200, "Content-Type: text/html; charset=utf-8", `<html>`},
	} {
		status, header, body, err := ask(tt.how, 0)
		if err != nil {
			t.Fatal(err)
		}
		name, value, _ := strings.Cut(tt.header, ": ")
		if status != tt.status || !strings.Contains(body, tt.body) || header.Get(name) != value {
			t.Errorf("%s: %d %v %s", tt.how, status, header, body)
		}
	}
	if _, _, _, err := ask(Half, 0); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half: %v", err)
	}
	if _, _, _, err := ask(Reset, 0); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reset: %v", err)
	}
	if _, _, _, err := ask(Hang, 10*time.Millisecond); !timedOut(err) {
		t.Errorf("hang: %v", err)
	}
}

func timedOut(err error) bool {
	var e interface{ Timeout() bool }
	return errors.As(err, &e) && e.Timeout()
}

// Failures come in the order given, and the last one stays.
func TestFail(t *testing.T) {
	var f Fake
	f.Fail(Search, Broken, None, Missing)
	want := []int{500, 200, 404, 404}
	for i, status := range want {
		w := httptest.NewRecorder()
		f.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/users/acme/repos", nil))
		if w.Code != status {
			t.Errorf("request %d: %d, want %d", i+1, w.Code, status)
		}
		w = httptest.NewRecorder()
		f.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/repos/acme/shop", nil))
		if w.Code != 200 {
			t.Errorf("another part fails too: %d", w.Code)
		}
	}
}

func TestConnect(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "secret")
	for _, tt := range []struct{ upstream, base, fail, want string }{
		{"fake", "", "statistics=slow", "slow"},
		{"fake", "", "issues=hang", "issues"},
		{"gitlab", Base, "", "gitlab"},
		{"fake", "https://github.example/api/v3", "none", "-base-url"},
		{"github", "", "rate-limit", "-fail"},
		{"fake", "", "slow", "half."}, // the last of what there is
		{"github", "api.github.com", "", "api.github.com"},
		{"github", "http://[", "", "http://["},
	} {
		_, err := Connect(t.Context(), tt.upstream, tt.base, tt.fail)
		if recourse.CodeOf(err) != recourse.ConfigurationError || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt, err)
		}
	}
	for base, want := range map[string]string{
		"":                               "https://api.github.com/repos/acme/shop",
		"https://github.example/api/v3/": "https://github.example/api/v3/repos/acme/shop",
	} {
		c, err := Connect(t.Context(), "github", base, "none")
		if err != nil {
			t.Fatal(err)
		}
		req := c.Get(t.Context(), nil, "repos", "acme", "shop")
		if got := req.URL.String(); got != want {
			t.Errorf("asks at %s, want %s", got, want)
		}
		if got := req.Header.Get("Authorization"); got != "Bearer secret" {
			t.Errorf("authorizes with %q", got)
		}
	}
}

func connect(t *testing.T) Client {
	t.Helper()
	c, err := Connect(t.Context(), "fake", "", "none")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func read(t *testing.T, req *http.Request) (int, []byte) {
	t.Helper()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, body
}
