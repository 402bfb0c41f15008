package diagnose

import (
	"strings"
	"testing"
)

// Schemas as servers in wide use have them.
func TestNarrowing(t *testing.T) {
	for _, c := range []struct{ properties, want string }{
		{`"limit":{"type":"integer"},"cursor":{"type":"string"}`, "limit cursor"},
		{`"q":{"type":"string"},"per_page":{},"page":{},"sort":{},"order":{}`, "q per_page page"},
		{`"owner":{},"repo":{},"sha":{},"perPage":{"description":"Results per page (max 100)"},"after":{}`, "perPage after"},
		{`"path":{},"head":{"type":"number"},"tail":{"type":"number"}`, "head tail"},
		{`"file":{},"start_line":{},"endLine":{},"encoding":{}`, "start_line endLine"},
		{`"start_cursor":{},"page_size":{},"database_id":{}`, "start_cursor page_size"},
		{`"jql":{},"fields":{},"startAt":{"description":"Starting from which issue"},"maxResults":{}`, "fields startAt maxResults"},
		{`"a":{"description":"Maximum number of rows to return"},"b":{"description":"Filter by status."},"c":{"description":"Title of the issue"}`, "a b"},
		{`"first_name":{},"last_name":{},"start_server":{},"endpoint":{},"account":{},"size_chart":{},"maximum":{},"number":{}`, ""},
		{`"limit":{},"offset":{},"page":{},"cursor":{},"filter":{},"since":{},"until":{}`, "limit offset page cursor filter"},
		{`"lim\u0069t":{"description":null},"limit":{},"limit it.":{},"` + strings.Repeat("page_", 20) + `":{},"cursor":5`, "limit cursor"},
		{``, ""},
	} {
		tool := `{"name":"t","inputSchema":{"type":"object","properties":{` + c.properties + `}}}`
		if got := strings.Join(Narrowing([]byte(tool)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.properties, got, c.want)
		}
	}
	for _, tool := range []string{``, `null`, `{}`, `{"inputSchema":true}`, `{"inputSchema":{"properties":null}}`, `{"inputSchema":{"properties":["limit"]}}`} {
		if got := Narrowing([]byte(tool)); got != nil {
			t.Errorf("%s: %q", tool, got)
		}
	}
}
