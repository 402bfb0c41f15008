// Package draft compiles a JSON Schema into a tree in which nothing need be looked
// up any more: references lead to what they name, patterns are compiled, and what
// stands where its draft wants something else is an error. It judges no instance.
//
// It knows drafts 4, 6, 7, 2019-09 and 2020-12 with the vocabularies of each.
// Nothing is ever fetched: a reference may lead out of the document only to the
// drafts' own schemas.
package draft

import "strings"

// A Version is a draft of JSON Schema. Later ones are greater.
type Version int

// The drafts.
const (
	V4    Version = 4
	V6    Version = 6
	V7    Version = 7
	V2019 Version = 2019
	V2020 Version = 2020
)

// named returns the draft whose own schema has an address. The addresses of
// the older ones end in an empty fragment, and are often written with https.
func named(address string) (Version, bool) {
	address = strings.TrimSuffix(address, "#")
	rest, ok := strings.CutPrefix(address, "https://")
	if !ok {
		rest = strings.TrimPrefix(address, "http://")
	}
	switch rest {
	case "json-schema.org/draft-04/schema":
		return V4, true
	case "json-schema.org/draft-06/schema":
		return V6, true
	case "json-schema.org/draft-07/schema":
		return V7, true
	case "json-schema.org/draft/2019-09/schema":
		return V2019, true
	case "json-schema.org/draft/2020-12/schema", "json-schema.org/schema":
		return V2020, true
	}
	return 0, false
}
