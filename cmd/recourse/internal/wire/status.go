package wire

import "github.com/recourse-dev/recourse"

// numbers are those of HTTP statuses (RFC 9110 and its registry; 499 is
// nginx's): outside −32768…−32000, where a peer's own numbers are, and known to
// whoever reads a log.
var numbers = map[recourse.Code]int{
	recourse.InvalidArgument:     400,
	recourse.MissingArgument:     400,
	recourse.UnknownArgument:     400,
	recourse.OutOfRange:          400,
	recourse.MalformedRequest:    400,
	recourse.InvalidQuery:        400,
	recourse.PayloadTooLarge:     413,
	recourse.UnknownTool:         404,
	recourse.NotFound:            404,
	recourse.DuplicateEntry:      409,
	recourse.Conflict:            409,
	recourse.ResourceBusy:        423,
	recourse.PreconditionFailed:  412,
	recourse.NotSupported:        501,
	recourse.PolicyBlocked:       403,
	recourse.InvalidCredentials:  401,
	recourse.PermissionDenied:    403,
	recourse.UserActionRequired:  403,
	recourse.PaymentRequired:     402,
	recourse.RateLimited:         429,
	recourse.QuotaExceeded:       429,
	recourse.ServiceUnavailable:  503,
	recourse.HostUnreachable:     502,
	recourse.Timeout:             504,
	recourse.UpstreamError:       502,
	recourse.BadUpstreamResponse: 502,
	recourse.ConfigurationError:  500,
	recourse.ResourceExhausted:   507,
	recourse.ExecutionFailed:     422,
	recourse.Cancelled:           499,
}

// Number returns the number that stands for c in a JSON-RPC error; 500 if c has
// none of its own.
func Number(c recourse.Code) int {
	if n, ok := numbers[c]; ok {
		return n
	}
	return 500
}
