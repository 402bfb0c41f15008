package recourse

import "time"

// A fallback is what an [Error] says and does where its author left it open.
type fallback struct {
	phrase     string        // for Message
	suggestion string        // for Suggestion
	repeat     string        // for Suggestion, if the Error is retryable; if empty, suggestion
	after      time.Duration // for RetryAfter
	retries    int           // for MaxRetries
	breaker    bool          // counts against a breaker
}

// fallback returns c's defaults, and those of [UnknownError] for a code that is
// not in the list.
func (c Code) fallback() fallback {
	if f, ok := fallbacks[c]; ok {
		return f
	}
	return fallbacks[UnknownError]
}

const (
	checkFirst = "Don't send this call again unchecked: first find out, with a tool that only reads, whether it took effect."
	tellUser   = "Don't send this call again now; go on without it, or tell the user."
)

// Waits stand for services that name none. 30 s: on average, half of a
// one-minute window is left. 5 s and 10 s: with the retries beside them they fit
// into the 60 s after which common clients give up.
var fallbacks = map[Code]fallback{
	InvalidArgument: {
		phrase:     "An argument has the wrong type, format or value.",
		suggestion: "Correct the argument as the message or the tool's description says, and call again.",
	},
	MissingArgument: {
		phrase:     "A required argument is missing.",
		suggestion: "Add the missing argument, and call again.",
	},
	UnknownArgument: {
		phrase:     "The tool has no argument of this name.",
		suggestion: "Use only the argument names in the tool's schema, and call again.",
	},
	OutOfRange: {
		phrase:     "An argument is past a limit.",
		suggestion: "Choose a value within the limit, and call again.",
	},
	MalformedRequest: {
		phrase:     "The arguments are not a JSON object.",
		suggestion: "Send the arguments as one JSON object, with the fields at its top level.",
	},
	InvalidQuery: {
		phrase:     "The query or expression has an error in it.",
		suggestion: "Correct the query's syntax and the names in it, and call again.",
	},
	PayloadTooLarge: {
		phrase:     "The data are over the size limit.",
		suggestion: "Send or ask for less at a time, in several calls.",
	},
	UnknownTool: {
		phrase:     "There is no tool of this name.",
		suggestion: "List the tools again, and call one of those.",
	},
	NotFound: {
		phrase:     "What the call names does not exist.",
		suggestion: "Look up the right name or id with a tool that lists or searches, and call again.",
	},
	DuplicateEntry: {
		phrase:     "This already exists.",
		suggestion: "Use or update the existing entry, or choose another name.",
	},
	Conflict: {
		phrase:     "This was changed by somebody else in the meantime.",
		suggestion: "Read the newest version, apply the change to that, and call again.",
		after:      time.Second,
	},
	ResourceBusy: {
		phrase:     "The resource is in use.",
		suggestion: tellUser,
		repeat:     "Wait a moment, then repeat the call.",
		after:      2 * time.Second,
		retries:    3,
	},
	PreconditionFailed: {
		phrase:     "Another step has to come first.",
		suggestion: "Do the missing step, then call again.",
	},
	NotSupported: {
		phrase:     "This is not offered here.",
		suggestion: "Use another tool, or another way to the same end.",
	},
	PolicyBlocked: {
		phrase:     "A rule of this server forbids the call.",
		suggestion: "Don't repeat the call or work round the rule; tell the user what was refused.",
	},
	InvalidCredentials: {
		phrase:     "The credentials are missing, expired or refused.",
		suggestion: "Ask the user to sign in again or to renew the key; don't repeat the call before.",
	},
	PermissionDenied: {
		phrase:     "The account is known, but not allowed to do this.",
		suggestion: "Ask the user to have access granted, or choose something this account may do.",
	},
	UserActionRequired: {
		phrase:     "The user has to do something first.",
		suggestion: "Tell the user what to confirm or complete, and call again afterwards.",
	},
	PaymentRequired: {
		phrase:     "The account has no credit or seat left for this.",
		suggestion: "Tell the user what must be paid for; don't repeat the call before.",
	},
	RateLimited: {
		phrase:     "Too many calls in a short time.",
		suggestion: tellUser,
		repeat:     "Wait, then repeat the call; send fewer calls at a time.",
		after:      30 * time.Second,
		retries:    3,
	},
	QuotaExceeded: {
		phrase:     "The allowance for this period is used up.",
		suggestion: "Tell the user that the allowance is used up, or do with less.",
	},
	ServiceUnavailable: {
		phrase:     "The service is down or can't take calls.",
		suggestion: checkFirst,
		repeat:     "Wait, then repeat the call; if the service stays down, tell the user.",
		after:      5 * time.Second,
		retries:    3,
		breaker:    true,
	},
	HostUnreachable: {
		phrase:     "The host can't be reached.",
		suggestion: "Check the address; if it is right, tell the user that the host can't be reached.",
		breaker:    true,
	},
	Timeout: {
		phrase:     "No answer came in time.",
		suggestion: checkFirst,
		repeat:     "Repeat the call, or ask for less at a time.",
		after:      5 * time.Second,
		retries:    2,
		breaker:    true,
	},
	UpstreamError: {
		phrase:     "The service behind this tool failed.",
		suggestion: checkFirst,
		repeat:     "Wait, then repeat the call once; if it fails again, tell the user.",
		after:      10 * time.Second,
		retries:    1,
		breaker:    true,
	},
	BadUpstreamResponse: {
		phrase:     "The service behind this tool sent an answer that can't be read.",
		suggestion: checkFirst,
		repeat:     "Wait, then repeat the call once; if it fails again, tell the user.",
		after:      10 * time.Second,
		retries:    1,
		breaker:    true,
	},
	InternalError: {
		phrase:     "The tool itself broke.",
		suggestion: "Don't send the same call again; try other arguments or another tool.",
		breaker:    true,
	},
	ConfigurationError: {
		phrase:     "The server is not set up completely.",
		suggestion: "Tell the user that the server's operator must complete its configuration.",
		breaker:    true,
	},
	ResourceExhausted: {
		phrase:     "The server has run out of memory, disk or another resource.",
		suggestion: "Ask for less, and tell the user that the server has run out of resources.",
		breaker:    true,
	},
	ExecutionFailed: {
		phrase:     "The command ran and failed.",
		suggestion: "Correct what made the command fail, then run it again.",
	},
	Cancelled: {
		phrase:     "The call was stopped on purpose.",
		suggestion: "Don't repeat the call unless the user asks for it.",
	},
	UnknownError: {
		phrase:     "The call failed for a reason that is not known.",
		suggestion: "Try another way; if that fails too, tell the user.",
	},
}
