package openmeteo

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	_ "time/tzdata" // local days must not depend on the machine
)

// A city is one result of the geocoding API.
type city struct {
	ID          int     `json:"id"`
	Name        string  `json:"name"`
	Latitude    float64 `json:"latitude"`
	Longitude   float64 `json:"longitude"`
	Elevation   float64 `json:"elevation"`
	CountryCode string  `json:"country_code"`
	Timezone    string  `json:"timezone"`
	Population  int     `json:"population"`
	Country     string  `json:"country"`
	Admin1      string  `json:"admin1"`
}

//go:embed cities.csv
var table []byte

// cities holds the largest first, the order in which the API ranks its hits.
var cities = readCities()

func readCities() []city {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		panic(err)
	}
	number := func(s string) float64 {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	all := make([]city, 0, len(rows)-1)
	for _, r := range rows[1:] {
		all = append(all, city{
			ID: int(number(r[0])), Name: r[1], Admin1: r[2], Country: r[3], CountryCode: r[4],
			Latitude: number(r[5]), Longitude: number(r[6]), Elevation: number(r[7]), Timezone: r[8], Population: int(number(r[9])),
		})
	}
	slices.SortFunc(all, func(a, b city) int { return cmp.Compare(b.Population, a.Population) })
	return all
}

var unaccented = strings.NewReplacer("á", "a", "ã", "a", "í", "i", "î", "i", "ü", "u")

// search finds cities as the API does: one letter finds nothing, two find a name
// of two letters, more find names that begin so. What follows a comma narrows the
// hits to a country, its code or a region.
func search(name string) []city {
	fold := func(s string) string { return unaccented.Replace(strings.ToLower(strings.TrimSpace(s))) }
	name, within, _ := strings.Cut(name, ",")
	name, within = fold(name), fold(within)
	var hits []city
	for _, c := range cities {
		found := len(name) > 2 && strings.HasPrefix(fold(c.Name), name) || len(name) == 2 && fold(c.Name) == name
		if found && (within == "" || within == fold(c.Country) || within == fold(c.CountryCode) || within == fold(c.Admin1)) {
			hits = append(hits, c)
		}
	}
	// A whole name comes before one that only begins so.
	slices.SortStableFunc(hits, func(a, b city) int {
		rest := func(c city) int { return min(len(fold(c.Name))-len(name), 1) }
		return rest(a) - rest(b)
	})
	return hits
}

// nearest returns the city whose climate and time zone stand for the place.
func nearest(lat, lon float64) city {
	return slices.MinFunc(cities, func(a, b city) int {
		return cmp.Compare(math.Hypot(a.Latitude-lat, a.Longitude-lon), math.Hypot(b.Latitude-lat, b.Longitude-lon))
	})
}
