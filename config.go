package recourse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Env returns the variable's value, or a ConfigurationError naming it if it is
// not set or empty.
func Env(name string) (string, error) {
	value, ok := os.LookupEnv(name)
	if value != "" {
		return value, nil
	}
	state := "not set"
	if ok {
		state = "empty"
	}
	return "", &Error{
		Code:       ConfigurationError,
		Message:    fmt.Sprintf("The environment variable %s is %s.", name, state),
		Suggestion: fmt.Sprintf("Tell the user to set %s in the server's environment and to start the server again.", name),
		Related:    map[string]any{"variable": name},
	}
}

// maxConfig is the size of the largest file that ReadConfig reads, in bytes: no
// hand has ever written so much, and /dev/zero has no end.
const maxConfig = 16 << 20

// ReadConfig decodes the JSON file of that name into v, a pointer. A file that
// is absent or damaged, or has a field that v has not, is a ConfigurationError
// which names the file and the place in it, as in "server.json:3:14": line and
// column count from 1, and a column is a character, also where that is a tab or
// has several bytes.
//
// The file is UTF-8, with or without a byte order mark, of at most 16 MiB. A
// field that is set twice is an error too, though JSON allows it: one of the two
// would be without effect. After an error, v may be filled in part.
func ReadConfig(name string, v any) error {
	text, err := readText(name)
	if err != nil {
		return err
	}
	if at, what := damage(text); what != "" {
		return misplaced(name, text, at, what, nil)
	}
	err = strictly(text, v)
	var kind *json.UnmarshalTypeError
	var misuse *json.InvalidUnmarshalError
	switch unknown, ok := strings.CutPrefix(fmt.Sprint(err), "json: unknown field "); {
	case err == nil:
		return nil
	case errors.As(err, &misuse):
		return &Error{Code: InternalError, Err: err}
	case errors.As(err, &kind):
		at, what := mistyped(text, kind)
		return misplaced(name, text, at, what, err)
	case ok:
		at := stranger(text, unknown, v)
		return misplaced(name, text, at, "there is no setting "+unknown, err)
	}
	// A type's own UnmarshalJSON or UnmarshalText, which does not know where it is.
	return misconfigured(name, name+": a value can't be used.", "to correct "+name, err)
}

// readText returns the text of a file without the mark that some editors put
// before it.
func readText(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, misconfigured(name, name+" does not exist.", "to create "+name, err)
		}
		return nil, unreadableFile(name, "can't be opened", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, misconfigured(name, name+" is a folder, not a file.", "to put a JSON file at "+name, nil)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	switch {
	case err != nil:
		return nil, unreadableFile(name, "can't be read", err)
	case len(text) > maxConfig:
		return nil, misconfigured(name, name+" is over 16 MiB, which is no configuration.", "to correct "+name, nil)
	}
	return bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), nil
}

// damage returns where and how a text is no JSON that a person could have meant,
// or "".
func damage(text []byte) (at int, what string) {
	whole := bytes.TrimRight(text, " \t\r\n")
	if len(whole) == 0 {
		return 0, "the file is empty"
	}
	if bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF")) {
		return 0, "the file is UTF-16, and has to be saved as UTF-8"
	}
	if !utf8.Valid(text) {
		return invalid(text), "here is a byte that is not UTF-8"
	}
	var syntax *json.SyntaxError
	if errors.As(json.Unmarshal(text, new(json.RawMessage)), &syntax) {
		at := int(syntax.Offset) - 1
		// Package json puts a space after the end of a number or word to see whether
		// it is whole.
		if said := syntax.Error(); strings.HasPrefix(said, "unexpected end") || strings.HasPrefix(said, "invalid character ' '") && text[at] != ' ' {
			return len(whole), "the file ends too early"
		}
		return at, legible(syntax.Error(), text[at:])
	}
	for t := range lexemes(text) {
		if t.again {
			return t.from, t.path + " is set twice"
		}
	}
	return 0, ""
}

// invalid returns the place of the first byte that is not UTF-8.
func invalid(text []byte) (at int) {
	for at < len(text) {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// legible mends what package json says of a character of several bytes: it names
// the first of them, such as â for a quotation mark of a word processor.
func legible(said string, rest []byte) string {
	r, _ := utf8.DecodeRune(rest)
	_, after, ok := strings.Cut(said, "' ")
	if r < utf8.RuneSelf || !ok {
		return said
	}
	return fmt.Sprintf("invalid character '%c' %s", r, after)
}

// strictly decodes a text that is valid JSON.
func strictly(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// mistyped returns where a value of the wrong type stands, and says so.
func mistyped(text []byte, kind *json.UnmarshalTypeError) (at int, what string) {
	path := kind.Field
	for t := range lexemes(text) {
		if t.to >= int(kind.Offset) { // its own Offset is the end of a value, or the inside of one
			at, path = t.from, t.path
			break
		}
	}
	if path == "" {
		path = "the configuration"
	}
	return at, fmt.Sprintf("%s is %s, but has to be %s", path, given(kind.Value), wanted(kind.Type))
}

// given says what package json found.
func given(value string) string {
	if literal, ok := strings.CutPrefix(value, "number "); ok {
		return literal
	}
	switch value {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	return "a " + value
}

// wanted says what a field of that type holds.
func wanted(t reflect.Type) string {
	switch k := t.Kind(); k {
	case reflect.Bool:
		return "true or false"
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return fmt.Sprintf("a whole number from %d to %d", int64(-1)<<(t.Bits()-1), int64(1)<<(t.Bits()-1)-1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return fmt.Sprintf("a whole number from 0 to %d", uint64(1)<<t.Bits()-1)
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return "a whole number that is not negative"
	case reflect.Float32, reflect.Float64:
		return "a number that is not too large"
	case reflect.String:
		return "a text in quotes"
	case reflect.Slice, reflect.Array:
		return "a list in [ ]"
	case reflect.Map, reflect.Struct:
		return "an object in { }"
	}
	return "of another kind"
}

// stranger returns the place of the name, quoted, that v has no field for. The
// same name may stand elsewhere by right: so each is renamed in turn. The decoder
// complains of the first name it does not know, thus of the new one only up to
// the place that is looked for.
func stranger(text []byte, quoted string, v any) (at int) {
	const probe = `"\u0000 no such setting"`
	const most = 100 // each costs the decoding of the whole
	var places []lexeme
	for t := range lexemes(text) {
		if t.name && fmt.Sprintf("%q", t.key) == quoted && len(places) < most {
			places = append(places, t)
		}
	}
	for _, t := range slices.Backward(places) {
		renamed := slices.Concat(text[:t.from], []byte(probe), text[t.to:])
		err := strictly(renamed, reflect.New(reflect.TypeOf(v).Elem()).Interface())
		if at = t.from; strings.HasPrefix(fmt.Sprint(err), `json: unknown field "\x00 no such`) {
			break
		}
	}
	return at
}

// misplaced returns the error of what stands at an offset of a file's text.
func misplaced(name string, text []byte, at int, what string, err error) *Error {
	before := text[:min(max(0, at), len(text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	place := fmt.Sprintf("%s:%d:%d", name, line, column)
	e := misconfigured(name, place+": "+what+".", "to correct "+place, err)
	e.Related["line"], e.Related["column"] = line, column
	return e
}

func unreadableFile(name, what string, err error) *Error {
	if errors.Is(err, fs.ErrPermission) {
		what += ": permission is denied"
	}
	return misconfigured(name, name+" "+what+".", "to make "+name+" readable for the server", err)
}

func misconfigured(name, message, remedy string, err error) *Error {
	return &Error{
		Code:       ConfigurationError,
		Message:    message,
		Suggestion: fmt.Sprintf("Tell the user %s and to start the server again.", remedy),
		Related:    map[string]any{"file": name},
		Err:        err,
	}
}
