package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Size is a number of bytes as written on a command line: a plain number, or one
// with k, M or G, which count by 1024; iB or B may follow. The zero value is
// "auto".
type Size struct {
	set bool
	n   int64
}

// units are the factors by their letter.
var units = map[byte]float64{'k': 1 << 10, 'm': 1 << 20, 'g': 1 << 30}

// UnmarshalText reads what a user wrote.
func (s *Size) UnmarshalText(text []byte) error {
	word := strings.ToLower(strings.TrimSpace(string(text)))
	if word == "auto" || word == "" {
		*s = Size{}
		return nil
	}
	number := strings.TrimSuffix(strings.TrimSuffix(word, "b"), "i")
	factor := 1.0
	if n := len(number); n > 0 && units[number[n-1]] > 0 {
		factor, number = units[number[n-1]], strings.TrimSpace(number[:n-1])
	}
	n, err := strconv.ParseFloat(number, 64)
	if n *= factor; err != nil || !(n >= 0) || n > math.MaxInt32 {
		return fmt.Errorf("%q is not a size: write 100000, 500k or 10MiB, at most 2GiB", text)
	}
	*s = Size{set: true, n: int64(n)}
	return nil
}

// Or returns the size, or auto if none was written.
func (s Size) Or(auto int64) int64 {
	if s.set {
		return s.n
	}
	return auto
}
