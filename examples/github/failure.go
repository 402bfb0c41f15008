package github

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A Failure is a way in which GitHub, or the way to it, fails.
type Failure string

const (
	None           Failure = "none"            // it works
	RateLimit      Failure = "rate-limit"      // 403, the hour's requests are used up
	SecondaryLimit Failure = "secondary-limit" // 403, too many in a short time
	BadCredentials Failure = "bad-credentials" // 401
	Forbidden      Failure = "forbidden"       // 403, the token lacks a permission
	Missing        Failure = "missing"         // 404
	Broken         Failure = "broken"          // 500
	Unavailable    Failure = "unavailable"     // 503, with a page for people
	Computing      Failure = "computing"       // 202, statistics are not ready yet
	Hang           Failure = "hang"            // no answer, ever
	Reset          Failure = "reset"           // the connection is reset
	HTML           Failure = "html"            // 200, but the page of a captive portal
	Half           Failure = "half"            // the connection ends amid the body
)

// Failures are all of them.
var Failures = list{None, RateLimit, SecondaryLimit, BadCredentials, Forbidden, Missing, Broken, Unavailable, Computing, Hang, Reset, HTML, Half}

type list []Failure

// String returns the failures as a flag's help lists them.
func (l list) String() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint([]Failure(l)), "[]"), " ", ", ")
}

// LimitReset is how long the fake's rate limit lasts.
const LimitReset = time.Minute

const docs = "https://docs.github.com/rest"

func (how Failure) serve(w http.ResponseWriter, r *http.Request) {
	switch how {
	case RateLimit:
		w.Header().Set("X-Ratelimit-Remaining", "0")
		w.Header().Set("X-Ratelimit-Used", w.Header().Get("X-Ratelimit-Limit"))
		w.Header().Set("X-Ratelimit-Reset", strconv.FormatInt(time.Now().Add(LimitReset).Unix(), 10))
		refuse(w, http.StatusForbidden, "API rate limit exceeded for user ID 583231. If you reach out to GitHub Support for help, please include the request ID 9C3A:1F2B:3D4E5F.", "/using-the-rest-api/rate-limits-for-the-rest-api")
	case SecondaryLimit:
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.", "/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits")
	case BadCredentials:
		refuse(w, http.StatusUnauthorized, "Bad credentials", "")
	case Forbidden:
		refuse(w, http.StatusForbidden, "Resource not accessible by personal access token", "/repos/repos#get-a-repository")
	case Missing:
		refuse(w, http.StatusNotFound, "Not Found", "/repos/repos#get-a-repository")
	case Broken:
		refuse(w, http.StatusInternalServerError, "Server Error", "")
	case Unavailable:
		page(w, http.StatusServiceUnavailable, "Unicorn! &middot; GitHub", "No server is currently available to service your request.")
	case HTML:
		page(w, http.StatusOK, "Welcome to our network", "Please accept the terms to go online.")
	case Computing:
		write(w, http.StatusAccepted, struct{}{})
	case Hang:
		<-r.Context().Done()
	case Reset:
		reset(w)
	case Half:
		w.Header().Set("Content-Length", "4096")
		_, _ = w.Write([]byte(`{"id":1296269,"full_name":"octocat/Hel`))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case None:
	}
}

// refuse answers as GitHub does: with a message, and a link to what explains it.
func refuse(w http.ResponseWriter, status int, message, link string) {
	write(w, status, map[string]string{
		"message":           message,
		"documentation_url": docs + link,
		"status":            strconv.Itoa(status),
	})
}

func page(w http.ResponseWriter, status int, title, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html><head><title>%s</title></head><body><p>%s</p></body></html>\n", title, text)
}

// reset closes the connection with unsent data thrown away, which a peer sees as
// ECONNRESET.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // HTTP/2 has streams, not connections, to reset
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}
