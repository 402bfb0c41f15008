package recourse

// bySQLState judges a SQLSTATE of PostgreSQL, or another database's in the same
// classes: https://www.postgresql.org/docs/current/errcodes-appendix.html.
func bySQLState(state string) (Error, bool) {
	if len(state) != 5 {
		return Error{}, false
	}
	v, ok := states[state]
	if !ok {
		v, ok = states[state[:2]]
	}
	v.heard = ok && !v.Code.fallback().breaker
	return v, ok
}

const badReference = "Something that this refers to is missing, or something still refers to it."

// states are SQLSTATEs and their classes. NotRun are only those that end a
// transaction, or refuse it, before it is committed.
var states = map[string]Error{
	"02": {Code: NotFound},
	"08": {Code: ServiceUnavailable, Message: broken, lost: true},
	"0A": {Code: NotSupported},
	"21": {Code: InvalidQuery},
	"22": {Code: InvalidArgument},
	"23": {Code: InvalidArgument},
	"25": {Code: PreconditionFailed},
	"28": {Code: InvalidCredentials},
	"3D": {Code: NotFound},
	"3F": {Code: NotFound},
	"40": {Code: Conflict},
	"42": {Code: InvalidQuery},
	"44": {Code: InvalidArgument},
	"53": {Code: ResourceExhausted, Message: "The database has run out of memory, disk or another resource."},
	"54": {Code: PayloadTooLarge},
	"55": {Code: PreconditionFailed},
	"57": {Code: ServiceUnavailable},
	"58": {Code: UpstreamError},
	"F0": {Code: UpstreamError, MaxRetries: -1},
	"HV": {Code: UpstreamError},
	"XX": {Code: UpstreamError},

	"08001": {Code: ServiceUnavailable, Message: refused, NotRun: true, lost: true},
	"08004": {Code: ServiceUnavailable, Message: refused, NotRun: true, lost: true},
	"22003": {Code: OutOfRange},
	"22008": {Code: OutOfRange, Message: "A date or time is out of range."},
	"22001": {Code: OutOfRange, Message: "A text is too long.", Suggestion: "Shorten the text, and call again."},
	"23001": {Code: PreconditionFailed, Message: badReference, Suggestion: mendReference},
	"23502": {Code: MissingArgument, Message: "A required value is missing."},
	"23503": {Code: PreconditionFailed, Message: badReference, Suggestion: mendReference},
	"23505": {Code: DuplicateEntry, Message: "An entry with the same key already exists."},
	"23514": {Code: InvalidArgument, Message: "A value breaks a rule of the database."},
	"23P01": {Code: Conflict, Message: "This overlaps with an existing entry.", Suggestion: "Read the existing entries, choose values that don't overlap with them, and call again."},
	"25006": {Code: PolicyBlocked, Message: "The database is read-only here."},
	"40001": {Code: ResourceBusy, Message: "Another change came in between, and this one was undone.", NotRun: true},
	"40003": {Code: Timeout, Message: "It is not known whether the change was made."},
	"40P01": {Code: ResourceBusy, Message: "Two changes waited for each other, and this one was undone.", NotRun: true},
	"42501": {Code: PermissionDenied},
	"42710": {Code: DuplicateEntry},
	"42723": {Code: DuplicateEntry},
	"42P04": {Code: DuplicateEntry},
	"42P06": {Code: DuplicateEntry},
	"42P07": {Code: DuplicateEntry},
	"53300": {Code: ServiceUnavailable, Message: "The database has no connection left.", NotRun: true},
	"55006": {Code: ResourceBusy},
	"55P03": {Code: ResourceBusy, NotRun: true},
	"57014": {Code: Timeout, Message: "The database stopped the query, most likely for taking too long."},
	"57P01": {Code: ServiceUnavailable, Message: broken, lost: true},
	"57P02": {Code: ServiceUnavailable, Message: broken, lost: true},
	"57P03": {Code: ServiceUnavailable, Message: refused, NotRun: true, lost: true},
	"57P04": {Code: NotFound, Message: "The database no longer exists.", lost: true},
	"57P05": {Code: ServiceUnavailable, Message: broken, lost: true},
	"P0001": {Code: PreconditionFailed, Message: "A rule of the database refused this."},
	"P0002": {Code: NotFound},
}

const mendReference = "Create what is referred to first, or remove what refers to it, then call again."
