// Package recourse makes every MCP tool call end, in time, as data or as an
// error that a model can act on.
//
// A model that reads "Error: 422" gives up or improvises, and one that reads
// nothing takes it for "no data". One that reads what happened, which argument
// was at fault, what to do next and whether the same call may succeed later,
// recovers. An [Error] says these four things:
//
//	return nil, out, &recourse.Error{
//		Code:       recourse.DuplicateEntry,
//		Message:    "A record with this email already exists.",
//		Field:      "/email",
//		Suggestion: "Use update_record with existing_id, or choose a different email.",
//		Related:    map[string]any{"existing_id": id},
//	}
//
// # Writing a tool
//
// Wrap the server's handlers once with the adapter for your SDK (gosdk, mcpgo):
// from then on each call has a deadline, survives a panic and is logged.
//
// Return an Error for a failure you foresaw; [Errorf] formats one. Any other
// error is classified by [Classify]. Only the text of an Error is ever shown:
// its cause, Err, is for errors.Is and the log.
//
// Reach every API through a [Dependency], with [DoJSON] or, for all that is not
// JSON over HTTP, with [Call]:
//
//	var github = recourse.Dependency{Name: "GitHub", Timeout: 5 * time.Second, Attempts: 2}
//
//	repo, err := recourse.Call(ctx, &github, func(ctx context.Context) (*Repo, error) {
//		return client.Repo(ctx, name)
//	})
//
// It has a deadline, a breaker, a limit and, where repeating does no harm,
// another try. Combine several with [Gather], where parts may fail; fall back on
// the last good answer with a [Cache]; say what is missing with [Warn]; start
// goroutines with [Go].
//
// # Running a server
//
// [Guard] holds what all tools share: the deadline of a whole call, the log
// ([LogTo]), one place for a server's own errors. [Env] and [ReadConfig] name
// what is missing before the server starts, and [Fatal] ends it so that nobody
// restarts it in vain.
//
// # What a model reads
//
// [Error.Envelope] is the text of the first content block of a result with
// isError set, and the same object stands in _meta under [MetaError].
// envelope.schema.json describes it; [Error.UnmarshalJSON] reads it back.
package recourse
