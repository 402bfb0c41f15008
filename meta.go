package recourse

// Keys under which results carry machine copies in _meta.
const (
	MetaError    = "dev.recourse/error"
	MetaWarnings = "dev.recourse/warnings"
)
