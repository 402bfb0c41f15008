package openmeteo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func start(t *testing.T) *Server {
	s, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// get returns the status and the body, or what the connection ended with.
func get(t *testing.T, address string) (int, http.Header, string, error) {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(body), err
}

func TestSearch(t *testing.T) {
	for name, want := range map[string]string{
		"Berlin":               "Berlin, Germany|Berlin, United States",
		"berlin, us":           "Berlin, United States",
		"Berlin,New Hampshire": "Berlin, United States",
		"Berlin, France":       "",
		"sao paulo":            "São Paulo, Brazil",
		"rom":                  "Rome, Italy",
		"B":                    "",
		"Be":                   "",
		"":                     "",
		"Xyzzy":                "",
	} {
		s := start(t)
		_, _, body, err := get(t, s.URL+"/v1/search?"+url.Values{"name": {name}}.Encode())
		var found Found
		if err == nil {
			err = json.Unmarshal([]byte(body), &found)
		}
		if got := strings.Join(found.Results.Names(), "|"); err != nil || got != want {
			t.Errorf("%q: %q, want %q (%v)", name, got, want, err)
		}
		if strings.Contains(body, "results") != (want != "") {
			t.Errorf("%q: %s", name, body)
		}
	}
	if found := geocode(url.Values{"name": {"ber"}, "count": {"2"}})["results"].([]city); len(found) != 2 {
		t.Errorf("%d results for a count of 2", len(found))
	}
}

// A forecast has the shape that the real API documents for the same parameters.
func TestForecast(t *testing.T) {
	q := url.Values{
		"latitude": {"52.52"}, "longitude": {"13.41"}, "timezone": {"auto"}, "forecast_days": {"3"},
		"daily": {"weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum"},
	}
	evening := time.Date(2026, 6, 30, 23, 30, 0, 0, time.UTC) // in Berlin the next day has begun
	answer := func() Forecast {
		made, reason := forecast(q, evening)
		if reason != "" {
			t.Fatal(reason)
		}
		if made["timezone"] != "Europe/Berlin" || made["timezone_abbreviation"] != "CEST" || made["utc_offset_seconds"] != 7200 {
			t.Errorf("%v %v %v", made["timezone"], made["timezone_abbreviation"], made["utc_offset_seconds"])
		}
		b, err := json.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		var f Forecast
		if err = json.Unmarshal(b, &f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := answer()
	if got := fmt.Sprint(f.Daily.Time); got != "[2026-07-01 2026-07-02 2026-07-03]" || !f.Complete() {
		t.Errorf("%s, %+v", got, f)
	}
	for i := range f.Daily.Time {
		if d := f.Daily; *d.Min[i] >= *d.Max[i] || *d.Min[i] < 0 || *d.Max[i] > 40 || Sky(d.WeatherCode[i]) == "unknown" {
			t.Errorf("day %d in Berlin in July: %v to %v, %s", i, *d.Min[i], *d.Max[i], Sky(d.WeatherCode[i]))
		}
	}
	if a, b := fmt.Sprint(*f.Daily.Max[0], *f.Daily.Min[1]), fmt.Sprint(*answer().Daily.Max[0], *answer().Daily.Min[1]); a != b {
		t.Errorf("the same day has other weather: %s, %s", a, b)
	}

	for key, value := range map[string]string{"latitude": "91", "longitude": "east", "forecast_days": "17", "daily": "temperature"} {
		bad := url.Values{key: {value}}
		for k := range q {
			if k != key {
				bad.Set(k, q.Get(k))
			}
		}
		if _, reason := forecast(bad, evening); !strings.Contains(reason, value) {
			t.Errorf("%s=%s: %s", key, value, reason)
		}
	}
}

func TestComplete(t *testing.T) {
	for text, want := range map[string]bool{
		`{"daily":{"time":["d"],"weather_code":[1],"temperature_2m_max":[null],"temperature_2m_min":[1],"precipitation_sum":[0]}}`: true,
		`{"daily":{"time":["d"],"weather_code":[1],"temperature_2m_max":[],"temperature_2m_min":[1],"precipitation_sum":[0]}}`:     false,
		`{"daily":{}}`: false,
		`{}`:           false,
	} {
		var f Forecast
		if err := json.Unmarshal([]byte(text), &f); err != nil || f.Complete() != want {
			t.Errorf("%s: %t, %v", text, f.Complete(), err)
		}
	}
}

func TestFailures(t *testing.T) {
	s := start(t)
	for _, tt := range []struct {
		failure Failure
		status  int
		body    string // a part of it
		err     error
	}{
		{RateLimited, 429, `"error":true`, nil},
		{Quota, 429, "Daily API request limit", nil},
		{ExpiredKey, 401, `"reason":"The supplied API key has expired."`, nil},
		{InvalidKey, 400, "API key is invalid", nil},
		{Broken, 500, `"error":true`, nil},
		{Unavailable, 503, `"error":true`, nil},
		{HTML, 200, "<h1>", nil},
		{HalfBody, 200, `{"latitude":52.52`, io.ErrUnexpectedEOF},
		{Reset, 0, "", syscall.ECONNRESET},
		{Refused, 0, "", syscall.ECONNREFUSED},
	} {
		if err := s.Fail(tt.failure); err != nil {
			t.Fatal(err)
		}
		status, header, body, err := get(t, s.URL+"/v1/search?name=Berlin")
		if status != tt.status || !strings.Contains(body, tt.body) || !errors.Is(err, tt.err) {
			t.Errorf("%s: %d %s, %v", tt.failure, status, body, err)
		}
		if wait := header.Get("Retry-After"); (wait == "60") != (tt.failure == RateLimited) {
			t.Errorf("%s: Retry-After %q", tt.failure, wait)
		}
	}
	if err := s.Fail(None); err != nil {
		t.Fatal(err)
	}
	if status, _, _, err := get(t, s.URL+"/v1/search?name=Berlin"); status != 200 || err != nil {
		t.Errorf("mended: %d, %v", status, err)
	}
	if err := s.Fail("nonsense"); err == nil {
		t.Error("nonsense is a way to fail")
	}
}

func TestHang(t *testing.T) {
	s := start(t)
	if err := s.Fail(Hang); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/v1/search?name=Berlin", nil)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		resp, err := new(http.Client).Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		done <- err
	}()
	for s.Requests() == 0 {
		runtime.Gosched()
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	t.Setenv("OPEN_METEO_API_KEY", "k")
	for name, want := range map[string]string{ // the requests' URLs as far as they differ
		"open-meteo":              "https://geocoding-api.open-meteo.com/v1/search?, https://api.open-meteo.com/v1/forecast?daily=",
		"customer":                "https://customer-geocoding-api.open-meteo.com/v1/search?apikey=k&, https://customer-api.open-meteo.com/v1/forecast?apikey=k&daily=",
		"http://127.0.0.1:8080":   "http://127.0.0.1:8080/v1/search?apikey=k&, http://127.0.0.1:8080/v1/forecast?apikey=k&daily=",
		"http://127.0.0.1:8080/x": "http://127.0.0.1:8080/x/v1/search?apikey=k&, http://127.0.0.1:8080/x/v1/forecast?apikey=k&daily=",
	} {
		site, err := Find(name, None)
		search, _, _ := strings.Cut(site.Search(t.Context(), "Paris, US", 1).URL.String(), "count=1&name=Paris%2C+US")
		forecast, _, _ := strings.Cut(site.Forecast(t.Context(), Place{}, 7).URL.String(), "weather_code")
		if got := search + ", " + forecast; got != want || err != nil {
			t.Errorf("%s: %s, want %s (%v)", name, got, want, err)
		}
		if _, err := Find(name, Hang); err == nil {
			t.Errorf("%s can be told to hang", name)
		}
	}
	for _, name := range []string{"", "openmeteo", "http://", "http:///x", "ftp://127.0.0.1", "%"} {
		if _, err := Find(name, None); err == nil {
			t.Errorf("%q is an upstream", name)
		}
	}
	if _, err := Find("fake", "nonsense"); err == nil {
		t.Error("nonsense is a way to fail")
	}
}
