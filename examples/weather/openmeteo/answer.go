package openmeteo

import "strings"

// Found is the geocoding API's answer to /v1/search.
type Found struct {
	Results Places `json:"results"` // absent if there are none
}

// Places are hits, the most likely first.
type Places []Place

// A Place is one hit.
type Place struct {
	Name      string  `json:"name"`
	Admin1    string  `json:"admin1"` // region; may be empty
	Country   string  `json:"country"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// String returns the name with region and country.
func (p Place) String() string {
	parts := []string{p.Name}
	for _, part := range []string{p.Admin1, p.Country} {
		if part != "" && part != parts[len(parts)-1] {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// Names returns names that find the same places again. The API takes one word
// after a comma, so it is the country.
func (p Places) Names() []string {
	names := make([]string, len(p))
	for i, place := range p {
		names[i] = place.Name + ", " + place.Country
	}
	return names
}

// A Forecast is the forecast API's answer to /v1/forecast. Each list has one
// value for a day; nil stands for days that no model covers.
type Forecast struct {
	Daily struct {
		Time          []string   `json:"time"`
		WeatherCode   []*int     `json:"weather_code"`
		Max           []*float64 `json:"temperature_2m_max"`
		Min           []*float64 `json:"temperature_2m_min"`
		Precipitation []*float64 `json:"precipitation_sum"`
	} `json:"daily"`
}

// Complete reports whether there is a day, and every list has a value for each.
func (f Forecast) Complete() bool {
	d := f.Daily
	n := len(d.Time)
	return n > 0 && len(d.WeatherCode) == n && len(d.Max) == n && len(d.Min) == n && len(d.Precipitation) == n
}

// Sky says in words what a WMO weather code means: the subset of code table 4677
// that Open-Meteo documents.
func Sky(code *int) string {
	if code == nil {
		return "unknown"
	}
	if s, ok := sky[*code]; ok {
		return s
	}
	return "unknown"
}

var sky = map[int]string{
	0: "clear", 1: "mainly clear", 2: "partly cloudy", 3: "overcast", 45: "fog", 48: "rime fog",
	51: "light drizzle", 53: "drizzle", 55: "dense drizzle", 56: "light freezing drizzle", 57: "freezing drizzle",
	61: "light rain", 63: "rain", 65: "heavy rain", 66: "light freezing rain", 67: "freezing rain",
	71: "light snow", 73: "snow", 75: "heavy snow", 77: "snow grains",
	80: "light showers", 81: "showers", 82: "violent showers", 85: "light snow showers", 86: "snow showers",
	95: "thunderstorm", 96: "thunderstorm with hail", 99: "thunderstorm with heavy hail",
}
