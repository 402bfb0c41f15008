// Package envelope holds the tests of the error envelope that need more than
// the standard library: whatever an Error holds, what is written fits its
// published JSON Schema.
package envelope
