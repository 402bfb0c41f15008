package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/recourse-dev/recourse"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// violations returns what is wrong with a schema according to its draft, in the
// words that arguments get too.
func violations(doc any) []recourse.Violation {
	address := jsonschema.Draft2020.String()
	if o, ok := doc.(map[string]any); ok {
		if named, ok := o["$schema"].(string); ok {
			address = named
		}
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(closed{})
	c.UseRegexpEngine(patterns())
	c.AssertFormat()
	root, err := c.Compile(address)
	if err != nil {
		return nil
	}
	meta := &Schema{root: root}
	meta.survey(c, nil)
	run := &check{schema: meta, root: doc}
	run.grant(maxSteps, maxTime)
	found := run.eval(root, doc, nil, nil)
	if run.out || len(found) == 0 {
		return nil
	}
	run.grant(maxGuess, maxTime)
	e := run.report(found)
	if len(e.Violations) > 0 {
		return e.Violations
	}
	return []recourse.Violation{{Field: e.Field, Value: e.Value, Constraint: e.Constraint, Suggestion: e.Suggestion}}
}

// broken returns the byte at which raw stops being one JSON value, and whether
// that is its end.
func broken(raw []byte) (at int, early bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	var v json.RawMessage
	err := d.Decode(&v)
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return len(raw), true
	case errors.As(err, &syntax):
		return max(0, min(int(syntax.Offset)-1, len(raw))), false
	}
	return int(d.InputOffset()), false
}
