// Package recourse turns a failed MCP tool call into an error that a model can
// act on.
//
// A model that reads "Error: 422" gives up or improvises. One that reads what
// happened, which argument was at fault, what to do next and whether the same
// call may succeed later, recovers. An [Error] says these four things:
//
//	return &recourse.Error{
//		Code:       recourse.DuplicateEntry,
//		Message:    "A record with this email already exists.",
//		Field:      "/email",
//		Suggestion: "Use update_record with existing_id, or choose a different email.",
//		Related:    map[string]any{"existing_id": id},
//	}
//
// # Writing an error
//
// Every [Code] has defaults for the message, the suggestion, the wait and the
// number of retries, so that an Error with nothing but a Code is already
// complete. [Errorf] formats a message. Both keep apart what may be shown from
// what happened: the cause, Err, is for errors.Is and the log, and no part of
// its text reaches the model.
//
// # Carrying it
//
// [Error.Envelope] is the text for the first content block of a result with
// isError set, and the same object belongs in _meta under [MetaError].
// envelope.schema.json describes it. [Error.UnmarshalJSON] reads it back.
package recourse
