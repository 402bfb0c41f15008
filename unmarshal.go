package recourse

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"time"
)

// errNoEnvelope is what UnmarshalJSON returns for JSON of another kind.
var errNoEnvelope = errors.New("recourse: not an error object: code, message, suggestion and retryable are required")

// UnmarshalJSON reads what [Error.MarshalJSON] or [Error.Envelope] wrote, for a
// second hop and log readers. Unknown members go into Related; numbers in it and
// in Value become a [json.Number]. It refuses an object without a
// SCREAMING_SNAKE code, a message, a suggestion and retryable, so that it also
// tells an envelope from other JSON.
func (e *Error) UnmarshalJSON(b []byte) error {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	if inner, ok := o["error"]; ok && o["code"] == nil {
		o = nil
		if err := json.Unmarshal(inner, &o); err != nil {
			return err
		}
	}
	var r Error
	var retryable *bool
	var after *float64
	into := []any{
		&r.Code, &r.Message, &r.Suggestion, &r.Field, &r.Value, &r.Constraint,
		&r.Violations, &retryable, &after, &r.MaxRetries,
	}
	for i, key := range defined {
		if err := decode(o[key], into[i]); err != nil {
			return err
		}
	}
	if !r.Code.valid() || r.Message == "" || r.Suggestion == "" || retryable == nil {
		return errNoEnvelope
	}
	r.retry(*retryable, after)
	for key, raw := range o {
		var v any
		if slices.Contains(defined, key) || decode(raw, &v) != nil || v == nil {
			continue
		}
		if r.Related == nil {
			r.Related = map[string]any{}
		}
		r.Related[key] = v
	}
	*e = r
	return nil
}

// retry sets the retry fields so that the code's defaults replace none of what
// was read.
func (e *Error) retry(retryable bool, after *float64) {
	e.RetryAfter = -1
	if after != nil && *after > 0 {
		e.RetryAfter = math.MaxInt64
		if s := math.Ceil(*after); s <= float64(math.MaxInt64/time.Second) {
			e.RetryAfter = time.Duration(s) * time.Second
		}
	}
	if retryable {
		e.MaxRetries = max(e.MaxRetries, 1)
	} else {
		e.MaxRetries = -1
	}
}

// decode reads raw into v and keeps the spelling of numbers. It leaves v alone
// if raw is absent.
func decode(raw json.RawMessage, v any) error {
	if raw == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(v)
}
