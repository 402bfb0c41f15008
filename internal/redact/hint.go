package redact

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// One byte in all eight lanes of a word.
const (
	ones = 0x0101010101010101
	low  = 0x7f * ones
	high = 0x80 * ones
)

// hint returns the first byte of s at which secretAt must look, or len(s). Each
// form of secret is met at the rarest byte of what introduces it, not at its first
// one: in prose and in base64 hardly a word holds any.
//
// It looks at eight bytes at once and sets the high bit of those that are hints: in
// t+(0x80-a)*ones it is set if a byte is at least a, in t^a*ones+low if it is not a.
// Bytes above 0x7f are none. The last look overlaps the one before.
func hint(s string) int {
	b := unsafe.Slice(unsafe.StringData(s), len(s)) // read-only
	i := 0
	for ; i < len(b)-2 && len(b) >= 10; i += 8 {
		at := min(i, len(b)-10)
		w := b[at : at+10]
		x, next, third := binary.LittleEndian.Uint64(w), binary.LittleEndian.Uint64(w[1:]), binary.LittleEndian.Uint64(w[2:])
		t := x &^ high
		found := (t + (0x80-'-')*ones) &^ (t + (0x80-'/')*ones)     // - .
		found |= (t + (0x80-':')*ones) &^ (t + (0x80-'?')*ones)     // : = >, and between them ; <
		found |= ^(((t ^ '_'*ones) + low) & ((t ^ 'J'*ones) + low)) // _ J
		found |= none(capital(x, next)) | none(bearer(x, next, third))
		if found = found & high &^ x >> (8 * (i - at)); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i = min(i, max(0, len(b)-2)); i < len(b) && !hints[b[i]]; {
		i++
	}
	return i
}

// none sets the high bit of the bytes that are zero.
func none(y uint64) uint64 { return ^(y&low + low | y) }

// capital makes the bytes zero that are an A before another capital, or before one
// of @[\]^_: AKIA, AIza and their like begin so.
func capital(x, next uint64) uint64 { return (x ^ 'A'*ones) | (next&(0xe0*ones) ^ 0x40*ones) }

// bearer makes the bytes zero at which "bearer", "basic" or "dapi" may begin. What
// is introduced by lower case letters alone is told by three of them, of which next
// and third follow x. The constants are the letters, with the bits set in which
// their alternatives differ; so bdf, ae and abcpqrs pass, in both cases.
func bearer(x, next, third uint64) uint64 {
	return ((x | 0x26*ones) ^ 0x66*ones) | ((next | 0x24*ones) ^ 0x65*ones) | ((third | 0x33*ones) ^ 0x73*ones)
}

// hints are the bytes that hint may stop at.
var hints = func() (t [256]bool) {
	for _, c := range "-.:=>_AJbBd" {
		t[c] = true
	}
	return t
}()
