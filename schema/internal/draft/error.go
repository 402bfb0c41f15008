package draft

import "fmt"

// An InvalidError tells that a schema has something else somewhere than its draft
// wants there.
type InvalidError struct {
	At   string // a JSON Pointer
	Want string // such as "a number"
}

func (e *InvalidError) Error() string { return fmt.Sprintf("%s must be %s", e.At, e.Want) }

// A LoadError tells of an address that leads out of the document.
type LoadError struct {
	URL string
}

func (e *LoadError) Error() string { return e.URL + " is not part of the schema" }

// A PatternError tells of a pattern that the engine does not take.
type PatternError struct {
	At      string // a JSON Pointer
	Pattern string
	Err     error
}

func (e *PatternError) Error() string {
	return fmt.Sprintf("%s has the pattern %q: %v", e.At, e.Pattern, e.Err)
}

func (e *PatternError) Unwrap() error { return e.Err }
