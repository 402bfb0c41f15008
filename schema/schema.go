// Package schema checks the arguments of a tool call against the tool's input
// schema and says everything that is wrong at once, in words a model can act on.
//
//	s, err := schema.Compile(tool.InputSchema)
//	...
//	if e := s.Check(request.Arguments); e != nil {
//		return e // MISSING_ARGUMENT: "The argument city is missing."
//	}
//
// Schemas are read as draft 2020-12 unless $schema names another draft (4 to
// 2020-12). Schema and arguments may come from strangers: [Compile] opens no
// file and no connection, and [Schema.Check] is bounded in time, memory and
// stack.
//
// Check only explains. What was most likely meant is for [Schema.Repair] to say,
// and how much that takes for granted.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// Limits of a schema. Of 108 input schemas of six published servers, the largest
// had 6 kB, 10 levels and 91 objects. The most that is allowed takes some tens of
// milliseconds.
const (
	maxSchema     = 1 << 20 // bytes
	maxNesting    = 200     // levels of objects and lists
	maxSubschemas = 5_000   // objects
	maxExponent   = 400     // of a number: beyond what a float64 holds
	maxDigits     = 400     // of a number, in bytes
)

// A Schema checks arguments. Any number of goroutines may use one. The zero
// value allows everything.
type Schema struct {
	// StrictFormats checks the formats date, time, date-time, email, ipv4, ipv6,
	// uri and uuid. If false, format only tells in words what is wanted: drafts
	// since 2019-09 call it a remark, and those who write it differ in what they
	// take. zod's time has no zone, RFC 3339's must have one; pydantic's date-time
	// needs none. Other formats are never checked. Set it before the first Check.
	StrictFormats bool

	root    *draft.Schema
	rank    map[string]int // of a property's name: its first place in the text
	traced  bool           // some subschema asks what others have evaluated
	dynamic bool           // some reference is
}

// Compile reads a JSON Schema. Its error is a [*recourse.Error] with the code
// CONFIGURATION_ERROR, which says what is wrong where. Nothing is ever fetched: a
// reference that leads out of raw is an error, except to the drafts' own schemas.
func Compile(raw []byte) (s *Schema, err error) {
	if len(raw) > maxSchema {
		return nil, invalid("", fmt.Sprintf("has %d bytes, more than %d", len(raw), maxSchema))
	}
	doc, err := decode(raw)
	if err != nil {
		return nil, invalid("", "is not JSON: "+err.Error())
	}
	switch doc.(type) {
	case map[string]any, bool:
	default:
		return nil, invalid("", "is neither an object nor true or false")
	}
	if err := limit(doc); err != nil {
		return nil, err
	}
	amend(doc, false)
	// A fault of ours must not end who only lists a stranger's tools.
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, invalid("", "can't be compiled")
		}
	}()
	s, err = compile(doc, draft.V2020)
	if errors.As(err, new(*draft.InvalidError)) && !drafted(doc) {
		// Lists under items and the like were legal before 2020-12, and are
		// still written without a $schema.
		if old, e := compile(doc, draft.V7); e == nil {
			s, err = old, nil
		}
	}
	if err != nil {
		return nil, explain(err)
	}
	s.rank = ranks(raw)
	return s, nil
}

// drafted reports whether a schema names its draft.
func drafted(doc any) bool {
	o, _ := doc.(map[string]any)
	return o["$schema"] != nil
}

func compile(doc any, version draft.Version) (*Schema, error) {
	root, err := draft.Compile(doc, version, patterns())
	if err != nil {
		return nil, err
	}
	s := &Schema{root: root}
	s.survey()
	return s, nil
}

// explain turns the compiler's error into ours.
func explain(err error) error {
	var wrong *draft.InvalidError
	var load *draft.LoadError
	var pattern *draft.PatternError
	switch {
	case errors.As(err, &wrong):
		return invalid(wrong.At, "must be "+wrong.Want)
	case errors.As(err, &load):
		return invalid("", "refers to "+clip(load.URL, 200)+", and nothing is fetched")
	case errors.As(err, &pattern):
		return invalid(pattern.At, "has the pattern "+clip(pattern.Pattern, 200)+", which is not a regular expression")
	}
	return invalid("", "can't be compiled: "+clip(err.Error(), 300))
}

// invalid returns the error of a schema that is wrong at a JSON Pointer.
func invalid(at, what string) *recourse.Error {
	subject := "The input schema "
	if at != "" {
		subject = "In the input schema, " + clip(at, 200) + " "
	}
	return &recourse.Error{
		Code:       recourse.ConfigurationError,
		Message:    subject + what + ".",
		Suggestion: "Tell the operator that the tool's input schema must be corrected; don't repeat the call.",
		Field:      "",
	}
}

// decode reads one JSON value and keeps its numbers as they were written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	return v, nil
}

// limit says what in a schema is over a limit.
func limit(doc any) error {
	left := maxSubschemas
	var walk func(v any, depth int) error
	walk = func(v any, depth int) error {
		if depth > maxNesting {
			return invalid("", fmt.Sprintf("is nested more than %d levels deep", maxNesting))
		}
		switch v := v.(type) {
		case json.Number:
			if digits, exponent := scientific(v); len(digits) > maxDigits || exponent > maxExponent || exponent < -maxExponent {
				return invalid("", "has a number that is out of all proportion")
			}
		case []any:
			for _, item := range v {
				if err := walk(item, depth+1); err != nil {
					return err
				}
			}
		case map[string]any:
			if left--; left < 0 {
				return invalid("", fmt.Sprintf("has more than %d objects", maxSubschemas))
			}
			for _, member := range v {
				if err := walk(member, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return walk(doc, 1)
}
