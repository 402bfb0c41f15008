package recourse

// statuses are those that say more than their class. Sources: the registry of
// IANA, and for 499 nginx, 520 to 530 Cloudflare, 529 Anthropic.
var statuses = map[int]Code{
	401: InvalidCredentials,
	402: PaymentRequired,
	403: PermissionDenied,
	404: NotFound,
	405: NotSupported,
	406: NotSupported,
	407: ConfigurationError, // a proxy between us and the API asks who we are
	408: Timeout,
	409: Conflict,
	410: NotFound,
	412: Conflict,
	413: PayloadTooLarge,
	414: PayloadTooLarge,
	415: NotSupported,
	416: OutOfRange,
	420: RateLimited,
	423: ResourceBusy,
	424: PreconditionFailed,
	425: RateLimited,
	428: PreconditionFailed,
	429: RateLimited,
	431: PayloadTooLarge,
	451: PolicyBlocked,
	499: Cancelled,
	501: NotSupported,
	502: ServiceUnavailable,
	503: ServiceUnavailable,
	504: Timeout,
	505: NotSupported,
	507: QuotaExceeded,
	509: QuotaExceeded,
	511: UserActionRequired,
	520: ServiceUnavailable,
	521: ServiceUnavailable,
	522: ServiceUnavailable,
	523: ServiceUnavailable,
	524: Timeout,
	525: HostUnreachable,
	526: HostUnreachable,
	529: ServiceUnavailable,
	530: ServiceUnavailable,
	598: Timeout,
	599: Timeout,
}

// byStatus returns the code of a status outside 100 to 399.
func byStatus(status int) Code {
	if c, ok := statuses[status]; ok {
		return c
	}
	switch status / 100 {
	case 4:
		return InvalidArgument
	case 5:
		return UpstreamError
	}
	return BadUpstreamResponse
}

// bySDK judges the errors of SDKs that tell the status of an API's answer, as
// those of AWS do, and many that are generated. AWS says more in a code.
func bySDK(err error, status int) (Error, bool) {
	if status < 400 || status > 599 { // without an answer, SDKs return zero
		return Error{}, false
	}
	a := reply{status: status}
	left := maxTree
	walk(err, &left, func(err error) bool {
		x, ok := err.(interface{ ErrorCode() string })
		if ok {
			a.problem.code(x.ErrorCode())
		}
		return ok
	})
	return *a.error(), true
}
