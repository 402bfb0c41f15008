package openmeteo

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
)

// A Failure is a way in which the API can go wrong.
type Failure string

const (
	None        Failure = "none"        // it works
	RateLimited Failure = "rate-limit"  // 429, try again in a minute
	Quota       Failure = "quota"       // 429, try again tomorrow
	ExpiredKey  Failure = "expired-key" // 401
	InvalidKey  Failure = "invalid-key" // 400, as an API answers that takes the key for one more argument
	Broken      Failure = "broken"      // 500
	Unavailable Failure = "unavailable" // 503
	HTML        Failure = "html"        // 200, but a page for people
	HalfBody    Failure = "half-body"   // 200, and the connection ends in the middle
	Reset       Failure = "reset"       // the connection is reset, without an answer
	Hang        Failure = "hang"        // nothing comes until the client gives up
	Refused     Failure = "refused"     // nobody listens
)

// Failures are all of them.
var Failures = list{None, RateLimited, Quota, ExpiredKey, InvalidKey, Broken, Unavailable, HTML, HalfBody, Reset, Hang, Refused}

type list []Failure

// String returns the failures as a flag's help lists them.
func (l list) String() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint([]Failure(l)), "[]"), " ", ", ")
}

func (f Failure) known() bool { return slices.Contains(Failures, f) }

// ServeHTTP fails in f's way.
func (f Failure) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch f {
	case RateLimited:
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusTooManyRequests, "Minutely API request limit exceeded. Please try again in one minute.")
	case Quota:
		refuse(w, http.StatusTooManyRequests, "Daily API request limit exceeded. Please try again tomorrow.")
	case ExpiredKey:
		refuse(w, http.StatusUnauthorized, "The supplied API key has expired.")
	case InvalidKey:
		refuse(w, http.StatusBadRequest, "The supplied API key is invalid.")
	case Broken:
		refuse(w, http.StatusInternalServerError, "Internal Server Error")
	case Unavailable:
		refuse(w, http.StatusServiceUnavailable, "Service Unavailable")
	case HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!DOCTYPE html>\n<title>Maintenance</title>\n<h1>We'll be back soon</h1>\n")
	case HalfBody:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", "4000")
		_, _ = io.WriteString(w, `{"latitude":52.52,"longitude":13.41,"daily":{"time":["20`+strings.Repeat(" ", 2000))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // net/http's way to end a connection
	case Reset:
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_ = conn.(*net.TCPConn).SetLinger(0) // so that Close resets
		_ = conn.Close()
	case Hang:
		<-r.Context().Done()
	default:
		panic("openmeteo: no handler for " + f)
	}
}
