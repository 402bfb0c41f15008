package diagnose

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns up to three names that resemble name, the best first.
//
// The measure is Dice's coefficient over pairs of letters, case and separators
// aside: unlike an edit distance it forgives words in another order. In a short
// name one wrong letter spoils most pairs, so one letter off counts as near.
func Nearest(name string, names []string) []string {
	type scored struct {
		name  string
		score float64
	}
	var found []scored
	for _, n := range names {
		if s := max(dice(fold(name), fold(n)), typo(fold(name), fold(n))); s >= 0.5 {
			found = append(found, scored{n, s})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var near []string
	for _, f := range found[:min(3, len(found))] {
		near = append(near, f.name)
	}
	return near
}

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-./: ", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

func dice(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) < 2 || len(b) < 2 {
		return 0
	}
	pairs := map[string]int{}
	for i := range len(a) - 1 {
		pairs[a[i:i+2]]++
	}
	shared := 0
	for i := range len(b) - 1 {
		if pair := b[i : i+2]; pairs[pair] > 0 {
			pairs[pair]--
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(a)+len(b)-2)
}

// typo returns 0.5 if a and b differ in one letter: another, missing, too many,
// or swapped with its neighbour.
func typo(a, b string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch rest, other := a[i:], b[i:]; {
	case len(a) < 3 || len(other) == 0:
		return 0
	case rest == other[1:], len(rest) > 0 && rest[1:] == other[1:],
		len(rest) > 1 && len(other) > 1 && rest[0] == other[1] && rest[1] == other[0] && rest[2:] == other[2:]:
		return 0.5
	}
	return 0
}
