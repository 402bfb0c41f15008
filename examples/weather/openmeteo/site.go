package openmeteo

import (
	"fmt"
	"net/url"
	"os"
	"strconv"

	"github.com/recourse-dev/recourse"
)

// A Site is where the APIs are, and the key to them.
type Site struct {
	Geocoding, Forecasts string // URLs without a path
	Key                  string // for the parameter apikey; if empty, none is sent
}

// Search returns the URL that answers with at most count places of that name.
func (s Site) Search(name string, count int) string {
	return s.with(s.Geocoding+"/v1/search", url.Values{"name": {name}, "count": {strconv.Itoa(count)}})
}

// Forecast returns the URL that answers with a [Forecast] for p, from today on.
func (s Site) Forecast(p Place, days int) string {
	return s.with(s.Forecasts+"/v1/forecast", url.Values{
		"latitude":      {fmt.Sprint(p.Latitude)},
		"longitude":     {fmt.Sprint(p.Longitude)},
		"timezone":      {"auto"}, // days begin at the place's midnight
		"forecast_days": {strconv.Itoa(days)},
		"daily":         {"weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum"},
	})
}

func (s Site) with(address string, q url.Values) string {
	if s.Key != "" {
		q.Set("apikey", s.Key)
	}
	return address + "?" + q.Encode()
}

// Find returns the site called open-meteo; customer, with the key that stands in
// OPEN_METEO_API_KEY; fake, which it starts; or the one at a URL, which gets the
// key if there is one. The fake fails in how's way until it is told otherwise; it
// says on standard error how to do that, and ends with the process.
func Find(name string, how Failure) (Site, error) {
	switch name {
	case "open-meteo":
		return Site{Geocoding: "https://geocoding-api.open-meteo.com", Forecasts: "https://api.open-meteo.com"}, nil
	case "customer":
		key, err := recourse.Env("OPEN_METEO_API_KEY")
		return Site{"https://customer-geocoding-api.open-meteo.com", "https://customer-api.open-meteo.com", key}, err
	case "fake":
		if !how.known() {
			return Site{}, unknown(string(how), fmt.Sprint("must be one of ", Failures))
		}
		s, err := Start()
		if err != nil {
			return Site{}, err
		}
		fmt.Fprintf(os.Stderr, "To make the fake Open-Meteo fail: curl -d hang %s (or one of %v)\n", s.Control, Failures)
		return Site{Geocoding: s.URL, Forecasts: s.URL}, s.Fail(how)
	}
	u, err := url.Parse(name)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return Site{}, unknown(name, "must be fake, open-meteo, customer or a URL")
	}
	return Site{Geocoding: name, Forecasts: name, Key: os.Getenv("OPEN_METEO_API_KEY")}, nil
}

func unknown(value, constraint string) error {
	return &recourse.Error{
		Code: recourse.ConfigurationError, Message: "The server was started with an unknown value.",
		Value: value, Constraint: constraint, Suggestion: "Correct the server's command line; its flag -help lists what it takes.",
	}
}
