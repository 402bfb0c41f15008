package wire

import (
	"net/http"

	"github.com/recourse-dev/recourse"
)

// numbers are those of HTTP statuses (RFC 9110 and its registry; 499 is
// nginx's): outside −32768…−32000, where a peer's own numbers are, and known to
// whoever reads a log.
var numbers = map[recourse.Code]int{
	recourse.InvalidArgument:     http.StatusBadRequest,
	recourse.MissingArgument:     http.StatusBadRequest,
	recourse.UnknownArgument:     http.StatusBadRequest,
	recourse.OutOfRange:          http.StatusBadRequest,
	recourse.MalformedRequest:    http.StatusBadRequest,
	recourse.InvalidQuery:        http.StatusBadRequest,
	recourse.PayloadTooLarge:     http.StatusRequestEntityTooLarge,
	recourse.UnknownTool:         http.StatusNotFound,
	recourse.NotFound:            http.StatusNotFound,
	recourse.DuplicateEntry:      http.StatusConflict,
	recourse.Conflict:            http.StatusConflict,
	recourse.ResourceBusy:        http.StatusLocked,
	recourse.PreconditionFailed:  http.StatusPreconditionFailed,
	recourse.NotSupported:        http.StatusNotImplemented,
	recourse.PolicyBlocked:       http.StatusForbidden,
	recourse.InvalidCredentials:  http.StatusUnauthorized,
	recourse.PermissionDenied:    http.StatusForbidden,
	recourse.UserActionRequired:  http.StatusForbidden,
	recourse.PaymentRequired:     http.StatusPaymentRequired,
	recourse.RateLimited:         http.StatusTooManyRequests,
	recourse.QuotaExceeded:       http.StatusTooManyRequests,
	recourse.ServiceUnavailable:  http.StatusServiceUnavailable,
	recourse.HostUnreachable:     http.StatusBadGateway,
	recourse.Timeout:             http.StatusGatewayTimeout,
	recourse.UpstreamError:       http.StatusBadGateway,
	recourse.BadUpstreamResponse: http.StatusBadGateway,
	recourse.ConfigurationError:  http.StatusInternalServerError,
	recourse.ResourceExhausted:   http.StatusInsufficientStorage,
	recourse.ExecutionFailed:     http.StatusUnprocessableEntity,
	recourse.Cancelled:           499,
}

// Number returns the number that stands for c in a JSON-RPC error; 500 if c has
// none of its own.
func Number(c recourse.Code) int {
	if n, ok := numbers[c]; ok {
		return n
	}
	return http.StatusInternalServerError
}
