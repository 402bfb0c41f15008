package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

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
