package diagnose

import (
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// Narrowing returns which arguments of a tool make its answer smaller, by their
// names and descriptions, in the order of the schema and at most five. Tool is
// an element of the list that tools/list returns.
func Narrowing(tool []byte) []string {
	const most = 5
	var names []string
	properties := member(member(tool, "inputSchema"), "properties")
	for key, at := range wire.Members(properties) {
		name := string(label(key.Of(properties)))
		about := member(at.Of(properties), "description")
		if len(names) < most && !slices.Contains(names, name) && fits(name) && (narrows(name) || says(wire.Unquote(about))) {
			names = append(names, name)
		}
	}
	return names
}

// fits keeps out what is no name: it will stand in a sentence.
func fits(name string) bool {
	const longest = 64
	return name != "" && len(name) <= longest && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+$[]") == ""
}

// Words in names of arguments that ask for a part.
var (
	// narrow say so wherever they stand: page_size, startCursor.
	narrow = set("limit cursor page pages paging pagination offset skip filter filters since until fields columns")

	// alone say so by themselves: in start_server and first_name they mean something else.
	alone = set(`q query search start end first last top take count n size max from to before after range lines head tail
		depth select where continuation token_limit`)

	// bounds say so in front of one of units: max_results, startLine, end_date.
	bounds = set("max min maximum minimum num number start end from to first last top per after before")
	units  = set(`results result items item lines line rows row records record entries entry matches count length size depth
		chars characters bytes tokens page date time timestamp day index id row column byte messages events commits`)
)

func narrows(name string) bool {
	w := words(name)
	switch {
	case slices.ContainsFunc(w, func(w string) bool { return narrow[w] }):
		return true
	case len(w) == 1:
		return alone[w[0]]
	}
	return len(w) == 2 && bounds[w[0]] && units[w[1]] || len(w) == 3 && bounds[w[0]] && units[w[2]]
}

// says reports whether a description tells that less is returned.
func says(about string) bool {
	about = strings.ToLower(about)
	return slices.ContainsFunc([]string{
		"maximum number of", "max number of", "number of results", "number of items", "limit the", "limits the", "how many",
		"results per page", "page number", "for pagination", "next page", "starting from", "filter by", "filters the", "filter the", "filter results",
		"only return", "only include", "restrict",
	}, func(phrase string) bool { return strings.Contains(about, phrase) })
}
