package schema

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"create_issue", "list_issues", "get_issue", "echo", "search_contacts", "write", "max_rows", "title", "päth"}
	for name, want := range map[string]string{
		"createIssue":     "create_issue",
		"CREATE-ISSUE":    "create_issue",
		"issue_create":    "create_issue",
		"list-issue":      "list_issues",
		"ecko":            "echo",
		"ehco":            "echo",
		"ech":             "echo",
		"writes":          "write",
		"contacts_search": "search_contacts",
		"maxRows":         "max_rows",
		"MaxRows":         "max_rows",
		"max.row":         "max_rows",
		"tilte":           "title",
		"contact":         "search_contacts",
		"wri":             "write",
		"pätt":            "päth",
		"deploy":          "",
		"":                "",
		"_":               "",
		"x":               "",
	} {
		got := ""
		if near := Nearest(name, names); len(near) > 0 {
			got = near[0]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if near := Nearest("issue", names); len(near) != 3 || slices.Contains(near, "echo") {
		t.Errorf("issue: %q, want the three with issue", near)
	}
}
