package recourse

import (
	"strings"
	"sync"
	"unicode"
)

// words are the codes, types and reasons that APIs use in error bodies, where
// they say more than the status: of google.rpc and older Google APIs, GitHub,
// Stripe, OpenAI, Anthropic, AWS, Salesforce and OAuth (RFC 6749, 5.2). They
// stand as snake returns them. One that only repeats what 400 says, such as
// invalid_request, is not among them.
var words = map[Code]string{
	DuplicateEntry: `already_exists resource_already_exists entity_already_exists bucket_already_exists
		bucket_already_owned_by_you already_taken taken duplicate duplicate_entry duplicate_key not_unique
		unique_violation email_exists name_already_exists duplicates_detected`,
	NotFound: `not_found resource_missing resource_not_found no_such_key no_such_bucket no_such_entity
		model_not_found user_not_found page_not_found`,
	MissingArgument:    `missing_field missing_parameter missing_required_parameter parameter_missing required missing_argument`,
	OutOfRange:         `out_of_range`,
	InvalidQuery:       `invalid_query query_syntax malformed_query graphql_parse_failed graphql_validation_failed`,
	PayloadTooLarge:    `context_length_exceeded request_too_large payload_too_large entity_too_large string_above_max_length`,
	Conflict:           `aborted conflict conditional_check_failed idempotency etag_mismatch version_conflict`,
	ResourceBusy:       `idempotency_key_in_use lock_timeout resource_in_use resource_locked unable_to_lock_row`,
	PreconditionFailed: `failed_precondition`,
	NotSupported:       `unimplemented not_implemented method_not_allowed unsupported_media_type`,
	PolicyBlocked:      `content_policy_violation content_filter policy_violation org_policy`,
	InvalidCredentials: `unauthenticated authentication unauthorized invalid_api_key api_key_invalid api_key_expired expired_token
		token_expired expired_api_key invalid_token unrecognized_client invalid_signature signature_does_not_match
		invalid_access_key_id request_expired access_token_expired invalid_grant invalid_client unauthorized_client
		invalid_session_id`,
	PermissionDenied: `permission_denied permission access_denied insufficient_permissions insufficient_scope
		access_token_scope_insufficient forbidden invalid_scope`,
	UserActionRequired: `authentication_required consent_required interaction_required mfa_required`,
	PaymentRequired:    `card_declined insufficient_funds expired_card payment_required billing billing_not_active billing_disabled`,
	RateLimited: `resource_exhausted rate_limit_exceeded rate_limit_reached rate_limited rate_limit ratelimited too_many_requests
		user_rate_limit_exceeded throttling throttled request_throttled slow_down request_limit_exceeded
		provisioned_throughput_exceeded requests_limit_exceeded secondary_rate_limit`,
	QuotaExceeded: `insufficient_quota quota_exceeded daily_limit_exceeded storage_quota_exceeded billing_hard_limit_reached
		service_quota_exceeded limit_exceeded usage_limit_reached`,
	ServiceUnavailable: `unavailable service_unavailable overloaded server_overloaded backend_unavailable`,
	Timeout:            `deadline_exceeded`,
	UpstreamError:      `internal internal_server internal_failure backend data_loss`,
	Cancelled:          `cancelled`,
}

// byWord is words turned round.
var byWord = sync.OnceValue(func() map[string]Code {
	m := map[string]Code{}
	for code, list := range words {
		for w := range strings.FieldsSeq(list) {
			m[w] = code
		}
	}
	return m
})

// snake brings a machine code into one spelling: "com.amazonaws.x#SlowDown:…",
// "https://api.example/errors/slow-down" and "SLOW_DOWN" are slow_down. A last
// word that only says that this is an error goes.
func snake(s string) string {
	if _, name, ok := strings.Cut(s, "#"); ok {
		s = name
	}
	if !strings.HasPrefix(s, "http") {
		s, _, _ = strings.Cut(s, ":")
	}
	s = s[strings.LastIndexAny(s, "/:")+1:]
	var b strings.Builder
	var last rune
	for _, r := range s {
		switch {
		case r == '-' || r == '.' || r == ' ':
			r = '_'
		case unicode.IsUpper(r) && unicode.IsLower(last):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	s = b.String()
	for _, end := range []string{"_exception", "_error", "_fault"} {
		s = strings.TrimSuffix(s, end)
	}
	return s
}

// Phrases in an API's own words that decide where its codes don't.
var (
	existsWords  = []string{"already exist", "exists already", "already been taken", "already taken", "duplicate key", "duplicate entry", "unique constraint", "must be unique"}
	limitWords   = []string{"rate limit", "rate-limit", "ratelimit", "too many requests", "abuse detection", "throttl"}
	quotaWords   = []string{"quota", "allowance", "usage limit", "usage_limit", "storage limit", "storage space", "out of credit"}
	keyWords     = []string{"api key is invalid", "invalid api key", "api key not valid", "api key is not valid", "incorrect api key", "api key expired", "api key has expired"}
	lastingWords = []string{
		"per day", "perday", "/day", "daily", "per month", "permonth", "monthly", "insufficient_quota", "billing", "storage quota",
		"storage limit", "check your plan", "credit balance",
	}
	passingWords = []string{"per minute", "perminute", "/min", "per second", "persecond", "/s ", "per hour", "perhour", "100 seconds"}
	wallWords    = []string{"web application firewall", "attention required", "captcha", "request blocked", "incapsula", "cf-error", "just a moment", "checking your browser"}
)

func has(text string, list []string) bool {
	for _, w := range list {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// lasting tells a spent allowance of a day or more from a rate limit. A wait
// that is named speaks for the latter, except beside a clear word: Google names
// one for daily quotas as well.
func lasting(text string, wait bool) bool {
	text = strings.ToLower(text)
	switch {
	case has(text, passingWords):
		return !wait && has(text, lastingWords)
	case has(text, lastingWords):
		return true
	}
	return !wait && has(text, quotaWords)
}
