package schema

import (
	"cmp"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// scientific returns the digits of a number, with its sign and without its
// point, and the power of ten they are to be multiplied with.
func scientific(n json.Number) (digits string, exponent int) {
	mantissa, power, _ := strings.Cut(strings.ToLower(string(n)), "e")
	exponent, err := strconv.Atoi(power)
	if err != nil && power != "" {
		exponent = 1 << 30 // too long even for an int
		if power[0] == '-' {
			exponent = -exponent
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	return whole + fraction, exponent - len(fraction)
}

// exact returns the value of n. A number out of all proportion, which would take
// gigabytes, becomes one that is still past every limit a schema may have: its
// exponent is cut, and of too many digits the last are forgotten.
func (c *check) exact(n json.Number) *big.Rat {
	c.spent(len(n) / 64)
	digits, exponent := scientific(n)
	if len(digits) > 2*maxDigits {
		exponent += len(digits) - 2*maxDigits
		digits = digits[:2*maxDigits]
	}
	exponent = max(-4*maxExponent, min(exponent, 4*maxExponent))
	c.spent((len(digits) + max(exponent, -exponent)) / 16) // measured: up to 25 µs
	r, ok := new(big.Rat).SetString(digits + "e" + strconv.Itoa(exponent))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// small returns the value of n if it is a whole number that an int64 holds.
func small(n json.Number) (int64, bool) {
	if len(n) > 18 {
		return 0, false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}

// whole reports whether n has no fraction. Numbers of all sizes come here, so it
// goes by the digits.
func whole(n json.Number) bool {
	if !strings.ContainsAny(string(n), ".eE") {
		return true
	}
	digits, exponent := scientific(n)
	significant := strings.TrimRight(digits, "0")
	return significant == "" || significant == "-" || exponent+len(digits)-len(significant) >= 0
}

// compare returns the sign of n minus bound.
func (c *check) compare(n json.Number, bound *big.Rat) int {
	if i, ok := small(n); ok && bound.IsInt() && bound.Num().IsInt64() {
		return cmp.Compare(i, bound.Num().Int64())
	}
	return c.exact(n).Cmp(bound)
}

func (c *check) multiple(n json.Number, of *big.Rat) bool {
	if of.Sign() == 0 {
		return true
	}
	return new(big.Rat).Quo(c.exact(n), of).IsInt()
}

// plain returns r as people write it.
func plain(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(12), "0")
}
