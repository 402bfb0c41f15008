package openmeteo

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// units has the daily variables that this API knows, of the real one's seventy.
var units = map[string]string{
	"weather_code":                  "wmo code",
	"temperature_2m_max":            "°C",
	"temperature_2m_min":            "°C",
	"precipitation_sum":             "mm",
	"precipitation_probability_max": "%",
	"wind_speed_10m_max":            "km/h",
}

// forecast answers /v1/forecast, or gives the reason why it can't. The same place
// has the same weather on the same day, however often one asks.
func forecast(q url.Values, now time.Time) (answer map[string]any, reason string) {
	lat, err := strconv.ParseFloat(q.Get("latitude"), 64)
	if err != nil || math.Abs(lat) > 90 {
		return nil, "Latitude must be in range of -90 to 90°. Given: " + q.Get("latitude") + "."
	}
	lon, err := strconv.ParseFloat(q.Get("longitude"), 64)
	if err != nil || math.Abs(lon) > 180 {
		return nil, "Longitude must be in range of -180 to 180°. Given: " + q.Get("longitude") + "."
	}
	days := 7
	if given := q.Get("forecast_days"); given != "" {
		days, err = strconv.Atoi(given)
		if err != nil || days < 0 || days > 16 {
			return nil, "Forecast days is invalid. Allowed range 0 to 16. Given " + given + "."
		}
	}
	place := nearest(lat, lon)
	zone := time.FixedZone("GMT", 0)
	if q.Get("timezone") == "auto" {
		if zone, err = time.LoadLocation(place.Timezone); err != nil {
			panic(err) // the names and the zones are both built in
		}
	}
	today := now.In(zone)
	abbreviation, offset := today.Zone()

	names, daily, unit := []string{}, map[string]any{}, map[string]string{}
	if given := q.Get("daily"); given != "" {
		names = strings.Split(given, ",")
	}
	for _, name := range names {
		if units[name] == "" {
			return nil, "Cannot initialize a daily variable from invalid String value " + name + " for key daily"
		}
		values := make([]float64, days)
		for i := range days {
			values[i] = weather(place, today.AddDate(0, 0, i))[name]
		}
		daily[name], unit[name] = values, units[name]
	}
	dates := make([]string, days)
	for i := range days {
		dates[i] = today.AddDate(0, 0, i).Format(time.DateOnly)
	}
	daily["time"], unit["time"] = dates, "iso8601"
	return map[string]any{
		"latitude": lat, "longitude": lon, "elevation": place.Elevation, "generationtime_ms": 0.05,
		"utc_offset_seconds": offset, "timezone": zone.String(), "timezone_abbreviation": abbreviation,
		"daily_units": unit, "daily": daily,
	}, ""
}

// weather is a plausible day: warm near the equator and in the local summer,
// cooler by 6.5 °C for each 1000 m, wet on about one day in three.
func weather(place city, day time.Time) map[string]float64 {
	h := fnv.New64a()
	fmt.Fprint(h, place.ID, day.Format(time.DateOnly))
	chance := h.Sum64()
	roll := func() float64 { // in [0,1), another one at each call
		chance = chance*6364136223846793005 + 1442695040888963407
		return float64(chance>>40) / (1 << 24)
	}
	north := math.Copysign(1, place.Latitude)
	season := north * math.Cos(2*math.Pi*float64(day.YearDay()-200)/365)
	mean := 28 - math.Abs(place.Latitude)*0.35 + season*math.Abs(place.Latitude)*0.2 - place.Elevation*0.0065
	mean += 6 * (roll() - 0.5)

	rain, code := 0.0, 0.0
	clouds := roll()
	switch {
	case clouds > 0.65:
		rain = math.Ceil(roll()*180) / 10
		code = 61 // slight rain, then moderate and heavy
		if rain > 5 {
			code = 63
		}
		if rain > 12 {
			code = 65
		}
		if mean < 0 {
			code += 10 // snow
		}
	case clouds > 0.25:
		code = math.Ceil(clouds*4) - 1 // clear to overcast
	}
	tenth := func(f float64) float64 { return math.Round(f*10) / 10 }
	return map[string]float64{
		"weather_code":                  code,
		"temperature_2m_max":            tenth(mean + 2 + 4*roll()),
		"temperature_2m_min":            tenth(mean - 2 - 4*roll()),
		"precipitation_sum":             rain,
		"precipitation_probability_max": math.Round(100 * clouds),
		"wind_speed_10m_max":            tenth(4 + 30*roll()),
	}
}
