package calllog

import (
	"time"

	"github.com/recourse-dev/recourse/internal/ulid"
)

// NewID returns 26 characters that sort by t, to the millisecond, and differ
// between processes; see [ulid.Append].
func NewID(t time.Time) string { return string(ulid.Append(nil, t)) }
