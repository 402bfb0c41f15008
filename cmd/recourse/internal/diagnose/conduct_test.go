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
		{name: "read_file", want: Contents},
		{name: "get_file_contents", want: Contents},
		{name: "getMessage", want: Contents},
		{name: "fetch", want: Contents},
		{name: "web_fetch", want: Contents},
		{name: "fetch_weather", want: Reads},
		{name: "list_invoices", want: Reads},
		{name: "list_files", want: Reads}, // their names
		{name: "list_console_messages", want: Contents},
		{name: "browser_console_messages", want: Contents},
		{name: "browser_snapshot", want: Contents},
		{name: "browser_navigate", want: Acts},
		{name: "git_log", want: Contents},
		{name: "git_diff", want: Contents},
		{name: "tail_logs", want: Contents},
		{name: "log_event", want: Reads},
		{name: "log_message", want: Reads},
		{name: "http_request", want: Contents},
		{name: "redis_get", want: Contents},
		{name: "run_python", want: Contents},
		{name: "open_nodes", want: Contents},
		{name: "git_status", want: Judges},
		{name: "write_query", want: Acts},
		{name: "get_balance", want: Reads},
		{name: "search_memory", want: Contents},
		{name: "open_file", want: Contents},
		{name: "open_issue", want: Acts},
		{name: "save_note", want: Acts},
		{name: "translate", want: Contents},
		{name: "get_last_error", want: Contents},
		{name: "terminal", description: "Runs a command", want: Contents},
		{name: "wizard", description: "Reads what is on the shelf", want: Contents},
		{name: "note", description: "Creates a note", want: Acts},
		{name: "get-weather", want: Reads},
		{name: "githubSearchCode", want: Contents},
		{name: "execute_sql", want: Contents},
		{name: "run_command", want: Contents},
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
