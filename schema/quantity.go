package schema

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"sync"
)

// A unit is what is measured, and how many of the smallest it is.
type unit struct {
	of   string
	size string // a number; units of different things can't be converted
}

// units holds words for units. Bytes are not converted: a kB has 1000 or 1024.
// Money has no place here.
var units = sync.OnceValue(func() map[string]unit {
	all := map[string]unit{}
	for line := range strings.Lines(`
		time 0.001 ms msec msecs millis millisecond milliseconds
		time 1 s sec secs second seconds
		time 60 min mins minute minutes
		time 3600 h hr hrs hour hours
		time 86400 d day days
		time 604800 w week weeks
		length 0.001 mm millimeter millimeters millimetre millimetres
		length 0.01 cm centimeter centimeters centimetre centimetres
		length 1 m meter meters metre metres
		length 1000 km kilometer kilometers kilometre kilometres
		mile 1 mi mile miles
		foot 1 ft foot feet
		mass 1 g gram grams
		mass 1000 kg kilogram kilograms
		celsius 1 c celsius °c centigrade
		fahrenheit 1 f fahrenheit °f
		degree 1 deg degree degrees °
		percent 1 % percent pct percentage
		pixel 1 px pixel pixels
		byte 1 b byte bytes
		kilobyte 1 kb kib kilobyte kilobytes
		megabyte 1 mb mib megabyte megabytes
		gigabyte 1 gb gib gigabyte gigabytes
		character 1 char chars character characters
		token 1 token tokens
	`) {
		if words := strings.Fields(line); len(words) > 2 {
			for _, word := range words[2:] {
				all[word] = unit{words[0], words[1]}
			}
		}
	}
	return all
})

var (
	measured = lazily(`^(?:(?:about|approximately|approx\.?|around|roughly|ca\.?|circa|~|≈|up to|at most|at least|max(?:imum)?|min(?:imum)?|exactly|only|just|top|first|last)\s*)?(.+?)[.!]?$`)
	part     = lazily(`^\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?|[a-z]+)\s*-?\s*([a-zµ°%]*)\s*(?:,|and\b)?`)
)

// numerals are the numbers that are written as words.
var numerals = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100",
}

// quantity reads a number with a unit, or among the words that go with one:
// "20 minutes" where seconds are wanted is 1200.
func (c *check) quantity(f fault, text string) *node {
	text = strings.ToLower(text)
	if len(text) > 60 || f.at == nil {
		return nil
	}
	rest := measured().FindStringSubmatch(text)[1]
	sum := new(big.Rat)
	for n := 0; rest != ""; n++ {
		m := part().FindStringSubmatch(rest)
		if m == nil || n > 3 {
			return nil
		}
		digits, ok := numerals[m[1]]
		if !ok {
			digits = strings.ReplaceAll(m[1], ",", "")
		}
		value, ok := new(big.Rat).SetString(digits)
		if !ok {
			return nil
		}
		word := m[2]
		rest = strings.TrimSpace(rest[len(m[0]):])
		if word == "degrees" && rest != "" { // degrees celsius
			word, rest = rest, ""
		}
		if len(digits) > 1 && digits[0] == '0' && digits[1] != '.' {
			return nil
		}
		factor, ok := c.factor(f, word)
		if !ok || n > 0 && word != "m" && units()[word].of != "time" {
			return nil
		}
		sum.Add(sum, value.Mul(value, factor))
	}
	return scalarNode(json.Number(plain(sum)))
}

// factor returns what to multiply by to get from a unit to that of an argument.
func (c *check) factor(f fault, word string) (*big.Rat, bool) {
	one := big.NewRat(1, 1)
	names := tokens(f.at.key)
	for up := f.at; up != nil && up.index >= 0; up = up.up { // the items of a list are called as it is
		names = tokens(up.up.name())
	}
	says := tokens(head(f.schema.Description, 5*maxDescription))
	if word == "" {
		return one, true
	}
	if is := func(w string) bool { return stem(w) == stem(word) }; slices.ContainsFunc(names, is) || slices.ContainsFunc(says, is) && len(word) > 2 {
		return one, true
	}
	from, ok := units()[word]
	to, known := wantedUnit(names, says)
	if word == "m" && to.of == "time" {
		from = units()["minutes"]
	}
	switch {
	case !ok:
		return one, returns(f.at) && slices.Contains([]string{"results", "items", "rows", "entries", "records", "lines", "times", "pages", "hits", "issues", "files"}, word)
	case word == "%" && !known:
		most := f.schema.Maximum
		return one, most != nil && most.Cmp(big.NewRat(100, 1)) == 0
	case !known || from.of != to.of:
		return nil, false
	}
	a, _ := new(big.Rat).SetString(from.size)
	b, _ := new(big.Rat).SetString(to.size)
	return a.Quo(a, b), true
}

// wantedUnit finds the unit in the name of an argument, else the only one in its
// description.
func wantedUnit(names, says []string) (unit, bool) {
	for _, word := range slices.Backward(names) {
		if u, ok := units()[word]; ok && (len(word) > 1 || len(names) > 1) {
			return u, true
		}
	}
	var found unit
	for _, word := range says {
		if u, ok := units()[word]; ok && len(word) > 1 {
			if found != (unit{}) && found != u {
				return unit{}, false
			}
			found = u
		}
	}
	return found, found != unit{}
}
