package github

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/recourse-dev/recourse"
)

// Parts of the API that can fail apart from each other.
const (
	Repository  = "repository"  // one repository
	Search      = "search"      // an owner's repositories, and the search
	Statistics  = "statistics"  // commits a week
	Deployments = "deployments" // and their statuses
)

var parts = []string{Repository, Search, Statistics, Deployments}

// A Fake answers a small part of GitHub's REST API from a few repositories, and
// fails when told to. The zero value works.
type Fake struct {
	once sync.Once
	mux  http.ServeMux

	mu    sync.Mutex
	plans map[string][]Failure // of each part
	used  int                  // requests counted against the rate limit
}

// Fail makes the next requests for part fail in these ways, one each, and all
// after them in the last way. An empty part is all parts.
func (f *Fake) Fail(part string, how ...Failure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.plans == nil {
		f.plans = map[string][]Failure{}
	}
	for _, p := range parts {
		if p == part || part == "" {
			f.plans[p] = how
		}
	}
}

// Play sets failures from text such as "hang" (all parts) or
// "statistics=computing,deployments=unavailable".
func (f *Fake) Play(text string) error {
	for plan := range strings.SplitSeq(text, ",") {
		part, how, ok := strings.Cut(plan, "=")
		if !ok {
			part, how = "", plan
		}
		if part != "" && !slices.Contains(parts, part) {
			return recourse.Errorf(recourse.ConfigurationError, "The fake has no part %q to fail: it has %s.", part, strings.Join(parts, ", "))
		}
		how = cmp.Or(how, string(None))
		if !slices.Contains(Failures, Failure(how)) {
			return recourse.Errorf(recourse.ConfigurationError, "The fake can't fail with %q: it can with %s.", how, Failures)
		}
		f.Fail(part, Failure(how))
	}
	return nil
}

// Start serves f on a port of the loopback interface as long as the process
// lives, and returns its address.
func (f *Fake) Start(ctx context.Context) (string, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("start the fake of GitHub: %w", err)
	}
	server := &http.Server{Handler: f, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }()
	return "http://" + l.Addr().String(), nil
}

func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.once.Do(f.route)
	f.count(w.Header())
	f.mux.ServeHTTP(w, r)
}

func (f *Fake) route() {
	f.mux.HandleFunc("/", Missing.serve)
	for pattern, to := range routes {
		f.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if how := f.next(to.part); how != None {
				how.serve(w, r)
				return
			}
			to.serve(w, r)
		})
	}
}

// next takes the next failure from part's plan.
func (f *Fake) next(part string) Failure {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch plan := f.plans[part]; len(plan) {
	case 0:
		return None
	case 1:
		return plan[0]
	default:
		f.plans[part] = plan[1:]
		return plan[0]
	}
}

// count writes the headers that tell a client its rate limit: 5,000 requests an
// hour with a token. They are only shown; [RateLimit] is how to reach the end.
func (f *Fake) count(h http.Header) {
	f.mu.Lock()
	defer f.mu.Unlock()
	const limit = 5000
	f.used = f.used%limit + 1
	h.Set("X-Ratelimit-Limit", strconv.Itoa(limit))
	h.Set("X-Ratelimit-Remaining", strconv.Itoa(limit-f.used))
	h.Set("X-Ratelimit-Used", strconv.Itoa(f.used))
	h.Set("X-Ratelimit-Reset", strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10))
	h.Set("X-Ratelimit-Resource", "core")
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that went away needs no answer
}
