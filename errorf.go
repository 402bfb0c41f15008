package recourse

import (
	"errors"
	"fmt"
)

// Errorf returns an Error with a formatted Message. An operand that is an error
// shows only its public text, under every verb: that of the Error which
// [Classify] returns for it. The same holds for each error of a []error. An
// operand of %w becomes Err; several are joined.
func Errorf(code Code, format string, args ...any) *Error {
	if false {
		_ = fmt.Errorf(format, args...) // lets vet check the callers' formats
	}
	causes := map[error]error{}
	hide := func(err error) error {
		text := &public{classify(err).Error()}
		causes[text] = err
		return text
	}
	shown := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			shown[i] = hide(arg)
		case []error:
			texts := make([]any, len(arg))
			for j, err := range arg {
				if err != nil {
					texts[j] = hide(err)
				}
			}
			shown[i] = texts
		default:
			shown[i] = arg
		}
	}
	formatted := fmt.Errorf(format, shown...)
	e := &Error{Code: code, Message: formatted.Error()}
	switch f := formatted.(type) {
	case interface{ Unwrap() error }:
		e.Err = causes[f.Unwrap()]
	case interface{ Unwrap() []error }:
		var all []error
		for _, text := range f.Unwrap() {
			all = append(all, causes[text])
		}
		e.Err = errors.Join(all...)
	}
	return e
}

// A public stands for an error among the operands of a format. It holds no
// cause, as fmt prints the fields of an operand whose verb does not suit it.
type public struct{ text string }

func (p *public) Error() string { return p.text }

// Format keeps %d, %#v and the like from showing anything but the text.
func (p *public) Format(s fmt.State, verb rune) {
	if verb != 'q' {
		verb = 's'
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), p.text)
}
