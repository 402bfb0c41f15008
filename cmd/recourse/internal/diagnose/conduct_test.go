package diagnose

import "testing"

func TestConductOf(t *testing.T) {
	for _, c := range []struct {
		name, description string
		readOnly          bool
		want              Conduct
	}{
		{name: "create_issue", want: Acts},
		{name: "sendMessage", want: Acts},
		{name: "API-post-page", want: Acts},
		{name: "browser_click", want: Acts},
		{name: "read_file", want: Reads},
		{name: "get-weather", want: Reads},
		{name: "githubSearchCode", want: Reads},
		{name: "execute_sql", want: Reads},
		{name: "run_command", want: Reads},
		{name: "run_tests", want: Judges},
		{name: "validate_schema", want: Judges},
		{name: "lintFile", want: Judges},
		{name: "get_build_status", want: Judges},
		{name: "audit", want: Judges},
		{name: "create_test", want: Acts}, // it makes one
		{name: "wizard", want: Unknown},
		{name: "", want: Unknown},
		{name: "issue", description: "Creates an issue in a project.", want: Acts},
		{name: "pages", description: "Lists all pages", want: Reads},
		{name: "quality", description: "Check a file for mistakes.", want: Judges},
		{name: "wizard", readOnly: true, want: Reads},
		{name: "submit_form", readOnly: true, want: Reads},
		{name: "verify_key", readOnly: true, want: Judges},
	} {
		if got := ConductOf(c.name, c.description, c.readOnly); got != c.want {
			t.Errorf("%q, %q, %v: %d, want %d", c.name, c.description, c.readOnly, got, c.want)
		}
	}
}
