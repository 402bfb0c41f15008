package adapter

import "github.com/recourse-dev/recourse"

// Actual returns err, but for a nil *recourse.Error nil: whoever returns a
// variable of that type means that all went well.
func Actual(err error) error {
	if e, ok := err.(*recourse.Error); ok && e == nil {
		return nil
	}
	return err
}

// Unwritable returns the error of a result that can't be sent.
func Unwritable() *recourse.Error {
	return &recourse.Error{
		Code:       recourse.InternalError,
		Message:    "The tool ran, but what it returned can't be written as JSON.",
		Suggestion: "Don't repeat the call: it may have had its effect. Tell the user that this tool has a bug.",
		MaxRetries: -1,
		Related:    map[string]any{"outcome": "completed"},
	}
}

// Asking makes an error of a question to the client. Nothing has failed: the
// reason says so to the log.
func Asking() *recourse.Error {
	return &recourse.Error{
		Code:       recourse.UserActionRequired,
		MaxRetries: -1,
		Related:    map[string]any{"reason": "input_required"},
	}
}
