// Package ulid makes the ids of the call log.
package ulid

import (
	"math/rand/v2"
	"time"
)

// Append appends 26 characters that sort by t, to the millisecond, and differ
// between processes: 48 bits of time and 80 random ones, in the form of a ULID.
func Append(dst []byte, t time.Time) []byte {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	for ms, shift := uint64(t.UnixMilli())&(1<<48-1), 45; shift >= 0; shift -= 5 {
		dst = append(dst, digits[ms>>shift&31])
	}
	for range 2 {
		for r, n := rand.Uint64(), 0; n < 8; n++ {
			dst = append(dst, digits[r&31])
			r >>= 5
		}
	}
	return dst
}
