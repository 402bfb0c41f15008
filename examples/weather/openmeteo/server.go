// Package openmeteo is a stand-in for the Open-Meteo geocoding and forecast
// APIs: the same paths, parameters and answers, for sixty cities and with
// weather that is made up. It can be told to fail in each way that an API can.
package openmeteo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Server serves both APIs on a port of its own.
type Server struct {
	URL     string // of the APIs, without a path
	Control string // a URL that shows the Failure, and sets it if one is posted there

	requests atomic.Int64
	control  *http.Server
	port     int // of the APIs

	mu      sync.Mutex
	failure Failure
	api     *http.Server // nil while nobody listens
}

// Start starts a Server that works.
func Start() (*Server, error) {
	api, err := listen(0)
	if err != nil {
		return nil, err
	}
	control, err := listen(0)
	if err != nil {
		return nil, errors.Join(err, api.Close())
	}
	s := &Server{
		URL:     "http://" + api.Addr().String(),
		Control: "http://" + control.Addr().String(),
		failure: None,
		port:    api.Addr().(*net.TCPAddr).Port,
	}
	s.api = serve(api, s)
	s.control = serve(control, http.HandlerFunc(s.serveControl))
	return s, nil
}

// listen listens on a port, or on any if that is 0.
func listen(port int) (net.Listener, error) {
	return net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
}

func serve(l net.Listener, h http.Handler) *http.Server {
	s := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }() // ends when s is closed
	return s
}

// Close stops the Server and cuts its connections.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.control.Close()
	if s.api != nil {
		err = errors.Join(err, s.api.Close())
	}
	return err
}

// Requests returns how many requests have reached the APIs.
func (s *Server) Requests() int { return int(s.requests.Load()) }

// Fail makes every request from now on fail in f's way. It returns an error if f
// is no Failure, or if another program has taken the port of a Server that was
// to refuse connections and shall no longer.
func (s *Server) Fail(f Failure) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !f.known() {
		return fmt.Errorf("no way to fail: %q; choose one of %s", f, Failures)
	}
	if f == Refused && s.api != nil {
		if err := s.api.Close(); err != nil {
			return err
		}
		s.api = nil
	}
	if f != Refused && s.api == nil {
		l, err := listen(s.port)
		if err != nil {
			return err
		}
		s.api = serve(l, s)
	}
	s.failure = f
	return nil
}

func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		name, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 100))
		if err == nil {
			err = s.Fail(Failure(strings.TrimSpace(string(name))))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(w, s.failure)
}

// ServeHTTP answers /v1/search and /v1/forecast, or fails.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	s.mu.Lock()
	failure := s.failure
	s.mu.Unlock()
	if failure != None {
		failure.ServeHTTP(w, r)
		return
	}
	switch r.URL.Path {
	case "/v1/search":
		answer(w, geocode(r.URL.Query()))
	case "/v1/forecast":
		f, reason := forecast(r.URL.Query(), time.Now())
		if reason != "" {
			refuse(w, http.StatusBadRequest, reason)
			return
		}
		answer(w, f)
	default:
		refuse(w, http.StatusNotFound, "Not Found")
	}
}

// geocode answers /v1/search. Without a hit there are no results at all, as in
// the real API.
func geocode(q url.Values) map[string]any {
	hits := search(q.Get("name"))
	count, err := strconv.Atoi(q.Get("count"))
	if err != nil {
		count = 10
	}
	result := map[string]any{"generationtime_ms": 0.5}
	if len(hits) > 0 {
		result["results"] = hits[:min(len(hits), max(count, 1), 100)]
	}
	return result
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}

func refuse(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": true, "reason": reason})
}
