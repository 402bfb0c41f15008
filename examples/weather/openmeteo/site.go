package openmeteo

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse"
)

// A Site is where the APIs are, and the key to them.
type Site struct {
	Geocoding, Forecasts url.URL // whose path ends with /
	Key                  string  // for the parameter apikey; if empty, none is sent
}

// Search returns a request that is answered with [Found]: at most count places of
// that name.
func (s Site) Search(ctx context.Context, name string, count int) *http.Request {
	return s.get(ctx, s.Geocoding.JoinPath("v1/search"), url.Values{"name": {name}, "count": {strconv.Itoa(count)}})
}

// Forecast returns a request that is answered with a [Forecast] for p, from today
// on.
func (s Site) Forecast(ctx context.Context, p Place, days int) *http.Request {
	return s.get(ctx, s.Forecasts.JoinPath("v1/forecast"), url.Values{
		"latitude":      {fmt.Sprint(p.Latitude)},
		"longitude":     {fmt.Sprint(p.Longitude)},
		"timezone":      {"auto"}, // days begin at the place's midnight
		"forecast_days": {strconv.Itoa(days)},
		"daily":         {"weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum"},
	})
}

// get makes a request out of parts, so that there is no text to parse which might
// be wrong.
func (s Site) get(ctx context.Context, at *url.URL, q url.Values) *http.Request {
	if s.Key != "" {
		q.Set("apikey", s.Key)
	}
	at.RawQuery = q.Encode()
	return (&http.Request{Method: http.MethodGet, URL: at}).WithContext(ctx)
}

// Find returns the site called open-meteo; customer, with the key that stands in
// OPEN_METEO_API_KEY; fake, which it starts; or the one at a URL, which gets the
// key if there is one. The fake fails in how's way until it is told otherwise; it
// says on standard error how to do that, and ends with the process. It has a key,
// which it does not look at, so that the failures of a key mean something. How for
// any other site is an error, since that can't be told to fail.
func Find(name string, how Failure) (Site, error) {
	key := os.Getenv("OPEN_METEO_API_KEY")
	if name != "fake" && how != None {
		return Site{}, unknown(string(how), "is for -upstream fake, whose failures can be chosen")
	}
	switch name {
	case "open-meteo":
		return Site{Geocoding: https("geocoding-api.open-meteo.com"), Forecasts: https("api.open-meteo.com")}, nil
	case "customer":
		key, err := recourse.Env("OPEN_METEO_API_KEY")
		return Site{https("customer-geocoding-api.open-meteo.com"), https("customer-api.open-meteo.com"), key}, err
	case "fake":
		if !how.known() {
			return Site{}, unknown(string(how), "must be one of "+Failures.String())
		}
		s, err := Start()
		if err != nil {
			return Site{}, err
		}
		fmt.Fprintf(os.Stderr, "To make the fake Open-Meteo fail: curl -d hang %s (or one of %s)\n", s.Control, Failures)
		name, key = s.URL, "fake"
		if err := s.Fail(how); err != nil {
			return Site{}, err
		}
	}
	u, err := url.Parse(strings.TrimSuffix(name, "/") + "/")
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return Site{}, unknown(name, "must be fake, open-meteo, customer or a URL")
	}
	return Site{Geocoding: *u, Forecasts: *u, Key: key}, nil
}

func https(host string) url.URL { return url.URL{Scheme: "https", Host: host, Path: "/"} }

func unknown(value, constraint string) error {
	return &recourse.Error{
		Code: recourse.ConfigurationError, Message: "The server was started with an unknown value.",
		Value: value, Constraint: constraint, Suggestion: "Correct the server's command line; its flag -help lists what it takes.",
	}
}
