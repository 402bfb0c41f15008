// Package rules says which limits each client, server and tool gets.
package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// Defaults of the three limits of a call and of a start.
const (
	Idle  = 50 * time.Second // the TypeScript SDK's client gives up at 60 s (DEFAULT_REQUEST_TIMEOUT_MSEC)
	Cap   = 10 * time.Minute
	Start = 45 * time.Second // a cold npx or uvx cache needs tens of seconds
)

// Limits of requests that a person answers, by their nature.
const (
	Roots       = 30 * time.Second
	Sampling    = 5 * time.Minute
	Elicitation = 10 * time.Minute
)

// Discover limits server/discover, at which some old servers fall silent.
const Discover = 5 * time.Second

// A Span is a limit as written on a command line: "auto" (the zero value), "0"
// for none, or a duration such as 90s or 5m; a bare number counts seconds.
type Span struct {
	set bool
	d   time.Duration
}

// UnmarshalText reads what a user wrote.
func (s *Span) UnmarshalText(text []byte) error {
	word := string(text)
	if word == "auto" || word == "" {
		*s = Span{}
		return nil
	}
	d, err := time.ParseDuration(word)
	if n, numErr := strconv.ParseFloat(word, 64); numErr == nil && n < math.MaxInt64/float64(time.Second) {
		d, err = time.Duration(n*float64(time.Second)), nil
	}
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a duration: write 90s, 5m, 0 for no limit, or auto", word)
	}
	*s = Span{set: true, d: d}
	return nil
}

// Or returns the limit, or auto if none was written.
func (s Span) Or(auto time.Duration) time.Duration {
	if s.set {
		return s.d
	}
	return auto
}

// Rules are the limits that a user may set. The zero value works.
type Rules struct {
	Timeout  Span // --timeout, the idle limit
	MaxTime  Span // --max-time, the hard cap
	StartMax Span // --start-timeout

	OnRestart OnRestart // --on-restart

	MaxFrame Size // --max-frame, the largest answer that is passed on; 10 MiB
	MaxText  Size // --max-text, above which the text of a result is cut; none

	Check    Choice[Check]    // --check
	Repair   Choice[Repair]   // --repair
	Disguise Choice[Disguise] // --disguise
}

// Call returns the limits of a request by the client of that name.
func (r *Rules) Call(client string) policy.Limits {
	idle, most := Idle, Cap
	for _, h := range hosts {
		if strings.HasPrefix(client, h.prefix) {
			idle, most = h.idle, patientCap
			break
		}
	}
	l := policy.Limits{Idle: r.Timeout.Or(idle), Cap: r.MaxTime.Or(most)}
	// A --timeout above the cap's default says that calls may take that long.
	if l.Idle > l.Cap && !r.MaxTime.set && l.Cap > 0 {
		l.Cap = l.Idle
	}
	return l
}
