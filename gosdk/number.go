package gosdk

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse"
)

// maxNumber is how long a number may be, in characters, to be written in another
// form: exact arithmetic takes more than linear time.
const maxNumber = 1000

// digits returns a JSON text in which whole numbers have neither fraction nor
// exponent, or the text itself if it can't be read.
func digits(text json.RawMessage) json.RawMessage {
	v, ok := parsed(text)
	if !ok {
		return text
	}
	plain, err := json.Marshal(spelled(v))
	if err != nil {
		return text
	}
	return plain
}

func spelled(v any) any {
	switch v := v.(type) {
	case json.Number:
		return whole(v)
	case []any:
		for i := range v {
			v[i] = spelled(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = spelled(v[k])
		}
	}
	return v
}

// whole returns n without fraction and exponent if it needs none.
func whole(n json.Number) json.Number {
	if !strings.ContainsAny(string(n), ".eE") || len(n) > maxNumber {
		return n
	}
	// The float tells how large the exact number would become.
	f, err := n.Float64()
	if err != nil || math.Abs(f) >= 1e99 {
		return n
	}
	if f == 0 {
		return "0"
	}
	if r, ok := new(big.Rat).SetString(string(n)); ok && r.IsInt() {
		return json.Number(r.Num().String())
	}
	return n
}

func parsed(text json.RawMessage) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	return v, d.Decode(&v) == nil
}

// A place is where in the arguments a value stands.
type place struct {
	pointer string // RFC 6901
	name    string // as package schema writes it: rows[1].n
	value   any
}

// at returns the place that a decoder calls field, such as rows.1.n.
func (p place) at(field string) (place, bool) {
	if field == "" {
		return p, true
	}
	switch v := p.value.(type) {
	case map[string]any:
		for key, member := range v {
			rest, ok := strings.CutPrefix(field+".", key+".")
			if !ok {
				continue
			}
			name := key
			if p.name != "" {
				name = p.name + "." + key
			}
			if found, ok := (place{p.pointer + pointer(key), name, member}).at(strings.TrimSuffix(rest, ".")); ok {
				return found, true
			}
		}
	case []any:
		index, rest, _ := strings.Cut(field, ".")
		if i, err := strconv.Atoi(index); err == nil && 0 <= i && i < len(v) {
			return place{p.pointer + "/" + index, p.name + "[" + index + "]", v[i]}.at(rest)
		}
	}
	return place{}, false
}

// excess makes an error of a number that a Go type can't hold, or returns nil if
// that is not what the decoder met in the arguments.
func excess(arguments json.RawMessage, mismatch *json.UnmarshalTypeError) *recourse.Error {
	v, ok := parsed(arguments)
	if !ok {
		return nil
	}
	p, ok := place{value: v}.at(mismatch.Field)
	if !ok {
		return nil
	}
	n, ok := p.value.(json.Number)
	if !ok || mismatch.Field == "" {
		return nil
	}
	want, outside := bounds(mismatch.Type, whole(n))
	if want == "" {
		return nil
	}
	code := recourse.InvalidArgument
	if outside {
		code = recourse.OutOfRange
	}
	return &recourse.Error{
		Code:       code,
		Message:    p.name + " must be " + want + ".",
		Suggestion: "Set " + p.name + " to " + want + ".",
		Field:      p.pointer,
		Value:      n,
		Constraint: want,
		Err:        mismatch,
	}
}

// bounds says what a Go type wants instead of n, and whether n is outside of its
// range. It returns "" for types that are no numbers and for what they do hold.
func bounds(t reflect.Type, n json.Number) (want string, outside bool) {
	var (
		kind      = "a whole number"
		low, high string
		err       error
	)
	f, _ := n.Float64() // infinite if it is that large
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		_, err = strconv.ParseInt(string(n), 10, t.Bits())
		most := int64(math.MaxInt64) >> (64 - t.Bits())
		low, high = strconv.FormatInt(-most-1, 10), strconv.FormatInt(most, 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		_, err = strconv.ParseUint(string(n), 10, t.Bits())
		low, high = "0", strconv.FormatUint(math.MaxUint64>>(64-t.Bits()), 10)
	case reflect.Float32, reflect.Float64:
		most := math.MaxFloat64
		if t.Bits() == 32 {
			most = math.MaxFloat32
		}
		_, err = strconv.ParseFloat(string(n), t.Bits())
		high = strconv.FormatFloat(most, 'g', -1, t.Bits())
		kind, low = "a number", "-"+high
	}
	beyond := math.Abs(f) >= 1e20 // more than any integer holds; what has an exponent is no syntax to them
	switch {
	case err == nil:
		return "", false
	case !beyond && !errors.Is(err, strconv.ErrRange) && (f > -1 || low != "0"):
		return kind, false
	case f < 0:
		return kind + " of at least " + low, true
	}
	return kind + " of at most " + high, true
}
