package schema

import "github.com/recourse-dev/recourse/schema/internal/draft"

// formats holds what Check looks at, and what to call it, with an example.
// Others, such as hostname, are as often a loose remark as a promise.
var formats = map[string]struct {
	words   string
	checked bool
}{
	"date":          {"a date such as 2026-03-01", true},
	"time":          {"a time with its zone such as 09:30:00Z", true},
	"date-time":     {"a date and time with its zone such as 2026-03-01T09:30:00Z", true},
	"duration":      {"an ISO 8601 duration such as PT30M", false},
	"email":         {"an email address such as ada@example.com", true},
	"ipv4":          {"an IPv4 address such as 192.0.2.1", true},
	"ipv6":          {"an IPv6 address such as 2001:db8::1", true},
	"uri":           {"a URL such as https://example.com/page", true},
	"uuid":          {"a UUID such as 123e4567-e89b-12d3-a456-426614174000", true},
	"hostname":      {"a host name such as www.example.com", false},
	"uri-reference": {"an address such as /page or https://example.com/page", false},
	"json-pointer":  {"a JSON Pointer such as /items/0", false},
	"regex":         {"a regular expression", false},
}

// formed reports whether a text has a format, or the format is none of ours. The
// drafts want a zone in a time; of the libraries that write the format, some do
// without and one forbids it.
func formed(f *draft.Format, text string) bool {
	if f.Name == "time" && (f.Valid(text+"Z") || f.Valid(text+":00Z")) {
		return true
	}
	return !formats[f.Name].checked || f.Valid(text)
}
