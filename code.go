package recourse

// A Code says what kind of failure an [Error] is. The list is closed, but an
// author may use a SCREAMING_SNAKE code of his own: it is not retried and does
// not count against a breaker unless its Error has a positive MaxRetries. What
// is not SCREAMING_SNAKE, or longer than 63 characters, is taken as
// [UnknownError].
type Code string

const (
	InvalidArgument     Code = "INVALID_ARGUMENT"      // wrong type, format or choice
	MissingArgument     Code = "MISSING_ARGUMENT"      // required, absent
	UnknownArgument     Code = "UNKNOWN_ARGUMENT"      // not in the schema
	OutOfRange          Code = "OUT_OF_RANGE"          // number, length or date past a limit
	MalformedRequest    Code = "MALFORMED_REQUEST"     // arguments are not an object
	InvalidQuery        Code = "INVALID_QUERY"         // error inside a query or expression
	PayloadTooLarge     Code = "PAYLOAD_TOO_LARGE"     // over a cap
	UnknownTool         Code = "UNKNOWN_TOOL"          // no such tool
	NotFound            Code = "NOT_FOUND"             // target absent
	DuplicateEntry      Code = "DUPLICATE_ENTRY"       // already there
	Conflict            Code = "CONFLICT"              // version clash
	ResourceBusy        Code = "RESOURCE_BUSY"         // lock, full queue; retryable
	PreconditionFailed  Code = "PRECONDITION_FAILED"   // another step comes first
	NotSupported        Code = "NOT_SUPPORTED"         // not offered
	PolicyBlocked       Code = "POLICY_BLOCKED"        // a rule forbids it
	InvalidCredentials  Code = "INVALID_CREDENTIALS"   // missing, expired, refused
	PermissionDenied    Code = "PERMISSION_DENIED"     // known, not allowed
	UserActionRequired  Code = "USER_ACTION_REQUIRED"  // consent, MFA, captcha
	PaymentRequired     Code = "PAYMENT_REQUIRED"      // credit, seats
	RateLimited         Code = "RATE_LIMITED"          // short window; retryable
	QuotaExceeded       Code = "QUOTA_EXCEEDED"        // long window
	ServiceUnavailable  Code = "SERVICE_UNAVAILABLE"   // down; retryable
	HostUnreachable     Code = "HOST_UNREACHABLE"      // no such host, no route, TLS refusal
	Timeout             Code = "TIMEOUT"               // no answer in time; may have run: retryable only if NotRun
	UpstreamError       Code = "UPSTREAM_ERROR"        // 5xx; retryable
	BadUpstreamResponse Code = "BAD_UPSTREAM_RESPONSE" // unreadable answer; retryable
	InternalError       Code = "INTERNAL_ERROR"        // bug, panic
	ConfigurationError  Code = "CONFIGURATION_ERROR"   // operator must set something
	ResourceExhausted   Code = "RESOURCE_EXHAUSTED"    // memory, disk, descriptors
	ExecutionFailed     Code = "EXECUTION_FAILED"      // command ran and failed
	Cancelled           Code = "CANCELLED"             // caller stopped it
	UnknownError        Code = "UNKNOWN_ERROR"         // cannot tell
)

// valid reports whether c is SCREAMING_SNAKE and at most 63 characters long,
// the limit google.rpc.ErrorInfo sets for its reason.
func (c Code) valid() bool {
	if len(c) == 0 || len(c) > 63 {
		return false
	}
	last := byte('_')
	for i := range len(c) {
		b := c[i]
		letter, digit := 'A' <= b && b <= 'Z', '0' <= b && b <= '9'
		if !letter && !(digit && i > 0) && !(b == '_' && last != '_') {
			return false
		}
		last = b
	}
	return last != '_'
}
